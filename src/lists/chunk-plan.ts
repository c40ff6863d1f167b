/**
 * The chunk plan of a list: the byte range and first row of each chunk. A chunk is a run of whole rows. The plan is made
 * once, while the upload streams, and is stored with the input. It defines the work of the batch.
 */

import type { InSlices } from '../base/time-slices.ts';
import { textOf } from '../files/csv/cell.ts';
import { firstBadByte, unfinished } from '../files/csv/encoding.ts';
import { createScanner, type ScannedRow } from '../files/csv/scanner.ts';
import { MOST_WAREHOUSES } from '../rating/ship-from.ts';
import type { Columns } from './columns/columns.ts';
import { createJoinedRows } from './rows/joined-rows.ts';
import { createOrderPlaces, MOST_APART, MOST_ORDERS, orderIn } from './rows/order-lines.ts';
import { createShipFromScan, type ShipFromUse } from './rows/ship-from-scan.ts';

export interface Chunk {
  /** Byte range in the input, from the first byte of the first row through the line break of the last row. */
  readonly from: number;
  readonly to: number;
  readonly firstRow: number;
  readonly rows: number;
  /** The first row of each piece of an order whose rows are not consecutive. Undefined if there are none. */
  readonly apart?: readonly number[] | undefined;
}

export interface Plan {
  readonly rows: number;
  readonly bytes: number;
  readonly chunks: readonly Chunk[];
  /** Undefined if no row chooses among warehouses. Decides the columns of the output. Not stored. */
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

/** The message for `tooManyWarehouses`. */
export const tooManyWarehouses = (row: number): string =>
  `up to row ${row}, the cells with several warehouses name more than ${MOST_WAREHOUSES} of them: split the list`;

/** The messages for lists whose rows cannot be joined into orders. */
const tooManyOrders = (row: number): string =>
  `up to row ${row}, the list has more than ${MOST_ORDERS} orders: split it, or use ?orders=none`;
const tooManyApart = (row: number): string =>
  `up to row ${row}, the rows of too many orders are not next to each other: sort the list by the order's number, or use ?orders=none`;

/** Bytes scanned between two yields. */
const SLICE_BYTES = 16 * 1024;

/** Bytes after which a chunk ends early, so that long rows do not make long chunks. */
const CHUNK_BYTES = 4 * 1024 * 1024;

const count = (text: string, breakText: string, from: number, to: number): number => {
  let found = 0;
  for (let at = text.indexOf(breakText, from); at !== -1 && at < to; at = text.indexOf(breakText, at + 1)) found += 1;
  return found;
};

/** Splits rows into chunks. All rows of an order are in one chunk. */
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
     * @returns the problem with the list, if any
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
    /** @param end of the list. @returns the chunks, each with its part of `apart` */
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
 * @param bodyStart the file offset of the first byte that will be pushed
 * @param headerLines the number of lines before it
 */
export const createPlanner = (columns: Columns, bodyStart: number, headerLines: number, limits: PlanLimits) => {
  const { row, scan, scanInSlices, skip, skipInSlices } = createScanner(columns.dialect, limits.maximumRowBytes);
  const shipFrom = createShipFromScan(columns, limits.maximumRowBytes);
  const { look, findings } = createJoinedRows(columns);
  const { take, made } = createChunks(columns, limits);
  // Cells are scanned only if the order number is needed.
  const [pass, passInSlices] = columns.orders === undefined ? [skip, skipInSlices] : [scan, scanInSlices];
  const breakText = columns.dialect.lineBreak === 'lf' ? '\n' : '\r';
  // Bytes of incomplete rows, of which the first `carryBytes` were already scanned. The memory is reused, because V8 counts
  // buffers as heap: new buffers for each piece would cause a full garbage collection every few megabytes.
  let held: Buffer = Buffer.alloc(0);
  let heldBytes = 0;
  let carryBytes = 0;
  let carryAt = bodyStart;
  let [rows, line, checked] = [0, headerLines + 1, 0];

  /**
   * Adds the scanned row, which is not blank.
   * @param breaks the number of line breaks in its cells
   * @returns why the list is refused, if it is
   */
  const refuses = (text: string, breaks: number): Refusal | undefined => {
    rows += 1;
    const problem = take(row, carryAt, rows);
    if (breaks > 0) look(text, row, rows);
    if (!shipFrom.look(text, row.start, row.next)) return { kind: 'tooManyWarehouses', row: rows };
    return problem === undefined ? undefined : { kind: 'orders', problem };
  };

  /** Scans all complete rows. Keeps the rest in `carry`. */
  function* scanAll(bytes: Buffer, final: boolean): InSlices<Refusal | undefined> {
    const text = textOf(bytes);
    let at = 0;
    let pause = SLICE_BYTES;
    // Only a carried-over row can be long, because pieces are short. A generator for each row would cost more than its scan.
    let long = carryBytes > SLICE_BYTES;
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
    held.copyWithin(0, at, heldBytes);
    carryBytes = heldBytes - at;
    heldBytes = carryBytes;
    carryAt += at;
    return undefined;
  }

  /** Checks that bytes after the first `checked` are UTF-8. An incomplete last character is checked next time. */
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

  function* advance(final: boolean): InSlices<Refusal | undefined> {
    const bytes = held.subarray(0, heldBytes);
    const refusal = notUtf8(bytes, final) ?? (yield* scanAll(bytes, final));
    checked -= bytes.length - carryBytes;
    return refusal;
  }

  /** Processes the next bytes of the body, which is everything after the header. They are copied. */
  function* push(bytes: Buffer): InSlices<Refusal | undefined> {
    const needed = heldBytes + bytes.length;
    if (needed > held.length) held = Buffer.concat([held.subarray(0, heldBytes)], Math.ceil(needed * 1.25));
    held.set(bytes, heldBytes);
    heldBytes = needed;
    // A long row is rescanned only when its length has doubled. Rescanning for every small piece would take quadratic time.
    if (heldBytes < carryBytes * 2) return undefined;
    return yield* advance(false);
  }

  /** Returns the plan after all bytes have been pushed. */
  function* finish(): InSlices<Plan | Refusal> {
    return (yield* advance(true)) ?? { rows, bytes: carryAt, chunks: made(carryAt), shipFrom: shipFrom.result() };
  }

  /* `findings` are about the rows, in addition to those about the columns. */
  return { push, finish, findings };
};
export type Planner = ReturnType<typeof createPlanner>;
