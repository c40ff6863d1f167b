/** Options of commands that read a list. They are those of the upload. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { ENCODINGS } from '../csv/encoding.ts';
import type { ReadOptions } from '../rows/columns.ts';
import { DATE_ORDERS } from '../rows/date-order.ts';
import {
  DELIMITER_OPTIONS,
  isHeaderRow,
  isListWeight,
  isWarehouseChoice,
  MOST_HEADER_ROW,
  QUOTE_OPTIONS,
  REPAIR_CHOICES,
  readingParameters,
  readOptionsOf,
  WAREHOUSE_HELP,
  WEIGHT_RULE,
} from '../rows/list-options.ts';
import { WEIGHT_PERS } from '../rows/name-grammar.ts';
import { readNamedColumns } from '../rows/named-columns.ts';
import { DECIMAL_SIGNS } from '../rows/number-form.ts';
import { type FormatOptions, formatOf, type OutputFormat } from '../rows/output-format.ts';
import { readServiceMap, unknownCode } from '../rows/service-names.ts';
import { type Schedule, serviceCodes } from '../tariff/schedule.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { printable } from './format.ts';

export interface ListFlags {
  readonly warehouse?: string;
  /** The former name of `warehouse`. */
  readonly warehouseId?: string;
  readonly weight?: string;
  readonly units?: string;
  readonly dimensionUnits?: string;
  readonly serviceMap?: string;
  readonly service?: string;
  readonly residential?: true;
  readonly incomplete?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly quotes?: string;
  readonly decimal?: string;
  readonly dateOrder?: string;
  readonly weightPer?: string;
  readonly columns?: string;
  readonly repair?: string;
  readonly sheet?: string;
  readonly headerRow?: string;
  readonly allServices?: true;
  readonly explain?: true;
  readonly keepFormulas?: true;
  readonly tariff?: string;
}

const WEIGHT_UNITS = ['LB', 'KG', 'OZ', 'G'];

const warehouseId = (text: string): string => {
  if (!isWarehouseChoice(text)) throw new InvalidArgumentError(`It must be a warehouse id ${WAREHOUSE_HELP}.`);
  return text;
};

const listWeight = (text: string): string => {
  if (!isListWeight(text)) throw new InvalidArgumentError(`It ${WEIGHT_RULE}.`);
  return text;
};

const headerRow = (text: string): string => {
  if (!isHeaderRow(text)) throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_HEADER_ROW}.`);
  return text;
};

const serviceCode = (text: string): string => {
  if (text.length < 1 || text.length > 10) throw new InvalidArgumentError('It must have 1 to 10 characters.');
  return text;
};

const columnNames = (text: string): string => {
  const named = readNamedColumns(text);
  if (typeof named === 'string') throw new InvalidArgumentError(`It ${named}.`);
  return text;
};

const serviceMap = (text: string): string => {
  const map = readServiceMap(text);
  if (typeof map === 'string') throw new InvalidArgumentError(`It ${map}.`);
  return text;
};

/** Adds `--warehouse`, and `--warehouse-id`, its former name, which help does not show. */
const withWarehouseOption = (command: Command): Command =>
  command
    .option('--warehouse <ids>', 'the warehouse, several (101|103) or any, if the list has no such column', warehouseId)
    .addOption(new Option('--warehouse-id <id>').argParser(warehouseId).conflicts('warehouse').hideHelp());

/** The warehouse of `withWarehouseOption`. */
const warehouseOf = (flags: Pick<ListFlags, 'warehouse' | 'warehouseId'>): string | undefined =>
  flags.warehouse ?? flags.warehouseId;

/** The options that say how a list is read and by which tariff it is rated. */
export const withReadingOptions = (command: Command): Command =>
  withWarehouseOption(command)
    .option('--weight <number>', 'what each package weighs, if the list has no such column', listWeight)
    .addOption(
      new Option('--units <unit>', 'the unit of weights, if the list has no such column').choices(WEIGHT_UNITS),
    )
    .addOption(
      new Option('--dimension-units <unit>', 'the unit of dimensions, if the list has no such column').choices([
        'IN',
        'CM',
      ]),
    )
    .option('--service <code>', 'the shipping service, if the list has no such column', serviceCode)
    .option('--residential', 'all addresses are residential, if the list has no such column')
    .addOption(
      new Option(
        '--incomplete <what>',
        'allow or refuse prices that lack a part, if the list has no such column',
      ).choices(['allow', 'refuse']),
    )
    .addOption(
      new Option(
        '--encoding <name>',
        'the encoding of the list; default: from its byte-order mark, else UTF-8',
      ).choices(ENCODINGS),
    )
    .addOption(
      new Option('--delimiter <separator>', 'the separator of cells; default: detected from the first rows').choices(
        DELIMITER_OPTIONS,
      ),
    )
    .addOption(
      new Option('--quotes <how>', 'none: a quote is text, as in tab files of marketplaces').choices(QUOTE_OPTIONS),
    )
    .addOption(
      new Option('--decimal <sign>', 'the decimal sign of numbers; the other one separates thousands').choices(
        DECIMAL_SIGNS,
      ),
    )
    .addOption(
      new Option('--date-order <order>', 'the order of month, day and year in ship dates').choices(DATE_ORDERS),
    )
    .addOption(
      new Option('--weight-per <what>', 'what a weight is of; default: as the name of its column says').choices(
        WEIGHT_PERS,
      ),
    )
    .option('--columns <names>', 'the columns of fields: "weight_value:Wt (lbs),postalCode:Ship To Zip"', columnNames)
    .option('--service-map <names>', 'the codes of service names: "Standard:UPS-GROUND,Two Day:FDX-2DAY"', serviceMap)
    .addOption(
      new Option('--repair <what>', 'repair what is certain: ZIP codes and countries, weights, or all').choices(
        REPAIR_CHOICES,
      ),
    )
    .option('--sheet <name>', 'the sheet of a workbook, by name or number; default: the first')
    .option('--header-row <number>', 'the row with the column names; default: the first that is not blank', headerRow)
    .option('--keep-formulas', 'keep cells that a spreadsheet would run as formulas')
    .option('--tariff <name>', 'rate with this tariff; default: those in force');

/** Those, and the options for more columns. */
export const withListOptions = (command: Command): Command =>
  withReadingOptions(command)
    .option('--all-services', 'add the price of each service, and the cheapest')
    .option('--explain', 'add the source of each number: table, row and column');

const formatOptionsOf = ({ allServices, explain, keepFormulas }: ListFlags): FormatOptions => ({
  services: allServices && 'all',
  explain: explain && 'true',
  formulas: keepFormulas && 'keep',
});

/** The extra columns of the output, as an upload has them. */
export const formatFrom = (flags: ListFlags, schedule: Schedule): OutputFormat =>
  formatOf(formatOptionsOf(flags), schedule);

/** The flags as parameters of the upload. */
export const queryOf = (flags: ListFlags): URLSearchParams => {
  const { weight, units, dimensionUnits, service, residential, serviceMap: map } = flags;
  const { encoding, delimiter, quotes, columns, repair, sheet, headerRow: header, tariff } = flags;
  const forms = { quotes, decimal: flags.decimal, date_order: flags.dateOrder, weight_per: flags.weightPer };
  const sizes = { units, dimension_units: dimensionUnits };
  const lacking = {
    warehouse_id: warehouseOf(flags),
    weight,
    ...sizes,
    shippingService: service,
    residential: residential && 'true',
    incomplete: flags.incomplete,
  };
  const read = { encoding, delimiter, columns, service_map: map, repair, sheet, header_row: header };
  const given = { ...lacking, ...read, ...forms, tariff, ...formatOptionsOf(flags) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  return query;
};

/** How the list is read, as by an upload. @param schedule if rows are rated; its codes are checked */
export const readOptionsFrom = (flags: ListFlags, schedule?: Schedule): ReadOptions => {
  const codes = schedule === undefined ? undefined : serviceCodes(schedule);
  const reading = readOptionsOf(z.object(readingParameters).parse(Object.fromEntries(queryOf(flags))), codes);
  const problem = codes === undefined ? undefined : unknownCode(reading.serviceMap ?? [], codes);
  if (problem !== undefined) throw new CommandFailure(`--service-map ${problem}.`, EXIT.usage);
  return reading;
};

/** Replaces names of upload parameters by names of options. */
const inOptions = (text: string): string =>
  text.replaceAll(
    /\?(columns|encoding|sheet|header_row|warehouse_id|weight|units|dimension_units|service_map|quotes|decimal|date_order|weight_per)=( ?)/g,
    (_, name: string, space: string) =>
      `--${name === 'warehouse_id' ? 'warehouse' : name.replace('_', '-')}${space || '='}`,
  );

/** A line per finding about the columns. */
export const findingLines = (findings: readonly { readonly message: string }[]): string[] =>
  findings.map(({ message }) => `Note: ${printable(inOptions(message))}`);

/** A line per problem of a file, with option names instead of upload parameters. */
export const problemLines = (problems: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(problems).map(([what, problem]) => `  ${what}: ${inOptions(String(problem))}`);
