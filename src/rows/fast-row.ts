/**
 * The short way from a row to a shipment, for the rows that need no words: cells that are plainly valid are read straight
 * into one reused shipment. Whatever is not plainly valid (or valid in an unusual way) is left to the schema, which is
 * the truth; a property test holds the two to each other.
 */

import type { ScannedRow } from '../csv/scanner.ts';
import { LIMITS, packageWeighing, type Shipment } from '../rating/shipment.ts';
import { cellReaders } from './cell-values.ts';
import type { Columns } from './columns.ts';
import { plainWeigher } from './fast-weight.ts';
import type { Field } from './fields.ts';

/** Fields that, where they have a value, need the schema. */
const UNUSUAL: readonly Field[] = ['length', 'width', 'height', 'shipDate', 'packages'];
/** Of a service's name, which may be longer than its code. */
const LONGEST_NAME = 200;
const ABSENT = -1;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const ZERO = 48;
const POINT = 46;
const HYPHEN = 45;
const isDigit = (code: number): boolean => code >= ZERO && code <= 57;
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;

/** A whole number of at most `digits` digits without a leading zero, or -1. */
const wholeNumber = (bytes: Uint8Array, start: number, end: number, digits: number): number => {
  if (end === start || end - start > digits || bytes[start] === ZERO) return -1;
  let value = 0;
  for (let at = start; at < end; at++) {
    const code = bytes[at] ?? 0;
    if (!isDigit(code)) return -1;
    value = value * 10 + code - ZERO;
  }
  return value;
};

/** Two digits at most, then six decimals at most, as the double that the text is read as; or -1. */
const weightOf = (bytes: Uint8Array, start: number, end: number): number => {
  let digits = 0;
  let at = start;
  for (let code = bytes[at] ?? 0; at < end && isDigit(code); code = bytes[++at] ?? 0)
    digits = digits * 10 + code - ZERO;
  if (at === start || at - start > 2) return -1;
  if (at === end) return digits;
  if (bytes[at] !== POINT) return -1;
  const point = at++;
  for (let code = bytes[at] ?? 0; at < end && isDigit(code); code = bytes[++at] ?? 0)
    digits = digits * 10 + code - ZERO;
  const places = end - point - 1;
  const scale = POWERS_OF_TEN[places];
  // Both are exact, so the quotient is the double nearest to the decimal, which is what the text means.
  return at < end || places === 0 || scale === undefined ? -1 : digits / scale;
};

/** `12345` or `12345-6789`. */
const isPostalCode = (bytes: Uint8Array, start: number, end: number): boolean => {
  const length = end - start;
  if (length !== 5 && length !== 10) return false;
  for (let at = start; at < end; at++) {
    const code = bytes[at] ?? 0;
    if (at - start === 5 ? code !== HYPHEN : !isDigit(code)) return false;
  }
  return true;
};

const isPrintable = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    const code = bytes[at] ?? 0;
    if (code < 32 || code > 126) return false;
  }
  return true;
};

const SPACE = 32;
const APOSTROPHE = 39;

/** Printable text of at most so many characters, with nothing around it that is taken off; undefined for anything else. */
const printable = (text: string, row: ScannedRow, column: number, longest: number): string | undefined => {
  const start = row.starts[column] ?? 0;
  const end = row.ends[column] ?? 0;
  if (end === start) return '';
  const first = row.bytes[start];
  if (first === SPACE || first === APOSTROPHE || row.bytes[end - 1] === SPACE) return undefined;
  return end - start > longest || !isPrintable(row.bytes, start, end) ? undefined : text.slice(start, end);
};

const emptyShipment = (): Writable<Shipment> => ({
  warehouseId: 0,
  postalCode: '',
  countryCode: 'US',
  residential: false,
  packages: [],
  shippingService: undefined,
  addressLine: undefined,
  shipDate: undefined,
});

/** Where a plain row's fields are. */
const placesOf = (columns: Columns) => {
  const place = (field: Field): number => columns.fields[field] ?? ABSENT;
  return {
    unusual: UNUSUAL.map(place).filter((column) => column !== ABSENT),
    warehouse: place('warehouse_id'),
    postalCode: place('postalCode'),
    weight: place('weight_value'),
    units: place('weight_units'),
    country: place('countryCode'),
    service: place('shippingService'),
    address: place('addressLine'),
    residential: place('residential'),
  };
};

/**
 * @returns a reader that gives the row's shipment, the same object each time, or undefined where the schema must judge.
 */
export const createPlainReader = (columns: Columns): ((text: string, row: ScannedRow) => Shipment | undefined) => {
  const { unusual, warehouse, postalCode, weight, units, country, service, address, residential } = placesOf(columns);
  const { defaults } = columns;
  const readers = cellReaders(columns);
  const inWords = (field: Field, cell: string): string => readers[field]?.(cell) ?? cell;
  const converted = plainWeigher(columns);
  const shipment = emptyShipment();
  const isUnusual = columns.ownOutput || UNUSUAL.some((field) => defaults[field] !== undefined);
  // Ounces that are added to anything but plain pounds are the schema's too.
  if (isUnusual || (columns.fields.weight_ounces !== undefined && converted === undefined)) return () => undefined;
  const given = Buffer.from(defaults.warehouse_id ?? '', 'latin1');
  const defaultWarehouse = wholeNumber(given, 0, given.length, 10);
  const longestService = readers.shippingService === undefined ? LIMITS.shippingServiceLength : LONGEST_NAME;
  const defaultService =
    defaults.shippingService === undefined ? undefined : inWords('shippingService', defaults.shippingService);

  /** A short cell, or the default where the list has no such column. */
  const word = (text: string, row: ScannedRow, column: number, field: Field): string =>
    column === ABSENT ? (defaults[field] ?? '') : text.slice(row.starts[column], row.ends[column]);

  return (text, row) => {
    // Quotes in quotes need unescaping, missing cells are looked at by the schema.
    if (row.escaped || row.cells < columns.header.length) return undefined;
    const { bytes, starts, ends } = row;
    for (const column of unusual) if ((ends[column] ?? 0) > (starts[column] ?? 0)) return undefined;
    const warehouseId =
      warehouse === ABSENT ? defaultWarehouse : wholeNumber(bytes, starts[warehouse] ?? 0, ends[warehouse] ?? 0, 10);
    const value =
      converted === undefined ? weightOf(bytes, starts[weight] ?? 0, ends[weight] ?? 0) : converted.weigh(row);
    if (warehouseId < 0 || value <= 0 || value > LIMITS.weight) return undefined;
    const zipStart = starts[postalCode] ?? 0;
    const zipEnd = ends[postalCode] ?? 0;
    if (!isPostalCode(bytes, zipStart, zipEnd)) return undefined;
    let unit = converted?.units ?? word(text, row, units, 'weight_units');
    if (unit !== 'LB' && unit !== 'KG') unit = inWords('weight_units', unit);
    if (unit !== 'LB' && unit !== 'KG') return undefined;
    const countryCode = word(text, row, country, 'countryCode');
    if (
      countryCode !== '' &&
      countryCode !== 'US' &&
      countryCode !== 'us' &&
      inWords('countryCode', countryCode) !== 'US'
    )
      return undefined;
    let home = word(text, row, residential, 'residential');
    if (home !== '' && home !== 'true' && home !== 'false') home = inWords('residential', home);
    if (home !== '' && home !== 'true' && home !== 'false') return undefined;
    let named = service === ABSENT ? defaultService : printable(text, row, service, longestService);
    if (named !== undefined && named !== '' && service !== ABSENT) named = inWords('shippingService', named);
    if (named !== undefined && named.length > LIMITS.shippingServiceLength) return undefined;
    const street = address === ABSENT ? defaults.addressLine : printable(text, row, address, LIMITS.addressLineLength);
    if ((named === undefined && service !== ABSENT) || (street === undefined && address !== ABSENT)) return undefined;
    shipment.warehouseId = warehouseId;
    shipment.postalCode = text.slice(zipStart, zipEnd);
    shipment.residential = home === 'true';
    shipment.packages = [packageWeighing(value, unit)];
    shipment.shippingService = named === '' ? undefined : named;
    shipment.addressLine = street === '' ? undefined : street;
    return shipment;
  };
};
