/** Changes the folder of a tariff or an agreement, one process at a time, even next to a running service. */
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { usingAlone } from '../base/process/folder-lock.ts';
import { finishChange } from '../catalog/documents/folder-place.ts';
import { AGREEMENTS, TARIFFS } from '../catalog/documents/kinds.ts';
import { CommandFailure } from './exit.ts';

/**
 * Changes a folder under the lock of its parent folder, which publishing also takes.
 * @param change reads the folder and writes it
 */
export const changingFolder = async <T>(dir: string, change: () => Promise<T>): Promise<T> => {
  const above = dirname(resolve(dir));
  const finishAndChange = async (): Promise<T> => {
    // Otherwise the remainder of an interrupted publication would undo this change.
    await finishChange(TARIFFS, above);
    await finishChange(AGREEMENTS, above);
    return await change();
  };
  return await usingAlone(
    above,
    finishAndChange,
    () => new CommandFailure(`Nothing was written. Another process is changing the folders in ${above}. Try again.`),
  );
};

/** Does the same for a folder that may not exist yet. */
export const beginningFolder = async <T>(dir: string, change: () => Promise<T>): Promise<T> => {
  await mkdir(dirname(resolve(dir)), { recursive: true });
  return await changingFolder(dir, change);
};
