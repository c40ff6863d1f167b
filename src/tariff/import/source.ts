/** A file as a source of a tariff: bounded, read by the reader that knows its content. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { beginsWith, COMPOUND, ZIP } from '../../file-signatures.ts';
import { isListRates, readListRates } from './fedex-list-rates.ts';
import { fedexZoneCsv } from './fedex-zone-csv.ts';
import { isZoneLocator, readZoneLocator } from './fedex-zone-locator.ts';
import type { Source } from './import.ts';
import { ownCsv } from './own-csv.ts';
import { isPdf, readPdf } from './pdf.ts';
import { MAX_SOURCE_BYTES, type Reader, type ReadOptions, RefusedFile } from './reading.ts';
import { isUpsRates, readUpsRates } from './ups-rates.ts';
import { isUpsZones, readUpsZones } from './ups-zones.ts';
import { readWorkbook } from './xlsx.ts';

/** UPS's workbooks: daily rates, and zone charts that are named `.xls` but are XLSX. The cells say which it is. */
export const upsWorkbook: Reader = {
  kind: 'XLSX',
  accepts: (bytes) => beginsWith(bytes, ZIP),
  read: async (bytes, { signal }) => {
    const sheets = await readWorkbook(bytes, signal);
    const zones = sheets.filter(isUpsZones);
    if (zones.length > 0) return readUpsZones(zones);
    if (sheets.some(isUpsRates)) return readUpsRates(sheets);
    throw new RefusedFile('it is a workbook, but neither rates nor a zone chart of UPS');
  },
};

/** FedEx's PDFs: list rates, and zone locators. The text says which it is. */
export const fedexPdf: Reader = {
  kind: 'PDF',
  accepts: isPdf,
  read: async (bytes, { signal }) => {
    const pages = await readPdf(bytes, signal);
    if (isZoneLocator(pages)) return readZoneLocator(pages);
    if (isListRates(pages)) return readListRates(pages);
    if (pages.every(({ words }) => words.length === 0))
      throw new RefusedFile('the PDF holds no text, only pictures perhaps');
    throw new RefusedFile('the PDF is neither FedEx list rates nor a FedEx zone locator');
  },
};

const READERS: readonly Reader[] = [upsWorkbook, fedexPdf, fedexZoneCsv, ownCsv];

/** The whole file, unless it is larger than a carrier's file can be. */
const bytesOf = async (path: string): Promise<Buffer> => {
  const handle = await open(path, 'r');
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

/**
 * Reads a file by its content.
 * @throws RefusedFile where it is of no known kind, damaged or over a limit; the system's error where it cannot be opened
 */
export const readSource = async (path: string, options: Omit<ReadOptions, 'label'> = {}): Promise<Source> => {
  const bytes = await bytesOf(path);
  const reader = READERS.find(({ accepts }) => accepts(bytes));
  if (beginsWith(bytes, COMPOUND)) throw new RefusedFile('it is a workbook of the old binary kind: save it as XLSX');
  if (reader === undefined)
    throw new RefusedFile(
      'it is of no known kind: neither a PDF or workbook of a carrier, nor a CSV with a known header',
    );
  const file = basename(path);
  const reading = await reader.read(bytes, { ...options, label: basename(file, extname(file)) });
  return { file, sha256: createHash('sha256').update(bytes).digest('hex'), reading };
};
