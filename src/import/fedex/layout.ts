/**
 * The layout of FedEx's printed tables: lines, columns of weights, columns under headings, and cells. Everything follows from the
 * positions of the words, never from fixed coordinates. Lengths are in points.
 */
import { getOrMake, mostCommon } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import type { PdfWord } from '../read/pdf.ts';

export interface Line {
  readonly y: number;
  readonly words: readonly PdfWord[];
  readonly text: string;
}

/** The label of a row, to the left of its cells. */
export interface Label {
  readonly value: number;
  readonly word: PdfWord;
}

export interface Span {
  readonly left: number;
  readonly right: number;
}

const SAME_LINE = 2;
/** Footnote marks are numbers in much smaller type than the rest of the page. */
const MARK_SIZE = 0.8;
const LABEL_DRIFT = 4;
const LEAST_LABELS = 8;
/** How many consecutive labels may be missing from a column of weights. */
const LOST_LABELS = 5;

export const centerOf = ({ left, right }: Span): number => (left + right) / 2;

/** Returns 0 for no values. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Removes footnote marks and soft hyphens, and replaces dashes with hyphens. */
export const plainWords = (words: readonly PdfWord[]): PdfWord[] => {
  const common = mostCommon(words.map(({ size }) => Math.round(size * 2) / 2)) ?? 0;
  return words
    .filter(({ size, text }) => size >= common * MARK_SIZE || !/^\d{1,2}$/.test(text))
    .map((word) => ({ ...word, text: word.text.replaceAll('\u00ad', '').replaceAll(/[\u2010-\u2015\u2212]/g, '-') }));
};

/** Groups words into lines from the top down, with the words from left to right. */
export const linesOf = (words: readonly PdfWord[]): Line[] => {
  const lines: { y: number; words: PdfWord[] }[] = [];
  for (const word of [...words].sort((a, b) => a.y - b.y)) {
    const last = lines.at(-1);
    if (last !== undefined && word.y - last.y <= SAME_LINE) last.words.push(word);
    else lines.push({ y: word.y, words: [word] });
  }
  return lines.map(({ y, words: unsorted }) => {
    const sorted = unsorted.sort((a, b) => a.left - b.left);
    return { y, words: sorted, text: sorted.map(({ text }) => text).join(' ') };
  });
};

/** Joins lines into one text. */
export const textOf = (words: readonly PdfWord[], separator = ' '): string =>
  linesOf(words)
    .map(({ text }) => text)
    .join(separator);

/** The page's title: the lines in the largest type. */
export const titleOf = (words: readonly PdfWord[]): string => {
  const largest = Math.max(0, ...words.map(({ size }) => size));
  return textOf(words.filter(({ size }) => size > largest - 0.5));
};

/** Parses a printed price such as `1,234.50` into cents. */
export const centsOf = (price: string): number => Number(price.replaceAll(/[,.]/g, ''));

/** Columns of weights: whole numbers that rise by one from top to bottom. A page may have several such columns. */
export const weightColumns = (words: readonly PdfWord[]): Label[][] => {
  const numbers = words
    .filter(({ text }) => /^\d{1,3}$/.test(text))
    .sort((a, b) => a.right - b.right)
    .map((word) => ({ value: Number(word.text), word }));
  const groups: Label[][] = [];
  for (const label of numbers) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && label.word.right - group[0].word.right <= LABEL_DRIFT) group.push(label);
    else groups.push([label]);
  }
  const chains = groups.flatMap((group) => {
    const found: Label[][] = [];
    for (const label of group.sort((a, b) => a.word.y - b.word.y)) {
      const chain = found.find((open) => {
        const step = label.value - must(open.at(-1), 'the label before').value;
        return step >= 1 && step <= LOST_LABELS;
      });
      if (chain === undefined) found.push([label]);
      else chain.push(label);
    }
    return found;
  });
  return chains.filter(({ length }) => length >= LEAST_LABELS);
};

/** Computes column spans from left edges. The last column is as wide as the others. */
export const spansFrom = (lefts: readonly number[], slack: number): Span[] => {
  const pitch = median(lefts.slice(1).map((left, index) => left - must(lefts[index], 'the column before')));
  return lefts.map((left, index) => ({
    left: left - slack,
    right: Math.min((lefts[index + 1] ?? Number.POSITIVE_INFINITY) - slack, left + 1.15 * pitch),
  }));
};

/** Computes column spans from centers. */
export const spansAround = (centers: readonly number[]): Span[] => {
  const pitch = median(centers.slice(1).map((center, index) => center - must(centers[index], 'the column before')));
  const reach = pitch / 2;
  return centers.map((center, index) => ({
    left: Math.max(center - reach, (center + (centers[index - 1] ?? Number.NEGATIVE_INFINITY)) / 2),
    right: Math.min(center + reach, (center + (centers[index + 1] ?? Number.POSITIVE_INFINITY)) / 2),
  }));
};

/**
 * Assigns columns to headings. There is at least one heading. Each is centered above a run of adjacent columns.
 * @returns the index of each column's heading
 */
export const headingOfColumns = (columns: readonly Span[], headings: readonly number[]): number[] => {
  const distance = (from: number, to: number, heading: number): number => {
    const [first, last] = [columns[from], columns[to - 1]];
    if (first === undefined || last === undefined) return Number.POSITIVE_INFINITY;
    return Math.abs((centerOf(first) + centerOf(last)) / 2 - must(headings[heading], 'a heading'));
  };
  const best = (from: number, heading: number): { cost: number; sizes: number[] } => {
    if (heading === headings.length - 1)
      return { cost: distance(from, columns.length, heading), sizes: [columns.length - from] };
    let least = { cost: Number.POSITIVE_INFINITY, sizes: [columns.length - from] };
    for (let to = from + 1; to < columns.length; to += 1) {
      const rest = best(to, heading + 1);
      const cost = distance(from, to, heading) + rest.cost;
      if (cost < least.cost) least = { cost, sizes: [to - from, ...rest.sizes] };
    }
    return least;
  };
  return best(0, 0).sizes.flatMap((size, heading) => new Array<number>(size).fill(heading));
};

const cellText = (words: readonly PdfWord[]): string =>
  [...words]
    .sort((a, b) => a.left - b.left)
    .map(({ text }) => text)
    .join(' ')
    .replace(/^\$ ?/, '');

/**
 * Assigns words to the cells of a table: to the column whose span contains the word's center, and to the row whose label is
 * nearest to its baseline.
 * @returns `cells[label][column]`, without leading spaces and dollar signs. Blank cells are empty. `stray`: the amounts between
 * the rows that belong to no cell
 */
export const gridOf = (
  words: readonly PdfWord[],
  labels: readonly Label[],
  columns: readonly { readonly span: Span }[],
) => {
  const heights = labels.map(({ word }) => word.y).sort((a, b) => a - b);
  const [top = 0, bottom = 0] = [heights[0], heights.at(-1)];
  const pitch = median(heights.slice(1).map((y, index) => y - must(heights[index], 'the row before')));
  const inCell = new Map<string, PdfWord[]>();
  const stray: PdfWord[] = [];
  const isLabel = new Set(labels.map(({ word }) => word));
  for (const word of words) {
    const column = columns.findIndex(({ span }) => centerOf(word) >= span.left && centerOf(word) < span.right);
    if (column < 0 || isLabel.has(word)) continue;
    const row = rowOf(word, labels, 0.45 * pitch);
    if (row < 0) {
      if (word.y >= top && word.y <= bottom && /\d\.\d\d/.test(word.text)) stray.push(word);
      continue;
    }
    getOrMake(inCell, `${row}:${column}`, () => []).push(word);
  }
  const cells = labels.map((_, row) =>
    columns.map((_column, column) => cellText(inCell.get(`${row}:${column}`) ?? [])),
  );
  return { cells, stray };
};

const rowOf = (word: PdfWord, labels: readonly Label[], reach: number): number => {
  const gaps = labels.map(({ word: label }) =>
    label.right <= word.left ? Math.abs(label.y - word.y) : Number.POSITIVE_INFINITY,
  );
  const least = Math.min(...gaps);
  return least <= reach ? gaps.indexOf(least) : -1;
};

/** Parses `9 and 10`, `13-16`, `2, 3` into single zones; undefined for any other text. */
export const zonesIn = (text: string): string[] | undefined => {
  const parts = text.split(/,|and|&/).map((part) => part.trim());
  const zones: string[] = [];
  for (const part of parts) {
    const [, first, last = first] = /^(\d{1,2})(?:\s*-\s*(\d{1,2}))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first)) return undefined;
    for (let zone = Number(first); zone <= Number(last); zone += 1) zones.push(String(zone));
  }
  return zones.length === 0 ? undefined : zones;
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Such as `: January 5, 2026`. */
const DATE = /^:? {1,9}([a-z]{3})[a-z.]{0,9} {1,9}(\d{1,2}), {0,9}(\d{4})/;

/** Finds the date after a word such as `Effective`, as `YYYY-MM-DD`. */
export const dateAfter = (word: string, text: string): string | undefined => {
  const [, ...behind] = text.toLowerCase().split(word.toLowerCase());
  const found = behind.map((rest) => DATE.exec(rest)).find((match) => match !== null);
  const [, month = '', day = '', year = ''] = found ?? [];
  const number = MONTHS.indexOf(month) + 1;
  return number === 0 ? undefined : `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
};
