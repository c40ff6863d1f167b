/**
 * The fee tables in FedEx's documents: a name or a definition, the services, and amounts. Everything follows from the positions
 * and sizes of the words. A row extends from its services to the services of the next row. Lengths are in points.
 */
import { must } from '../../base/must.ts';
import type { PdfPage } from '../read/pdf.ts';
import { columnsOf, type FeeColumns, type FeeHead, SAME_LINE } from './fee-page.ts';
import type { Line } from './layout.ts';

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
