/**
 * The fee tables in FedEx's documents: a name or a definition, the services, and amounts. Everything follows from the positions
 * and sizes of the words. A row extends from its services to the services of the next row. Lengths are in points.
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
const SAME_LINE = 2;

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

/** Removes footnote marks, trademark signs and bullets, and replaces dashes with hyphens. */
const makePlain = ({ words, number }: PdfPage) => {
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

const plainPages = new WeakMap<PdfPage, ReturnType<typeof makePlain>>();

/** Returns the plain page, from a cache. @throws RefusedFile if the page has too many words */
const plainPage = (page: PdfPage) => getOrMake(plainPages, page, () => makePlain(page));

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
const feeHeads = (pages: readonly PdfPage[]): FeeHead[] => pages.flatMap((page) => headIn(page) ?? []);

/** Heads of the sheet of changes, which has names on the left. */
export const sheetHeads = (pages: readonly PdfPage[]): FeeHead[] =>
  feeHeads(pages).filter(({ labels }) => labels[0] === 'surcharge name');

/** Heads of the Service Guide and of Ground Economy, which have definitions on the left. */
export const guideHeads = (pages: readonly PdfPage[]): FeeHead[] =>
  feeHeads(pages).filter(({ labels }) => labels.join() === 'definition,applicable services,charges');

/** The most common type size. */
const bodySize = (words: readonly PdfWord[]): number =>
  mostCommon(words.map(({ size }) => Math.round(size * 4) / 4)) ?? 0;

/** Titles: lines in much larger type than the text of the page. */
export const largeLines = (page: PdfPage): Line[] => {
  const { words } = plainPage(page);
  const body = bodySize(words);
  return linesOf(words.filter(({ size }) => size > body * HEADING));
};

/** Where a page's footnotes begin: at the first mark at the left margin. */
const footOf = (marks: readonly PdfWord[], { y, lefts: [left = 0] }: FeeHead): number =>
  Math.min(...marks.filter((mark) => mark.y > y && mark.left < left).map((mark) => mark.y - SAME_LINE));

/** Left edges of the columns. Most words near a head's left edge begin there. */
const edgesOf = (words: readonly PdfWord[], { lefts }: FeeHead): number[] =>
  lefts.map((head) => {
    const near = words.filter(({ left }) => left > head - CELLS_REACH && left <= head);
    return (mostCommon(near.map(({ left }) => Math.round(left))) ?? head) - SLACK;
  });

/** The lines of a page's table by column, and the headings between the rows. */
const columnsOf = (page: PdfPage, head: FeeHead) => {
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

type FeeColumns = ReturnType<typeof columnsOf>;

export interface FeeRow {
  readonly page: number;
  readonly services: string;
  /** The text of each column to the right of the services. */
  readonly cells: readonly string[];
}

/** A fee with its rows on all pages. */
export interface Fee {
  readonly name: string;
  readonly page: number;
  /** The text to the left of the services. Empty in a table that has only names on the left. */
  readonly definition: string;
  readonly rows: readonly FeeRow[];
}

/** Share of the leading. A larger gap between two lines of services separates rows. */
const ROW_GAP = 1.25;

interface Row {
  readonly name: string;
  readonly page: number;
  readonly services: string[];
  readonly cells: string[][];
}

const gapsOf = (lines: readonly Line[]): number[] =>
  lines.slice(1).map((line, index) => line.y - must(lines[index], 'the line before').y);

/** The line spacing within a cell: the smallest common spacing in the document. */
const leadingOf = (tables: readonly FeeColumns[]): number => {
  const size = Math.max(...tables.map(({ body }) => body));
  const gaps = tables
    .flatMap(({ columns }) => columns.slice(1).flatMap(gapsOf))
    .filter((gap) => gap > size * 0.9)
    .sort((a, b) => a - b);
  const least = gaps[Math.floor(gaps.length / 10)] ?? size;
  return Math.min(least, size * 1.4);
};

const NAMES = 'the column of names';
const SERVICES = 'the column of services';

const isFootnote = ({ text }: Line): boolean => text.startsWith('*');

/** The heights at which rows begin: at the first of several lines of services with normal spacing. */
const startsOf = ({ columns, headings }: FeeColumns, leading: number): number[] => {
  const lines = must(columns[1], SERVICES);
  return lines.flatMap((line, index) => {
    const { y } = line;
    const before = lines[index - 1]?.y ?? Number.NEGATIVE_INFINITY;
    const headed = headings.some((heading) => heading.y > before && heading.y < y + SAME_LINE);
    return !isFootnote(line) && (y - before > leading * ROW_GAP || headed) ? [y] : [];
  });
};

const bareName = (text: string): string =>
  text
    .replaceAll('*', '')
    .replace(/ ?\(cont\.?\)$/i, '')
    .trim();

/** Names in the first column, with the height of each name's first line. */
const namesOf = ({ columns, headings, head }: FeeColumns, leading: number): { y: number; name: string }[] => {
  const lines =
    head.labels[0] === 'definition' ? headings : must(columns[0], NAMES).filter((line) => !isFootnote(line));
  const names: { y: number; last: number; name: string }[] = [];
  for (const { y, text } of lines) {
    const open = names.at(-1);
    if (open !== undefined && y - open.last <= leading * ROW_GAP) {
      open.name += ` ${text}`;
      open.last = y;
    } else names.push({ y, last: y, name: text });
  }
  return names.map(({ y, name }) => ({ y, name: bareName(name) }));
};

const textsBetween = (lines: readonly Line[], from: number, to: number): string[] =>
  lines.filter(({ y }) => y >= from && y < to).map(({ text }) => text);

/** A fee that is still being read. */
interface OpenFee {
  readonly name: string;
  readonly page: number;
  readonly definition: string[];
  readonly rows: Row[];
}

const readPage = (table: FeeColumns, leading: number, fees: Map<string, OpenFee>, last: Row | undefined) => {
  const { head, columns } = table;
  const names = namesOf(table, leading);
  const starts = startsOf(table, leading);
  const feeOf = (name: string): OpenFee => {
    const fee = fees.get(name) ?? { name, page: head.page, definition: [], rows: [] };
    fees.set(name, fee);
    return fee;
  };
  const hasDefinitions = head.labels[0] === 'definition';
  // Without definitions, a name may begin a little below its row's first line.
  const reach = hasDefinitions ? SAME_LINE : leading / 2;
  const fill = (row: Row, from: number, to: number): void => {
    row.services.push(...textsBetween(must(columns[1], SERVICES), from, to));
    for (const [index, cell] of row.cells.entries())
      cell.push(...textsBetween(must(columns[index + 2], 'a column of amounts'), from, to));
  };
  let open = last;
  // Continues a row that began on the previous page.
  const [firstStart = Number.POSITIVE_INFINITY] = starts;
  const firstName = names[0]?.y ?? Number.POSITIVE_INFINITY;
  if (open !== undefined) fill(open, head.y, Math.min(firstStart, hasDefinitions ? firstName : firstStart) - SAME_LINE);
  for (const [index, { y, name }] of names.entries()) {
    // A name without rows is a fee without rows. It must not be lost.
    const fee = feeOf(name);
    const next = names[index + 1]?.y ?? Number.POSITIVE_INFINITY;
    if (hasDefinitions) fee.definition.push(...textsBetween(must(columns[0], NAMES), y, next));
  }
  for (const [index, start] of starts.entries()) {
    const name = names.findLast(({ y }) => y <= start + reach)?.name ?? open?.name ?? '';
    const row: Row = { name, page: head.page, services: [], cells: head.labels.slice(2).map(() => []) };
    const heading = hasDefinitions ? names.find(({ y }) => y > start)?.y : undefined;
    const next = Math.min(starts[index + 1] ?? Number.POSITIVE_INFINITY, heading ?? Number.POSITIVE_INFINITY);
    fill(row, start - SAME_LINE, next - SAME_LINE);
    feeOf(name).rows.push(row);
    open = row;
  }
  return open;
};

const joined = (texts: readonly string[]): string => texts.join(' ').replaceAll(/\s\s*/g, ' ').trim();

/** Reads the fee tables below their heads. Rows may continue on the next page. */
export const readFees = (pages: readonly PdfPage[], heads: readonly FeeHead[]): Fee[] => {
  const tables = heads.map((head) => {
    const page = pages.find(({ number }) => number === head.page);
    return columnsOf(must(page, `page ${head.page}`), head);
  });
  const leading = leadingOf(tables);
  const fees = new Map<string, OpenFee>();
  let last: Row | undefined;
  for (const table of tables) last = readPage(table, leading, fees, last);
  return [...fees.values()].map(({ name, page, definition, rows }) => ({
    name,
    page,
    definition: joined(definition),
    rows: rows.map((row) => ({ page: row.page, services: joined(row.services), cells: row.cells.map(joined) })),
  }));
};
