/**
 * XLSX workbooks as rows of cells, within limits. The package that reads them (hucre) keeps an entry to the size that
 * the archive declares, but trusts the declaration and knows no limit of ours; so every entry is inflated once before,
 * counted byte by byte and thrown away, and a workbook that would blow up never reaches it.
 */
import { HucreError } from 'hucre';
import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { MAX_SOURCE_BYTES, RefusedFile } from './reading.ts';

export interface WorkbookLimits {
  readonly bytes: number;
  readonly entries: number;
  /** All entries together, inflated. */
  readonly inflatedBytes: number;
  /** How many times its packed size an entry may have, once it is over 1 MiB. Carriers' sheets are packed 15 to 30 times. */
  readonly ratio: number;
  readonly sheets: number;
  readonly columns: number;
  /** Bytes to go through: all entries inflated, once for each sheet, since every sheet may use the shared texts. */
  readonly workBytes: number;
  /** Cells with content, all sheets together. */
  readonly cells: number;
}

export const WORKBOOK_LIMITS: WorkbookLimits = {
  bytes: MAX_SOURCE_BYTES,
  entries: 2_000,
  inflatedBytes: 100 * 1024 * 1024,
  ratio: 200,
  sheets: 200,
  workBytes: 1024 * 1024 * 1024,
  columns: 500,
  cells: 2_000_000,
};

export type Cell = CellValue;

export interface SheetRow {
  /** As a spreadsheet counts: the first row is 1. */
  readonly number: number;
  /** The first is column A; null is empty. */
  readonly cells: readonly Cell[];
}

export interface Workbook {
  readonly sheets: readonly string[];
  /** The rows of a sheet that have a cell, from the top. */
  readonly rows: (sheet: number) => AsyncGenerator<SheetRow, void, undefined>;
}

const RATIO_FROM_BYTES = 1024 * 1024;
const DTD = '<!DOCTYPE';

/** `A` for 0, `AA` for 26. */
const columnLetters = (column: number): string =>
  (column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

/** A cell's address as a spreadsheet shows it, such as `K57`. */
export const cellAddress = (row: number, column: number): string => `${columnLetters(column)}${row}`;

/** Whether the bytes begin as a ZIP archive, which every XLSX is. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;

/** Inflates one entry and throws it away. @returns how many bytes it has */
const inflatedSize = async (
  zip: ZipFile,
  entry: Entry,
  allowed: number,
  { ratio }: WorkbookLimits,
): Promise<number> => {
  const stream = await zip.openReadStreamPromise(entry);
  const isXml = /\.(?:xml|rels)$/i.test(entry.fileName);
  let size = 0;
  let tail = '';
  for await (const chunk of stream) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > allowed) throw new RefusedFile(`it holds more than it may: stopped inside ${entry.fileName}`);
    if (size > RATIO_FROM_BYTES && size > entry.compressedSize * ratio)
      throw new RefusedFile(`${entry.fileName} is packed over ${ratio} times, as only a zip bomb is`);
    if (!isXml) continue;
    // A document type is where entities are declared; spreadsheets never have one.
    const text = tail + bytes.toString('latin1');
    if (text.includes(DTD)) throw new RefusedFile(`${entry.fileName} declares a document type`);
    tail = text.slice(-DTD.length);
  }
  return size;
};

/** Inflates the whole archive once. @returns how many bytes it has */
const inspect = async (bytes: Uint8Array, limits: WorkbookLimits, signal: AbortSignal | undefined): Promise<number> => {
  if (bytes.length > limits.bytes) throw new RefusedFile(`it is larger than ${limits.bytes} bytes`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: true });
  if (zip.entryCount > limits.entries) throw new RefusedFile(`it has more than ${limits.entries} parts`);
  let left = limits.inflatedBytes;
  const names = new Set<string>();
  for await (const entry of zip.eachEntry()) {
    signal?.throwIfAborted();
    if (names.has(entry.fileName)) throw new RefusedFile(`it has ${entry.fileName} twice`);
    names.add(entry.fileName);
    if (!entry.canDecodeFileData()) throw new RefusedFile(`${entry.fileName} is encrypted or packed in an unknown way`);
    left -= await inflatedSize(zip, entry, left, limits);
  }
  if (!names.has('[Content_Types].xml')) throw new RefusedFile('it is a ZIP archive, but not a workbook');
  return limits.inflatedBytes - left;
};

/** What a library threw, as a refusal: these bytes are the operator's, not a bug of ours. */
const refusal = (error: unknown): RefusedFile => {
  if (error instanceof RefusedFile) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new RefusedFile(`it cannot be read as a workbook: ${reason}`, { cause: error });
};

/**
 * Opens a workbook. Rows come as they are asked for, so a long sheet is never whole in memory as cells.
 * @throws RefusedFile where it is no workbook, is damaged, or is over a limit
 */
export const openWorkbook = async (
  bytes: Uint8Array,
  { limits = WORKBOOK_LIMITS, signal }: { limits?: WorkbookLimits; signal?: AbortSignal | undefined } = {},
): Promise<Workbook> => {
  const sheets: string[] = [];
  let inflated = 0;
  try {
    inflated = await inspect(bytes, limits, signal);
    const listed = (info: { name: string }): boolean => {
      sheets.push(info.name);
      return false;
    };
    await readXlsx(bytes, { sheets: listed });
  } catch (error) {
    signal?.throwIfAborted();
    throw refusal(error);
  }
  if (sheets.length > limits.sheets) throw new RefusedFile(`it has more than ${limits.sheets} sheets`);
  if (sheets.length * inflated > limits.workBytes)
    throw new RefusedFile('it is too large to be read with so many sheets');
  let cells = 0;
  const rows = async function* (sheet: number): AsyncGenerator<SheetRow, void, undefined> {
    try {
      for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
        signal?.throwIfAborted();
        if (values.length > limits.columns) throw new RefusedFile(`a row has more than ${limits.columns} columns`);
        for (const value of values) if (value !== null) cells++;
        if (cells > limits.cells) throw new RefusedFile(`it has more than ${limits.cells} cells`);
        if (values.length > 0) yield { number: index + 1, cells: values };
      }
    } catch (error) {
      if (error instanceof HucreError || error instanceof RefusedFile) throw refusal(error);
      throw error;
    }
  };
  return { sheets, rows };
};
