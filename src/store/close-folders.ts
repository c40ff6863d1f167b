/**
 * Earlier versions wrote files that every user of the machine could read. Before the service starts, the permissions of
 * their folders are restricted, which protects everything below. Then each file and folder in them is restricted too.
 */
import type { Dirent } from 'node:fs';
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../log.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** The folders that those versions created in the store's folder. Anything else there belongs to others. */
const FOLDERS: readonly string[] = ['batches', 'check', 'keys', 'published', 'tariffs'];

const isOpen = async (path: string): Promise<boolean> => ((await stat(path)).mode & 0o077) !== 0;

/** @param gone the result if the file does not exist or has been removed */
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
 * Restricts a store's folder to its owner. Resolves when no other user can reach its content. The folder itself is left
 * alone if it contains anything else.
 */
export const closeFolders = async (root: string, log: Logger): Promise<void> => {
  const failed = (err: unknown): void => log.warn({ err, root }, 'other users of this machine may read the store');
  try {
    const names = await unlessGone(readdir(root), []);
    if (names.length > 0 && names.every((name) => FOLDERS.includes(name))) await chmod(root, FOLDER_MODE);
    for (const name of names.filter((one) => FOLDERS.includes(one))) {
      const folder = join(root, name);
      if (!(await isOpen(folder))) continue;
      await chmod(folder, FOLDER_MODE);
      // Not awaited: there may be millions of files, and other users can no longer reach them.
      closeBelow(folder).catch(failed);
    }
  } catch (error) {
    failed(error);
  }
};
