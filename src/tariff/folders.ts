/** Tariff folders side by side: which there are, whether one has changed, and what is wrong with each and all of them. */

import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkTariff, hasErrors } from './check.ts';
import type { Finding, TariffDocument } from './document.ts';
import { folderOf, type ReadTariff, readTariffFolder } from './folder.ts';
import { conflictsOf } from './schedule.ts';

export interface JudgedFolder {
  readonly name: string;
  /** `at` begins with the folder's name. */
  readonly findings: readonly Finding[];
  /** Absent where the findings have an error. */
  readonly document?: TariffDocument;
}

export const unreadable = (at: string, failure: unknown): Finding => ({
  severity: 'error',
  at,
  message: `cannot be read: ${failure instanceof Error ? failure.message : String(failure)}`,
});

/** As `readTariffFolder`; a folder that is closed to us, or gone since it was listed, has a finding that says so. */
export const readOrSay = async (dir: string): Promise<ReadTariff> => {
  try {
    return await readTariffFolder(dir);
  } catch (failure) {
    // One folder's matter, the others are read.
    if (systemCode(failure) === undefined) throw failure;
    return { findings: [unreadable('tariff.json', failure)] };
  }
};

/** A service that two have from one date on is an error of the latter. What does not check is not held against others. */
const judge = async (dir: string, before: readonly JudgedFolder[]): Promise<JudgedFolder> => {
  const name = basename(dir);
  const read = await readOrSay(dir);
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

/** Reads and judges folders, in their order. */
export const judgeFolders = async (dirs: readonly string[]): Promise<readonly JudgedFolder[]> => {
  const judged: JudgedFolder[] = [];
  for (const dir of dirs) judged.push(await judge(dir, judged));
  return judged;
};

export const documentsOf = (folders: readonly JudgedFolder[]): readonly TariffDocument[] =>
  folders.flatMap(({ document }) => document ?? []);

export const errorsOf = (folders: readonly JudgedFolder[]): readonly Finding[] =>
  folders.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));

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
