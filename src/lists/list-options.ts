/** Options for reading a list (contract, CSV). The API's query and the commands share them. */

import { z } from 'zod';
import { ENCODINGS } from '../files/csv/encoding.ts';
import type { Dialect } from '../files/csv/scanner.ts';
import { MOST_HEADER_ROW } from '../files/input/text-options.ts';
import { FIELD_NAMES, FIELDS, type Field, keysOf, OPTIONS } from '../rating/fields.ts';
import { readShipFrom, SEVERAL_PATTERN } from '../rating/ship-from.ts';
import { LIMITS } from '../rating/shipment.ts';
import { DATE_ORDERS, DECIMAL_SIGNS } from './columns/cell-forms.ts';
import type { ReadOptions } from './columns/columns.ts';
import { MOST_NAME_CHARACTERS, readNamedColumns } from './columns/fields.ts';
import { WEIGHT_PERS } from './columns/name-grammar.ts';
import { readServiceMap } from './columns/service-names.ts';
import { ZIP_LIST } from './rows/known-zips.ts';
import { REPAIR_OPTIONS, type RepairOption, repairWeight } from './rows/repair.ts';

const DELIMITER_NAMES = { ',': ',', ';': ';', tab: '\t', '|': '|' } as const satisfies Readonly<
  Record<string, Dialect['delimiter']>
>;
type DelimiterName = keyof typeof DELIMITER_NAMES;

export const DELIMITER_OPTIONS: readonly DelimiterName[] = keysOf(DELIMITER_NAMES);
export const REPAIR_CHOICES: readonly RepairOption[] = keysOf(REPAIR_OPTIONS);

/** Returns the name of a separator in `?delimiter=`. */
export const delimiterName = (delimiter: Dialect['delimiter']): DelimiterName =>
  delimiter === '\t' ? 'tab' : delimiter;

const WAREHOUSE_HELP = '(a whole number of at most 10 digits), any, or several such as 101|103';

/** Whether a text is a warehouse id, several ids or `any`. */
const isWarehouseChoice = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text) || readShipFrom(text) !== undefined;

/** Whether a text is a weight without a unit, for all packages of a list. */
const isListWeight = (text: string): boolean => /^\d{1,5}(?:\.\d{1,6})?$/.test(text) && Number(text) > 0;

const WEIGHT_RULE = 'must be a number above 0 with at most 5 digits and 6 decimals';

/** Whether a text is a weight for empty cells. It includes a unit, because rows may have different units. */
const isEmptyWeight = (text: string): boolean =>
  /^\d{1,5}(?:\.\d{1,6})? ?(?:LB|KG|OZ|G)$/.test(text) && /[1-9]/.test(text);

const isHeaderRow = (text: string): boolean => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MOST_HEADER_ROW;

/** A parameter of at most 10,000 characters. @param read returns a problem as a text */
const pairs = (read: (text: string) => unknown) =>
  z
    .string()
    .max(10_000)
    .superRefine((text, context) => {
      const found = read(text);
      if (typeof found === 'string') context.addIssue({ code: 'custom', message: found });
    })
    .optional();

/** Schemas of the parameters, which are strings. */
export const readingParameters = {
  warehouse_id: z
    .string()
    .refine(isWarehouseChoice, `must be a warehouse id ${WAREHOUSE_HELP}`)
    .optional()
    .meta({
      pattern: `^[1-9]\\d{0,9}$|${SEVERAL_PATTERN}`,
      description:
        'For lists without this column: an id, several (`101|103`) or `any`. The parameters `weight`, `units`, `dimension_units`, `shippingService` and `residential` are for such lists too.',
    }),
  weight: z
    .string()
    .refine(isListWeight, WEIGHT_RULE)
    .optional()
    .describe(
      'For lists without a weight column: the weight of each package. Its unit comes from `units` or from the units column.',
    ),
  empty_weight: z
    .string()
    .refine(isEmptyWeight, 'must be a number above 0 with its unit, such as 2.5LB; the units are LB, KG, OZ and G')
    .optional()
    .describe(
      'For lists with a weight column: the weight for its empty cells, with a unit, such as `2.5LB`. The row is priced as a call with this weight, and `quote_repairs` says so.',
    ),
  units: z.enum(['KG', 'LB', 'OZ', 'G'], 'must be LB, KG, OZ or G').optional(),
  dimension_units: z.enum(['IN', 'CM'], 'must be IN or CM').optional(),
  shippingService: z.string().min(1).max(LIMITS.shippingServiceLength).optional(),
  residential: z.enum(['true', 'false'], 'must be true or false').optional(),
  incomplete: z
    .enum(OPTIONS.incomplete.values, 'must be allow or refuse')
    .optional()
    .describe('For lists without this column: `refuse` makes an incomplete price a fault.'),
  encoding: z
    .enum(ENCODINGS, `must be one of ${ENCODINGS.join(', ')}`)
    .optional()
    .describe('The encoding of the list. A byte-order mark takes precedence. Default: UTF-8.'),
  delimiter: z
    .enum(DELIMITER_OPTIONS, 'must be one of , ; | and tab')
    .optional()
    .describe('The separator. By default, it is detected from the first rows or from a first line such as `sep=;`.'),
  quotes: z
    .enum(['none'], 'must be none')
    .optional()
    .describe(
      '`none`: a quotation mark is plain text. For files that never quote cells, such as the tab-separated files of marketplaces.',
    ),
  decimal: z
    .enum(DECIMAL_SIGNS, 'must be point or comma')
    .optional()
    .describe(
      'The decimal sign of weights, dimensions, package counts and declared values. The other sign separates thousands: `1,250.5` with `point`, `1.250,5` with `comma`. By default, numbers have a decimal point and no thousands separator.',
    ),
  date_order: z
    .enum(DATE_ORDERS, 'must be mdy, dmy or ymd')
    .optional()
    .describe(
      'The order of month, day and year in ship dates such as `6/1/2026`, with `/`, `.` or `-` between them. A year of two digits is in this century. A time of day after the date is not used.',
    ),
  weight_per: z
    .enum(WEIGHT_PERS, 'must be package or shipment')
    .optional()
    .describe(
      'Whether a weight is that of each package or of the whole shipment. The weight of a shipment is divided equally among its packages. By default, the name of the column decides.',
    ),
  orders: z
    .string()
    .min(1)
    .max(MOST_NAME_CHARACTERS)
    .optional()
    .describe(
      'The column with the order number, for a list with one row per order line. Consecutive rows with the same number are priced as one shipment. `none`: each row is a shipment. By default, the header decides: exports from Shopify, WooCommerce, BigCommerce and Amazon have such rows.',
    ),
  item_quantity: z
    .string()
    .min(1)
    .max(MOST_NAME_CHARACTERS)
    .optional()
    .describe(
      'The column with the quantity, for a list whose rows are order lines. The weight of a line is multiplied by it. `none`: each line counts once. By default, the header decides.',
    ),
  sheet: z.string().min(1).max(100).optional(),
  header_row: z
    .string()
    .refine(isHeaderRow, `must be a whole number from 1 to ${MOST_HEADER_ROW}`)
    .optional()
    .describe(
      'The number of the row with the column names, as a spreadsheet counts rows: the first row is 1, blank rows count, and a row with quoted line breaks is one row. The rows above it are skipped. Default: the first row that is not blank.',
    ),
  columns: pairs(readNamedColumns).meta({
    description:
      'Which column each field is in: pairs of a field and a column name, separated by commas. Write a backslash before a comma or backslash in a name. A field with nothing after its colon has no column. `Weight (2)` is the second of several columns called `Weight`.',
    example: 'weight_value:Wt (lbs),postalCode:Ship To Zip',
  }),
  service_map: pairs(readServiceMap).meta({
    description:
      'Which service each name in the list means: pairs of a name and a code, separated by commas. Nothing after the colon means all services. Write a backslash before a comma or backslash in a name. Case, spaces and punctuation do not matter. Well-known names need no entry if a tariff of their carrier is loaded.',
    example: 'Standard Ground:UPS-GROUND,Two Day:FDX-2DAY',
  }),
  repair: z
    .enum(REPAIR_CHOICES, 'must be zip, weight or all')
    .optional()
    .describe(
      `Cells to repair if the result is certain. The column quote_repairs lists the repairs. zip: ZIP codes that lost zeros or the hyphen, if the code exists (${ZIP_LIST}), and names of the United States. weight: OZ, G and other spellings of units, 5 lb 3 oz, 2.3kg, decimal commas. all: both, dimensions, yes and no in residential, and dollar signs and thousands separators in declared_value; sizes 0 x 0 x 0 are no dimensions.`,
    ),
} as const;

const readParameters = z.object(readingParameters);

/** Parameters that set a field for all rows. */
const FIELD_PARAMETERS = FIELD_NAMES.flatMap((field) => {
  const spec = FIELDS[field];
  return 'parameter' in spec ? [{ field, parameter: spec.parameter }] : [];
});
type ReadParameters = z.output<typeof readParameters>;

/**
 * Converts the parameters to read options.
 * @param services the codes of the tariffs' services; undefined if no rows are rated. `unknownCode` checks `service_map`
 * against them
 */
export const readOptionsOf = (parameters: ReadParameters, services?: readonly string[]): ReadOptions => {
  const defaults: Partial<Record<Field, string>> = {};
  for (const { field, parameter } of FIELD_PARAMETERS) {
    const value = parameters[parameter];
    if (value !== undefined) defaults[field] = value;
  }
  const named = parameters.columns === undefined ? undefined : readNamedColumns(parameters.columns);
  const map = parameters.service_map === undefined ? undefined : readServiceMap(parameters.service_map);
  return {
    defaults,
    services,
    serviceMap: typeof map === 'string' ? undefined : map,
    encoding: parameters.encoding,
    sheet: parameters.sheet,
    quotes: parameters.quotes,
    decimal: parameters.decimal,
    dateOrder: parameters.date_order,
    emptyWeight: parameters.empty_weight === undefined ? undefined : repairWeight(parameters.empty_weight, '', false),
    weightPer: parameters.weight_per,
    orders: parameters.orders,
    itemQuantity: parameters.item_quantity,
    headerRow: parameters.header_row === undefined ? undefined : Number(parameters.header_row),
    delimiter: parameters.delimiter === undefined ? undefined : DELIMITER_NAMES[parameters.delimiter],
    named: typeof named === 'string' ? undefined : named,
    repairs: parameters.repair === undefined ? undefined : REPAIR_OPTIONS[parameters.repair],
  };
};
