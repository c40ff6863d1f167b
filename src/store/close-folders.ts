/**
 * Earlier versions wrote files that everybody on the machine could read. Their folders are closed before the service
 * starts, which closes all below; then each file and folder in them is.
 */
import type { Dirent } from 'node:fs';
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../log.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** What those versions made in the store's folder. Anything else there is somebody else's. */
const FOLDERS: readonly string[] = ['batches', 'check', 'keys', 'published', 'tariffs'];

const isOpen = async (path: string): Promise<boolean> => ((await stat(path)).mode & 0o077) !== 0;

/** @param gone what to give where it is not there (any more) */
const unlessGone = async <T>(work: Promise<T>, gone: T): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return gone;
    throw error;
  }
};

const closeBelow = async (folder: string): Promise<void> => {
  const entries: readonly Dirent[] = await unlessGone(readdir(folder, { withFileTypes: true }), []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      await unlessGone(chmod(path, FOLDER_MODE), undefined);
      await closeBelow(path);
    } else if (entry.isFile()) await unlessGone(chmod(path, FILE_MODE), undefined);
  }
};

/**
 * Closes what is open of a store in a folder; resolves when nobody else can reach anything in it. The folder itself is
 * left as it is where it holds other things too.
 */
export const closeFolders = async (root: string, log: Logger): Promise<void> => {
  const failed = (err: unknown): void => log.warn({ err, root }, 'others on this machine may read the store');
  try {
    const names = await unlessGone(readdir(root), []);
    if (names.length > 0 && names.every((name) => FOLDERS.includes(name))) await chmod(root, FOLDER_MODE);
    for (const name of names.filter((one) => FOLDERS.includes(one))) {
      const folder = join(root, name);
      if (!(await isOpen(folder))) continue;
      await chmod(folder, FOLDER_MODE);
      // There may be millions of files, which nobody else can reach by now.
      closeBelow(folder).catch(failed);
    }
  } catch (error) {
    failed(error);
  }
};
