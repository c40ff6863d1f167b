/**
 * Finds where the orders of a list begin, and which orders are not consecutive. The plan of a list and the code that rates
 * its rows agree on it. Memory is bounded: an order has a bounded number of rows, and a list a bounded number of orders.
 */
import { keyedHash } from '../../base/keyed-hash.ts';
import { must } from '../../base/must.ts';
import { bare, cellOf, decodeText } from '../../files/csv/cell.ts';
import type { ScannedRow } from '../../files/csv/scanner.ts';
import type { Orders } from '../columns/orders.ts';

/** The maximum rows of an order, and the bytes after which it ends. Later rows with its number count as not consecutive. */
export const MOST_LINES = 200;
const MOST_BYTES = 1024 * 1024;
/** The maximum orders of a list whose rows are joined. Each takes 24 bytes or less while the list is read. */
export const MOST_ORDERS = 1_000_000;
/** The maximum number of pieces of orders that are not consecutive. */
export const MOST_APART = 100_000;

/** Returns the order number of a row, or an empty text if it has none. Such a row is a separate shipment. */
export const orderIn = (row: ScannedRow, { column }: Orders): string => bare(decodeText(cellOf(row.text, row, column)));

/** @returns a function that tells for each row, by its order number and length in bytes, whether it begins an order */
export const createOrderRuns = (): ((order: string, length: number) => boolean) => {
  let [known, rows, bytes] = ['', 0, 0];
  return (order, length) => {
    const begins = order === '' || order !== known || rows === MOST_LINES || bytes >= MOST_BYTES;
    if (begins) [known, rows, bytes] = [order, 0, 0];
    rows += 1;
    bytes += length;
    return begins;
  };
};

const SHARDS = 1024;
const LEAST_PLACES = 16;

/** A table of rows by the hashes of their orders. There are many small ones, so that none takes long to grow. */
const createShard = () => {
  let table = new Int32Array(3 * LEAST_PLACES);
  let held = 0;
  const placeOf = (into: Int32Array, a: number, b: number): number => {
    const places = into.length / 3;
    let at = (b >>> 0) % places;
    // Row 0 marks a free place.
    while (into[3 * at + 2] !== 0 && (into[3 * at] !== a || into[3 * at + 1] !== b)) at = (at + 1) % places;
    return 3 * at;
  };
  const grow = (): void => {
    const wider = new Int32Array(table.length * 2);
    for (let at = 0; at < table.length; at += 3)
      if (table[at + 2] !== 0)
        wider.set(table.subarray(at, at + 3), placeOf(wider, table[at] ?? 0, table[at + 1] ?? 0));
    table = wider;
  };
  /** @returns the row that the order already has; 0 if it is new. Then it gets this row */
  return (a: number, b: number, row: number): number => {
    const at = placeOf(table, a, b);
    const known = table[at + 2] ?? 0;
    if (known !== 0) return known;
    table.set([a, b, row], at);
    held += 1;
    if (held * 2 > table.length / 3) grow();
    return 0;
  };
};

/** Follows the rows of a list from the first row on. */
export const createOrderPlaces = () => {
  const begins = createOrderRuns();
  const shards = Array.from({ length: SHARDS }, createShard);
  const apart = new Set<number>();
  let orders = 0;
  return {
    /** The first row of each piece of an order whose rows are not consecutive. */
    apart,
    orders: () => orders,
    /** @param number the row's number, from 1. @returns whether the row begins an order */
    look: (order: string, length: number, number: number): boolean => {
      if (!begins(order, length)) return false;
      orders += 1;
      if (order === '') return true;
      const [a, b] = keyedHash(order);
      const first = must(shards[(a >>> 0) % SHARDS], 'a shard')(a, b, number);
      if (first !== 0) apart.add(first).add(number);
      return true;
    },
  };
};
