/** The folders of a kind of documents in a folder: lists them, and checks each of them and all together. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasErrors } from '../tariff/check/check.ts';
import type { Finding } from '../tariff/document.ts';
import { exists, folderOf } from '../tariff/folder-files.ts';
import { systemCode } from '../tariff/folders.ts';
import type { Kind, ReadDocument } from './kinds.ts';

export interface CheckedFolder<D> {
  /** The name of the folder. */
  readonly name: string;
  /** `at` begins with the folder's name. */
  readonly findings: readonly Finding[];
  /** Absent if a finding is an error. */
  readonly document?: D;
}

const isError = ({ severity }: Finding): boolean => severity === 'error';

/** A document by itself. */
export const checkOne = <D>(kind: Kind<D>, name: string, read: ReadDocument<D>): CheckedFolder<D> => {
  const own = 'document' in read ? kind.check(read.document) : read.findings;
  const findings = own.map((finding) => ({ ...finding, at: `${name}/${finding.at}` }));
  return 'document' in read && !hasErrors(own) ? { name, findings, document: read.document } : { name, findings };
};

/** Why a document cannot be in force beside earlier ones. */
export const conflictsBeside = <D>(
  kind: Kind<D>,
  { name, document }: CheckedFolder<D>,
  earlier: readonly CheckedFolder<D>[],
): readonly Finding[] =>
  earlier.flatMap((other) => {
    if (document === undefined || other.document === undefined) return [];
    if (!kind.isCalledByFolder && kind.nameOf(document) === kind.nameOf(other.document)) {
      const message = `the folder ${other.name} has ${kind.one} of the same name: give one of them another name`;
      return [{ severity: 'error' as const, at: `${name}/${kind.mainFile} name`, message }];
    }
    return kind
      .conflicts(document, other.document)
      .map((finding) => ({ ...finding, at: `${name} beside ${other.name}: ${finding.at}` }));
  });

/** Of folders that conflict, the later one has the error. */
export const checkTogether = <D>(kind: Kind<D>, folders: readonly CheckedFolder<D>[]): readonly CheckedFolder<D>[] => {
  const checked: CheckedFolder<D>[] = [];
  for (const folder of folders) {
    const conflicts = conflictsBeside(kind, folder, checked);
    checked.push(conflicts.length === 0 ? folder : { name: folder.name, findings: [...folder.findings, ...conflicts] });
  }
  return checked;
};

/** Reads and checks folders, in the order given. */
export const checkFolders = async <D>(kind: Kind<D>, dirs: readonly string[]): Promise<readonly CheckedFolder<D>[]> => {
  const folders: CheckedFolder<D>[] = [];
  for (const dir of dirs) folders.push(checkOne(kind, basename(dir), await kind.read(dir)));
  return checkTogether(kind, folders);
};

export const documentsOf = <D>(folders: readonly CheckedFolder<D>[]): readonly D[] =>
  folders.flatMap(({ document }) => document ?? []);

export const errorsOf = (folders: readonly CheckedFolder<unknown>[]): readonly Finding[] =>
  folders.flatMap(({ findings }) => findings.filter(isError));

const OLD = /^\.(.+)\.old$/;

/** What an import wrote whose files have no rates: it is no tariff yet. */
const isWaiting = async (dir: string): Promise<boolean> =>
  !(await exists(join(dir, 'tariff.json'))) && (await exists(join(dir, 'imported', 'files.json')));

/** The folders in a folder, by name; only the folder itself if it contains the main file of the kind. */
export const candidatesIn = async ({ mainFile }: Pick<Kind<unknown>, 'mainFile'>, dir: string): Promise<string[]> => {
  const entries = await readdir(dir, { withFileTypes: true });
  if (entries.some(({ name }) => name === mainFile)) return [dir];
  const names = entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    // `.<name>.old` is the folder of a killed writer. Other hidden folders do not count.
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
    // What cannot be looked at is listed: reading it reports why.
    return true;
  }
};

/** The folders of the kind in a folder, by name; only the folder itself if it is one. */
export const foldersIn = async <D>(kind: Kind<D>, dir: string): Promise<string[]> => {
  const dirs = await candidatesIn(kind, dir);
  if (!kind.leavesOthersAlone) return dirs;
  const holds = await Promise.all(dirs.map((one) => hasMainFile(kind.mainFile, one)));
  return dirs.filter((_, at) => holds[at]);
};
