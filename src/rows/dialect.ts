/** How a list is written: its line breaks and its separator, found by what the first rows look like, or said in it. */

import { cellOf, decodeText } from '../csv/cell.ts';
import { createScanner, type Dialect } from '../csv/scanner.ts';
import { knownFields } from './aliases.ts';

export const SAMPLE_ROWS = 20;
/** As many as a sheet has. Judging each takes time that no limit on bytes bounds well enough. */
export const MOST_COLUMNS = 16_384;
/** Rows without content that are passed over before the first one that has some. */
export const MOST_BLANK_ROWS = 10_000;
export const DELIMITERS: readonly Dialect['delimiter'][] = [',', ';', '\t', '|'];

/**
 * LF wherever there is one outside of quotes; a list with only CR has that. A quote that opens nothing (`12" pipe`) may
 * hide them all: then any LF decides.
 */
export const lineBreakOf = (text: string): Dialect['lineBreak'] => {
  let inside = false;
  let carriageReturns = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') inside = !inside;
    else if (!inside && character === '\n') return 'lf';
    else if (!inside && character === '\r') carriageReturns = true;
  }
  return carriageReturns || (text.includes('\r') && !text.includes('\n')) ? 'cr' : 'lf';
};

const SEPARATOR_LINE = /^"?sep=([^\r\n])"?[,;\t|]*(?:\r\n|\n|\r)/i;

/** Excel's first line that says the separator: `sep=;`. `next` is where the list goes on. */
export const separatorLine = (
  text: string,
  from: number,
): { readonly said: string; readonly next: number } | undefined => {
  const [line = '', said = ''] = SEPARATOR_LINE.exec(text.slice(from, from + 100)) ?? [];
  return line === '' ? undefined : { said, next: from + line.length };
};

export interface Sample {
  /** The first rows that have any content, and the line on which each begins, from 1. */
  readonly rows: readonly { readonly cells: readonly string[]; readonly malformed: boolean; readonly line: number }[];
  /** Whether not even the first of them is whole. */
  readonly cut: boolean;
}

/** @param complete whether nothing follows the text */
export const sampleRows = (
  text: string,
  from: number,
  dialect: Dialect,
  maximumBytes: number,
  complete: boolean,
  most = SAMPLE_ROWS,
): Sample => {
  const { row, scan } = createScanner(dialect, maximumBytes);
  const breakText = dialect.lineBreak === 'lf' ? '\n' : '\r';
  const rows: Sample['rows'][number][] = [];
  let line = text.slice(0, from).split(breakText).length;
  let blank = 0;
  let scanned = scan(text, from, complete);
  for (; rows.length < most && scanned === 'row'; scanned = scan(text, row.next, complete)) {
    if (row.blank) {
      blank += 1;
      if (blank > MOST_BLANK_ROWS) break;
    } else {
      const isWide = row.cells > MOST_COLUMNS;
      const length = isWide ? 0 : row.cells;
      const cells = Array.from({ length }, (_, index) => decodeText(cellOf(text, row, index)));
      rows.push({ cells, malformed: isWide || row.malformed !== undefined, line });
    }
    line += row.quoted ? text.slice(row.start, row.next).split(breakText).length - 1 : 1;
  }
  return { rows, cut: rows.length === 0 && scanned === 'incomplete' };
};

/** What speaks for a separator: names of columns in the first row, then rows of one width, then the width. */
const score = ({ rows }: Sample): readonly number[] => {
  const [first] = rows;
  if (first === undefined || first.malformed) return [0, 0, 0];
  const widths = new Map<number, number>();
  for (const { cells, malformed } of rows) {
    if (cells.length > 1 && !malformed) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  }
  const [width = 0, same = 0] = [...widths].sort(([, a], [, b]) => b - a)[0] ?? [];
  return [first.cells.length > 1 ? knownFields(first.cells) : 0, same, width];
};

const isBetter = (a: readonly number[], b: readonly number[]): boolean => {
  const differing = a.findIndex((value, index) => value !== b[index]);
  return differing !== -1 && (a[differing] ?? 0) > (b[differing] ?? 0);
};

/** The separator by the first rows, cut by each; `more` where the first row goes on after the text. */
export const delimiterOf = (
  text: string,
  from: number,
  lineBreak: Dialect['lineBreak'],
  maximumBytes: number,
  complete: boolean,
): Dialect['delimiter'] | 'more' => {
  let best: { delimiter: Dialect['delimiter']; score: readonly number[] } = { delimiter: ',', score: [0, 0, 0] };
  let cut = false;
  for (const delimiter of DELIMITERS) {
    const sample = sampleRows(text, from, { delimiter, lineBreak }, maximumBytes, complete);
    cut ||= sample.cut;
    const own = score(sample);
    if (isBetter(own, best.score)) best = { delimiter, score: own };
  }
  return cut && best.score[0] === 0 ? 'more' : best.delimiter;
};
