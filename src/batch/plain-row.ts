/**
 * The short way from a row to a shipment, for the rows that need no words: cells that are plainly valid are read straight
 * into one reused shipment. Whatever is not plainly valid (or valid in an unusual way) is left to the schema, which is
 * the truth; a property test holds the two to each other.
 */
import { LIMITS, packageWeighing, type Shipment } from '../rating/shipment.ts';
import { type Columns, FIELDS, type Field } from './columns.ts';
import type { ScannedRow } from './csv.ts';

/** Fields that, where they have a value, need the schema. */
const UNUSUAL: readonly Field[] = ['length', 'width', 'height', 'shipDate', 'quantity'];
/** Fields that a default can stand for; those of a list that has defaults of others go the long way. */
const ABSENT = -1;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const ZERO = 48;
const isDigit = (code: number): boolean => code >= ZERO && code <= 57;
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;

/** A whole number of at most `digits` digits without a leading zero, or -1. */
const wholeNumber = (text: string, start: number, end: number, digits: number): number => {
  if (end === start || end - start > digits || text.charCodeAt(start) === ZERO) return -1;
  let value = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return -1;
    value = value * 10 + code - ZERO;
  }
  return value;
};

/** Two digits at most, then six decimals at most, as the double that the text is read as; or -1. */
const weightOf = (text: string, start: number, end: number): number => {
  let digits = 0;
  let at = start;
  for (; at < end && isDigit(text.charCodeAt(at)); at++) digits = digits * 10 + text.charCodeAt(at) - ZERO;
  if (at === start || at - start > 2) return -1;
  if (at === end) return digits;
  if (text.charCodeAt(at) !== 46) return -1;
  const point = at++;
  for (; at < end && isDigit(text.charCodeAt(at)); at++) digits = digits * 10 + text.charCodeAt(at) - ZERO;
  const places = end - point - 1;
  const scale = POWERS_OF_TEN[places];
  // Both are exact, so the quotient is the double nearest to the decimal, which is what the text means.
  return at < end || places === 0 || scale === undefined ? -1 : digits / scale;
};

/** `12345` or `12345-6789`. */
const isPostalCode = (text: string, start: number, end: number): boolean => {
  const length = end - start;
  if (length !== 5 && length !== 10) return false;
  for (let at = start; at < end; at++) {
    if (at - start === 5 ? text.charCodeAt(at) !== 45 : !isDigit(text.charCodeAt(at))) return false;
  }
  return true;
};

const isPrintable = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || code > 126) return false;
  }
  return true;
};

/**
 * @returns a reader that gives the row's shipment, the same object each time, or undefined where the schema must judge.
 */
export const createPlainReader = (columns: Columns): ((text: string, row: ScannedRow) => Shipment | undefined) => {
  const columnOf = (field: Field): number => columns.fields[field] ?? ABSENT;
  const unusual = UNUSUAL.map(columnOf).filter((column) => column !== ABSENT);
  const [warehouse, postalCode, weight, units] = [
    columnOf('warehouse_id'),
    columnOf('postalCode'),
    columnOf('weight_value'),
    columnOf('weight_units'),
  ];
  const [country, service, address, residential] = [
    columnOf('countryCode'),
    columnOf('shippingService'),
    columnOf('addressLine'),
    columnOf('residential'),
  ];
  const hasDefaults = FIELDS.some((field) => columns.defaults[field] !== undefined);
  const shipment: Writable<Shipment> = {
    warehouseId: 0,
    postalCode: '',
    countryCode: 'US',
    residential: false,
    packages: [],
    shippingService: undefined,
    addressLine: undefined,
    shipDate: undefined,
  };
  if (hasDefaults || columns.ownOutput) return () => undefined;

  const cell = (text: string, row: ScannedRow, column: number): string =>
    column === ABSENT || column >= row.cells ? '' : text.slice(row.starts[column], row.ends[column]);

  return (text, row) => {
    // Quoted cells need unquoting, missing ones are looked at by the schema.
    if (row.quoted || row.cells < columns.header.length) return undefined;
    const { starts, ends } = row;
    const at = (column: number): number => starts[column] ?? 0;
    const end = (column: number): number => ends[column] ?? 0;
    for (const column of unusual) if (end(column) > at(column)) return undefined;
    const warehouseId = wholeNumber(text, at(warehouse), end(warehouse), 10);
    const value = weightOf(text, at(weight), end(weight));
    if (warehouseId < 0 || value <= 0 || value > LIMITS.weight) return undefined;
    if (!isPostalCode(text, at(postalCode), end(postalCode))) return undefined;
    const unit = cell(text, row, units);
    const countryCode = cell(text, row, country);
    const shippingService = cell(text, row, service);
    const addressLine = cell(text, row, address);
    const home = cell(text, row, residential);
    if (unit !== 'LB' && unit !== 'KG') return undefined;
    if (countryCode !== '' && countryCode !== 'US' && countryCode !== 'us') return undefined;
    if (shippingService.length > LIMITS.shippingServiceLength || addressLine.length > LIMITS.addressLineLength)
      return undefined;
    if (!isPrintable(shippingService, 0, shippingService.length) || !isPrintable(addressLine, 0, addressLine.length))
      return undefined;
    if (home !== '' && home !== 'true' && home !== 'false') return undefined;
    shipment.warehouseId = warehouseId;
    shipment.postalCode = text.slice(starts[postalCode], ends[postalCode]);
    shipment.residential = home === 'true';
    shipment.packages = [packageWeighing(value, unit)];
    shipment.shippingService = shippingService === '' ? undefined : shippingService;
    shipment.addressLine = addressLine === '' ? undefined : addressLine;
    return shipment;
  };
};
