/**
 * Joins the rows of an order into one shipment, for lists with one row per order line. An order's rows must be consecutive.
 * The first row has the outcome, and the others refer to it. Each field of the shipment comes from the rows that state it.
 * The weight is the sum of the rows' weights times their quantities. If a row cannot be read, the order has no price, and
 * that row has the fault.
 *
 * The plan of a list and the code that rates its rows agree on where orders begin, and on those that are not consecutive.
 * Memory is bounded: an order has a bounded number of rows, and a list a bounded number of orders.
 */
import { Failed } from '../../base/failed.ts';
import { keyedHash } from '../../base/keyed-hash.ts';
import { must } from '../../base/must.ts';
import { bare, cellOf, decodeText } from '../../files/csv/cell.ts';
import type { ScannedRow } from '../../files/csv/scanner.ts';
import type { Fault, Result } from '../../rating/fault.ts';
import { FIELD_NAMES, type Field, specOf } from '../../rating/fields.ts';
import { readShipment, type Shipment } from '../../rating/shipment.ts';
import { shownName } from '../columns/column-choice.ts';
import type { Columns } from '../columns/columns.ts';
import { columnOf, type FieldColumns } from '../columns/fields.ts';
import type { Orders } from '../columns/orders.ts';
import { type Decimal, decimalText, PLAIN, readDecimal, scaled, sum } from './decimal.ts';
import { type CellReader, countOf, rowBody } from './row.ts';
import type { RowReader } from './row-reader.ts';

/** The maximum rows of an order, and the bytes after which it ends. Later rows with its number count as not consecutive. */
const MOST_LINES = 200;
const MOST_BYTES = 1024 * 1024;
/** The maximum orders of a list whose rows are joined. Each takes 24 bytes or less while the list is read. */
export const MOST_ORDERS = 1_000_000;
/** The maximum number of pieces of orders that are not consecutive. */
export const MOST_APART = 100_000;

/** Returns the order number of a row, or an empty text if it has none. Such a row is a separate shipment. */
export const orderIn = (row: ScannedRow, { column }: Orders): string => bare(decodeText(cellOf(row.text, row, column)));

/** @returns a function that tells for each row, by its order number and length in bytes, whether it begins an order */
const createOrderRuns = (): ((order: string, length: number) => boolean) => {
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

/** The outcome of a row whose order has its outcome in another row. */
export class Joined {
  /** The number of the other row. */
  readonly row: number;
  constructor(row: number) {
    this.row = row;
  }
}

export type RowOutcome = Result<Shipment> | Joined;

export interface OrderRow {
  readonly outcome: RowOutcome;
  /** The cells of the whole order, if this row has the order's shipment. */
  readonly cells?: CellReader;
}

/** The fields of a request. The sides and the weight already include the values of the two other columns. */
const READ = FIELD_NAMES.filter((field) => field !== 'dimensions' && field !== 'weight_ounces');

interface Line {
  readonly number: number;
  readonly order: string;
  /** The cells that are not empty. */
  readonly cells: Result<ReadonlyMap<Field, string>>;
  readonly quantity: string;
}

type About = Extract<Fault, { readonly type: 'row.order' }>['about'];

const fault = (row: number, reason: string, about: About): Failed<Fault> =>
  new Failed({ type: 'row.order', row, reason, about });

const QUANTITY = /^\d{1,6}(?:\.0{0,6})?$/;

const quantityProblem = (quantity: string): string | undefined => {
  if (quantity === '') return 'it has no quantity';
  return QUANTITY.test(quantity) ? undefined : `its quantity must be a whole number, not "${shownName(quantity)}"`;
};

/** The sum of the rows' weights, and the unit that they share. */
interface Weighed {
  total: Decimal;
  units: string | undefined;
}

/** The request's own fault describes such a weight, unless only a single call can read it. */
const NO_NUMBER = 'its weight cannot be added up';

/** Adds the weight of a row. @returns the problem, if any */
const weigh = (into: Weighed, cells: ReadonlyMap<Field, string>, quantity: string): string | undefined => {
  const [weight = '', units = ''] = [cells.get('weight_value'), cells.get('weight_units')];
  if (weight.includes('|')) return 'it has the weights of several packages, which cannot be added up';
  const decimal = PLAIN.test(weight) ? readDecimal(weight) : undefined;
  if (decimal === undefined) return NO_NUMBER;
  into.units ??= units;
  if (units !== into.units)
    return `its weight is in ${units || 'no unit'}, and that of a row before it in ${into.units}`;
  into.total = sum(into.total, scaled(decimal, BigInt(Number(quantity)), 0));
  return undefined;
};

/** The fields whose cells may state a unit. */
const MEASURES: Readonly<Partial<Record<Field, Field>>> = { weight_units: 'weight_value', dimension_units: 'length' };

type Faults = Map<number, Failed<Fault>>;

/** Collects the fields that the rows state. A row with another value than an earlier row gets a fault. */
const statedIn = (lines: readonly Line[], fields: readonly Field[], own: FieldColumns, faults: Faults) => {
  const all = new Map<Field, { readonly value: string; readonly row: number }>();
  for (const { number, cells } of lines) {
    if (cells instanceof Failed) continue;
    for (const field of fields) {
      const value = cells.get(field);
      const known = all.get(field);
      if (value === undefined || value === known?.value) continue;
      if (known === undefined) all.set(field, { value, row: number });
      else {
        const what = `${specOf(field).label} is "${shownName(value)}", and in row ${known.row} of the order "${shownName(known.value)}"`;
        faults.set(number, fault(number, what, columnOf(own, field) === undefined ? MEASURES[field] : field));
      }
    }
  }
  return new Map<Field, string>([...all].map(([field, { value }]) => [field, value]));
};

/** @param apart the first rows of orders whose rows are not consecutive */
export const createOrderJoiner = (columns: Columns, apart: ReadonlySet<number>) => {
  const { fields, header, weightPer } = columns;
  const orders = must(columns.orders, 'the columns of orders');
  const begins = createOrderRuns();
  // A weight for all rows is for each package. A weight of the whole order is not added up either.
  const adds = (fields.weight_value ?? fields.weight_ounces) !== undefined && weightPer !== 'shipment';
  const stated = adds ? READ.filter((field) => field !== 'weight_value') : READ;
  let lines: Line[] = [];

  const readLine = (row: ScannedRow, reader: RowReader, number: number): Line => {
    const read = reader.values(number);
    const cells =
      read instanceof Failed
        ? read
        : new Map(READ.map((field) => [field, read(field)] as const).filter(([, cell]) => cell !== ''));
    const { row: own } = reader;
    const quantity = orders.quantity === undefined ? '1' : bare(decodeText(cellOf(own.text, own, orders.quantity)));
    return { number, order: orderIn(row, orders), cells, quantity };
  };

  /** Stores the weight of the whole order in its cells. */
  const addUp = (all: Map<Field, string>, faults: Faults, first: number): void => {
    if (countOf(all.get('packages') ?? '') > 1) {
      const rule =
        'weights are added up only for a single package; use ?weight_per=shipment if each is of the whole order';
      faults.set(first, fault(first, rule, 'packages'));
      return;
    }
    const weighed: Weighed = { total: { digits: 0n, places: 0 }, units: undefined };
    for (const line of lines) {
      const { number, cells, quantity } = line;
      if (cells instanceof Failed || faults.has(number)) continue;
      const uncounted = quantityProblem(quantity);
      const wrong = uncounted ?? weigh(weighed, cells, quantity);
      if (wrong === undefined) continue;
      const own = new Map(all).set('weight_value', cells.get('weight_value') ?? '');
      const asCall = wrong === NO_NUMBER ? readShipment(rowBody((field) => own.get(field) ?? '')) : undefined;
      const about = uncounted === undefined ? 'weight_value' : orders.quantity;
      faults.set(number, asCall instanceof Failed ? asCall : fault(number, wrong, about));
    }
    const text = decimalText(weighed.total);
    if (text === undefined)
      faults.set(first, fault(first, 'its weights have too many digits to be added up', 'weight_value'));
    else all.set('weight_value', text);
  };

  const join = (): readonly OrderRow[] => {
    const [{ number: first, order } = { number: 0, order: '' }] = lines;
    if (apart.has(first)) {
      const reason = `the rows of the order "${shownName(order)}" are not next to each other, or are more than ${MOST_LINES}: sort the list by "${shownName(header[orders.column] ?? '')}"`;
      return lines.map(({ number }) => ({ outcome: fault(number, reason, orders.column) }));
    }
    const faults: Faults = new Map();
    for (const { number, cells } of lines) if (cells instanceof Failed) faults.set(number, cells);
    const all = statedIn(lines, stated, fields, faults);
    if (adds) addUp(all, faults, first);
    const [faulty] = lines.filter(({ number }) => faults.has(number));
    if (faulty !== undefined)
      return lines.map(({ number }) => ({ outcome: faults.get(number) ?? new Joined(faulty.number) }));
    const cells: CellReader = (field) => all.get(field) ?? '';
    const outcome = readShipment(rowBody(cells));
    return lines.map(({ number }) => (number === first ? { outcome, cells } : { outcome: new Joined(first) }));
  };

  const finish = (): readonly OrderRow[] => {
    const done = lines.length === 0 ? [] : join();
    lines = [];
    return done;
  };

  return {
    /**
     * Adds the next row. Its order number comes from the list, even if a correction has replaced the row.
     * @returns the rows of the previous order, if this row begins another one
     */
    add: (row: ScannedRow, reader: RowReader, number: number): readonly OrderRow[] => {
      const line = readLine(row, reader, number);
      const done = begins(line.order, row.next - row.start) ? finish() : [];
      lines.push(line);
      return done;
    },
    /** @returns the rows of the last order */
    end: finish,
  };
};
