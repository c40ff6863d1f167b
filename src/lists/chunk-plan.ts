/**
 * The chunk plan of a list: the byte range and first row of each chunk, which is a run of whole rows. It is made once, while
 * the upload streams, and stored with the input. It defines the work of the batch.
 */

import type { InSlices } from '../base/time-slices.ts';
import { textOf } from '../files/csv/cell.ts';
import { firstBadByte, unfinished } from '../files/csv/encoding.ts';
import { createScanner, type ScannedRow } from '../files/csv/scanner.ts';
import { MOST_WAREHOUSES } from '../rating/ship-from.ts';
import type { Columns } from './columns/columns.ts';
import type { Finding } from './columns/findings.ts';
import { createJoinedRows } from './rows/joined-rows.ts';
import { createOrderPlaces, MOST_APART, MOST_ORDERS, orderIn } from './rows/order-runs.ts';
import { createShipFromScan, type ShipFromUse } from './rows/ship-from-scan.ts';

export interface Chunk {
  /** Byte range in the input, from the first byte of the first row to the line break of the last row. */
  readonly from: number;
  readonly to: number;
  readonly firstRow: number;
  readonly rows: number;
  /** The first rows of orders, and of pieces of them, that do not stand together. Absent: none. */
  readonly apart?: readonly number[] | undefined;
}

export interface Plan {
  readonly rows: number;
  readonly bytes: number;
  readonly chunks: readonly Chunk[];
  /** Absent if no row chooses among warehouses. It decides the columns of the output, and is not stored. */
  readonly shipFrom?: ShipFromUse | undefined;
}

export interface PlanLimits {
  readonly chunkRows: number;
  readonly maximumRows: number;
  readonly maximumRowBytes: number;
}

/** Why planning stopped: the file exceeds a limit, is not text or names too many warehouses. */
export type Refusal =
  | { readonly kind: 'rowTooLong'; readonly row: number; readonly line: number }
  | { readonly kind: 'tooManyRows' }
  | { readonly kind: 'tooManyWarehouses'; readonly row: number }
  | { readonly kind: 'orders'; readonly problem: string }
  | { readonly kind: 'notUtf8'; readonly line: number; readonly offset: number };

/** The problem of `tooManyWarehouses`. */
export const tooManyWarehouses = (row: number): string =>
  `up to row ${row}, the cells with several warehouses name more than ${MOST_WAREHOUSES} of them: split the list`;

/** Why the rows of a list cannot be joined to orders. */
const tooManyOrders = (row: number): string =>
  `up to row ${row}, the list has more than ${MOST_ORDERS} orders: split it, or use ?orders=none`;
const tooManyApart = (row: number): string =>
  `up to row ${row}, the rows of too many orders do not stand together: sort the list by the order's number, or use ?orders=none`;

export interface Planner {
  /** Processes the next bytes of the body, which is everything after the header. */
  readonly push: (bytes: Buffer) => InSlices<Refusal | undefined>;
  /** Returns the plan after all bytes have been pushed. */
  readonly finish: () => InSlices<Plan | Refusal>;
  /** What the rows say beside the columns. */
  readonly findings: () => readonly Finding[];
}

/** Bytes of rows scanned between two yields. */
const SLICE_BYTES = 16 * 1024;

/** A chunk ends early at this size, so that long rows do not make long chunks. */
const CHUNK_BYTES = 4 * 1024 * 1024;

const count = (text: string, breakText: string, from: number, to: number): number => {
  let found = 0;
  for (let at = text.indexOf(breakText, from); at !== -1 && at < to; at = text.indexOf(breakText, at + 1)) found += 1;
  return found;
};

/** Cuts rows into chunks. The rows of an order are in one chunk. */
const createChunks = ({ orders }: Columns, { chunkRows }: PlanLimits) => {
  const places = orders && createOrderPlaces();
  const chunks: Chunk[] = [];
  let open: { from: number; to: number; firstRow: number; rows: number } | undefined;

  const close = (to: number): void => {
    if (open !== undefined) chunks.push({ ...open, to });
    open = undefined;
  };
  const isFull = (): boolean => open !== undefined && (open.rows >= chunkRows || open.to - open.from >= CHUNK_BYTES);

  return {
    /**
     * @param offset of the row's text in the file
     * @param number of the row, from 1
     * @returns the problem of the list, if there is one
     */
    take: (row: ScannedRow, offset: number, number: number): string | undefined => {
      if (orders !== undefined && places?.look(orderIn(row, orders), row.next - row.start, number) === true && isFull())
        close(offset + row.start);
      open ??= { from: offset + row.start, to: 0, firstRow: number, rows: 0 };
      open.rows += 1;
      open.to = offset + row.next;
      if (places === undefined) {
        if (isFull()) close(open.to);
        return undefined;
      }
      if (places.orders() > MOST_ORDERS) return tooManyOrders(number);
      return places.apart.size > MOST_APART ? tooManyApart(number) : undefined;
    },
    /** @param end of the list. @returns the chunks, each with the orders of its rows that do not stand together */
    made: (end: number): readonly Chunk[] => {
      close(end);
      const apart = [...(places?.apart ?? [])].sort((a, b) => a - b);
      let at = 0;
      return chunks.map((chunk) => {
        const first = at;
        while ((apart[at] ?? Number.POSITIVE_INFINITY) < chunk.firstRow + chunk.rows) at += 1;
        return at === first ? chunk : { ...chunk, apart: apart.slice(first, at) };
      });
    },
  };
};

/**
 * @param bodyStart the offset in the file of the first byte that will be pushed
 * @param headerLines the number of lines before it
 */
export const createPlanner = (
  columns: Columns,
  bodyStart: number,
  headerLines: number,
  limits: PlanLimits,
): Planner => {
  const { row, scan, scanInSlices, skip, skipInSlices } = createScanner(columns.dialect, limits.maximumRowBytes);
  const shipFrom = createShipFromScan(columns, limits.maximumRowBytes);
  const { look, findings } = createJoinedRows(columns);
  const { take, made } = createChunks(columns, limits);
  // The cells of a row are read only for its order's number.
  const [pass, passInSlices] = columns.orders === undefined ? [skip, skipInSlices] : [scan, scanInSlices];
  const breakText = columns.dialect.lineBreak === 'lf' ? '\n' : '\r';
  let carry: Buffer = Buffer.alloc(0);
  let carryAt = bodyStart;
  let [rows, line, checked] = [0, headerLines + 1, 0];

  /**
   * Takes the scanned row, which is not blank.
   * @param breaks how many line breaks its cells have
   * @returns why the list is refused, if it is
   */
  const refuses = (text: string, breaks: number): Refusal | undefined => {
    rows += 1;
    const problem = take(row, carryAt, rows);
    if (breaks > 0) look(text, row, rows);
    if (!shipFrom.look(text, row.start, row.next)) return { kind: 'tooManyWarehouses', row: rows };
    return problem === undefined ? undefined : { kind: 'orders', problem };
  };

  /** Scans all complete rows. The rest becomes the carry. */
  function* scanAll(bytes: Buffer, final: boolean): InSlices<Refusal | undefined> {
    const text = textOf(bytes);
    let at = 0;
    let pause = SLICE_BYTES;
    // Only a carried-over row can be long, because pieces are short. A generator for every row would cost more than the row.
    let long = carry.length > SLICE_BYTES;
    for (;;) {
      if (at >= pause) {
        yield;
        pause = at + SLICE_BYTES;
      }
      const scanned = long ? yield* passInSlices(text, at, final) : pass(text, at, final);
      long = false;
      if (scanned === 'incomplete' || scanned === 'end') break;
      if (scanned === 'tooLong') return { kind: 'rowTooLong', row: rows + 1, line };
      at = row.next;
      const breaks = row.quoted ? count(text, breakText, row.start, row.end) : 0;
      const refusal = row.blank ? undefined : refuses(text, breaks);
      if (refusal !== undefined) return refusal;
      if (rows > limits.maximumRows) return { kind: 'tooManyRows' };
      line += breaks + 1;
    }
    carry = bytes.subarray(at);
    carryAt += at;
    return undefined;
  }

  /** Checks that the bytes are UTF-8. The carry's first `checked` bytes are known to be; an incomplete character waits. */
  const notUtf8 = (bytes: Buffer, final: boolean): Refusal | undefined => {
    const tail = final ? 0 : unfinished(bytes);
    const rest = bytes.subarray(checked, bytes.length - tail);
    const bad = firstBadByte(rest);
    if (bad === undefined) {
      checked = bytes.length - tail;
      return undefined;
    }
    const offset = checked + bad;
    return { kind: 'notUtf8', line: line + count(textOf(bytes), breakText, 0, offset), offset: carryAt + offset };
  };

  function* advance(bytes: Buffer, final: boolean): InSlices<Refusal | undefined> {
    const refusal = notUtf8(bytes, final) ?? (yield* scanAll(bytes, final));
    checked -= bytes.length - carry.length;
    return refusal;
  }

  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const joined = (): Buffer => {
    const [first = carry] = waiting;
    const bytes = carry.length === 0 && waiting.length < 2 ? first : Buffer.concat([carry, ...waiting]);
    waiting = [];
    waitingBytes = 0;
    return bytes;
  };

  function* push(bytes: Buffer): InSlices<Refusal | undefined> {
    waiting.push(bytes);
    waitingBytes += bytes.length;
    // A long row is rescanned only when its length has doubled. Rescanning at every small piece would be quadratic.
    if (waitingBytes < carry.length) return undefined;
    return yield* advance(joined(), false);
  }

  function* finish(): InSlices<Plan | Refusal> {
    return (
      (yield* advance(joined(), true)) ?? { rows, bytes: carryAt, chunks: made(carryAt), shipFrom: shipFrom.result() }
    );
  }

  return { push, finish, findings };
};
