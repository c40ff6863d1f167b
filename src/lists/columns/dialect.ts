/** Detects the line breaks and the separator of a list from its first rows or from a `sep=` line. */

import { must } from '../../base/must.ts';
import { type InSlices, mapInSlices } from '../../base/time-slices.ts';
import { cellOf, decodeText } from '../../files/csv/cell.ts';
import { createScanner, type Dialect } from '../../files/csv/scanner.ts';
import { knownFields } from './aliases.ts';

/** The beginning of a list. */
export interface Beginning {
  readonly text: string;
  /** Whether this is the whole text. */
  readonly complete: boolean;
  readonly maximumRowBytes: number;
}

export const SAMPLE_ROWS = 20;
/** Excel's limit for a sheet. A limit on bytes alone would allow too many columns, and each column takes time. */
export const MOST_COLUMNS = 16_384;
/** Maximum number of blank rows before the header. */
export const MOST_BLANK_ROWS = 10_000;
/** Blank rows between two yields. */
export const BLANKS_OF_SLICE = 256;
export const DELIMITERS: readonly Dialect['delimiter'][] = [',', ';', '\t', '|'];

/** Characters read between two yields. */
const SLICE_CHARACTERS = 64 * 1024;
const [QUOTE, LF, CR] = [34, 10, 13];

/**
 * Returns LF if there is one outside quotes, otherwise CR if there is one. A quote inside a cell (`12" pipe`) may hide all
 * line breaks. Then any LF decides.
 */
export function* lineBreakOf(text: string, quotes?: Dialect['quotes']): InSlices<Dialect['lineBreak']> {
  let inside = false;
  let carriageReturns = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inside = quotes !== 'none' && !inside;
    else if (!inside && code === LF) return 'lf';
    else if (!inside && code === CR) carriageReturns = true;
    if (at % SLICE_CHARACTERS === SLICE_CHARACTERS - 1) yield;
  }
  return carriageReturns || (text.includes('\r') && !text.includes('\n')) ? 'cr' : 'lf';
}

/** Counts line breaks in a range. Splitting the text would take ten times as long. */
export function* countBreaks(text: string, by: Dialect['lineBreak'], from: number, to: number): InSlices<number> {
  const code = by === 'lf' ? LF : CR;
  let found = 0;
  for (let at = from; at < to; at++) {
    if (text.charCodeAt(at) === code) found += 1;
    if (at % SLICE_CHARACTERS === SLICE_CHARACTERS - 1) yield;
  }
  return found;
}

const SEPARATOR_LINE = /^"?sep=([^\r\n])"?[,;\t|]*(?:\r\n|\n|\r)/i;

/** Reads Excel's optional first line with the separator: `sep=;`. `next` is where the list continues. */
export const separatorLine = (
  text: string,
  from: number,
): { readonly separator: string; readonly next: number } | undefined => {
  const [line = '', separator = ''] = SEPARATOR_LINE.exec(text.slice(from, from + 100)) ?? [];
  return line === '' ? undefined : { separator, next: from + line.length };
};

/**
 * Skips rows, blank or not. A row that is not valid CSV is skipped too, because it may be any text.
 * @returns the offset of the next row, or why there is none
 */
export function* skipRows(
  { text, complete, maximumRowBytes }: Beginning,
  from: number,
  dialect: Dialect,
  count: number,
): InSlices<number | 'incomplete' | 'end' | 'tooLong'> {
  const { row, skipInSlices } = createScanner(dialect, maximumRowBytes);
  let at = from;
  for (let skipped = 0; skipped < count; skipped += 1) {
    const scanned = yield* skipInSlices(text, at, complete);
    if (scanned !== 'row') return scanned;
    at = row.next;
    yield;
  }
  return at;
}

export interface SampleRow {
  readonly cells: readonly string[];
  readonly malformed: boolean;
  /** The row's number from the start of the sample, from 1. Blank rows count. */
  readonly number: number;
}

export interface Sample {
  /** The first rows that are not blank. */
  readonly rows: readonly SampleRow[];
  /** Whether the text ends within the first of them. */
  readonly cut: boolean;
}

export function* sampleRows(
  { text, complete, maximumRowBytes }: Beginning,
  from: number,
  dialect: Dialect,
  most = SAMPLE_ROWS,
): InSlices<Sample> {
  const { row, scanInSlices } = createScanner(dialect, maximumRowBytes);
  const rows: Sample['rows'][number][] = [];
  let blank = 0;
  let scanned = yield* scanInSlices(text, from, complete);
  for (; rows.length < most && scanned === 'row'; scanned = yield* scanInSlices(text, row.next, complete)) {
    if (row.blank) {
      blank += 1;
      if (blank > MOST_BLANK_ROWS) break;
    } else {
      const isWide = row.cells > MOST_COLUMNS;
      const length = isWide ? 0 : row.cells;
      const cells = yield* mapInSlices(Array.from({ length }), (_, index) => decodeText(cellOf(text, row, index)));
      const number = blank + rows.length + 1;
      rows.push({ cells, malformed: isWide || row.malformed !== undefined, number });
    }
    if (!row.blank || blank % BLANKS_OF_SLICE === 0) yield;
  }
  return { rows, cut: rows.length === 0 && scanned === 'incomplete' };
}

/** Scores a separator. Most important first: known column names, rows of the same width, the width. */
function* scoreOf({ rows }: Sample): InSlices<readonly number[]> {
  const [first] = rows;
  if (first === undefined || first.malformed) return [0, 0, 0];
  const widths = new Map<number, number>();
  for (const { cells, malformed } of rows) {
    if (cells.length > 1 && !malformed) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  }
  const [width = 0, same = 0] = [...widths].sort(([, a], [, b]) => b - a)[0] ?? [];
  return [first.cells.length > 1 ? yield* knownFields(first.cells) : 0, same, width];
}

const isBetter = (a: readonly number[], b: readonly number[]): boolean => {
  const differing = a.findIndex((value, index) => value !== b[index]);
  return differing !== -1 && must(a[differing], 'a score') > must(b[differing], 'a score');
};

/**
 * Returns the separator that fits the first rows best, or `more` if the first row continues after the text.
 * @param skipped the number of rows above the header, which say nothing about the separator
 */
export function* delimiterOf(
  list: Beginning,
  from: number,
  written: Pick<Dialect, 'lineBreak' | 'quotes'>,
  skipped = 0,
): InSlices<Dialect['delimiter'] | 'more'> {
  let best: { delimiter: Dialect['delimiter']; score: readonly number[] } = { delimiter: ',', score: [0, 0, 0] };
  let cut = false;
  for (const delimiter of DELIMITERS) {
    const dialect = { delimiter, ...written };
    const start = yield* skipRows(list, from, dialect, skipped);
    cut ||= start === 'incomplete';
    if (typeof start !== 'number') continue;
    const sample = yield* sampleRows(list, start, dialect);
    cut ||= sample.cut;
    const own = yield* scoreOf(sample);
    yield;
    if (isBetter(own, best.score)) best = { delimiter, score: own };
  }
  return cut && best.score[0] === 0 ? 'more' : best.delimiter;
}
