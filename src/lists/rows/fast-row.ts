/**
 * The fast path from a row to a shipment: obviously valid cells are read directly into one reused shipment. Everything else,
 * such as invalid or unusual cells, is left to the schema, which is authoritative. A property test compares the two.
 */

import { missing } from '../../base/must.ts';
import { BYTE, END, QUOTE, type ScannedRow, START } from '../../files/csv/scanned-row.ts';
import { BILLINGS, FIELD_NAMES } from '../../rating/fields.ts';
import type { Sides } from '../../rating/quantity.ts';
import { readShipFrom, type ShipFrom } from '../../rating/ship-from.ts';
import { COUNTRY_CODE, emptyShipment, LIMITS, packageWeighing, type Shipment, sidesOf } from '../../rating/shipment.ts';
import { cellReaders } from '../columns/cell-values.ts';
import type { Columns } from '../columns/columns.ts';
import { type Field, SIDES } from '../columns/fields.ts';

/** The fields that are read here. `weight_ounces` is added by `plainWeigher`. */
const READ = [
  ...(['warehouse_id', 'postalCode', 'weight_value', 'weight_ounces', 'weight_units', 'countryCode'] as const),
  ...(['shippingService', 'addressLine', 'residential', 'dimension_units', 'billing'] as const),
  ...SIDES,
] satisfies readonly Field[];
type ReadField = (typeof READ)[number];

/** All other fields. A row with a value in one of them needs the schema. */
const UNUSUAL: readonly Field[] = FIELD_NAMES.filter((field) => !READ.some((own) => own === field));
/** The maximum characters of a service's name. It may be longer than its code. */
const LONGEST_NAME = 200;
const ABSENT = -1;

const ZERO = 48;
const POINT = 46;
const HYPHEN = 45;
const isDigit = (code: number): boolean => code >= ZERO && code <= 57;
const [WEIGHT_DIGITS, SIDE_DIGITS] = [2, 3];
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;

/** Reads a whole number of at most `digits` digits without a leading zero. Returns -1 for anything else. */
const wholeNumber = (bytes: Uint8Array, start: number, end: number, digits: number): number => {
  if (end === start || end - start > digits || bytes[start] === ZERO) return -1;
  let value = 0;
  for (let at = start; at < end; at++) {
    const code = bytes[at] ?? missing(BYTE);
    if (!isDigit(code)) return -1;
    value = value * 10 + code - ZERO;
  }
  return value;
};

/** Reads a number with at most `most` digits and six decimals, as the same double as `Number`. Returns -1 for others. */
const decimalOf = (bytes: Uint8Array, start: number, end: number, most: number): number => {
  let digits = 0;
  let at = start;
  for (let code = bytes[at] ?? 0; at < end && isDigit(code); code = bytes[++at] ?? 0)
    digits = digits * 10 + code - ZERO;
  if (at === start || at - start > most) return -1;
  if (at === end) return digits;
  if (bytes[at] !== POINT) return -1;
  const point = at++;
  for (let code = bytes[at] ?? 0; at < end && isDigit(code); code = bytes[++at] ?? 0)
    digits = digits * 10 + code - ZERO;
  const places = end - point - 1;
  const scale = POWERS_OF_TEN[places];
  // Both are exact, so the quotient is the double nearest to the decimal number.
  return at < end || places === 0 || scale === undefined ? -1 : digits / scale;
};

/** Whether the bytes are `12345` or `12345-6789`, like `US_POSTAL_CODE` of the schema. */
const isPostalCode = (bytes: Uint8Array, start: number, end: number): boolean => {
  const length = end - start;
  if (length !== 5 && length !== 10) return false;
  for (let at = start; at < end; at++) {
    const code = bytes[at] ?? missing(BYTE);
    if (at - start === 5 ? code !== HYPHEN : !isDigit(code)) return false;
  }
  return true;
};

const isPrintable = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    const code = bytes[at] ?? missing(BYTE);
    if (code < 32 || code > 126) return false;
  }
  return true;
};

const SPACE = 32;
const APOSTROPHE = 39;

/** Returns printable ASCII text of at most `longest` characters that needs no trimming; undefined for anything else. */
const printable = (text: string, row: ScannedRow, column: number, longest: number): string | undefined => {
  const start = row.starts[column] ?? missing(START);
  const end = row.ends[column] ?? missing(END);
  if (end === start) return '';
  const first = row.bytes[start];
  if (first === SPACE || first === APOSTROPHE || row.bytes[end - 1] === SPACE) return undefined;
  return end - start > longest || !isPrintable(row.bytes, start, end) ? undefined : text.slice(start, end);
};

type Options = Pick<Shipment, 'options'>;
const NO_OPTIONS: Options = { options: undefined };
/** The options for each value of `billing`, as the schema reads it. */
const BY_BILLING: ReadonlyMap<string, Options> = new Map(
  BILLINGS.map((billing): [string, Options] => [
    billing,
    billing === 'shipper' ? NO_OPTIONS : { options: { billing } },
  ]),
);
const optionsFor = (payer: string): Options | undefined => (payer === '' ? NO_OPTIONS : BY_BILLING.get(payer));

/** Returns a country's code in upper case; undefined for a cell that the schema must judge. */
const countryOf = (cell: string, inWords: (field: ReadField, cell: string) => string): string | undefined => {
  if (cell === '' || cell === 'US' || cell === 'us') return 'US';
  const code = inWords('countryCode', cell);
  return COUNTRY_CODE.test(code) ? code.toUpperCase() : undefined;
};

const indexesOf = (columns: Columns) => {
  const own = (field: ReadField): number => columns.fields[field] ?? ABSENT;
  return {
    warehouse: own('warehouse_id'),
    postalCode: own('postalCode'),
    weight: own('weight_value'),
    units: own('weight_units'),
    country: own('countryCode'),
    service: own('shippingService'),
    address: own('addressLine'),
    residential: own('residential'),
    billing: own('billing'),
  };
};

/** Returns a test for rows with a missing cell, a value in an unusual field, or doubled quotes in a cell read here. */
const schemaTest = ({ fields, header }: Columns): ((row: ScannedRow) => boolean) => {
  const columnsOf = (names: readonly Field[]): number[] => names.flatMap((field) => fields[field] ?? []);
  const [unusual, read] = [columnsOf(UNUSUAL), columnsOf(READ)];
  return ({ bytes, starts, ends, cells, escaped }) => {
    if (cells < header.length) return true;
    for (const column of unusual) if ((ends[column] ?? missing(END)) > (starts[column] ?? missing(START))) return true;
    if (!escaped) return false;
    // A cell with doubled quotes still has the quotes around it. The bytes of an empty one begin with its last quote.
    return read.some((column) => bytes[starts[column] ?? missing(START)] === QUOTE && starts[column] !== ends[column]);
  };
};

/** @returns a reader of a package's sides. It returns undefined if there are none, null if the schema must read them */
const plainSides = (columns: Columns): ((text: string, row: ScannedRow) => Sides | undefined | null) => {
  const { fields, defaults } = columns;
  const places = SIDES.map((side) => fields[side] ?? ABSENT);
  const present = places.filter((place) => place !== ABSENT);
  const units = fields.dimension_units;
  const inWords = cellReaders(columns).dimension_units;
  const sideAt = ({ bytes, starts, ends }: ScannedRow, place = ABSENT): number =>
    place === ABSENT ? 0 : decimalOf(bytes, starts[place] ?? missing(START), ends[place] ?? missing(END), SIDE_DIGITS);
  return (text, row) => {
    const { starts, ends } = row;
    if (present.every((place) => starts[place] === ends[place])) return undefined;
    const [length, width, height] = [sideAt(row, places[0]), sideAt(row, places[1]), sideAt(row, places[2])];
    if (Math.min(length, width, height) <= 0 || Math.max(length, width, height) > LIMITS.dimension) return null;
    let unit = units === undefined ? (defaults.dimension_units ?? '') : text.slice(starts[units], ends[units]);
    if (unit !== 'IN' && unit !== 'CM') unit = inWords?.(unit) ?? unit;
    return unit === 'IN' || unit === 'CM' ? sidesOf(length, width, height, unit) : null;
  };
};

/* Weights in ounces, in grams, or in pounds and ounces: the same doubles as `row-weight.ts`. A property test compares them. */

const SCALES = [1, 10, 100, 1_000, 10_000] as const;
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
  const scale = SCALES[point === -1 ? 0 : end - point - 1];
  if (whole === 0 || whole > MOST_WHOLE_DIGITS || scale === undefined || point === end - 1) return false;
  into.digits = digits;
  into.scale = scale;
  return true;
};

interface PlainWeigher {
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

/** @returns a reader of shipments. It returns the same object each time, or undefined if the row needs the schema */
export const createPlainReader = (columns: Columns): ((text: string, row: ScannedRow) => Shipment | undefined) => {
  const needsSchema = schemaTest(columns);
  const sidesIn = plainSides(columns);
  const { warehouse, postalCode, weight, units, country, service, address, residential, billing } = indexesOf(columns);
  const { defaults } = columns;
  const readers = cellReaders(columns);
  const inWords = (field: ReadField, cell: string): string => readers[field]?.(cell) ?? cell;
  const converted = plainWeigher(columns);
  const shipment = emptyShipment();
  // With a decimal comma, `1.250` is another number.
  const isUnusual =
    columns.ownOutput || columns.decimal === 'comma' || UNUSUAL.some((field) => defaults[field] !== undefined);
  // Ounces that are added to anything but plain pounds need the schema too.
  if (isUnusual || (columns.fields.weight_ounces !== undefined && converted === undefined)) return () => undefined;
  const given = Buffer.from(defaults.warehouse_id ?? '', 'latin1');
  const defaultWarehouse = wholeNumber(given, 0, given.length, 10);
  const weightForAll = Buffer.from(defaults.weight_value ?? '', 'latin1');
  const defaultWeight = decimalOf(weightForAll, 0, weightForAll.length, WEIGHT_DIGITS);
  const longestService = readers.shippingService === undefined ? LIMITS.shippingServiceLength : LONGEST_NAME;
  const defaultService =
    defaults.shippingService === undefined ? undefined : inWords('shippingService', defaults.shippingService);

  /** Returns the text of a short cell, or the default if the list has no such column. */
  const word = (text: string, row: ScannedRow, column: number, field: ReadField): string =>
    column === ABSENT ? (defaults[field] ?? '') : text.slice(row.starts[column], row.ends[column]);

  let [lastCell, lastChoice] = ['', readShipFrom('')];
  /** Reads a choice among warehouses. Keeps the last one, because most rows have the same choice as the row before. */
  const choiceOf = (text: string, row: ScannedRow): ShipFrom | undefined => {
    const cell = word(text, row, warehouse, 'warehouse_id');
    if (cell !== lastCell) [lastCell, lastChoice] = [cell, readShipFrom(cell)];
    return lastChoice;
  };

  return (text, row) => {
    if (needsSchema(row)) return undefined;
    const { bytes, starts, ends } = row;
    const warehouseId =
      warehouse === ABSENT
        ? defaultWarehouse
        : wholeNumber(bytes, starts[warehouse] ?? missing(START), ends[warehouse] ?? missing(END), 10);
    const choice = warehouseId >= 0 ? undefined : choiceOf(text, row);
    const value =
      converted !== undefined
        ? converted.weigh(row)
        : weight === ABSENT
          ? defaultWeight
          : decimalOf(bytes, starts[weight] ?? missing(START), ends[weight] ?? missing(END), WEIGHT_DIGITS);
    if ((warehouseId < 0 && choice === undefined) || value <= 0 || value > LIMITS.weight) return undefined;
    const zipStart = starts[postalCode] ?? missing(START);
    const zipEnd = ends[postalCode] ?? missing(END);
    if (!isPostalCode(bytes, zipStart, zipEnd)) return undefined;
    let unit = converted?.units ?? word(text, row, units, 'weight_units');
    if (unit !== 'LB' && unit !== 'KG') unit = inWords('weight_units', unit);
    if (unit !== 'LB' && unit !== 'KG') return undefined;
    const countryCode = countryOf(word(text, row, country, 'countryCode'), inWords);
    let home = word(text, row, residential, 'residential');
    if (home !== '' && home !== 'true' && home !== 'false') home = inWords('residential', home);
    if (countryCode === undefined || (home !== '' && home !== 'true' && home !== 'false')) return undefined;
    let named = service === ABSENT ? defaultService : printable(text, row, service, longestService);
    if (named !== undefined && named !== '' && service !== ABSENT) named = inWords('shippingService', named);
    if (named !== undefined && named.length > LIMITS.shippingServiceLength) return undefined;
    const street = address === ABSENT ? defaults.addressLine : printable(text, row, address, LIMITS.addressLineLength);
    if ((named === undefined && service !== ABSENT) || (street === undefined && address !== ABSENT)) return undefined;
    const payer = word(text, row, billing, 'billing');
    const options = optionsFor(payer) ?? optionsFor(inWords('billing', payer));
    if (options === undefined) return undefined;
    const sides = sidesIn(text, row);
    if (sides === null) return undefined;
    shipment.warehouseId = choice === undefined ? warehouseId : 0;
    shipment.shipFrom = choice;
    shipment.postalCode = text.slice(zipStart, zipEnd);
    shipment.countryCode = countryCode;
    shipment.residential = home === 'true';
    shipment.packages = [packageWeighing(value, unit, sides)];
    shipment.shippingService = named === '' ? undefined : named;
    shipment.addressLine = street === '' ? undefined : street;
    shipment.options = options.options;
    return shipment;
  };
};
