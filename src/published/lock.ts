/** On one machine, one process at a time publishes: commands move the copy of a pointer, and the API moves both. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderLock, lockWhenFree } from '../process/folder-lock.ts';
import { PublishError } from './documents.ts';

/** @throws {PublishError} if another process does not end its publishing soon */
export const lockPublishing = async (dataDir: string): Promise<FolderLock> => {
  const folder = join(dataDir, 'publishing');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockWhenFree(folder);
  if (lock === undefined) throw new PublishError('Somebody else is publishing. Try again later.');
  return lock;
};
