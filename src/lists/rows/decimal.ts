/** Exact arithmetic on decimal numbers in text form, and weights in units of a request. */
import type { WrittenWeightUnit } from '../../rating/quantity.ts';

export interface Decimal {
  readonly digits: bigint;
  /** The number of digits after the decimal point. */
  readonly places: number;
}

/** A number of at least 0 in the form of a request's numbers. */
export const PLAIN = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Enough for any weight. A request's number is a double, which is exact for this many digits. */
const MOST_DIGITS = 15;

/** Unambiguous thousands separators: `1,250.5`, `1.250,5`, `1,250,000`. */
const COMMAS = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+|,\d{3})$/;
const POINTS = /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+|\.\d{3})$/;

const withoutThousands = (text: string): string =>
  COMMAS.test(text) ? text.replaceAll(',', '') : POINTS.test(text) ? text.replaceAll('.', '') : text;

/**
 * Reads `2.5`, `.5` or, with a decimal comma, `2,5`. A comma before exactly three digits may separate thousands (`1,200`), so
 * it is a decimal comma only after a single zero (`0,250`).
 */
export const readDecimal = (written: string): Decimal | undefined => {
  const text = withoutThousands(written);
  const parts = /^(\d*)(?:([.,])(\d+)|\.)?$/.exec(text);
  const [, whole = '', point = '', fraction = ''] = parts ?? [];
  if (parts === null || whole + fraction === '' || whole.length + fraction.length > MOST_DIGITS) return undefined;
  if (point === ',' && (whole === '' || (fraction.length === 3 && whole !== '0'))) return undefined;
  return { digits: BigInt(whole + fraction), places: fraction.length };
};

/** Formats a number without trailing zeros; undefined if it has more digits than a double can hold. */
export const decimalText = ({ digits, places }: Decimal): string | undefined => {
  const text = digits.toString().padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  let end = text.length;
  while (end > text.length - places && text.endsWith('0', end)) end -= 1;
  const fraction = text.slice(text.length - places, end);
  if (`${whole}${fraction}`.replace(/^0+/, '').length > MOST_DIGITS) return undefined;
  return fraction === '' ? whole : `${whole}.${fraction}`;
};

/** `value` × `factor` ÷ 10^`places`. */
export const scaled = (value: Decimal, factor: bigint, places: number): Decimal => ({
  digits: value.digits * factor,
  places: value.places + places,
});

export const sum = (a: Decimal, b: Decimal): Decimal => {
  const places = Math.max(a.places, b.places);
  const aligned = ({ digits, places: own }: Decimal): bigint => digits * 10n ** BigInt(places - own);
  return { digits: aligned(a) + aligned(b), places };
};

/** The decimals of a quotient that does not end. No tariff looks at as many. */
const QUOTIENT_PLACES = 9;

/** `value` ÷ `divisor`. A quotient that does not end is rounded up, like every weight. */
export const quotient = ({ digits, places }: Decimal, divisor: number): Decimal => {
  const more = Math.max(0, QUOTIENT_PLACES - places);
  const by = BigInt(divisor);
  return { digits: (digits * 10n ** BigInt(more) + by - 1n) / by, places: places + more };
};

export interface Measure {
  /** A decimal number in the form of a request. */
  readonly value: string;
  /** Empty if there is no unit. */
  readonly units: string;
}

/** Converts exactly: an ounce is 0.0625 LB, a gram 0.001 KG. Undefined if the result has too many digits. */
export const inRequestUnits = (value: Decimal, unit: WrittenWeightUnit): Measure | undefined => {
  const [converted, units] =
    unit === 'OZ' ? [scaled(value, 625n, 4), 'LB'] : unit === 'G' ? [scaled(value, 1n, 3), 'KG'] : [value, unit];
  const text = decimalText(converted);
  return text === undefined ? undefined : { value: text, units };
};

/** Adds pounds and ounces. Undefined if one of them is not a number, or the sum has too many digits. */
export const poundsOf = (pounds: string, ounces: string): string | undefined => {
  const [lb, oz] = [readDecimal(pounds), readDecimal(ounces)];
  return lb === undefined || oz === undefined ? undefined : decimalText(sum(lb, scaled(oz, 625n, 4)));
};
