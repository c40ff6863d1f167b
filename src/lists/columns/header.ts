/**
 * Reads the head of a list. It detects the dialect and the columns, and rejects files that are not lists. It needs the first
 * 64 KiB, or more if the header is longer, so a wrong file is rejected before it is stored.
 */

import { type InSlices, inSlices, turn, withoutPause } from '../../base/time-slices.ts';
import { textOf } from '../../files/csv/cell.ts';
import { firstBadByte, notTextProblem, otherEncodingProblem, unfinished } from '../../files/csv/encoding.ts';
import { createScanner, type Dialect } from '../../files/csv/scanner.ts';
import type { Problems } from '../../files/input/text-options.ts';
import { QUOTES_HINT } from '../rows/row-reader.ts';
import { knownFields } from './aliases.ts';
import { type Columns, type ReadOptions, readColumnsInSlices } from './columns.ts';
import {
  type Beginning,
  BLANKS_OF_SLICE,
  countBreaks,
  DELIMITERS,
  delimiterOf,
  lineBreakOf,
  MOST_BLANK_ROWS,
  MOST_COLUMNS,
  SAMPLE_ROWS,
  sampleRows,
  separatorLine,
  skipRows,
} from './dialect.ts';

export const HEAD_BYTES = 64 * 1024;
/** The number of rows that findings are based on, including the header. */
const FINDING_ROWS = 200;

export interface ListHeader {
  readonly columns: Columns;
  /** The offset of the header row in the file, after a byte-order mark. */
  readonly headerStart: number;
  /** The offset of the first byte after the header row. */
  readonly bodyStart: number;
  /** The number of the header row, from 1. Blank rows count. */
  readonly headerRow: number;
  /** The number of lines before `bodyStart`. */
  readonly headerLines: number;
}

/** The position of the rows in a list whose header cannot be used. */
export interface Unused {
  readonly header: readonly string[];
  readonly dialect: Dialect;
  readonly bodyStart: number;
  readonly headerRow: number;
  /** The row that seems to be the header, if another one was read. */
  readonly suggestedHeaderRow?: number;
}

export interface BadHeader {
  readonly problems: Problems;
  /** Present if the problems are only about the meaning of the columns or a title above them. */
  readonly unused?: Unused;
}
export type HeaderResult = ListHeader | BadHeader | 'more';

const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';
const EMPTY: Problems = { file: 'is empty; it needs a header row and at least one row' };

const BLANK: Problems = { file: `has more than ${MOST_BLANK_ROWS} blank rows before its header` };

/** Limits the blank text before a header, because all of it is kept in memory. */
const more = (bytes: Buffer, maximumRowBytes: number): 'more' | { readonly problems: Problems } =>
  bytes.length > maximumRowBytes ? { problems: BLANK } : 'more';

/** Control characters that do not occur in text of any encoding. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const CONTROL = /[\0-\x08\x0e-\x1f]/;

function* notUtf8(bytes: Buffer, complete: boolean): InSlices<Problems | undefined> {
  const bad = firstBadByte(complete ? bytes : bytes.subarray(0, bytes.length - unfinished(bytes)));
  if (bad === undefined) return undefined;
  const text = textOf(bytes);
  const problem = CONTROL.test(text) ? notTextProblem : otherEncodingProblem;
  return { file: problem(1 + (yield* countBreaks(text, 'lf', 0, bad)), bad) };
}

interface Written {
  readonly dialect: Dialect;
  /** The offset of the list, after a byte-order mark and a `sep=` line. */
  readonly from: number;
}

function* detectDialect(
  list: Beginning,
  { delimiter: asked, quotes }: Pick<ReadOptions, 'delimiter' | 'quotes'>,
  skipped: number,
): InSlices<Written | { readonly problems: Problems } | 'more'> {
  const { text } = list;
  const marked = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const line = separatorLine(text, marked);
  const from = line?.next ?? marked;
  const inLine = DELIMITERS.find((delimiter) => delimiter === line?.separator);
  if (line !== undefined && inLine === undefined && asked === undefined)
    return { problems: { file: `has sep=${line.separator}; the separator must be , ; | or tab` } };
  const lineBreak = yield* lineBreakOf(text, quotes);
  const written = { lineBreak, ...(quotes === undefined ? {} : { quotes }) };
  const delimiter = asked ?? inLine ?? (yield* delimiterOf(list, from, written, skipped));
  return delimiter === 'more' ? 'more' : { dialect: { delimiter, ...written }, from };
}

interface Title {
  readonly problem: string;
  /** The number of the row that seems to be the header. */
  readonly headerRow: number;
}

/** Finds a title above the header. @param from the offset of the row that was read as the header */
function* titleProblem(list: Beginning, { dialect, from }: Written, skipped: number): InSlices<Title | undefined> {
  const { rows } = yield* sampleRows(list, from, dialect);
  const [first, ...below] = rows;
  if (first === undefined) return undefined;
  const known = yield* knownFields(first.cells);
  for (const { cells, number } of below)
    if ((yield* knownFields(cells)) > Math.max(1, known)) {
      const headerRow = skipped + number;
      const problem = `seems to be row ${headerRow}, but row ${skipped + first.number} was read: use ?header_row=${headerRow}, or remove the rows above it`;
      return { headerRow, problem };
    }
  const [next] = below;
  if (known > 0 || first.cells.length > 1 || next === undefined || next.cells.length < 3) return undefined;
  const headerRow = skipped + next.number;
  return {
    headerRow,
    problem: `has 1 cell, but the rows below have ${next.cells.length}: if it is a title, use ?header_row=${headerRow}, or remove the title`,
  };
}

/** Returns the offset of the row that the caller says is the header. */
function* namedRow(
  list: Beginning,
  { dialect, from }: Written,
  headerRow: number,
): InSlices<number | 'more' | { readonly problems: Problems }> {
  const { text, maximumRowBytes } = list;
  const start = yield* skipRows(list, from, dialect, headerRow - 1);
  if (typeof start === 'number') return start;
  if (start === 'end') return { problems: { header_row: `is ${headerRow}, but the list has fewer rows` } };
  // All text before the header is kept in memory.
  return start === 'tooLong' || text.length > maximumRowBytes
    ? { problems: { header_row: `is ${headerRow}, but the rows above it have more than ${maximumRowBytes} bytes` } }
    : 'more';
}

/**
 * Returns the names of the columns. Trailing separators add no columns if no row has content there.
 * @param rows the header and rows below it
 */
const namesOf = (rows: readonly { readonly cells: readonly string[] }[]): readonly string[] => {
  const used = Math.max(...rows.map(({ cells }) => cells.findLastIndex((cell) => cell !== '') + 1));
  return rows[0]?.cells.slice(0, used) ?? [];
};

const SLICE_CHARACTERS = 64 * 1024;

function* isBlank(text: string): InSlices<boolean> {
  for (let at = 0; at < text.length; at += SLICE_CHARACTERS) {
    if (text.slice(at, at + SLICE_CHARACTERS).trim() !== '') return false;
    yield;
  }
  return true;
}

function* judgeHead(
  bytes: Buffer,
  complete: boolean,
  reading: ReadOptions,
  maximumRowBytes: number,
): InSlices<HeaderResult> {
  const text = textOf(bytes);
  const list = { text, complete, maximumRowBytes };
  if (yield* isBlank(text)) return complete ? { problems: EMPTY } : more(bytes, maximumRowBytes);
  const problems = yield* notUtf8(bytes, complete);
  if (problems !== undefined) return { problems };
  const { headerRow: firstRow = 1 } = reading;
  const written = yield* detectDialect(list, reading, firstRow - 1);
  if (written === 'more' || 'problems' in written) return written;
  const { dialect } = written;
  const from = yield* namedRow(list, written, firstRow);
  if (typeof from !== 'number') return from;
  const { row, scanInSlices } = createScanner(dialect, maximumRowBytes);
  let scanned = yield* scanInSlices(text, from, complete);
  if (scanned === 'row' && row.blank && reading.headerRow !== undefined)
    return { problems: { header_row: `is ${firstRow}, but that row is blank` } };
  let headerRow = firstRow;
  for (let blank = 1; scanned === 'row' && row.blank; blank += 1) {
    if (blank > MOST_BLANK_ROWS) return { problems: BLANK };
    if (blank % BLANKS_OF_SLICE === 0) yield;
    headerRow += 1;
    scanned = yield* scanInSlices(text, row.next, complete);
  }
  if (scanned === 'incomplete') return 'more';
  if (scanned === 'tooLong') return { problems: { header: `is longer than ${maximumRowBytes} bytes` } };
  if (scanned === 'end') return { problems: EMPTY };
  if (row.malformed !== undefined) return { problems: { header: `is not CSV: ${row.malformed}${QUOTES_HINT}` } };
  if (row.cells > MOST_COLUMNS)
    return { problems: { header: `has ${row.cells} columns; the most are ${MOST_COLUMNS}` } };
  if (text.slice(row.start, row.end).includes('\0')) {
    // Most characters have a high byte of 0, and big-endian text begins with it.
    const encoding = text.startsWith('\0') ? 'utf-16be' : 'utf-16le';
    return {
      problems: { file: `is not text: its header has NUL bytes; use ?encoding=${encoding} for UTF-16 without a mark` },
    };
  }
  const { rows } = yield* sampleRows(list, row.start, dialect, FINDING_ROWS);
  const header = namesOf(rows.slice(0, SAMPLE_ROWS));
  yield;
  const sample = rows.slice(1).map(({ cells }) => cells);
  const isAll = complete && rows.length < FINDING_ROWS;
  const columns = yield* readColumnsInSlices(header, dialect, reading, sample, isAll);
  yield;
  if ('problems' in columns) {
    const title = yield* titleProblem(list, { dialect, from }, firstRow - 1);
    const unused = { header, dialect, bodyStart: row.next, headerRow };
    if (title === undefined) return { problems: columns.problems, unused };
    const { problem, headerRow: suggestedHeaderRow } = title;
    return { problems: { header: problem }, unused: { ...unused, suggestedHeaderRow } };
  }
  const headerLines = yield* countBreaks(text, dialect.lineBreak, 0, row.next);
  return { columns, headerStart: row.start, bodyStart: row.next, headerRow, headerLines };
}

/**
 * Reads the head of a file.
 * @param complete whether these bytes are the whole file
 * @returns the head, the problems, or `more` if the header row continues after these bytes
 */
export const readHeader = (
  bytes: Buffer,
  complete: boolean,
  reading: ReadOptions,
  maximumRowBytes: number,
): HeaderResult => withoutPause(judgeHead(bytes, complete, reading, maximumRowBytes));

/** The same as `readHeader`, in short slices. */
export const readHeaderInSlices = async (...of: Parameters<typeof readHeader>): Promise<HeaderResult> =>
  await inSlices(judgeHead(...of));

/** The same for more bytes. Reads the first 64 KiB, as for an upload, and doubles them while the header continues. */
export const findHeader = async (
  bytes: Buffer,
  complete: boolean,
  reading: ReadOptions,
  maximumRowBytes: number,
): Promise<HeaderResult> => {
  for (let size = HEAD_BYTES; size < bytes.length; size *= 2) {
    const head = await readHeaderInSlices(bytes.subarray(0, size), false, reading, maximumRowBytes);
    if (head !== 'more') return head;
    await turn();
  }
  return await readHeaderInSlices(bytes, complete, reading, maximumRowBytes);
};
