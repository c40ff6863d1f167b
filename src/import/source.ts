/** Reads a file for a tariff: limits its size, and chooses the reader by content. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { systemCode } from '../catalog/tariff/folder-files.ts';
import { beginsWith, COMPOUND, ZIP } from '../files/file-signatures.ts';
import { CARRIERS } from './carriers.ts';
import { readAreas, readFuel, readTransitDays } from './plain-csv/areas.ts';
import { readCharges } from './plain-csv/charges.ts';
import { readCubic, readMultiweight, readRates } from './plain-csv/rates.ts';
import { columnNames, type ParsedPlainCsv, type PlainTable, readChart, readTable } from './plain-csv/table.ts';
import type { Carrier, FileKind } from './read/carrier.ts';
import { isPdf, readPdf } from './read/pdf.ts';
import {
  MAX_SOURCE_BYTES,
  NO_TABLES,
  type ParsedFile,
  type Reader,
  type ReadOptions,
  RefusedFile,
  type Source,
} from './read/reader.ts';
import { readWorkbook } from './read/xlsx.ts';

/** Reads a PDF or a workbook as the first kind of file that matches, from any carrier. */
const readKind = <Content>(
  what: string,
  kindsOf: (carrier: Carrier) => readonly FileKind<Content>[],
  content: Content,
): ParsedFile => {
  const kind = CARRIERS.flatMap(kindsOf).find(({ is }) => is(content));
  if (kind !== undefined) return kind.read(content);
  const known = CARRIERS.flatMap((carrier) => {
    const names = kindsOf(carrier).map(({ called }) => called);
    return names.length === 0 ? [] : `${carrier.name}: ${names.join(', ')}`;
  });
  throw new RefusedFile(`it is a ${what}, but none of ${known.join('; ')}`);
};

export const pdfReader: Reader = {
  accepts: isPdf,
  read: async (bytes, { signal }) => {
    const pages = await readPdf(bytes, signal);
    if (pages.every(({ words }) => words.length === 0))
      throw new RefusedFile('the PDF contains no text, perhaps only pictures');
    return readKind('PDF', ({ pdfs }) => pdfs, pages);
  },
};

export const workbookReader: Reader = {
  accepts: (bytes) => beginsWith(bytes, ZIP),
  read: async (bytes, { signal }) =>
    readKind('workbook', ({ workbooks }) => workbooks, await readWorkbook(bytes, signal)),
};

type PlainReader = (table: PlainTable, options: ReadOptions) => ParsedPlainCsv;

const plainReaderFor = (names: readonly string[]): PlainReader | undefined => {
  const has = (...wanted: string[]): boolean => wanted.every((name) => names.includes(name));
  if (has('service', 'origin', 'destination', 'days')) return readTransitDays;
  if (has('origin', 'destination')) return readChart;
  if (has('zip', 'tier')) return readAreas;
  if (has('charge', 'rate')) return readCharges;
  if (has('effective', 'percent')) return readFuel;
  if (has('weightlb') || has('weightoz')) return readRates;
  if (has('uptocubicft')) return readCubic;
  return has('fromlb') ? readMultiweight : undefined;
};

/** An operator's plain CSV files: rates, zone charts, area lists, charges and fuel. The header decides the kind. */
export const plainCsv: Reader = {
  accepts: (bytes) => plainReaderFor(columnNames(bytes)) !== undefined,
  read: async (bytes, options) => {
    const table = readTable(bytes);
    const read = plainReaderFor(table.names);
    if (read === undefined) throw new RefusedFile('its header is not one of a plain CSV');
    return { ...NO_TABLES, unreadable: table.unreadable, notes: [], ...read(table, options) };
  },
};

const READERS: readonly Reader[] = [workbookReader, pdfReader, ...CARRIERS.flatMap(({ texts }) => texts), plainCsv];

/** Reads the whole file. Refuses a file that is larger than a carrier's file can be. */
export const bytesOf = async (path: string): Promise<Buffer> => {
  const handle = await open(path, 'r').catch((failure: unknown) => {
    throw systemCode(failure) === 'ENOENT' ? new RefusedFile('it does not exist') : failure;
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new RefusedFile('it is not a file');
    if (stats.size > MAX_SOURCE_BYTES) throw new RefusedFile(`it is larger than ${MAX_SOURCE_BYTES} bytes`);
    if (stats.size === 0) throw new RefusedFile('it is empty');
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

type Options = Omit<ReadOptions, 'label'>;

const labelOf = (path: string): string => basename(path, extname(path));

const readerOf = (bytes: Uint8Array): Reader | undefined => READERS.find(({ accepts }) => accepts(bytes));

/** Whether a file needs an origin that is not given. @throws like `readSource` */
export const lacksOrigin = async (path: string, options: Options): Promise<boolean> =>
  readerOf(await bytesOf(path))?.lacksOrigin?.({ ...options, label: labelOf(path) }) === true;

/**
 * Reads a file by its content.
 * @throws RefusedFile if its kind is unknown, or if it is damaged or over a limit
 * @throws the system's error if it cannot be opened
 */
export const readSource = async (path: string, options: Options = {}): Promise<Source> => {
  const bytes = await bytesOf(path);
  const reader = readerOf(bytes);
  if (beginsWith(bytes, COMPOUND)) throw new RefusedFile('it is a workbook in the old binary format: save it as XLSX');
  if (reader === undefined)
    throw new RefusedFile(
      'it is of no known kind: not a PDF or workbook of a carrier, and not a CSV with a known header. If you saved it from such a file, use the original',
    );
  const reading = await reader.read(bytes, { ...options, label: labelOf(path) });
  return { file: basename(path), sha256: createHash('sha256').update(bytes).digest('hex'), reading };
};
