/** Options of commands that read a list. They correspond to the upload's parameters and have the same names. */
import { z } from 'zod';
import { type Schedule, serviceCodes } from '../../catalog/tariff/schedule.ts';
import type { ReadOptions } from '../../lists/columns/columns.ts';
import { unknownCode } from '../../lists/columns/service-names.ts';
import { readingParameters, readOptionsOf } from '../../lists/list-options.ts';
import { keysOf } from '../../rating/fields.ts';
import { type Given, type Input, input, text } from '../command.ts';
import { wrongUse } from '../exit.ts';
import { printable } from '../format.ts';

const upload = readingParameters;

/** A parameter with a single value, as an option without a value. */
const constant = <T extends string>(flags: string, about: string, value: T) =>
  input(
    flags,
    about,
    z
      .literal(true)
      .optional()
      .transform((given) => given && value),
  );

/** The option of each parameter, and its description, in the order of the help. */
const OPTIONS = {
  warehouse_id: ['--warehouse <ids>', 'the warehouse, several (101|103) or any, if the list has no such column'],
  weight: ['--weight <number>', 'what each package weighs, if the list has no such column'],
  empty_weight: ['--empty-weight <weight>', 'the weight for rows whose weight is empty, such as 2.5LB'],
  units: ['--units <unit>', 'the unit of weights, if the list has no such column'],
  dimension_units: ['--dimension-units <unit>', 'the unit of dimensions, if the list has no such column'],
  shippingService: ['--service <code>', 'the shipping service, if the list has no such column'],
  residential: ['--residential', 'all addresses are residential, if the list has no such column'],
  incomplete: ['--incomplete <what>', 'allow or refuse incomplete prices, if the list has no such column'],
  encoding: ['--encoding <name>', 'the encoding of the list; default: from its byte-order mark, else UTF-8'],
  delimiter: ['--delimiter <separator>', 'the separator of cells; default: detected from the first rows'],
  quotes: ['--quotes <how>', 'none: quotation marks are text, as in the tab-separated files of marketplaces'],
  decimal: ['--decimal <sign>', 'the decimal sign of numbers; the other one separates thousands'],
  date_order: ['--date-order <order>', 'the order of month, day and year in ship dates'],
  weight_per: ['--weight-per <what>', 'what a weight is for; default: as the name of its column says'],
  orders: [
    '--orders <column>',
    'the column with the order number: rows of one order are one shipment; none: each row is one',
  ],
  item_quantity: ['--item-quantity <column>', 'the column with the quantity of a line of an order, or none'],
  columns: ['--columns <names>', 'the column of each field: "weight_value:Wt (lbs),postalCode:Ship To Zip"'],
  service_map: ['--service-map <names>', 'the code for each service name: "Standard:UPS-GROUND,Two Day:FDX-2DAY"'],
  repair: ['--repair <what>', 'repair what is certain: ZIP codes and countries, weights, or all'],
  sheet: ['--sheet <name>', 'the sheet of a workbook, by name or number; default: the first'],
  header_row: ['--header-row <number>', 'the row with the column names; default: the first that is not blank'],
} as const satisfies Readonly<Record<keyof typeof upload, readonly [flags: string, about: string]>>;

const READING = {
  // Each parameter has its own schema.
  ...(Object.fromEntries(
    keysOf(OPTIONS).map((name) => [name, input(OPTIONS[name][0], OPTIONS[name][1], upload[name])]),
  ) as { readonly [K in keyof typeof upload]: Input<(typeof upload)[K]> }),
  residential: constant(...OPTIONS.residential, 'true'),
};

/** How to read a list, and the tariff for rating it. */
export const READING_OPTIONS = {
  ...READING,
  formulas: constant('--keep-formulas', 'keep cells that a spreadsheet would run as formulas', 'keep'),
  tariff: text('--tariff <name>', 'rate with this tariff; default: those in force'),
};

/** The reading options, and options for more columns. */
export const LIST_OPTIONS = {
  ...READING_OPTIONS,
  services: constant('--all-services', 'add the price of each service, and the cheapest', 'all'),
  explain: constant('--explain', 'add the source of each number: table, row and column', 'true'),
};
export type ReadingFlags = Given<typeof READING_OPTIONS>;
export type ListFlags = ReadingFlags & Partial<Given<typeof LIST_OPTIONS>>;

/** The options as parameters of the upload. */
export const queryOf = (given: ListFlags): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      name in LIST_OPTIONS && value !== undefined ? [[name, String(value)]] : [],
    ),
  );

/** The reading options, parsed as for an upload. @param schedule if rows are rated; its codes are checked */
export const readOptionsFrom = (given: ReadingFlags, schedule?: Schedule): ReadOptions => {
  const codes = schedule === undefined ? undefined : serviceCodes(schedule);
  const reading = readOptionsOf(given, codes);
  const problem = codes === undefined ? undefined : unknownCode(reading.serviceMap ?? [], codes);
  if (problem !== undefined) throw wrongUse(`--service-map ${problem}.`);
  return reading;
};

const OPTION_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(OPTIONS).map(([name, [flags]]) => [name, flags.split(' ')[0] ?? flags]),
);

/** Replaces the names of upload parameters with the names of options. */
const inOptions = (text: string): string =>
  text.replaceAll(/\?([A-Za-z_]{1,30})=( ?)/g, (written, name: string, space: string) => {
    const option = OPTION_NAMES.get(name);
    return option === undefined ? written : `${option}${space || '='}`;
  });
/** A line per finding about the columns. */
export const findingLines = (findings: readonly { readonly message: string }[]): string[] =>
  findings.map(({ message }) => `Note: ${printable(inOptions(message))}`);

/** A line per problem of a file, with option names instead of upload parameters. */
export const problemLines = (problems: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(problems).map(([what, problem]) => `  ${what}: ${inOptions(String(problem))}`);
