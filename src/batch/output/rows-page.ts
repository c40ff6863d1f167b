/**
 * A page of a batch's output for the console. The plan and the summaries of the parts are enough to find it, so that a page
 * of ten million rows costs hardly more than a page of a thousand.
 */

import { must } from '../../base/must.ts';
import type { Store } from '../../base/store/store.ts';
import { cellValue, decodeText } from '../../files/csv/cell.ts';
import { eachSlice, rowSink } from '../../files/csv/map-rows.ts';
import type { Chunk } from '../../lists/chunk-plan.ts';
import { argumentsIn, problemsOf } from '../../lists/columns/fault-words.ts';
import { type OutputColumn, placeOf } from '../../lists/output/output-columns.ts';
import { addedColumns } from '../../lists/output/output-format.ts';
import { type Tally, weightBand } from '../../lists/output/tally.ts';
import { type BatchDocument, keys, type OutputDocument, records } from '../records.ts';

export interface RowsWanted {
  /** Number of rows of the list to skip, whatever their outcome. */
  readonly from: number;
  readonly limit: number;
  readonly outcome: 'all' | 'quoted' | 'faulted';
  /** Only rows with a fault of this type. */
  readonly fault?: string | undefined;
  /** Only rows with a problem of this kind, as in `Problem`. Goes with `fault`. */
  readonly kind?: string | undefined;
  /** Only rows with a quote of this service. */
  readonly service?: string | undefined;
  /** `1` to `8` */
  readonly zone?: string | undefined;
  /** The carrier's name for the zone. */
  readonly carrierZone?: string | undefined;
  /** The upper bound of a weight band in pounds, or `over`. */
  readonly weight?: string | undefined;
  /** Only rows with this text in one of the list's own cells. Case does not matter. */
  readonly search?: string | undefined;
}

interface PageRow {
  readonly input_row: number;
  readonly cells: readonly string[];
}

export interface RowsPage {
  readonly header: readonly string[];
  readonly rows: readonly PageRow[];
  /** The `from` of the next page; null if there are no more rows. */
  readonly next: number | null;
}

export type Part = OutputDocument['parts'][number];
export interface Place {
  readonly part: Part;
  readonly range: Chunk;
}

/** Maximum characters on a page. A page that exceeds this ends early. */
const PAGE_CHARACTERS = 1024 * 1024;
/** Number of parts whose summaries are read together. */
const TOGETHER = 32;

/** Maximum number of parts that a call with a filter reads. */
export const MOST_PARTS = 64;

const isNarrow = ({ service, zone, carrierZone, weight, search }: RowsWanted): boolean =>
  [service, zone, carrierZone, weight, search].some((value) => value !== undefined);

/** Whether a part may have matching rows, by its counts. */
const mayHave = async (store: Store, id: string, { index, revision, faultBytes }: Part, wanted: RowsWanted) => {
  const { outcome, fault, service, zone, weight } = wanted;
  const isPlain = service === undefined && zone === undefined && weight === undefined;
  if (isPlain && (outcome === 'all' || (outcome === 'quoted' && faultBytes === 0))) return true;
  if (outcome === 'faulted' && (faultBytes === 0 || fault === undefined)) return faultBytes > 0;
  const tally = (await records.part(store, id, index, revision))?.tally;
  if (tally === undefined) return true;
  if (outcome === 'faulted' && fault !== undefined) return Object.hasOwn(tally.faults, fault);
  const has = (ledger: Tally['byService'], key: string | undefined): boolean =>
    key === undefined || Object.hasOwn(ledger, key);
  const { byService, byZone, byWeight } = tally;
  return tally.quoted > 0 && has(byService, service) && has(byZone, zone) && has(byWeight, weight);
};

const createTest = ({ columns }: BatchDocument, { service, zone, carrierZone, weight, search }: RowsWanted) => {
  const first = columns.passed.length;
  const wanted = [
    { column: first + placeOf('quote_shippingService'), value: service },
    { column: first + placeOf('quote_rateZone'), value: zone },
    { column: first + placeOf('quote_carrierZone'), value: carrierZone },
  ].filter((own) => own.value !== undefined);
  const weightColumn = first + placeOf('quote_billingWeight_value');
  const text = search?.toLowerCase();
  return (value: (column: number) => string): boolean => {
    if (!wanted.every((own) => value(own.column) === own.value)) return false;
    if (weight !== undefined) {
      const pounds = value(weightColumn);
      if (pounds === '' || weightBand(Number(pounds)) !== weight) return false;
    }
    if (text === undefined) return true;
    for (let column = 0; column < first; column += 1)
      if (decodeText(value(column)).toLowerCase().includes(text)) return true;
    return false;
  };
};

/** How a page is found: which parts may have matching rows, what to read of a part, and which rows match. */
export interface PageSource {
  /** Number of rows of the list to skip. */
  readonly from: number;
  readonly limit: number;
  /** Maximum number of parts to look at. Undefined: all. */
  readonly mostParts?: number;
  /** Whether rows of a range may match, decided without reading parts. Undefined: all may match. */
  readonly holds?: (range: Chunk) => boolean;
  readonly mayHave: (part: Part, range: Chunk) => Promise<boolean>;
  readonly content: (part: Part) => AsyncIterable<Uint8Array>;
  /**
   * @param position the row's position in its part, from 1
   * @param value returns the content of a cell
   * @returns the number of the row in the list; undefined if it does not match
   */
  readonly numberOf: (range: Chunk, position: number, value: (column: number) => string) => number | undefined;
}

/** Yields the places that may have matching rows. */
export async function* placesFrom(places: readonly Place[], { mayHave }: PageSource): AsyncGenerator<Place> {
  for (let at = 0; at < places.length; at += TOGETHER) {
    const some = places.slice(at, at + TOGETHER);
    const may = await Promise.all(some.map(({ part, range }) => mayHave(part, range)));
    yield* some.filter((_, index) => may[index]);
  }
}

/** Yields the matching rows of a part, in pieces. */
async function* rowsOf({ part, range }: Place, source: PageSource): AsyncGenerator<PageRow[]> {
  let found: PageRow[] = [];
  let position = 0;
  const sink = rowSink((row) => {
    position += 1;
    const inputRow = source.numberOf(range, position, (column) => cellValue(must(row[column], 'a cell of the output')));
    if (inputRow === undefined || inputRow <= source.from) return;
    found.push({ input_row: inputRow, cells: row.map((cell) => decodeText(cellValue(cell))) });
  });
  for await (const _ of eachSlice(source.content(part), sink)) {
    yield found;
    found = [];
  }
}

const endOf = ({ firstRow, rows }: Chunk): number => firstRow + rows - 1;

/**
 * @param parts the finished parts, in order, with or without gaps
 * @returns the first matching rows. There is at least one if the parts that it looks at have any
 */
export const readPage = async (
  store: Store,
  id: string,
  parts: readonly Part[],
  source: PageSource,
): Promise<Omit<RowsPage, 'header'>> => {
  const { from, limit, mostParts, holds = () => true } = source;
  const { chunks } = must(await records.plan(store, id), 'the plan of the batch');
  const places = parts
    .map((part): Place => ({ part, range: must(chunks[part.index], 'a chunk of the plan') }))
    .filter(({ range }) => endOf(range) > from && holds(range));
  const looked = places.slice(0, mostParts);
  const rows: PageRow[] = [];
  let characters = 0;
  for await (const place of placesFrom(looked, source)) {
    for await (const found of rowsOf(place, source)) {
      for (const row of found) {
        const last = rows.at(-1);
        if (last !== undefined && (rows.length === limit || characters > PAGE_CHARACTERS))
          return { rows, next: last.input_row };
        rows.push(row);
        characters += row.cells.reduce((sum, { length }) => sum + length, 0);
      }
    }
  }
  const last = looked.at(-1);
  return { rows, next: places.length > looked.length && last !== undefined ? endOf(last.range) : null };
};

/** Returns the names of the list's own columns, as in the output. */
export const ownHeader = ({ columns }: BatchDocument): readonly string[] =>
  columns.passed.map((at) => must(columns.header[at], 'a column of the header'));

/** Returns the source of a page of a batch's output. */
export const sourceOf = (store: Store, document: BatchDocument, wanted: RowsWanted): PageSource => {
  const { columns, id } = document;
  const { from, limit, outcome, fault, kind } = wanted;
  const inFaults = outcome === 'faulted';
  const rowCell = columns.passed.length;
  const [status, faultType] = [rowCell + placeOf('quote_status'), rowCell + placeOf('fault_type')];
  const matches = isNarrow(wanted) ? createTest(document, wanted) : undefined;
  return {
    from,
    limit,
    mayHave: (part) => mayHave(store, id, part, wanted),
    content: ({ index, revision, bytes, faultBytes }) =>
      inFaults
        ? store.stream(keys.faults(id, index, revision), { from: 0, to: faultBytes })
        : store.stream(keys.part(id, index, revision), { from: 0, to: bytes }),
    numberOf: ({ firstRow }, position, value) => {
      const type = value(faultType);
      if ((outcome === 'quoted' && value(status) !== '200') || (fault !== undefined && type !== fault))
        return undefined;
      if (kind !== undefined) {
        const told = (name: OutputColumn): string => decodeText(value(rowCell + placeOf(name)));
        const [message, args, column] = [
          told('fault_message'),
          argumentsIn(told('fault_arguments')),
          told('fault_column'),
        ];
        if (!problemsOf(type, message, args, column).some((own) => own.kind === kind)) return undefined;
      }
      if (matches !== undefined && !matches(value)) return undefined;
      return inFaults ? Number(value(rowCell)) : firstRow + position - 1;
    },
  };
};

/** Returns the columns of the output. */
export const outputHeader = (document: BatchDocument): readonly string[] => [
  ...ownHeader(document),
  ...addedColumns(document.columns, document.format),
];

/**
 * Returns a page of a batch's output. With a filter it may have no rows although `next` is not null. Then the next page may
 * have some. @param parts the finished parts, in order, with or without gaps
 */
export const rowsPage = async (
  store: Store,
  document: BatchDocument,
  parts: readonly Part[],
  wanted: RowsWanted,
): Promise<RowsPage> => {
  const source = { ...sourceOf(store, document, wanted), ...(isNarrow(wanted) && { mostParts: MOST_PARTS }) };
  return { header: outputHeader(document), ...(await readPage(store, document.id, parts, source)) };
};
