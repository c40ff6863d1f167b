/**
 * Converts a row to a request, and a result to cells. A row first becomes the body of the single call, so that both get the
 * same faults. An empty cell is absent. A decimal in a number field is a number. `true` and `false` in any case are
 * booleans. Nothing else is guessed.
 */

import { missing } from '../../base/must.ts';
import type { ByteWriter } from '../../files/csv/byte-writer.ts';
import { bare, encodeText, writeCell } from '../../files/csv/cell.ts';
import type { Card } from '../../rating/card.ts';
import { type Fault, faultBody } from '../../rating/fault.ts';
import { memberOf, OPTION_NAMES, optionOf } from '../../rating/fields.ts';
import type { Price } from '../../rating/price.ts';
import { type RateType, rateTypeOf } from '../../rating/rate.ts';
import { LIMITS } from '../../rating/shipment.ts';
import { warningTypes } from '../../rating/warning.ts';
import { isoDay } from '../columns/cell-forms.ts';
import { type Field, SIDES } from '../columns/fields.ts';
import { JOINED, OUTPUT_COLUMNS, type OutputColumn, type QuoteKind } from '../output/output-columns.ts';

/** A cell that is a number in a request. */
export const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Reads the value of a field in a row; an empty string if there is none. */
export type CellReader = (field: Field) => string;

const numeric = (cell: string): number | string => (DECIMAL.test(cell) ? Number(cell) : cell);

const boolean = (cell: string): boolean | string => {
  const lower = cell.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : cell;
};

/** The value of a cell; undefined if the cell is empty. */
const given = <T>(cell: string, value: (cell: string) => T): T | undefined => (cell === '' ? undefined : value(cell));

const text = (cell: string): string => cell;

/** Returns the value for a package. A cell has one value for all packages or one for each: `2.5|3|10`. */
export const each = (values: readonly string[], index: number): string =>
  values.length === 1 ? (values[0] ?? '') : (values[index] ?? '');

/** The number of equal packages of a row; empty means 1. A spreadsheet may write it as `3.0`. */
export const WHOLE_COUNT = /^(?:\d{1,9}(?:\.0*)?)?$/;

export const countOf = (cell: string): number => (cell === '' ? 1 : Number(cell));

/** More values than a row may have packages. Later values cannot change the result. */
const MOST_VALUES = LIMITS.packages + 2;

/** Splits a cell with one value for all packages or one for each. */
const valuesIn = (cell: string): readonly string[] =>
  cell.includes('|') ? cell.split('|', MOST_VALUES).map(bare) : [cell];

const LISTABLE = ['weight_value', 'weight_units', ...SIDES] as const;

/**
 * A row that lists its packages may also state their number. Then the two must agree: twice as many could be two of each, or a
 * wrong list.
 * @returns why they do not
 */
export const miscounted = (cell: CellReader): string | undefined => {
  const stated = countOf(cell('packages'));
  if (stated === 1) return undefined;
  const listed = Math.max(...LISTABLE.map((field) => valuesIn(cell(field)).length));
  return listed === 1 || listed === stated
    ? undefined
    : `it lists ${listed > LIMITS.packages ? `more than ${LIMITS.packages}` : listed} packages, but their number is ${stated}`;
};

const packagesOf = (cell: CellReader): unknown[] => {
  const weights = valuesIn(cell('weight_value'));
  const units = valuesIn(cell('weight_units'));
  const boxUnits = valuesIn(cell('dimension_units'));
  const sides = SIDES.map((name) => valuesIn(cell(name)));
  const [lengths = [], widths = [], heights = []] = sides;
  /** Whether a package has dimensions. `12|` leaves out those of the second package, and not those of a third one. */
  const isSized = (index: number): boolean => sides.some((values) => values[values.length === 1 ? 0 : index] !== '');
  const listed = Math.max(weights.length, units.length, ...sides.map((values) => values.length));
  // One package over the limit is enough for the fault.
  const count = Math.min(listed === 1 ? countOf(cell('packages')) : listed, LIMITS.packages + 1);
  return Array.from({ length: count }, (_, at) => {
    const index = listed === 1 ? 0 : at;
    return {
      weight: { units: given(each(units, index), text), value: given(weights[index] ?? '', numeric) },
      dimensions: isSized(index)
        ? {
            units: given(each(boxUnits, index), text),
            length: given(each(lengths, index), numeric),
            width: given(each(widths, index), numeric),
            height: given(each(heights, index), numeric),
          }
        : undefined,
    };
  });
};

const VALUES = { choice: text, dollars: numeric, flag: boolean, date: isoDay } as const;

const OPTIONS = OPTION_NAMES.map((field) => {
  const { path, kind } = optionOf(field);
  return { field, member: memberOf(path), inBody: VALUES[kind] };
});

const optionsOf = (cell: CellReader): Record<string, unknown> | undefined => {
  let options: Record<string, unknown> | undefined;
  for (const { field, member, inBody } of OPTIONS) {
    const value = cell(field);
    if (value === '') continue;
    options ??= {};
    options[member] = inBody(value);
  }
  return options;
};

/**
 * Returns the body of the equivalent single call. What is absent is undefined: V8 gives an object that spreads others a
 * shape of its own each time, and the schema reads such objects slowly.
 */
export const rowBody = (cell: CellReader): unknown => ({
  rates: {
    shippingService: given(cell('shippingService'), text),
    shipDate: given(cell('shipDate'), isoDay),
    shipper: { warehouse_id: given(cell('warehouse_id'), numeric) },
    recipient: {
      address: {
        addressLine: given(cell('addressLine'), text),
        postalCode: given(cell('postalCode'), text),
        countryCode: given(cell('countryCode'), text),
        residential: given<boolean | string>(cell('residential'), boolean),
      },
    },
    options: optionsOf(cell),
    packageItems: packagesOf(cell),
  },
});

/** The columns of a quote, from `quote_status` on, in order. */
const AFTER_ROW = OUTPUT_COLUMNS.slice(1);
const AMOUNTS = OUTPUT_COLUMNS.flatMap((column) => ('amount' in column ? [column] : []));

/** The texts of a quote between its amounts, with commas. */
type QuoteTexts = readonly Buffer[];

const textsOf = (kind: QuoteKind): QuoteTexts => {
  const texts = [''];
  for (const column of AFTER_ROW) {
    const text = 'text' in column ? writeCell(column.text(kind)) : '';
    texts[texts.length - 1] += `,${text}`;
    if ('amount' in column) texts.push('');
  }
  return texts.map((text) => Buffer.from(text));
};

/** The texts of a card's quotes, by rate column. Every row repeats them. */
type CardTexts = Readonly<Record<RateType, readonly QuoteTexts[]>>;

const cardTexts = new WeakMap<Card, CardTexts>();
const textsOfCard = (card: Card): CardTexts => {
  const known = cardTexts.get(card);
  if (known !== undefined) return known;
  const texts = (rateType: RateType) => card.columns.map((_, column) => textsOf({ card, rateType, column }));
  const made = { LIST: texts('LIST'), ACCOUNT: texts('ACCOUNT') };
  cardTexts.set(card, made);
  return made;
};

/** Writes the output's cells for a quote, from `quote_status` on, with a leading comma. */
export const writeQuote = (into: ByteWriter, price: Price): void => {
  const texts = textsOfCard(price.card)[rateTypeOf(price)][price.column] ?? missing('the zone of a price');
  for (let at = 0; at < AMOUNTS.length; at++) {
    const { kind, amount } = AMOUNTS[at] ?? missing('an amount of a quote');
    into.bytes(texts[at] ?? missing('the text before an amount'));
    if (kind === 'money') into.dollars(price[amount]);
    else into.integer(price[amount]);
  }
  into.bytes(texts[AMOUNTS.length] ?? missing('the text after the amounts'));
};

/** Cells of warnings with a leading comma, by warning bits. */
const warningCells: Buffer[] = [];

/** Writes the last cell of a row: the types of the price's warnings, joined with `|`. Empty without a price. */
export const writeWarnings = (into: ByteWriter, price: Price | undefined): void => {
  const bits = price?.warnings ?? 0;
  let cell = warningCells[bits];
  if (cell === undefined) {
    cell = Buffer.from(`,${warningTypes(bits).join('|')}`);
    warningCells[bits] = cell;
  }
  into.bytes(cell);
};

const FAULT_COLUMNS = AFTER_ROW.filter(({ name }) => name.startsWith('fault_'));
/** The status of a fault, and the empty columns of its quote. The columns of the fault are the last ones. */
const BEFORE_FAULT = `,422${','.repeat(AFTER_ROW.length - FAULT_COLUMNS.length - 1)}`;

/**
 * Returns the output's cells for a fault, from `quote_status` on. The quote columns are empty.
 * @param column the cell `fault_column`, as the scanner's text
 */
export const faultCells = (fault: Fault, column: string): string => {
  const body = faultBody(fault);
  const encoded = (cell: string): string => encodeText(writeCell(cell));
  const cells: Readonly<Partial<Record<OutputColumn, string>>> = {
    fault_type: body.type,
    fault_message: encoded(body.message),
    fault_column: column,
    fault_arguments: encoded(JSON.stringify(body.arguments)),
  } satisfies Record<Extract<OutputColumn, `fault_${string}`>, string>;
  return FAULT_COLUMNS.reduce((text, { name }) => `${text},${cells[name] ?? ''}`, BEFORE_FAULT);
};

/** The output's cells, from `quote_status` on, for a row whose order has its outcome in another row. */
export const JOINED_CELLS = Buffer.from(
  AFTER_ROW.map(({ name }) => (name === 'quote_status' ? `,${JOINED}` : ',')).join(''),
);

const FORMULA_START = /^[=+\-@\t\r\n\0＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Whether a spreadsheet would run this cell as a formula. */
export const isFormula = (value: string): boolean => FORMULA_START.test(value) && !PLAIN_NUMBER.test(value);

/** Restores a cell that was defused. */
export const restoreFormula = (value: string): string =>
  value.startsWith("'") && isFormula(value.slice(1)) ? value.slice(1) : value;

/** By byte: whether a formula can begin with it. 0xef is the first byte of full-width forms in UTF-8. */
export const MAY_BE_FORMULA: readonly boolean[] = Array.from({ length: 256 }, (_, code) =>
  [0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0d, 0x0a, 0x00, 0xef].includes(code),
);
