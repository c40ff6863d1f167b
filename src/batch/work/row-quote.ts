/**
 * Rows of a batch that are rated again for the console: the quote of one row, with its explanation, and faulted rows with the
 * service's repairs. They are rated on the batch's snapshot, in their last corrected form.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { must } from '../../base/must.ts';
import { cellOf, decodeText, encodeText, writeCell } from '../../files/csv/cell.ts';
import { OWN_DIALECT } from '../../files/csv/map-rows.ts';
import { createScanner } from '../../files/csv/scanner.ts';
import type { Chunk } from '../../lists/chunk-plan.ts';
import { argumentsIn, problemsOf } from '../../lists/columns/fault-words.ts';
import { JOINED, type OutputColumn, placeOf } from '../../lists/output/output-columns.ts';
import { createFaultKinds } from '../../lists/preview/preview-costs.ts';
import { correctedLine } from '../../lists/rows/corrected-row.ts';
import { columnWith } from '../../lists/rows/fault-field.ts';
import { Joined } from '../../lists/rows/order-lines.ts';
import { createRater, type RatingContext } from '../../lists/rows/rate-rows.ts';
import { REPAIRS } from '../../lists/rows/repair.ts';
import { createRowSource, type SourceRow } from '../../lists/rows/row-source.ts';
import { FIELD_NAMES } from '../../rating/fields.ts';
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

/** Maximum number of faulted rows that one call checks. */
const MOST_ROWS = 2_000;
/** Repaired rows between two turns of the event loop. */
const MENDED_ROWS = 100;

interface Column {
  readonly column: string;
  readonly rows: number;
  readonly example: { readonly row: number; readonly from: string; readonly to: string };
}

/** @returns a function that turns a row's output cells into a repaired line of the batch's list, with the changed columns */
const createRepair = ({ columns, format }: BatchDocument, { maximumRowBytes }: RatingContext) => {
  const { row, scan } = createScanner(OWN_DIALECT, maximumRowBytes);
  const cells = columns.header.map((_, index) => columns.passed.indexOf(index));
  const form = { columns, format };
  const lineOf = (text: string, repairs: typeof REPAIRS | readonly []): string | undefined => {
    scan(text, 0, true);
    return correctedLine(text, row, cells, { ...form, repairs });
  };
  const cellsOf = (line: string): readonly string[] => {
    scan(line, 0, true);
    return columns.header.map((_, index) => decodeText(cellOf(line, row, index)));
  };
  return (own: readonly string[]) => {
    const text = `${own.map((cell) => encodeText(writeCell(cell))).join(',')}\n`;
    const line = lineOf(text, REPAIRS);
    const before = lineOf(text, []);
    if (line === undefined || before === undefined || line === before) return undefined;
    const [old, mended] = [cellsOf(before), cellsOf(line)];
    const changed = mended.flatMap((to, index) => {
      const [from, column] = [must(old[index], 'a cell'), must(columns.header[index], 'a column')];
      return from === to ? [] : [{ column, from, to }];
    });
    return { line, changed };
  };
};

/**
 * What is wrong with faulted rows, and what the service's own repairs would fix: they are rated again, but nothing is written.
 * @param parts the finished parts of the revision, in order
 */
export const mendingOf = async (deps: RaterDeps, document: BatchDocument, parts: readonly Part[]) => {
  const wanted = { from: 0, limit: MOST_ROWS, outcome: 'faulted' } as const;
  const page = await rowsPage(deps.store, document, parts, wanted);
  const context = await loadContext(deps, document);
  const own = { ...context, columns: { ...context.columns, dialect: OWN_DIALECT } };
  const repair = createRepair(document, context);
  const first = document.columns.passed.length;
  const cellAt = (cells: readonly string[], name: OutputColumn): string => cells[first + placeOf(name)] ?? '';
  const { header, fields } = document.columns;
  const fieldOf = new Map(FIELD_NAMES.map((field) => [header[fields[field] ?? -1], field]));
  const kinds = createFaultKinds(document.columns);
  const columns = new Map<string, Column>();
  let rows = 0;
  for (const [at, { input_row: number, cells }] of page.rows.entries()) {
    if ((at + 1) % MENDED_ROWS === 0) await turn();
    const type = cellAt(cells, 'fault_type');
    const [message, column] = [cellAt(cells, 'fault_message'), cellAt(cells, 'fault_column')];
    const args = argumentsIn(cellAt(cells, 'fault_arguments'));
    const problems = problemsOf(type, message, args, column, fieldOf.get(column));
    kinds.add(number, type, problems, (field) => {
      const column = columnWith(field, document.columns);
      if (column === undefined) return document.columns.defaults[field] ?? '';
      return cells[document.columns.passed.indexOf(column)] ?? '';
    });
    // A row that kills the process also has such a fault. It must not be rated here. Rows of orders cannot be rated alone.
    if (type.startsWith('row.')) continue;
    const repaired = repair(cells.slice(0, first));
    if (repaired === undefined) continue;
    const rater = createRater(Buffer.from(repaired.line, 'latin1'), number, own);
    while (rater.step(1));
    if (rater.result().tally.quoted === 0) continue;
    rows += 1;
    for (const { column, from, to } of repaired.changed) {
      const known = columns.get(column) ?? { column, rows: 0, example: { row: number, from, to } };
      columns.set(column, { ...known, rows: known.rows + 1 });
    }
  }
  const byRows = [...columns.values()].sort((a, b) => b.rows - a.rows);
  const all = page.next === null;
  return {
    /** Faulted rows that were checked, from the top. */
    looked: page.rows.length,
    /** Whether these are all the faulted rows. */
    all,
    /** Their problems by kind, as in a preview. */
    kinds: kinds.result((own) => (all ? own : null)),
    /** How many of them get a quote. */
    rows,
    /** By the column that a repair changes, most rows first. The first row is the example. */
    columns: byRows,
  };
};
