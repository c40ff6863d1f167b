/**
 * A page of a batch's output for the console. It is found by the plan and the summaries of the parts, so that a
 * page of ten million rows costs hardly more than a page of a thousand.
 */

import { cellValue, decodeText } from '../csv/cell.ts';
import { type CellSink, eachSlice } from '../csv/map-rows.ts';
import { must } from '../must.ts';
import type { Chunk } from '../rows/chunk-plan.ts';
import { OUTPUT_COLUMNS } from '../rows/columns.ts';
import { addedColumns } from '../rows/output-format.ts';
import type { Store } from '../store/store.ts';
import { type BatchDocument, keys, type OutputDocument, records } from './records.ts';

export interface RowsWanted {
  /** How many rows of the list to skip, whatever their outcome. */
  readonly from: number;
  readonly limit: number;
  readonly outcome: 'all' | 'quoted' | 'faulted';
  /** Only rows with a fault of this type. */
  readonly fault?: string | undefined;
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
interface Place {
  readonly part: Part;
  readonly range: Chunk;
}

/** The maximum text of a page. A page that exceeds it ends early. */
const PAGE_CHARACTERS = 1024 * 1024;
/** Parts whose summaries are read together. */
const TOGETHER = 32;

const FAULT_TYPE = OUTPUT_COLUMNS.indexOf('fault_type');

/** Whether a part may have matching rows, by its counts. */
const mayHave = async (store: Store, id: string, { index, revision, faultBytes }: Part, wanted: RowsWanted) => {
  const { outcome, fault } = wanted;
  if (outcome === 'all' || (outcome === 'quoted' && faultBytes === 0)) return true;
  if (outcome === 'faulted' && (faultBytes === 0 || fault === undefined)) return faultBytes > 0;
  const tally = (await records.part(store, id, index, revision))?.tally;
  if (tally === undefined) return true;
  return outcome === 'quoted' ? tally.quoted > 0 : (tally.faults[fault ?? ''] ?? 0) > 0;
};

/** What a page shows: which parts may have matching rows, what is read of a part, and which rows match. */
export interface PageSource {
  /** How many rows of the list to skip. */
  readonly from: number;
  readonly limit: number;
  readonly mayHave: (part: Part, range: Chunk) => Promise<boolean>;
  readonly content: (part: Part) => AsyncIterable<Uint8Array>;
  /**
   * @param position of the row among those of its part, from 1
   * @param value the content of a cell
   * @returns the number of the row in the list; undefined if it does not match
   */
  readonly numberOf: (range: Chunk, position: number, value: (column: number) => string) => number | undefined;
}

async function* placesFrom(places: readonly Place[], { mayHave }: PageSource): AsyncGenerator<Place> {
  for (let at = 0; at < places.length; at += TOGETHER) {
    const some = places.slice(at, at + TOGETHER);
    const may = await Promise.all(some.map(({ part, range }) => mayHave(part, range)));
    yield* some.filter((_, index) => may[index]);
  }
}

/** The matching rows of a part, in pieces. */
async function* rowsOf({ part, range }: Place, source: PageSource): AsyncGenerator<PageRow[]> {
  let found: PageRow[] = [];
  let position = 0;
  let raw = '';
  let row: string[] = [];
  const addRow = (): void => {
    position += 1;
    const inputRow = source.numberOf(range, position, (column) => cellValue(row[column] ?? ''));
    if (inputRow === undefined || inputRow <= source.from) return;
    found.push({ input_row: inputRow, cells: row.map((cell) => decodeText(cellValue(cell))) });
  };
  const sink: CellSink = {
    part: (text) => {
      raw += text;
    },
    end: (endsRow) => {
      row.push(raw);
      raw = '';
      if (!endsRow) return;
      addRow();
      row = [];
    },
  };
  for await (const _ of eachSlice(source.content(part), sink)) {
    yield found;
    found = [];
  }
}

/**
 * @param parts the finished parts, in order, with or without gaps
 * @returns the first matching rows, at least one if there is any
 */
export const readPage = async (
  store: Store,
  id: string,
  parts: readonly Part[],
  source: PageSource,
): Promise<Omit<RowsPage, 'header'>> => {
  const chunks = (await records.plan(store, id))?.chunks ?? [];
  const places = parts.flatMap((part): Place[] => {
    const range = chunks[part.index];
    return range === undefined || range.firstRow + range.rows - 1 <= source.from ? [] : [{ part, range }];
  });
  const rows: PageRow[] = [];
  let characters = 0;
  for await (const place of placesFrom(places, source)) {
    for await (const found of rowsOf(place, source)) {
      for (const row of found) {
        const last = rows.at(-1);
        if (last !== undefined && (rows.length === source.limit || characters > PAGE_CHARACTERS))
          return { rows, next: last.input_row };
        rows.push(row);
        characters += row.cells.reduce((sum, { length }) => sum + length, 0);
      }
    }
  }
  return { rows, next: null };
};

/** The names of the list's own columns, as the output has them. */
export const ownHeader = ({ columns }: BatchDocument): readonly string[] =>
  columns.passed.map((at) => must(columns.header[at], 'a column of the header'));

/** A page of the output of a batch. @param parts the finished parts, in order, with or without gaps */
export const rowsPage = async (
  store: Store,
  document: BatchDocument,
  parts: readonly Part[],
  wanted: RowsWanted,
): Promise<RowsPage> => {
  const { columns, format, id } = document;
  const { from, limit, outcome, fault } = wanted;
  const inFaults = outcome === 'faulted';
  const rowCell = columns.passed.length;
  const page = await readPage(store, id, parts, {
    from,
    limit,
    mayHave: (part) => mayHave(store, id, part, wanted),
    content: ({ index, revision, bytes, faultBytes }) =>
      inFaults
        ? store.stream(keys.faults(id, index, revision), { from: 0, to: faultBytes })
        : store.stream(keys.part(id, index, revision), { from: 0, to: bytes }),
    numberOf: ({ firstRow }, position, value) => {
      const type = value(rowCell + FAULT_TYPE);
      if ((outcome === 'quoted' && type !== '') || (fault !== undefined && type !== fault)) return undefined;
      return inFaults ? Number(value(rowCell)) : firstRow + position - 1;
    },
  });
  return { header: [...ownHeader(document), ...addedColumns(columns, format)], ...page };
};
