/** Reads and writes an agreement's folder. `document.ts` describes the format. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { ReadDocument } from '../documents/judged.ts';
import type { Finding } from '../tariff/document.ts';
import { error } from '../tariff/findings.ts';
import {
  firstOf,
  folderOf,
  jsonText,
  namesIn,
  readJson,
  readTables,
  readText,
  replaceFolder,
  tryRead,
  writeTables,
} from '../tariff/folder-files.ts';
import { type ReadTable, readOwnMultiweight, readRates, writeOwnMultiweight, writeRates } from '../tariff/tables.ts';
import {
  AGREEMENT_FILE,
  type AgreementDocument,
  type AgreementFile,
  type AgreementTables,
  type Amendment,
  agreementFile,
  CODE_TABLES,
  NO_TABLES,
} from './document.ts';
import { nearestName, once } from './subject.ts';
import { FORMS, LINE_TABLES, type LineTables } from './tables.ts';

const AMENDMENTS = 'amendments';
const MAX_AMENDMENTS = 100;
const CODE_FILE = /^([A-Z0-9][A-Z0-9-]{0,9})\.csv$/;
/** Papers that may be next to the files. They are not read. */
const PAPER = /\.(?:md|txt|pdf)$/i;

const date = z.iso.date();

/** The contents of a folder or an amendment. */
interface Part extends Partial<AgreementTables> {
  readonly file?: AgreementFile;
}

const isHidden = (path: string): boolean => basename(path).startsWith('.');

const FILES: readonly string[] = [AGREEMENT_FILE, ...LINE_TABLES.map((table) => `${table}.csv`)];

type Reader<T> = (file: string, text: string) => ReadTable<T>;

/** Reads the files of a folder or an amendment. Adds problems to `findings`. */
const readPart = async (root: string, folder: string, findings: Finding[]): Promise<Part> => {
  const names = new Set(await namesIn(join(root, folder)));
  const problems: Finding[] = [];
  const textOf = async (name: string): Promise<string | undefined> => {
    if (!names.has(name)) return undefined;
    const text = await readText(join(root, folder), name);
    if (typeof text === 'string') return text;
    problems.push(text);
    return undefined;
  };
  let part: Part = {};
  const json = await textOf(AGREEMENT_FILE);
  const file = json === undefined ? undefined : readJson(agreementFile, AGREEMENT_FILE, json);
  if (Array.isArray(file)) problems.push(...file);
  else if (file !== undefined) part = { file };
  const readLinesOf = async <K extends keyof LineTables>(table: K): Promise<void> => {
    const name = `${table}.csv`;
    const text = await textOf(name);
    if (text === undefined) return;
    const read = FORMS[table].read(name, text);
    if ('findings' in read) problems.push(...firstOf(read.findings, name));
    else part = { ...part, [table]: read.lines };
  };
  for (const table of LINE_TABLES) await readLinesOf(table);
  const readTablesOf = async <T>(kind: (typeof CODE_TABLES)[number], read: Reader<T>): Promise<void> => {
    if (!names.has(kind)) return;
    const tables = await readTables(join(root, folder), kind, CODE_FILE, read, problems);
    if (Object.keys(tables).length > 0) part = { ...part, [kind]: tables };
  };
  await readTablesOf('rates', readRates);
  await readTablesOf('caps', readRates);
  await readTablesOf('multiweight', readOwnMultiweight);
  findings.push(...problems.map((finding) => ({ ...finding, at: `${folder}${finding.at}` })));
  return part;
};

/** The days of the amendments, in ascending order. */
const amendmentDays = async (root: string, findings: Finding[]): Promise<string[]> => {
  const days: string[] = [];
  for (const name of await namesIn(join(root, AMENDMENTS))) {
    if (isHidden(name) || PAPER.test(name)) continue;
    if (date.safeParse(name).success) days.push(name);
    else
      findings.push(
        error(`${AMENDMENTS}/${name}`, 'is not a folder named after the day of an amendment, such as 2026-07-01'),
      );
  }
  if (days.length <= MAX_AMENDMENTS) return days;
  findings.push(error(AMENDMENTS, `has more than ${MAX_AMENDMENTS} amendments`));
  return days.slice(0, MAX_AMENDMENTS);
};

/** Returns the entries of a folder or an amendment that do not belong to an agreement. */
const strangersBeside = async (root: string, folder: string): Promise<string[]> => {
  const own: readonly string[] = [...FILES, ...CODE_TABLES, ...(folder === '' ? [AMENDMENTS] : [])];
  const strangers = (await namesIn(join(root, folder))).filter((name) => !own.includes(name));
  for (const kind of CODE_TABLES)
    for (const name of await namesIn(join(root, folder, kind)))
      if (isHidden(name) || !name.endsWith('.csv')) strangers.push(`${kind}/${name}`);
  return strangers.map((name) => `${folder}${name}`);
};

/** Does the same for the whole folder. */
const strangersIn = async (root: string): Promise<string[]> => {
  const strangers = await strangersBeside(root, '');
  for (const name of await namesIn(join(root, AMENDMENTS)))
    if (date.safeParse(name).success) strangers.push(...(await strangersBeside(root, `${AMENDMENTS}/${name}/`)));
    else strangers.push(`${AMENDMENTS}/${name}`);
  return strangers;
};

const notRead = (at: string): Finding => {
  const nearest = nearestName(basename(at), [...FILES, ...CODE_TABLES, AMENDMENTS]);
  const known = `${FILES.join(', ')} and the folders ${CODE_TABLES.join(', ')} and ${AMENDMENTS}`;
  const ask = nearest === undefined ? '.' : `, is it ${nearest}?`;
  return error(at, `is not read${ask} An agreement has ${known}. Correct its name, or move it elsewhere`);
};

const readWhole = async (dir: string): Promise<ReadDocument<AgreementDocument>> => {
  const root = await folderOf(dir);
  const findings: Finding[] = [];
  const { file, ...tables } = await readPart(root, '', findings);
  if (file === undefined && !findings.some(({ at }) => at.startsWith(AGREEMENT_FILE)))
    findings.push(error(AGREEMENT_FILE, 'is missing'));
  const amendments: Amendment[] = [];
  for (const from of await amendmentDays(root, findings))
    amendments.push({ from, ...(await readPart(root, `${AMENDMENTS}/${from}/`, findings)) });
  const strangers = (await strangersIn(root)).filter(
    (name) => !isHidden(name) && !PAPER.test(name) && !findings.some(({ at }) => at === name),
  );
  findings.push(...strangers.map(notRead));
  if (file === undefined || findings.length > 0) return { findings: once(findings, { amendments }) };
  return { document: { file, tables: { ...NO_TABLES, ...tables }, amendments } };
};

/**
 * Reads an agreement's folder.
 * @returns the document, or all format errors with file, row and column. `check.ts` checks whether the parts fit together
 */
export const readAgreementFolder = (dir: string): Promise<ReadDocument<AgreementDocument>> =>
  tryRead(AGREEMENT_FILE, () => readWhole(dir));

/** @param isAmendment whether a file without lines is written, because it replaces the earlier lines */
const writePart = async (dir: string, part: Part, isAmendment: boolean): Promise<void> => {
  // Parsed again so that members always have the schema's order.
  if (part.file !== undefined)
    await writeFile(join(dir, AGREEMENT_FILE), jsonText(agreementFile.parse(part.file)), { flush: true });
  const tables: Partial<LineTables> = part;
  const writeLinesOf = async <K extends keyof LineTables>(table: K): Promise<void> => {
    const lines = tables[table];
    if (lines === undefined || (lines.length === 0 && !isAmendment)) return;
    await writeFile(join(dir, `${table}.csv`), FORMS[table].write(lines), { flush: true });
  };
  for (const table of LINE_TABLES) await writeLinesOf(table);
  for (const kind of ['rates', 'caps'] as const) await writeTables(dir, kind, part[kind] ?? {}, writeRates);
  await writeTables(dir, 'multiweight', part.multiweight ?? {}, writeOwnMultiweight);
};

/**
 * Writes a document as a folder, atomically. Replaces an existing folder. The same document always gives the same bytes.
 * @param beside the previous folder, whose other files are kept
 */
export const writeAgreementFolder = async (dir: string, document: AgreementDocument, beside = dir): Promise<void> => {
  const before = await folderOf(beside);
  const kept = await strangersIn(before);
  await replaceFolder(dir, async (fresh) => {
    await writePart(fresh, { file: document.file, ...document.tables }, false);
    for (const { from, ...part } of document.amendments) {
      const folder = join(fresh, AMENDMENTS, date.parse(from));
      await mkdir(folder, { recursive: true });
      await writePart(folder, part, true);
    }
    for (const name of kept) {
      await mkdir(dirname(join(fresh, name)), { recursive: true });
      await cp(join(before, name), join(fresh, name), { recursive: true });
    }
  });
};
