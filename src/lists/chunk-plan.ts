/**
 * The chunk plan of a list: the byte range and first row of each chunk, which is a run of whole rows. It is made once, while
 * the upload streams, and stored with the input. It defines the work of the batch.
 */

import type { InSlices } from '../base/time-slices.ts';
import { textOf } from '../files/csv/cell.ts';
import { firstBadByte, unfinished } from '../files/csv/encoding.ts';
import { createScanner } from '../files/csv/scanner.ts';
import { MOST_WAREHOUSES } from '../rating/ship-from.ts';
import type { Columns } from './columns/columns.ts';
import type { Finding } from './columns/findings.ts';
import { createJoinedRows } from './rows/joined-rows.ts';
import { createShipFromScan, type ShipFromUse } from './rows/ship-from-scan.ts';

export interface Chunk {
  /** Byte range in the input, from the first byte of the first row to the line break of the last row. */
  readonly from: number;
  readonly to: number;
  readonly firstRow: number;
  readonly rows: number;
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
  | { readonly kind: 'notUtf8'; readonly line: number; readonly offset: number };

/** The problem of `tooManyWarehouses`. */
export const tooManyWarehouses = (row: number): string =>
  `up to row ${row}, the cells with several warehouses name more than ${MOST_WAREHOUSES} of them: split the list`;

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
  const { row, skip, skipInSlices } = createScanner(columns.dialect, limits.maximumRowBytes);
  const shipFrom = createShipFromScan(columns, limits.maximumRowBytes);
  const { look, findings } = createJoinedRows(columns);
  const breakText = columns.dialect.lineBreak === 'lf' ? '\n' : '\r';
  const chunks: Chunk[] = [];
  let carry: Buffer = Buffer.alloc(0);
  let carryAt = bodyStart;
  let [rows, line, checked] = [0, headerLines + 1, 0];
  let open: { from: number; firstRow: number; rows: number } | undefined;

  const close = (to: number): void => {
    if (open !== undefined) chunks.push({ ...open, to });
    open = undefined;
  };

  /**
   * Takes the scanned row, which is not blank.
   * @param breaks how many line breaks its cells have
   * @returns whether the list names no more warehouses than it may
   */
  const accepts = (text: string, breaks: number): boolean => {
    rows += 1;
    open ??= { from: carryAt + row.start, firstRow: rows, rows: 0 };
    open.rows += 1;
    if (open.rows >= limits.chunkRows || carryAt + row.next - open.from >= CHUNK_BYTES) close(carryAt + row.next);
    if (breaks > 0) look(text, row, rows);
    return shipFrom.look(text, row.start, row.next);
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
      const scanned = long ? yield* skipInSlices(text, at, final) : skip(text, at, final);
      long = false;
      if (scanned === 'incomplete' || scanned === 'end') break;
      if (scanned === 'tooLong') return { kind: 'rowTooLong', row: rows + 1, line };
      at = row.next;
      const breaks = row.quoted ? count(text, breakText, row.start, row.end) : 0;
      if (!row.blank && !accepts(text, breaks)) return { kind: 'tooManyWarehouses', row: rows };
      if (rows > limits.maximumRows) return { kind: 'tooManyRows' };
      line += breaks + 1;
    }
    carry = bytes.subarray(at);
    carryAt += at;
    if (final) close(carryAt);
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
    return (yield* advance(joined(), true)) ?? { rows, bytes: carryAt, chunks, shipFrom: shipFrom.result() };
  }

  return { push, finish, findings };
};
