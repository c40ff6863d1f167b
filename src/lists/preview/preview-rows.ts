/** Rates the first rows of a list for a preview: quotes and faults, repairs, and an estimate for the whole list. */

import { Failed } from '../../base/failed.ts';
import { type InSlices, inSlices } from '../../base/time-slices.ts';
import { booksOf, type Schedule, serviceCodes } from '../../catalog/tariff/schedule.ts';
import { textOf } from '../../files/csv/cell.ts';
import type { Encoding } from '../../files/csv/encoding.ts';
import { createScanner } from '../../files/csv/scanner.ts';
import type { Origin } from '../../files/input/csv-text.ts';
import { type Fault, faultBody } from '../../rating/fault.ts';
import { dollars } from '../../rating/quantity.ts';
import { quoteOutcome } from '../../rating/quote.ts';
import { rateShipment } from '../../rating/rate.ts';
import type { Shipper } from '../../rating/terms.ts';
import type { Columns, ReadOptions } from '../columns/columns.ts';
import { type Finding, proposedOrders } from '../columns/findings.ts';
import type { ListHeader } from '../columns/header.ts';
import { createTally, netCentsOf, type Tally } from '../output/tally.ts';
import { wrongIn } from '../rows/fault-field.ts';
import { createJoinedRows } from '../rows/joined-rows.ts';
import { ZIP_LIST } from '../rows/known-zips.ts';
import { createOrderJoiner, createOrderPlaces, Joined, type OrderRow, orderIn } from '../rows/order-lines.ts';
import { REPAIRS } from '../rows/repair.ts';
import { rowBody } from '../rows/row.ts';
import { createRowReader, type RowReader } from '../rows/row-reader.ts';
import type { Preview } from './preview-body.ts';
import { createFaultKinds, createRepairKinds, removedFaults } from './preview-costs.ts';

const PREVIEW_ROWS = 1_000;
const SHOWN_ROWS = 20;
const SHOWN_REPAIRS = 20;

/** The first bytes of a list, as UTF-8. */
export interface Beginning extends Pick<Origin, 'sheet'> {
  readonly bytes: Buffer;
  readonly complete: boolean;
  readonly encoding: Encoding;
  /** The size of the whole list in UTF-8, if known. */
  readonly totalBytes: number | undefined;
  /** The sheets of a workbook. */
  readonly sheets?: Preview['sheets'];
}

export interface PreviewContext {
  readonly reading: ReadOptions;
  readonly maximumRowBytes: number;
  readonly shipper: Shipper;
  readonly schedule: Schedule;
  readonly now: Date;
  /** Returns the key of a header. Mappings of lists are saved under it. */
  readonly headerKey: (header: readonly string[]) => string;
}

/** The rows that a preview rates. */
export interface Rows {
  /** The rows to preview, as the scanner's text. */
  readonly text: string;
  readonly count: number;
  /** Whether these are all rows of the list. */
  readonly all: boolean;
  /** Findings about the rows, in addition to those about the columns. */
  readonly findings: readonly Finding[];
  /** Whether there are enough rows for a preview. */
  readonly enough: boolean;
  /** The number of orders, if the rows are order lines or may be. */
  readonly orders: number | undefined;
  /** The first row of each piece of an order whose rows are not consecutive. */
  readonly apart: ReadonlySet<number>;
}

/** Blank rows between two yields. */
const BLANKS_BETWEEN_YIELDS = 64;

/** Reads the first complete rows. `tooLong` is the number of a row over the limit. */
export function* firstRows(
  { bytes, complete }: Beginning,
  { columns, bodyStart }: ListHeader,
  maximumRowBytes: number,
): InSlices<Rows | { readonly tooLong: number }> {
  const text = textOf(bytes.subarray(bodyStart));
  const { row, scanInSlices, skipInSlices } = createScanner(columns.dialect, maximumRowBytes);
  const joined = createJoinedRows(columns);
  const orders = columns.orders ?? proposedOrders(columns);
  const pass = orders === undefined ? skipInSlices : scanInSlices;
  const places = orders && createOrderPlaces();
  // Where the last order begins, and the number of rows and orders before it.
  let last: { at: number; count: number; orders: number | undefined } = { at: 0, count: 0, orders: 0 };
  let [at, count, scannedRows] = [0, 0, 0];
  let scanned = yield* pass(text, at, complete);
  for (; scanned === 'row' && count < PREVIEW_ROWS; scanned = yield* pass(text, at, complete)) {
    at = row.next;
    if (!row.blank) count += 1;
    const before = places?.orders();
    if (orders !== undefined && !row.blank && places?.look(orderIn(row, orders), row.next - row.start, count) === true)
      last = { at: row.start, count: count - 1, orders: before };
    joined.look(text, row, count);
    scannedRows += 1;
    // A row with content takes as long as many blank rows.
    if (!row.blank || scannedRows % BLANKS_BETWEEN_YIELDS === 0) yield;
  }
  if (scanned === 'tooLong') return { tooLong: count + 1 };
  const all = complete && scanned === 'end';
  // The last order may have more rows.
  const isCut = !all && columns.orders !== undefined && last.count > 0;
  const end = isCut ? last : { at, count, orders: places?.orders() };
  return {
    ...{ text: text.slice(0, end.at), count: end.count, all, findings: joined.findings() },
    ...{ enough: count >= PREVIEW_ROWS, orders: end.orders, apart: places?.apart ?? new Set() },
  };
}

/**
 * @param plain reads the same row without repairs. Call its `read` first
 * @param order the outcome of the row, if it is an order line
 */
type OnRow = (
  number: number,
  reader: RowReader,
  fault: Fault | undefined,
  plain: RowReader,
  order: OrderRow | undefined,
) => void;

/** Returns the outcome of each row, if the rows are order lines. */
function* orderRows(
  { text, apart }: Rows,
  columns: Columns,
  maximumRowBytes: number,
): InSlices<readonly OrderRow[] | undefined> {
  if (columns.orders === undefined) return undefined;
  const { row, scanInSlices } = createScanner(columns.dialect, maximumRowBytes);
  const reader = createRowReader(row, columns);
  const joiner = createOrderJoiner(columns, apart);
  const found: OrderRow[] = [];
  let number = 0;
  for (let at = 0; (yield* scanInSlices(text, at, true)) === 'row'; at = row.next) {
    yield;
    if (row.blank) continue;
    number += 1;
    found.push(...joiner.add(row, reader, number));
  }
  return [...found, ...joiner.end()];
}

function* rateRows(rows: Rows, columns: Columns, context: PreviewContext, onRow: OnRow): InSlices<Tally> {
  const { text } = rows;
  const orders = yield* orderRows(rows, columns, context.maximumRowBytes);
  const { row, scanInSlices } = createScanner(columns.dialect, context.maximumRowBytes);
  const reader = createRowReader(row, columns);
  const plain = columns.repairs.length === 0 ? reader : createRowReader(row, { ...columns, repairs: [] });
  const bookOn = booksOf(context.schedule, context.now);
  const tally = createTally();
  let number = 0;
  let scannedRows = 0;
  for (let at = 0; (yield* scanInSlices(text, at, true)) === 'row'; at = row.next) {
    scannedRows += 1;
    if (!row.blank || scannedRows % BLANKS_BETWEEN_YIELDS === 0) yield;
    if (row.blank) continue;
    number += 1;
    const read = reader.read(number);
    const order = orders?.[number - 1];
    const shipment = order?.outcome ?? read;
    if (shipment instanceof Joined) {
      tally.joined();
      onRow(number, reader, undefined, plain, order);
      continue;
    }
    const outcome =
      shipment instanceof Failed ? shipment : rateShipment(shipment, bookOn(shipment.shipDate), context.shipper);
    if (outcome instanceof Failed) tally.faulted(outcome.fault);
    else if (outcome.prices[0] !== undefined) tally.quoted(outcome.prices[0]);
    onRow(number, reader, outcome instanceof Failed ? outcome.fault : undefined, plain, order);
  }
  return tally.result();
}

/** Estimates the number of rows of the whole list. Returns null if its length is unknown. */
export const rowsOf = (rows: Rows, totalBytes: number | undefined, bodyStart: number): number | null => {
  if (rows.all) return rows.count;
  if (totalBytes === undefined) return null;
  return Math.max(rows.count, Math.round(rows.count * ((totalBytes - bodyStart) / rows.text.length)));
};

export const estimateOf = (
  rows: Rows,
  total: number | null,
  tally: Tally,
  rowsPerSecond: number,
): Preview['estimate'] => {
  const scaled = (sum: number): number | null => (total === null ? null : Math.round((sum * total) / rows.count));
  const cents = scaled(netCentsOf(tally));
  return {
    exact: rows.all,
    rows: total,
    faulted: scaled(tally.faulted),
    seconds: total === null ? null : Math.ceil((total / rowsPerSecond) * 10) / 10,
    totalNetCharge: cents === null ? null : dollars(cents),
    currency: 'USD',
  };
};

const SHOWN_SERVICES = 50;
const SHOWN_CHARACTERS = 100;

/** Counts rows by service name. */
const createServiceCounter = (codes: readonly string[]) => {
  const counts = new Map<string, { readonly code: string | null; rows: number }>();
  return {
    add: ({ written, cell }: RowReader): void => {
      const name = written('shippingService').trim();
      const known = counts.get(name);
      if (known !== undefined) known.rows += 1;
      else if (name !== '' && name.length <= SHOWN_CHARACTERS && counts.size < SHOWN_SERVICES) {
        const code = cell('shippingService');
        counts.set(name, { code: code === '' || codes.includes(code) ? code : null, rows: 1 });
      }
    },
    result: (): Preview['services'] => [...counts].map(([name, { code, rows }]) => ({ name, code, rows })),
  };
};

type ShownRow = Preview['rows'][number];

const shownRow = (
  number: number,
  reader: RowReader,
  found: Fault | undefined,
  order: OrderRow | undefined,
  { shipper, schedule, now }: PreviewContext,
): ShownRow => {
  const repairs = [...reader.notes()];
  if (order?.outcome instanceof Joined)
    return { input_row: number, request: null, repairs, quote: null, fault: null, order_row: order.outcome.row };
  const fault = found === undefined ? undefined : faultBody(found);
  const request = fault?.type.startsWith('row.') ? null : rowBody(order?.cells ?? reader.cell);
  const answer = fault === undefined ? quoteOutcome(request, shipper, schedule, now) : undefined;
  const quote = answer?.status === 200 ? answer.body : null;
  return { input_row: number, request, repairs, quote, fault: fault ?? null, ...(order && { order_row: number }) };
};

/** Rates the rows of a list, as they are and with all repairs. */
export const rateAll = async (rows: Rows, columns: Columns, context: PreviewContext) => {
  const shown: ShownRow[] = [];
  const serviceNames = createServiceCounter(serviceCodes(context.schedule));
  const faultKinds = createFaultKinds(columns);
  const faults = new Map<number, Fault>();
  const asked = createRepairKinds();
  let repairedRows = 0;
  let emptyWeights = 0;
  const onRow: OnRow = (number, reader, fault, plain, order) => {
    if (reader.notes().length > reader.made().length) emptyWeights += 1;
    if (reader.made().length > 0) {
      repairedRows += 1;
      plain.read(number);
      asked.add(number, reader, plain, []);
    }
    if (fault !== undefined) {
      faults.set(number, fault);
      faultKinds.add(number, fault.type, wrongIn(fault, columns), reader.written);
    }
    serviceNames.add(reader);
    if (number <= SHOWN_ROWS) shown.push(shownRow(number, reader, fault, order, context));
  };
  const tally = await inSlices(rateRows(rows, columns, context, onRow));
  const examples: Preview['repairAll']['examples'] = [];
  const possible = createRepairKinds();
  let repairable = 0;
  const begun = performance.now();
  const onRepaired: OnRow = (number, reader, fault, plain) => {
    const notes = reader.notes();
    if (notes.length === 0) return;
    plain.read(number);
    if (!possible.add(number, reader, plain, removedFaults(faults.get(number), fault))) return;
    repairable += 1;
    if (examples.length < SHOWN_REPAIRS) examples.push({ input_row: number, repairs: [...notes] });
  };
  const { quoted, faulted } = await inSlices(rateRows(rows, { ...columns, repairs: REPAIRS }, context, onRepaired));
  const rowsPerSecond = (rows.count / Math.max(performance.now() - begun, 1)) * 1_000;
  const repairs = { asked: [...columns.repairs], rows: repairedRows, kinds: asked.result(), emptyWeights };
  const repairAll = { rows: repairable, quoted, faulted, examples, kinds: possible.result(), zipList: ZIP_LIST };
  return { tally, shown, faultKinds, services: serviceNames.result(), repairs, repairAll, rowsPerSecond };
};
