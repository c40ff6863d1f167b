/** Lists the document folders of a kind in a folder, and checks them one by one and together. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exists, folderOf } from '../tariff/folder-files.ts';
import { systemCode } from '../tariff/folders.ts';
import { type CheckedFolder, checkOne, checkTogether } from './judged.ts';
import type { Kind } from './kinds.ts';

/** Reads and checks folders, in the order given. */
export const checkFolders = async <D>(kind: Kind<D>, dirs: readonly string[]): Promise<readonly CheckedFolder<D>[]> => {
  const folders: CheckedFolder<D>[] = [];
  for (const dir of dirs) folders.push(checkOne(kind, basename(dir), await kind.read(dir)));
  return checkTogether(kind, folders);
};

const OLD = /^\.(.+)\.old$/;

/** Whether an import wrote the folder but the files have no rates. It is not a tariff yet. */
const isWaiting = async (dir: string): Promise<boolean> =>
  !(await exists(join(dir, 'tariff.json'))) && (await exists(join(dir, 'imported', 'files.json')));

/** The folders in a folder, by name. Only the folder itself if it has the main file of the kind. */
export const candidatesIn = async ({ mainFile }: Pick<Kind<unknown>, 'mainFile'>, dir: string): Promise<string[]> => {
  const entries = await readdir(dir, { withFileTypes: true });
  if (entries.some(({ name }) => name === mainFile)) return [dir];
  const names = entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    // `.<name>.old` is the folder of a killed writer. Other hidden folders are ignored.
    .map(({ name }) => OLD.exec(name)?.[1] ?? name)
    .filter((name) => !name.startsWith('.'));
  const dirs = [...new Set(names)].sort().map((name) => join(dir, name));
  const waiting = await Promise.all(dirs.map(isWaiting));
  return dirs.filter((_, at) => waiting[at] !== true);
};

const hasMainFile = async (mainFile: string, dir: string): Promise<boolean> => {
  try {
    return await exists(join(await folderOf(dir), mainFile));
  } catch (failure) {
    if (systemCode(failure) === undefined) throw failure;
    // Entries that cannot be inspected are listed, because reading them reports why.
    return true;
  }
};

/** The folders of the kind in a folder, by name. Only the folder itself if it is of the kind. */
export const foldersIn = async <D>(kind: Kind<D>, dir: string): Promise<string[]> => {
  const dirs = await candidatesIn(kind, dir);
  if (!kind.leavesOthersAlone) return dirs;
  const holds = await Promise.all(dirs.map((one) => hasMainFile(kind.mainFile, one)));
  return dirs.filter((_, at) => holds[at]);
};
