/**
 * Decides once how a list is read: the columns of the fields (`column-choice.ts`), values that apply to all rows, and what
 * is missing. Names match regardless of case, spaces, `_` and `-`. An exact name wins over an alias (contract, CSV).
 */

import { z } from 'zod';
import { type InSlices, mapInSlices, withoutPause } from '../../base/time-slices.ts';
import type { Dialect } from '../../files/csv/scanner.ts';
import type { Origin } from '../../files/input/csv-text.ts';
import type { Problems, TextOptions } from '../../files/input/text-options.ts';
import { withoutValue } from '../../files/unreadable-file.ts';
import { FIELD_NAMES, specOf } from '../../rating/fields.ts';
import { DECLARED_COLUMNS } from '../output/output-columns.ts';
import type { Measure } from '../rows/decimal.ts';
import { REPAIRS, type Repair } from '../rows/repair.ts';
import { isLikely, namesOf } from './aliases.ts';
import { DATE_ORDERS, type DateOrder, DECIMAL_SIGNS, type DecimalSign, weightIn } from './cell-forms.ts';
import type { ServicePair } from './cell-values.ts';
import { type Choice, type Claim, cellsIn, chooseColumns, claimedTwice, type Sample } from './column-choice.ts';
import { type Field, type NamedColumns, normal, SIDES } from './fields.ts';
import { type Finding, findingBody, findingsOf, sheetFindings } from './findings.ts';
import { lookalikes, rowsShown } from './lookalikes.ts';
import { WEIGHT_PERS, type WeightPer } from './name-grammar.ts';
import { type AskedOrders, type FoundOrders, ordersOf, weightPerOf } from './orders.ts';
import { serviceNames } from './service-names.ts';

/** Values from the upload for columns that the list does not have. */
export type Defaults = Readonly<Partial<Record<Field, string>>>;

/** The caller's options for reading a list. Undefined options are detected. */
export interface ReadOptions extends TextOptions, AskedOrders {
  /** The decimal sign of the list's numbers. Undefined: a point, without thousands separators. */
  readonly decimal?: DecimalSign | undefined;
  /** The order of the list's dates. Undefined: as in a request. */
  readonly dateOrder?: DateOrder | undefined;
  /** What a weight is for. Undefined: as the name of the weight column says. */
  readonly weightPer?: WeightPer | undefined;
  readonly named?: NamedColumns | undefined;
  readonly repairs?: readonly Repair[] | undefined;
  /** The weight for empty weight cells. */
  readonly emptyWeight?: Measure | undefined;
  readonly defaults?: Defaults | undefined;
  /** Service names from the caller, with their codes. */
  readonly serviceMap?: readonly ServicePair[] | undefined;
  /** The codes of the tariffs' services. */
  readonly services?: readonly string[] | undefined;
}

const REQUIRED = FIELD_NAMES.filter((field) => specOf(field).required !== undefined);

const byField = <T extends z.ZodType>(value: T) => z.partialRecord(z.enum(FIELD_NAMES), value);

export const dialectSchema = z.object({
  delimiter: z.enum([',', ';', '\t', '|']),
  lineBreak: z.enum(['lf', 'cr']),
  quotes: z.enum(['none']).optional(),
});

const columnsSchema = z.object({
  dialect: dialectSchema,
  header: z.array(z.string()),
  fields: byField(z.int()),
  /** Values of fields without a column: from the caller, or a unit in a column's name. */
  defaults: byField(z.string()),
  /** Indexes of columns that pass through. Columns of an earlier output do not: they are replaced. */
  passed: z.array(z.int()),
  /** Whether the list is an output of this service. If so, its defused formulas are restored before rating. */
  ownOutput: z.boolean(),
  /** The repairs that the caller asked for. */
  repairs: z.array(z.enum(REPAIRS)),
  /** The weight for empty weight cells. */
  emptyWeight: z.object({ value: z.string(), units: z.string() }).optional(),
  /** Fields whose cells may be words such as `lbs`: options, and fields whose column is not named like the field. */
  words: z.array(z.enum(FIELD_NAMES)),
  /** Service names and their codes. */
  services: z.array(z.tuple([z.string(), z.string()])),
  decimal: z.enum(DECIMAL_SIGNS).optional(),
  dateOrder: z.enum(DATE_ORDERS).optional(),
  /** `shipment`: a row's weight is divided among its packages. The weights of an order's rows are not added up. */
  weightPer: z.enum(WEIGHT_PERS).optional(),
  /** Undefined if each row is a shipment. */
  orders: z.object({ column: z.int(), quantity: z.int().optional() }).optional(),
  findings: z.array(findingBody),
});

type Unchanging<T> = T extends object ? { readonly [K in keyof T]: Unchanging<T[K]> } : T;

/** How a list is read. It is fixed when the batch is created and is the same for every row. */
export type Columns = Unchanging<z.output<typeof columnsSchema>>;
export const storedColumns: z.ZodType<Columns> = columnsSchema;

/** Names that only outputs have. A user's list may have the other names, such as `cheapest`. */
const OUTPUT_NAMES = new Set(
  DECLARED_COLUMNS.flatMap(({ name }) => (/^(?:input_row$|quote_|fault_)/.test(name) ? [normal(name)] : [])),
);

/** Whether a column has a name that outputs add. Such a column in a list is replaced. */
export const isAddedColumn = (name: string): boolean => OUTPUT_NAMES.has(normal(name));

/** Fields that accept words: `USA`, `Residential`, `lbs`, `inches`, `35 oz`. */
const WORDED = FIELD_NAMES.filter((field) => specOf(field).worded !== undefined);

function* missing(field: Field, header: readonly string[], sample: Sample): InSlices<string> {
  const { parameter } = specOf(field);
  const alike = (yield* lookalikes(header, field, sample)).slice(0, 3);
  return (
    `required column missing; the first row must be the header and have a column ${field} (or ${namesOf(field)}, …); ` +
    `or name the column with ?columns=${field}:…${parameter === undefined ? '' : `, or set ?${parameter}= for all rows`}` +
    `${alike.length === 0 ? '' : `; is it ${alike.join(' or ')}?`}`
  );
}

const MEASURES: readonly { readonly units: Field; readonly values: readonly Field[] }[] = [
  { units: 'weight_units', values: ['weight_value'] },
  { units: 'dimension_units', values: [...SIDES, 'dimensions'] },
];

/** Returns the units in column names, as values of the unit fields. A unit column with the field's exact name wins. */
const statedUnits = ({ chosen, exact }: Choice) => {
  const defaults: Partial<Record<Field, string>> = {};
  const problems: Record<string, string> = {};
  // Unit columns that are ignored, because another column's name has the unit.
  const outranked: Claim[] = [];
  for (const { units, values } of MEASURES) {
    const stating = values.flatMap((field) => {
      const claim = chosen.get(field);
      return claim?.unit === undefined ? [] : [{ ...claim, unit: claim.unit }];
    });
    const [first] = stating;
    if (first === undefined || exact.has(units)) continue;
    const column = chosen.get(units);
    if (column !== undefined && isLikely(column)) outranked.push(column);
    const rival = column === undefined || isLikely(column) ? undefined : column;
    const other = rival ?? stating.find(({ unit }) => unit !== first.unit);
    if (other !== undefined) problems[units] = claimedTwice(units, [other, first]);
    else defaults[units] = first.unit;
  }
  // The caller named a column of ounces without pounds.
  if (chosen.has('weight_ounces') && !chosen.has('weight_value')) defaults.weight_units = 'LB';
  return { defaults, problems, outranked };
};

/** The meaning of a header. It exists even if something is missing or unclear, so that the rest can be shown. */
export interface Meanings extends Pick<Choice, 'chosen' | 'exact' | 'passedOver'> {
  readonly ordered: FoundOrders;
  readonly defaults: Defaults;
  /** Problems by field. A problem with the caller's names is under `columns`. */
  readonly problems: Problems;
}

/** Whether all weight cells of the sample state their unit. */
const stateUnits = (claim: Claim | undefined, exact: boolean, sample: Sample): boolean => {
  if (claim === undefined || exact) return false;
  const cells = cellsIn(sample, claim.index);
  return cells.length > 0 && cells.every((cell) => weightIn(cell) !== undefined);
};

/**
 * Decides what the columns of a header mean, from their names and the caller's options. The first rows only suggest which
 * columns to ask about, whether `Units` counts something, and whether all weights state their unit.
 */
export function* meaningsOf(header: readonly string[], reading: ReadOptions, sample: Sample): InSlices<Meanings> {
  const { named = new Map(), repairs = [], defaults: givenDefaults = {} } = reading;
  const choice = yield* chooseColumns(header, named, rowsShown(header, sample));
  const { chosen: claims, exact, passedOver } = choice;
  const problems: Record<string, string> = { ...choice.problems };
  const units = statedUnits(choice);
  const chosen = new Map([...claims].filter(([, claim]) => !units.outranked.includes(claim)));
  const { weight_value: weight, ...others } = givenDefaults;
  // A column of ounces is a weight too. The weight for all rows is not added to it.
  const forAll = weight === undefined || chosen.has('weight_ounces') ? others : { ...others, weight_value: weight };
  const defaults = { ...forAll, ...units.defaults };
  // Units may be missing if the weight column is disputed, or if the weights can state their own.
  const hasWeights = chosen.has('weight_value') || defaults.weight_value === undefined;
  const weights = chosen.get('weight_value');
  const ownUnits = stateUnits(weights, weights?.name.trim() === 'weight_value', sample);
  const unitsCanWait = 'weight_value' in problems || (repairs.includes('weight') && hasWeights) || ownUnits;
  for (const field of REQUIRED) {
    const given =
      chosen.has(field) ||
      defaults[field] !== undefined ||
      (field === 'weight_units' && unitsCanWait) ||
      (field === 'weight_value' && chosen.has('weight_ounces'));
    if (!given) problems[field] ??= yield* missing(field, header, sample);
  }
  Object.assign(problems, units.problems);
  const ordered = ordersOf(header, reading, new Set([...chosen.values()].map(({ index }) => index)));
  Object.assign(problems, ordered.problems);
  return { chosen, exact, passedOver, defaults, problems, ordered };
}

/**
 * Decides how a list with this header is read.
 * @returns the columns, or the problems by field: a required column is missing, or two columns claim the field. A problem
 * with the caller's names is returned alone, under `columns`, because it may cause others
 */
export function* readColumnsInSlices(
  header: readonly string[],
  dialect: Dialect,
  reading: ReadOptions,
  sample: Sample = [],
  isAll = true,
): InSlices<Columns | { readonly problems: Problems }> {
  const { repairs = [] } = reading;
  const meanings = yield* meaningsOf(header, reading, sample);
  const { chosen, defaults, problems, ordered } = meanings;
  if (problems['columns'] !== undefined) return { problems: { columns: problems['columns'] } };
  if (Object.keys(problems).length > 0) return { problems };
  const { orders } = ordered;
  const added = yield* mapInSlices(header, isAddedColumn);
  const passed = [...header.keys()].filter((index) => added[index] !== true);
  const ownOutput = passed.length < header.length;
  const fields: Partial<Record<Field, number>> = {};
  for (const [field, { index }] of chosen) fields[field] = index;
  const services = serviceNames(reading.serviceMap, reading.services);
  const { decimal, dateOrder, emptyWeight } = reading;
  const weights = chosen.get('weight_value')?.name ?? '';
  const said = chosen.has('packages') || orders !== undefined ? weightPerOf(weights, orders !== undefined) : undefined;
  const weightPer = reading.weightPer ?? (said === 'shipment' ? said : undefined);
  if (emptyWeight !== undefined && orders !== undefined && weightPer === 'shipment') {
    const rule = 'cannot be used with weights of whole orders, because rows of an order may leave its weight out';
    return { problems: { empty_weight: rule } };
  }
  const findings = yield* findingsOf({
    ...{ ...meanings, reading, sample, isAll, services },
    header: header.map((name, index) => (added[index] === true ? '' : name)),
    weightPer: reading.weightPer === undefined && orders === undefined ? said : undefined,
    isWhole: weightPer === 'shipment',
  });
  // A column named like a request's field has the request's values, so its cells mean the same as in a call. Options are
  // different: a list writes `none` or `no` where a request leaves an option out.
  const words = WORDED.filter(
    (field) => chosen.has(field) && (specOf(field).worded === 'always' || chosen.get(field)?.name.trim() !== field),
  );
  const hasServices = chosen.has('shippingService') || defaults.shippingService !== undefined;
  return {
    dialect,
    header,
    fields,
    defaults,
    passed,
    ownOutput,
    repairs,
    words,
    services: hasServices ? services.pairs : [],
    ...(emptyWeight === undefined ? {} : { emptyWeight }),
    ...(decimal === undefined ? {} : { decimal }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(weightPer === undefined ? {} : { weightPer }),
    ...(orders === undefined ? {} : { orders }),
    findings,
  };
}

/** Returns the columns with more findings: about the sheet of a workbook, and others. Or the problem with the sheet. */
export const withFindings = (
  columns: Columns,
  { sheet }: Pick<Origin, 'sheet'>,
  others: readonly Finding[],
): Columns | { readonly problems: Problems } => {
  const used = [...Object.values(columns.fields), ...Object.values(columns.orders ?? {})];
  const own = sheet === undefined ? [] : sheetFindings(sheet, used);
  const [, unsaved] = sheet?.unsaved?.find(([column]) => used.includes(column)) ?? [];
  if (unsaved !== undefined) return { problems: { file: withoutValue(unsaved, sheet?.sheet ?? '') } };
  return { ...columns, findings: [...own, ...columns.findings, ...others] };
};

/** The same as `readColumnsInSlices`, without pauses. */
export const readColumns = (...of: Parameters<typeof readColumnsInSlices>): Columns | { readonly problems: Problems } =>
  withoutPause(readColumnsInSlices(...of));
