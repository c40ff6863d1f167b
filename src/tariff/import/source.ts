/** A file as a source of a tariff: bounded, read by the reader that knows its content. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fedexPdf } from './fedex-pdf.ts';
import { fedexZoneCsv } from './fedex-zone-csv.ts';
import type { Source } from './import.ts';
import { ownCsv } from './own-csv.ts';
import { MAX_SOURCE_BYTES, type Reader, type ReadOptions, RefusedFile } from './reading.ts';
import { upsWorkbook } from './ups-xlsx.ts';

const READERS: readonly Reader[] = [upsWorkbook, fedexPdf, fedexZoneCsv, ownCsv];

const OLD_EXCEL = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

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
  if (bytes.subarray(0, 4).equals(OLD_EXCEL))
    throw new RefusedFile('it is a workbook of the old binary kind: save it as XLSX');
  if (reader === undefined)
    throw new RefusedFile(
      'it is of no known kind: neither a PDF or workbook of a carrier, nor a CSV with a known header',
    );
  const file = basename(path);
  const reading = await reader.read(bytes, { ...options, label: basename(file, extname(file)) });
  return { file, sha256: createHash('sha256').update(bytes).digest('hex'), reading };
};
