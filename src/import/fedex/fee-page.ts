/**
 * Pages of FedEx's fee documents: table heads, and the lines of each column. Everything follows from the positions and sizes of
 * the words. Lengths are in points.
 */
import { getOrMake, mostCommon } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import type { PdfPage, PdfWord } from '../read/pdf.ts';
import { RefusedFile } from '../read/reader.ts';
import { type Line, linesOf } from './layout.ts';

/** The column heads of a table: `Surcharge name`, `Applicable services`, `2031`, `2032`. */
export interface FeeHead {
  readonly page: number;
  readonly y: number;
  readonly labels: readonly string[];
  /** Left edges of the heads. */
  readonly lefts: readonly number[];
}

/** How far left of its head a column's cells may begin, and how far left of the others a line of a cell may begin. */
const CELLS_REACH = 16;
const SLACK = 8;
/** Footnote marks are numbers in much smaller type than nearby words. */
const MARK_SIZE = 0.8;
/** Limits of a cell's type size, as a share of the table's type size. */
const SMALL = 0.86;
const LARGE = 1.12;
const HEADING = 1.5;
export const SAME_LINE = 2;

/** Most words on a page of fees. FedEx's pages have fewer than 1,000. */
const MAX_WORDS = 3_000;

const isMark = (word: PdfWord, words: readonly PdfWord[]): boolean =>
  /^\d{1,2}(?:,\d{1,2})?$/.test(word.text) &&
  words.some(
    (near) =>
      Math.abs(near.y - word.y) <= 4 &&
      near.left - word.right <= 40 &&
      word.left - near.right <= 40 &&
      word.size < near.size * MARK_SIZE,
  );

const withoutSigns = (text: string): string =>
  text
    .replaceAll(/[\u00ad®™•]/g, '')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[²³¹]/g, '');

interface PlainPage {
  readonly words: readonly PdfWord[];
  readonly marks: readonly PdfWord[];
}

/** Removes footnote marks, trademark signs and bullets, and replaces dashes with hyphens. */
const makePlain = ({ words, number }: PdfPage): PlainPage => {
  if (words.length > MAX_WORDS)
    throw new RefusedFile(`page ${number} has ${words.length} words; a page of fees has at most ${MAX_WORDS}`);
  const marks = new Set(words.filter((word) => isMark(word, words)));
  return {
    marks: [...marks],
    words: words
      .filter((word) => !marks.has(word))
      .map((word) => ({ ...word, text: withoutSigns(word.text) }))
      .filter(({ text }) => text !== ''),
  };
};

const plainPages = new WeakMap<PdfPage, PlainPage>();

/** Returns the plain page, from a cache. @throws RefusedFile if the page has too many words */
const plainPage = (page: PdfPage): PlainPage => getOrMake(plainPages, page, () => makePlain(page));

/** The lines of a page, without footnote marks. */
export const plainLines = (page: PdfPage): Line[] => linesOf(plainPage(page).words);

/** Returns a page's text above a height. */
export const plainText = (page: PdfPage, above = Number.POSITIVE_INFINITY): string =>
  plainLines(page)
    .filter(({ y }) => y < above)
    .map(({ text }) => text)
    .join(' ');

const FIRST_LABELS = ['surcharge name', 'definition'];

const headIn = ({ number, words }: PdfPage): FeeHead | undefined => {
  if (!words.some(({ text }) => /^applicable$/i.test(text))) return undefined;
  for (const { y, words: line } of linesOf(words)) {
    const heads = line.filter(({ text }) => !/^\d{1,2}$/.test(text));
    const texts = heads.map(({ text }) => withoutSigns(text).toLowerCase());
    const at = texts.indexOf('applicable');
    const first = texts.slice(0, Math.max(at, 0)).join(' ');
    if (!FIRST_LABELS.includes(first) || texts[at + 1] !== 'services' || texts.length < at + 3) continue;
    const starts = [0, at, ...texts.keys()].filter((index, place) => place < 2 || index > at + 1);
    return {
      page: number,
      y,
      labels: [first, 'applicable services', ...texts.slice(at + 2)],
      lefts: starts.map((index) => must(heads[index], 'a word of the head').left),
    };
  }
  return undefined;
};

/** Table heads of fees, at most one per page. */
export const feeHeads = (pages: readonly PdfPage[]): FeeHead[] => pages.flatMap((page) => headIn(page) ?? []);

/** The most common type size. */
const bodySize = (words: readonly PdfWord[]): number =>
  mostCommon(words.map(({ size }) => Math.round(size * 4) / 4)) ?? 0;

/** Titles: lines in much larger type than the text of the page. */
export const largeLines = (page: PdfPage): Line[] => {
  const { words } = plainPage(page);
  const body = bodySize(words);
  return linesOf(words.filter(({ size }) => size > body * HEADING));
};

/** The lines of a page's table by column, and the headings between the rows. */
export interface FeeColumns {
  readonly head: FeeHead;
  readonly body: number;
  readonly headings: readonly Line[];
  readonly columns: readonly (readonly Line[])[];
}

/** Where a page's footnotes begin: at the first mark at the left margin. */
const footOf = (marks: readonly PdfWord[], { y, lefts: [left = 0] }: FeeHead): number =>
  Math.min(...marks.filter((mark) => mark.y > y && mark.left < left).map((mark) => mark.y - SAME_LINE));

/** Left edges of the columns. Most words near a head's left edge begin there. */
const edgesOf = (words: readonly PdfWord[], { lefts }: FeeHead): number[] =>
  lefts.map((head) => {
    const near = words.filter(({ left }) => left > head - CELLS_REACH && left <= head);
    return (mostCommon(near.map(({ left }) => Math.round(left))) ?? head) - SLACK;
  });

export const columnsOf = (page: PdfPage, head: FeeHead): FeeColumns => {
  const { words, marks } = plainPage(page);
  const foot = footOf(marks, head);
  const below = words.filter(({ y }) => y > head.y + SAME_LINE && y < foot);
  const body = bodySize(below);
  const edges = edgesOf(below, head);
  const columnOf = ({ left }: PdfWord): number =>
    Math.max(
      0,
      edges.findLastIndex((edge) => edge <= left),
    );
  const sizeOf = (line: Line): number => Math.max(...line.words.map(({ size }) => size));
  const titles = linesOf(below.filter((word) => columnOf(word) === 0 && word.size > body * HEADING));
  const end = titles.find((line) => head.labels[0] === 'definition' && /[A-Za-z]/.test(line.text))?.y;
  const lines = linesOf(below.filter(({ y }) => end === undefined || y < end - SAME_LINE));
  // A line in large type outside the first column is the page's footer.
  const kept = lines.filter((line) => line.words.every((word) => columnOf(word) === 0 || word.size <= body * 1.2));
  const columns = head.lefts.map((_, column) =>
    linesOf(kept.flatMap((line) => line.words.filter((word) => columnOf(word) === column))),
  );
  const isBody = (line: Line): boolean =>
    sizeOf(line) <= body * LARGE && (sizeOf(line) >= body * SMALL || line.text.startsWith('*'));
  return {
    head,
    body,
    headings: must(columns[0], 'the column of names').filter(
      (line) => sizeOf(line) > body * LARGE && sizeOf(line) <= body * HEADING,
    ),
    columns: columns.map((column) => column.filter(isBody)),
  };
};
