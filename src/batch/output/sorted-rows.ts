/**
 * A page of a batch's output, sorted by charge, zone or billed weight. One call looks at a limited number of parts, so only
 * the first rows of a large batch are sorted. The page says how many.
 */
import { must } from '../../base/must.ts';
import type { Store } from '../../base/store/store.ts';
import type { Chunk } from '../../lists/chunk-plan.ts';
import { OUTPUT_COLUMNS, placeOf } from '../../lists/output/output-columns.ts';
import { type BatchDocument, records } from '../records.ts';
import {
  outputHeader,
  type PageSource,
  type Part,
  type Place,
  placesFrom,
  type RowsPage,
  type RowsWanted,
  readPage,
  sourceOf,
} from './rows-page.ts';

/** What rows can be sorted by. With `-`, the highest value comes first. */
const SORTED = OUTPUT_COLUMNS.flatMap((column) => ('sort' in column ? [column] : []));
export type RowOrder = `${'' | '-'}${(typeof SORTED)[number]['sort']['by']}`;
export const ROW_ORDERS = SORTED.flatMap(({ sort: { by } }): RowOrder[] => [by, `-${by}`]);

export interface SortedPage extends RowsPage {
  /** The last row of the list that is included in the sorting; null if all rows are. */
  readonly sortedTo: number | null;
}

/** Maximum number of parts whose counts a call reads, and of parts whose rows it sorts: 100,000 rows by default. */
const MOST_LOOKED = 256;
const MOST_SORTED = 20;

/** A sort key of 32 bits and a row position of 21 bits make one number, so that sorting compares only numbers. */
const POSITIONS = 2 ** 21;
const MOST_KEY = 2 ** 32 - 2;
/** Rows without a quote come last in both directions. */
const NO_KEY = MOST_KEY + 1;

/** Returns the sort key of a row, from its cells. */
type KeyOf = (value: (column: number) => string) => number;

/** Returns the sort key of a cell, in hundredths, so that cents are whole. */
export const keyOf = (cell: string, descending: boolean): number => {
  const value = cell === '' ? Number.NaN : Number(cell);
  if (Number.isNaN(value)) return NO_KEY;
  const key = Math.min(MOST_KEY, Math.round(value * 100));
  return descending ? MOST_KEY - key : key;
};

/** Returns the parts whose rows are sorted, and the last row that they reach if there are more. */
const partsToSort = async (places: readonly Place[], source: PageSource) => {
  const sorted: Part[] = [];
  let end = places.length > MOST_LOOKED ? places[MOST_LOOKED - 1] : undefined;
  let before: Place | undefined;
  for await (const place of placesFrom(places.slice(0, MOST_LOOKED), source)) {
    if (sorted.length === MOST_SORTED) {
      end = before;
      break;
    }
    sorted.push(place.part);
    before = place;
  }
  return { sorted, sortedTo: end === undefined ? null : end.range.firstRow + end.range.rows - 1 };
};

/** Returns the numbers of the matching rows, sorted. */
const orderOf = async (
  store: Store,
  id: string,
  parts: readonly Part[],
  source: PageSource,
  key: KeyOf,
): Promise<readonly number[]> => {
  const numbers: number[] = [];
  const keys: number[] = [];
  await readPage(store, id, parts, {
    ...source,
    numberOf: (range, position, value) => {
      const number = source.numberOf(range, position, value);
      if (number === undefined) return undefined;
      keys.push(key(value) * POSITIONS + numbers.length);
      numbers.push(number);
      return undefined;
    },
  });
  return Array.from(Float64Array.from(keys).sort(), (key) => must(numbers[key % POSITIONS], 'a sorted row'));
};

/**
 * @param parts the finished parts, in order, with or without gaps
 * @param wanted its `from` is the number of sorted rows to skip
 */
export const sortPage = async (
  store: Store,
  id: string,
  parts: readonly Part[],
  wanted: PageSource,
  key: KeyOf,
): Promise<Omit<SortedPage, 'header'>> => {
  const { from, limit } = wanted;
  const { chunks } = must(await records.plan(store, id), `the plan of ${id}`);
  const source = { ...wanted, from: 0 };
  const places = parts.map((part) => ({ part, range: must(chunks[part.index], 'a chunk of the plan') }));
  const { sorted, sortedTo } = await partsToSort(places, source);
  const all = await orderOf(store, id, sorted, source, key);
  let shown = all.slice(from, from + limit);
  for (;;) {
    const ranks = new Map(shown.map((number, rank) => [number, rank]));
    const numbered: PageSource['numberOf'] = (range, position, value) => {
      const number = source.numberOf(range, position, value);
      return number !== undefined && ranks.has(number) ? number : undefined;
    };
    const holds = ({ firstRow, rows }: Chunk): boolean =>
      shown.some((number) => number >= firstRow && number < firstRow + rows);
    const { rows, next } = await readPage(store, id, sorted, { ...source, numberOf: numbered, holds });
    if (next === null) {
      const ordered = rows.toSorted((a, b) => (ranks.get(a.input_row) ?? 0) - (ranks.get(b.input_row) ?? 0));
      const end = from + shown.length;
      return { rows: ordered, next: end < all.length ? end : null, sortedTo };
    }
    // The rows are too long for one page.
    shown = shown.slice(0, Math.ceil(shown.length / 2));
  }
};

/** A page of a batch's output. */
export const sortedPage = async (
  store: Store,
  document: BatchDocument,
  parts: readonly Part[],
  wanted: RowsWanted,
  order: RowOrder,
): Promise<SortedPage> => {
  const descending = order.startsWith('-');
  const by = descending ? order.slice(1) : order;
  const { name } = must(
    SORTED.find(({ sort }) => sort.by === by),
    'a column to sort by',
  );
  const column = document.columns.passed.length + placeOf(name);
  const key: KeyOf = (value) => keyOf(value(column), descending);
  const page = await sortPage(store, document.id, parts, sourceOf(store, document, wanted), key);
  return { header: outputHeader(document), ...page };
};
