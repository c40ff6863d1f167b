/**
 * The first bytes of a list: is it one at all, how is it written, what do its columns mean. Judged from the first 64 KiB
 * (or more, where the header itself is longer), so that a wrong file is refused before it is stored.
 */
import { type Columns, type Defaults, type Problems, readColumns } from './columns.ts';
import { cellOf, createScanner, type Dialect, decodeText, textOf } from './csv.ts';
import { firstBadByte, unfinished } from './utf8.ts';

export const HEAD_BYTES = 64 * 1024;
const SAMPLE_ROWS = 20;
const DELIMITERS: readonly Dialect['delimiter'][] = [',', ';', '\t', '|'];

export interface Head {
  readonly columns: Columns;
  /** Byte offsets in the file: the header row without a byte-order mark, and the first byte after it. */
  readonly headerStart: number;
  readonly bodyStart: number;
  /** Lines before `bodyStart`. */
  readonly headerLines: number;
}

export type HeadResult = Head | { readonly problems: Problems } | 'more';

const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** LF wherever there is one; a file with only CR has that. */
const lineBreakOf = (text: string): Dialect['lineBreak'] => (!text.includes('\n') && text.includes('\r') ? 'cr' : 'lf');

/** How many of the first rows have as many cells as the first, when cut by this dialect. */
const consistency = (
  text: string,
  from: number,
  dialect: Dialect,
  maximumBytes: number,
): { rows: number; cells: number } => {
  const { row, scan } = createScanner(dialect, maximumBytes);
  let cells = 0;
  let rows = 0;
  for (let at = from; rows < SAMPLE_ROWS && scan(text, at, false) === 'row'; at = row.next) {
    if (row.blank) continue;
    if (cells === 0) cells = row.cells;
    else if (row.cells !== cells) break;
    rows += 1;
  }
  return { rows, cells };
};

const delimiterOf = (
  text: string,
  from: number,
  lineBreak: Dialect['lineBreak'],
  maximumBytes: number,
): Dialect['delimiter'] => {
  let best: { delimiter: Dialect['delimiter']; rows: number; cells: number } = { delimiter: ',', rows: 0, cells: 1 };
  for (const delimiter of DELIMITERS) {
    const { rows, cells } = consistency(text, from, { delimiter, lineBreak }, maximumBytes);
    if (cells > 1 && (rows > best.rows || (rows === best.rows && cells > best.cells) || best.cells === 1))
      best = { delimiter, rows, cells };
  }
  return best.delimiter;
};

const notUtf8 = (bytes: Buffer, complete: boolean): Problems | undefined => {
  const bad = firstBadByte(complete ? bytes : bytes.subarray(0, bytes.length - unfinished(bytes)));
  if (bad === undefined) return undefined;
  const line = textOf(bytes.subarray(0, bad)).split('\n').length;
  return { file: `is not UTF-8 text at line ${line}, byte ${bad}` };
};

/**
 * Judges the head of a file.
 * @param complete whether these bytes are the whole file
 * @returns the columns and where the rows begin; or what is wrong, one entry per problem; or `more` where the header row
 * goes on after these bytes
 */
export const readHead = (bytes: Buffer, complete: boolean, defaults: Defaults, maximumRowBytes: number): HeadResult => {
  const text = textOf(bytes);
  if (text.trim() === '')
    return complete ? { problems: { file: 'is empty; it needs a header row and at least one row' } } : 'more';
  const problems = notUtf8(bytes, complete);
  if (problems !== undefined) return { problems };
  const headerFrom = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const lineBreak = lineBreakOf(text);
  const dialect: Dialect = { delimiter: delimiterOf(text, headerFrom, lineBreak, maximumRowBytes), lineBreak };
  const { row, scan } = createScanner(dialect, maximumRowBytes);
  let at = headerFrom;
  let scanned = scan(text, at, complete);
  while (scanned === 'row' && row.blank) {
    at = row.next;
    scanned = scan(text, at, complete);
  }
  if (scanned === 'incomplete') return 'more';
  if (scanned === 'tooLong') return { problems: { header: `is longer than ${maximumRowBytes} bytes` } };
  if (scanned === 'end') return { problems: { file: 'is empty; it needs a header row and at least one row' } };
  if (row.malformed !== undefined) return { problems: { header: `is not CSV: ${row.malformed}` } };
  if (text.slice(row.start, row.end).includes('\0'))
    return { problems: { file: 'is not text: its header has NUL bytes' } };
  const header = Array.from({ length: row.cells }, (_, index) => decodeText(cellOf(text, row, index)));
  const columns = readColumns(header, dialect, defaults);
  if ('problems' in columns) return columns;
  const headerLines = text.slice(0, row.next).split(lineBreak === 'lf' ? '\n' : '\r').length - 1;
  return { columns, headerStart: row.start, bodyStart: row.next, headerLines };
};
