/** Which tariff folders there are, and whether one has changed, without reading what is in it. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf } from './folder.ts';

const OLD = /^\.(.+)\.old$/;

/** The error code of a failed system call; undefined for any other failure. */
export const systemCode = (failure: unknown): string | undefined =>
  failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;

/** The folders that may hold a tariff, in name order; the folder itself, where a tariff.json lies in it. */
export const foldersIn = async (dir: string): Promise<string[]> => {
  const entries = await readdir(dir, { withFileTypes: true });
  if (entries.some(({ name }) => name === 'tariff.json')) return [dir];
  const names = entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    // What a killed writer left stands for the folder itself; other hidden folders are not tariffs.
    .map(({ name }) => OLD.exec(name)?.[1] ?? name)
    .filter((name) => !name.startsWith('.'));
  return [...new Set(names)].sort().map((name) => join(dir, name));
};

/** Path, inode, size and time of everything in a folder: other content has another signature. */
export const signatureOf = async (dir: string): Promise<string> => {
  const parts: string[] = [];
  const look = async (path: string, depth: number): Promise<void> => {
    const { ino, size, mtimeMs } = await stat(path);
    parts.push(`${path} ${ino} ${size} ${mtimeMs}`);
    if (depth === 0) return;
    for (const entry of await readdir(path, { withFileTypes: true }))
      await look(join(path, entry.name), entry.isDirectory() ? depth - 1 : 0);
  };
  try {
    await look(await folderOf(dir), 2);
  } catch (failure) {
    const code = systemCode(failure);
    if (code === undefined) throw failure;
    // Gone while it was looked at, or closed to us: reading it will tell which.
    parts.push(code);
  }
  return parts.sort().join('\n');
};
