/**
 * The quote of one row of a batch, with its explanation. The row is rated again on the batch's snapshot, in its last
 * corrected form.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { must } from '../../base/must.ts';
import type { Chunk } from '../../lists/chunk-plan.ts';
import { JOINED, type OutputColumn, placeOf } from '../../lists/output/output-columns.ts';
import { Joined } from '../../lists/rows/order-lines.ts';
import { createRowSource, type SourceRow } from '../../lists/rows/row-source.ts';
import { FAULT_STATUS, type QuoteAnswer, shipmentOutcome } from '../../rating/quote.ts';
import { type Part, rowsPage } from '../output/rows-page.ts';
import { type BatchDocument, keys, records } from '../records.ts';
import { loadContext, type RaterDeps } from './chunk-rows.ts';
import { correctedList, correctedRows } from './corrected-rows.ts';

export interface RowQuote {
  /** The answer of a single call. A fault from the output has only its type and message. */
  readonly answer: QuoteAnswer;
  /** The net charge in the output, in dollars; null for a fault. */
  readonly outputNetCharge: number | null;
}

/** Rows between two turns of the event loop. */
const SLICE_ROWS = 1_000;

/** Rates a row of a chunk in its last corrected form. @param number the row's number, from 1 */
const rateAgain = async (
  deps: RaterDeps,
  document: BatchDocument,
  revision: number,
  { index, range, number }: { readonly index: number; readonly range: Chunk; readonly number: number },
): Promise<QuoteAnswer> => {
  const { shipper, bookOn, ...context } = await loadContext(deps, document);
  const { corrected } = await correctedRows(await correctedList(deps, document, revision), index);
  const bytes = must(await deps.store.get(keys.input(document.id), range), `the input of batch ${document.id}`);
  const rows = createRowSource(bytes, range.firstRow, { ...context, corrected, apart: range.apart }, false);
  let answer: QuoteAnswer | undefined;
  const see = ({ read }: SourceRow, own: number): void => {
    const shipment = own === number ? read(number) : undefined;
    if (shipment !== undefined && !(shipment instanceof Joined))
      answer = shipmentOutcome(shipment, bookOn, shipper, true);
  };
  while (rows.step(SLICE_ROWS, see) && answer === undefined) await turn();
  return must(answer, `row ${number} of batch ${document.id}`);
};

/**
 * @param parts the finished parts of the revision, in order
 * @returns undefined if the row is not done. A row with a fault is not rated again, because it may be a row that kills the
 * process. Its fault is read from the output. A row of an order has the quote of the order
 */
export const rowQuote = async (
  deps: RaterDeps,
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
  const order = cell('quote_status') === JOINED ? Number(found.cells[page.header.lastIndexOf('order_row')]) : row;
  if (order !== row) return await rowQuote(deps, document, { parts, revision }, order);
  const type = cell('fault_type');
  if (type !== '') {
    const fault = { type, message: cell('fault_message'), arguments: {} };
    return { answer: { status: FAULT_STATUS, body: { code: FAULT_STATUS, fault } }, outputNetCharge: null };
  }
  const answer = await rateAgain(deps, document, revision, { index, range, number: row });
  return { answer, outputNetCharge: Number(cell('quote_totalNetCharge')) };
};
