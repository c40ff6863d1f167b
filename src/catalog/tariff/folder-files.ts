/**
 * Bounded reading with findings, and atomic writing, for folders of JSON and CSV files.
 *
 * Writing creates a new folder next to the old one, renames the old one to `.<name>.old`, renames the new one to the name,
 * and removes the old one. If it is killed between the renames, readers use `.<name>.old`. Therefore, readers always see
 * either the complete old folder or the complete new one.
 */
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { parseJson } from '../../base/parse-json.ts';
import { check, pathText } from '../../base/validation.ts';
import type { Finding } from './document.ts';
import { capped, error } from './findings.ts';
import type { ReadTable } from './tables.ts';

/* Reads folders that others may change or remove meanwhile. */

export const unreadable = (at: string, failure: unknown): Finding =>
  error(at, `cannot be read: ${failure instanceof Error ? failure.message : String(failure)}`);

/** Reads a folder. Returns a finding if it is unreadable or was removed after it was listed. @param file its main file */
export const tryRead = async <T>(file: string, read: () => Promise<T>): Promise<T | { findings: Finding[] }> => {
  try {
    return await read();
  } catch (failure) {
    // Other folders can still be read.
    if (systemCode(failure) === undefined) throw failure;
    return { findings: [unreadable(file, failure)] };
  }
};

/** The error code of a failed system call. Undefined for other failures. */
export const systemCode = (failure: unknown): string | undefined =>
  failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 500;
const MAX_FINDINGS_PER_FILE = 50;
/** A half-written folder of this age no longer has a writer. */
const ABANDONED_MS = 600_000;

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

export const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

const oldOf = (dir: string): string => join(dirname(dir), `.${basename(dir)}.old`);

/** The path of a folder, or of its old copy if a writer was killed between the two renames. */
export const folderOf = async (dir: string): Promise<string> => {
  const own = resolve(dir);
  return !(await exists(own)) && (await exists(oldOf(own))) ? oldOf(own) : own;
};

/** Reads a text file. Returns a finding if it is missing, too large or not UTF-8. */
export const readText = async (dir: string, file: string): Promise<string | Finding> => {
  const refuse = (message: string): Finding => error(file, message);
  try {
    const { size } = await stat(join(dir, file));
    if (size > MAX_FILE_BYTES) return refuse(`is larger than ${MAX_FILE_BYTES} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(join(dir, file)));
  } catch (error) {
    if (isMissing(error)) return refuse('is missing');
    if (error instanceof TypeError) return refuse('is not UTF-8');
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR') return refuse('is a folder, not a file');
    throw error;
  }
};

/** Reads JSON by a schema. Returns findings for invalid members. */
export const readJson = <S extends z.ZodType>(schema: S, at: string, text: string): z.output<S> | Finding[] => {
  const read = parseJson(text);
  if ('problem' in read) return [error(at, read.problem)];
  const file = check(schema, read.json);
  if (!(file instanceof Failed)) return file;
  return file.fault.map(({ path, message }) => error(`${at} ${pathText(path)}`.trimEnd(), message));
};

/** The names in a folder, sorted. Empty if there is no such folder. */
export const namesIn = async (dir: string): Promise<string[]> => {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Limits findings. If every row is wrong, the cause is the same. */
export const firstOf = (findings: readonly Finding[], file: string): readonly Finding[] =>
  capped(findings, MAX_FINDINGS_PER_FILE, (more) => error(file, `and ${more} more problems`));

/** Reads all files of a subfolder into a record by name. Adds problems to `findings`. */
export const readTables = async <T>(
  dir: string,
  sub: string,
  form: RegExp,
  read: (file: string, text: string) => ReadTable<T>,
  findings: Finding[],
): Promise<Record<string, T>> => {
  const tables: [string, T][] = [];
  // Other files are ignored.
  const names = (await namesIn(join(dir, sub))).filter((name) => name.endsWith('.csv') && !name.startsWith('.'));
  if (names.length > MAX_FILES) findings.push(error(sub, `has more than ${MAX_FILES} files`));
  for (const name of names.slice(0, MAX_FILES)) {
    const file = `${sub}/${name}`;
    const stem = form.exec(name)?.[1];
    if (stem === undefined) {
      findings.push(error(file, 'is not named after a service code, chart or list'));
      continue;
    }
    const text = await readText(dir, file);
    const outcome = typeof text === 'string' ? read(file, text) : { findings: [text] };
    if ('findings' in outcome) findings.push(...firstOf(outcome.findings, file));
    else tables.push([stem, outcome.table]);
  }
  return Object.fromEntries(tables);
};

export const writeTables = async <T>(
  dir: string,
  sub: string,
  tables: Readonly<Record<string, T>>,
  write: (table: T) => string,
): Promise<void> => {
  const entries = Object.entries(tables);
  if (entries.length > 0) await mkdir(join(dir, sub));
  for (const [name, table] of entries) await writeFile(join(dir, sub, `${name}.csv`), write(table), { flush: true });
};

/** Removes half-written folders of killed writers. */
const removeAbandoned = async (target: string): Promise<void> => {
  const parent = dirname(target);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`.${basename(target)}.new-`)) continue;
    const { mtimeMs } = await stat(join(parent, name));
    if (mtimeMs < Date.now() - ABANDONED_MS) await rm(join(parent, name), { recursive: true, force: true });
  }
};

/** Readable JSON: a list of plain values is on one line if it fits. */
export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value, undefined, 2).replace(/^.*\[\n[^[\]{}]*\n *\]/gm, (list) => {
    const line = list
      .replace(/\[\n */, '[')
      .replace(/\n *\]$/, ']')
      .replace(/,\n */g, ', ');
    return line.length < 120 ? line : list;
  });
  return `${text}\n`;
};

/** A folder to write. `write` fills a new folder, which then replaces an existing one. */
export interface FolderWriting {
  readonly dir: string;
  readonly write: (fresh: string) => Promise<void>;
}

/** Makes an empty folder next to the target. */
const freshBeside = async (target: string): Promise<string> => {
  await mkdir(dirname(target), { recursive: true });
  const fresh = await mkdtemp(join(dirname(target), `.${basename(target)}.new-`));
  // Temporary folders are readable only by the owner. Finished folders are readable by everybody.
  await chmod(fresh, 0o755);
  return fresh;
};

/** Writes folders, each atomically. All are written before the first replacement. */
export const replaceFolders = async (folders: readonly FolderWriting[]): Promise<void> => {
  const staged: { readonly target: string; readonly old: string; readonly fresh: string }[] = [];
  try {
    for (const { dir, write } of folders) {
      const target = resolve(dir);
      const fresh = await freshBeside(target);
      staged.push({ target, old: oldOf(target), fresh });
      await write(fresh);
    }
    for (const { target, old, fresh } of staged) {
      if (await exists(target)) {
        await rm(old, { recursive: true, force: true });
        await rename(target, old);
      }
      await rename(fresh, target);
    }
  } finally {
    for (const { fresh } of staged) await rm(fresh, { recursive: true, force: true });
  }
  for (const { target, old } of staged) {
    await rm(old, { recursive: true, force: true });
    await removeAbandoned(target);
  }
};

/** Writes a folder, atomically. Replaces an existing folder. */
export const replaceFolder = (dir: string, write: FolderWriting['write']): Promise<void> =>
  replaceFolders([{ dir, write }]);

/**
 * Removes a folder, atomically: readers see all of it or nothing. Its temporary name begins like a half-written folder's, so
 * that the remains of a killed removal are cleaned up in the same way.
 */
export const removeFolder = async (dir: string): Promise<void> => {
  const target = resolve(dir);
  const gone = join(dirname(target), `.${basename(target)}.new-removed`);
  await rm(oldOf(target), { recursive: true, force: true });
  await rm(gone, { recursive: true, force: true });
  if (await exists(target)) await rename(target, gone);
  await rm(gone, { recursive: true, force: true });
};
