/**
 * The kinds of documents in folders: tariffs and agreements. All kinds have the same life cycle: they are read, checked, put
 * in force, followed and withdrawn by the same code. A kind defines only the differences.
 */
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { ToldError } from '../../base/failed.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { readAgreementFolder, writeAgreementFolder } from '../agreement/folder.ts';
import type { TariffDocument } from '../tariff/document.ts';
import { keepImported, readTariffFolder, writeTariffFolder } from '../tariff/folder.ts';
import { exists, folderOf, systemCode, tryRead } from '../tariff/folder-files.ts';
import {
  type CheckedFolder,
  checkOne,
  checkTogether,
  JUDGED_AGREEMENTS,
  JUDGED_TARIFFS,
  type Judged,
  type ReadDocument,
} from './judged.ts';

export interface Kind<D> extends Judged<D> {
  /** Whether a folder without the main file is ignored. Otherwise it is an error. */
  readonly leavesOthersAlone: boolean;
  readonly read: (dir: string) => Promise<ReadDocument<D>>;
  /** Writes a folder, atomically. @param before a folder whose other files are kept */
  readonly write: (dir: string, document: D, before: string) => Promise<void>;
  /** The part of an id that a published document shares with the one it replaces. Ids are sorted by this key. */
  readonly key: (id: string) => string;
}

/** The name of a document, from its id. */
export const nameIn = (id: string): string => id.slice(0, id.lastIndexOf('@'));

export const TARIFFS: Kind<TariffDocument> = {
  ...JUDGED_TARIFFS,
  leavesOthersAlone: false,
  read: (dir) => tryRead(JUDGED_TARIFFS.mainFile, () => readTariffFolder(dir)),
  write: (dir, document, before) => writeTariffFolder(dir, document, (fresh) => keepImported(before, fresh)),
  // The name and the date.
  key: (id) => `${nameIn(id)} ${id.slice(nameIn(id).length + 1, id.lastIndexOf('-'))}`,
};

export const AGREEMENTS: Kind<AgreementDocument> = {
  ...JUDGED_AGREEMENTS,
  leavesOthersAlone: true,
  read: readAgreementFolder,
  write: writeAgreementFolder,
  key: (id) => `${nameIn(id)}@`,
};

/* Lists the document folders of a kind in a folder, and checks them one by one and together. */

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

/**
 * All folders of the kind in folders that a person named, without duplicates.
 * @throws {ToldError} if a named folder has none @throws the system's error if it cannot be opened
 */
export const foldersInAll = async <D>(kind: Kind<D>, dirs: readonly string[]): Promise<readonly string[]> => {
  const found = new Set<string>();
  for (const dir of dirs) {
    const folders = await foldersIn(kind, dir);
    if (folders.length === 0) throw new ToldError(`${dir} contains no ${kind.name}.`);
    for (const folder of folders) found.add(resolve(folder));
  }
  return [...found];
};
