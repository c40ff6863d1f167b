/**
 * The fast path for weights in ounces, in grams, or in pounds and ounces. It gives the same doubles as `row-weight.ts`; a
 * property test compares the two.
 */

import { missing } from '../../base/must.ts';
import { BYTE, END, type ScannedRow, START } from '../../files/csv/scanned-row.ts';
import type { Columns } from '../columns/columns.ts';

const ZERO = 48;
const POINT = 46;
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000] as const;
/** The maximum digits before the point. With four decimals and a conversion factor, such a number is exact in a double. */
const MOST_WHOLE_DIGITS = 5;
const SIXTEENTH = 625;
const SIXTEENTH_PLACES = 10_000;

/** The number `digits` / `scale`. */
interface Decimal {
  digits: number;
  scale: number;
}

/** Reads digits with at most one point among them. @returns false for any other cell */
const readInto = (into: Decimal, bytes: Uint8Array, start: number, end: number): boolean => {
  let digits = 0;
  let point = -1;
  for (let at = start; at < end; at++) {
    const code = bytes[at] ?? missing(BYTE);
    if (code === POINT && point === -1) point = at;
    else if (code >= ZERO && code <= 57) digits = digits * 10 + code - ZERO;
    else return false;
  }
  const whole = (point === -1 ? end : point) - start;
  const scale = POWERS_OF_TEN[point === -1 ? 0 : end - point - 1];
  if (whole === 0 || whole > MOST_WHOLE_DIGITS || scale === undefined || point === end - 1) return false;
  into.digits = digits;
  into.scale = scale;
  return true;
};

export interface PlainWeigher {
  /** The units of the result. */
  readonly units: 'LB' | 'KG';
  /** @returns the weight as the double nearest to its exact decimal, or -1 if the row needs the schema */
  readonly weigh: (row: ScannedRow) => number;
}

/** @returns undefined if the weights need no conversion, or if each row states its own unit */
export const plainWeigher = ({ fields, defaults, repairs }: Columns): PlainWeigher | undefined => {
  const { weight_value: weight, weight_ounces: ounces, weight_units: units } = fields;
  if (weight === undefined || units !== undefined || repairs.includes('weight')) return undefined;
  const [value, more]: [Decimal, Decimal] = [
    { digits: 0, scale: 1 },
    { digits: 0, scale: 1 },
  ];
  const read = (into: Decimal, { bytes, starts, ends }: ScannedRow, column: number): boolean =>
    readInto(into, bytes, starts[column] ?? missing(START), ends[column] ?? missing(END));
  const unit = defaults.weight_units;
  if (ounces !== undefined)
    return {
      units: 'LB',
      // Only whole pounds and less than 16 ounces; `row-weight.ts` handles everything else.
      weigh: (row) =>
        unit === 'LB' &&
        read(value, row, weight) &&
        read(more, row, ounces) &&
        value.scale === 1 &&
        more.digits < 16 * more.scale
          ? (value.digits * more.scale * SIXTEENTH_PLACES + more.digits * SIXTEENTH) / (more.scale * SIXTEENTH_PLACES)
          : -1,
    };
  if (unit === 'OZ')
    return {
      units: 'LB',
      weigh: (row) => (read(value, row, weight) ? (value.digits * SIXTEENTH) / (value.scale * SIXTEENTH_PLACES) : -1),
    };
  if (unit === 'G')
    return { units: 'KG', weigh: (row) => (read(value, row, weight) ? value.digits / (value.scale * 1_000) : -1) };
  return undefined;
};
