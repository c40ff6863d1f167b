/**
 * The quote of one row of a batch, with its explanation. The row is rated again on the batch's snapshot, as it was last
 * corrected.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { must } from '../../base/must.ts';
import type { Store } from '../../base/store/store.ts';
import { OWN_DIALECT } from '../../files/csv/map-rows.ts';
import { createRows } from '../../files/csv/rows.ts';
import type { Chunk } from '../../lists/chunk-plan.ts';
import { type OutputColumn, placeOf } from '../../lists/output/output-columns.ts';
import type { RatingContext } from '../../lists/rows/rate-rows.ts';
import { createRowReader } from '../../lists/rows/row-reader.ts';
import { FAULT_STATUS, type QuoteAnswer, shipmentOutcome } from '../../rating/quote.ts';
import type { Context } from '../context.ts';
import { type Part, rowsPage } from '../output/rows-page.ts';
import { type BatchDocument, keys, records } from '../records.ts';
import { revisionsUpTo } from './compare-chunk.ts';
import { correctedLines } from './correct-chunk.ts';
import { contextOf } from './rating-context.ts';

export type RowQuoteDeps = Pick<Context, 'store' | 'snapshots'> & { readonly maximumRowBytes: number };

export interface RowQuote {
  /** As the single call answers. A fault has its type and message alone if it is the output's. */
  readonly answer: QuoteAnswer;
  /** The net charge in the output, in dollars; null for a fault. */
  readonly outputNetCharge: number | null;
}

/** Rows between two turns of the event loop. */
const SLICE_ROWS = 1_000;

/** The row's number counts from 1. */
interface RowPlace {
  readonly index: number;
  readonly range: Chunk;
  readonly row: number;
}

/** The row as it was last corrected, as a line of its own dialect; undefined if it never was. */
const correctedRow = async (
  store: Store,
  id: string,
  revision: number,
  { index, row }: RowPlace,
  context: RatingContext,
): Promise<Buffer | undefined> => {
  for (const corrects of (await revisionsUpTo(store, id, revision)).toReversed()) {
    const line = (await correctedLines({ store, id, corrects, context }, index)).get(row);
    if (line !== undefined) return Buffer.from(line, 'latin1');
  }
  return undefined;
};

/** Rates the row at a position of some bytes, from 0. */
const rateAt = async (
  bytes: Buffer,
  position: number,
  number: number,
  context: RatingContext,
): Promise<QuoteAnswer> => {
  const { columns, shipper, bookOn, maximumRowBytes } = context;
  const { row, next } = createRows(bytes, columns.dialect, maximumRowBytes);
  const reader = createRowReader(row, columns);
  for (let passed = 0, scanned = 0; ; ) {
    if (next() !== 'row') throw new Error(`row ${number} is not where the plan says`);
    scanned += 1;
    if (scanned % SLICE_ROWS === 0) await turn();
    if (row.blank) continue;
    if (passed === position) return shipmentOutcome(reader.read(number), bookOn, shipper, true);
    passed += 1;
  }
};

const rateAgain = async (
  { store, snapshots, maximumRowBytes }: RowQuoteDeps,
  document: BatchDocument,
  revision: number,
  place: RowPlace,
): Promise<QuoteAnswer> => {
  const { id } = document;
  const { range, row } = place;
  const [schedule, account] = await Promise.all([snapshots.schedule(document.tariffs), snapshots.account(document)]);
  const context = contextOf(document, schedule, account, maximumRowBytes);
  const line = await correctedRow(store, id, revision, place, context);
  if (line !== undefined) {
    const columns = { ...context.columns, dialect: OWN_DIALECT };
    return await rateAt(line, 0, row, { ...context, columns });
  }
  const bytes = must(await store.get(keys.input(id), range), `the input of batch ${id}`);
  return await rateAt(bytes, row - range.firstRow, row, context);
};

/**
 * @param parts the finished parts of the revision, in order
 * @returns undefined if the row is not done. A row with a fault is not rated again, because a fault may be that of a row
 * that ends the process: its fault is the output's
 */
export const rowQuote = async (
  deps: RowQuoteDeps,
  document: BatchDocument,
  { parts, revision }: { readonly parts: readonly Part[]; readonly revision: number },
  row: number,
): Promise<RowQuote | undefined> => {
  const { store } = deps;
  const chunks = must(await records.plan(store, document.id), `the plan of ${document.id}`).chunks;
  const index = chunks.findIndex(({ firstRow, rows }) => row >= firstRow && row < firstRow + rows);
  const range = chunks[index];
  const part = parts.find((own) => own.index === index);
  if (range === undefined || part === undefined) return undefined;
  const page = await rowsPage(store, document, [part], { from: row - 1, limit: 1, outcome: 'all' });
  const [found] = page.rows;
  if (found?.input_row !== row) return undefined;
  const first = document.columns.passed.length;
  const cell = (name: OutputColumn): string => must(found.cells[first + placeOf(name)], 'a cell of the output');
  const type = cell('fault_type');
  if (type !== '') {
    const fault = { type, message: cell('fault_message'), arguments: {} };
    return { answer: { status: FAULT_STATUS, body: { code: FAULT_STATUS, fault } }, outputNetCharge: null };
  }
  const answer = await rateAgain(deps, document, revision, { index, range, row });
  return { answer, outputNetCharge: Number(cell('quote_totalNetCharge')) };
};
