/** Several tariff folders: lists them, detects changes, and checks each folder and all together. */

import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkTariff, hasErrors } from './check.ts';
import type { Finding, TariffDocument } from './document.ts';
import { type ReadTariff, readTariffFolder } from './folder.ts';
import { exists } from './folder-files.ts';
import { conflictsOf } from './schedule.ts';

export interface CheckedFolder {
  readonly name: string;
  /** `at` begins with the folder's name. */
  readonly findings: readonly Finding[];
  /** Absent if a finding is an error. */
  readonly document?: TariffDocument;
}

export const unreadable = (at: string, failure: unknown): Finding => ({
  severity: 'error',
  at,
  message: `cannot be read: ${failure instanceof Error ? failure.message : String(failure)}`,
});

/** Like `readTariffFolder`, but a folder that cannot be read, or was removed after it was listed, has a finding. */
export const tryReadFolder = async (dir: string): Promise<ReadTariff> => {
  try {
    return await readTariffFolder(dir);
  } catch (failure) {
    // Other folders can still be read.
    if (systemCode(failure) === undefined) throw failure;
    return { findings: [unreadable('tariff.json', failure)] };
  }
};

/** If two folders have a service from the same date, the later folder has an error. Ignores earlier folders with errors. */
const checkFolder = async (dir: string, before: readonly CheckedFolder[]): Promise<CheckedFolder> => {
  const name = basename(dir);
  const read = await tryReadFolder(dir);
  const own = 'document' in read ? checkTariff(read.document) : read.findings;
  const findings = own.map((finding) => ({ ...finding, at: `${name}/${finding.at}` }));
  if (!('document' in read) || hasErrors(own)) return { name, findings };
  const { document } = read;
  const conflicts = before.flatMap((other) =>
    other.document === undefined
      ? []
      : conflictsOf([other.document, document]).map((finding) => ({
          ...finding,
          at: `${name} beside ${other.name}: ${finding.at}`,
        })),
  );
  return conflicts.length > 0 ? { name, findings: [...findings, ...conflicts] } : { name, findings, document };
};

/** Reads and checks folders, in the order given. */
export const checkFolders = async (dirs: readonly string[]): Promise<readonly CheckedFolder[]> => {
  const checked: CheckedFolder[] = [];
  for (const dir of dirs) checked.push(await checkFolder(dir, checked));
  return checked;
};

export const documentsOf = (folders: readonly CheckedFolder[]): readonly TariffDocument[] =>
  folders.flatMap(({ document }) => document ?? []);

export const errorsOf = (folders: readonly CheckedFolder[]): readonly Finding[] =>
  folders.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));

const OLD = /^\.(.+)\.old$/;

/** The error code of a failed system call; undefined for any other failure. */
export const systemCode = (failure: unknown): string | undefined =>
  failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;

/** What an import wrote whose files have no rates: it is no tariff yet. */
const isWaiting = async (dir: string): Promise<boolean> =>
  !(await exists(join(dir, 'tariff.json'))) && (await exists(join(dir, 'imported', 'files.json')));

/** The folders in a folder, by name; only the folder itself if it contains the main file of a tariff or an agreement. */
export const foldersIn = async (dir: string, mainFile = 'tariff.json'): Promise<string[]> => {
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
