/**
 * How one list is read: which column means what (`column-choice.ts`), what counts for all rows, and what is still missing.
 * Decided once for a list. Names match without regard to case, spaces, `_` and `-`; an exact name wins over an alias
 * (contract, CSV).
 */

import type { Encoding } from '../csv/encoding.ts';
import type { Dialect } from '../csv/scanner.ts';
import { type InSlices, withoutPause } from '../time-slices.ts';
import { aliasesOf, isLikely } from './aliases.ts';
import { type Choice, type Claim, chooseColumns, claimedTwice, type Problems } from './column-choice.ts';
import { type Field, normal } from './fields.ts';
import { type Finding, findingsOf, lookalikes } from './findings.ts';
import type { NamedColumns } from './named-columns.ts';
import type { Repair } from './repair.ts';
import { type ServicePair, serviceNames } from './service-names.ts';

export type { Problems } from './column-choice.ts';

/** What the output adds to each row, in this order (contract, CSV). */
export const OUTPUT_COLUMNS = [
  'input_row',
  'quote_status',
  'quote_shippingService',
  'quote_carrier',
  'quote_rateType',
  'quote_totalBaseCharge',
  'quote_totalDiscounts',
  'quote_totalSurcharges',
  'quote_totalNetCharge',
  'quote_currency',
  'quote_rateZone',
  'quote_billingWeight_units',
  'quote_billingWeight_value',
  'fault_type',
  'fault_message',
  'fault_arguments',
] as const;

/** Follows them where repairs were asked for: what was mended in the row's cells. */
export const REPAIRS_COLUMN = 'quote_repairs';

/** The last column, whatever else was asked for: the types of the quote's warnings, joined with `|`. */
export const WARNINGS_COLUMN = 'quote_warnings';

/** The columns of an explained output, in the order of its cells (`extra-cells.ts`). */
export const EXPLAIN_COLUMNS = ['explain_zone', 'explain_weight', 'explain_base', 'explain_surcharges'] as const;

/** Values for columns that the list does not have, given at upload. */
export type Defaults = Readonly<Partial<Record<Field, string>>>;

/** How a caller says that a list is to be read; what is not said is found out. */
export interface Reading {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Dialect['delimiter'] | undefined;
  /** Of a workbook, by name or number. */
  readonly sheet?: string | undefined;
  readonly named?: NamedColumns | undefined;
  readonly repairs?: readonly Repair[] | undefined;
  readonly defaults?: Defaults | undefined;
  /** What names of services stand for, as the caller says. */
  readonly serviceMap?: readonly ServicePair[] | undefined;
  /** Codes of the services that the tariffs have. */
  readonly services?: readonly string[] | undefined;
}

const REQUIRED: readonly Field[] = ['warehouse_id', 'postalCode', 'weight_value', 'weight_units'];
const DEFAULT_PARAMETERS: Readonly<Partial<Record<Field, string>>> = {
  warehouse_id: 'warehouse_id',
  weight_units: 'units',
};

/** How one list is read: fixed when its batch is created, the same for every row. */
export interface Columns {
  readonly dialect: Dialect;
  readonly header: readonly string[];
  /** The column of each field that the list has. */
  readonly fields: Readonly<Partial<Record<Field, number>>>;
  /** Values of fields that have no column: said by the caller, or a unit that a column's name states. */
  readonly defaults: Defaults;
  /** Columns that are passed through: all but those of an earlier output, which are replaced. */
  readonly passed: readonly number[];
  /** Whether the list is an output of ours: formulas in it were defused, and are taken back before rating. */
  readonly ownOutput: boolean;
  /** What is mended where it is certain; nothing unless the caller asks. */
  readonly repairs: readonly Repair[];
  /** Fields whose cells are words of people and other programs: all but those under a request's own names. */
  readonly words: readonly Field[];
  /** What names of services stand for. */
  readonly services: readonly ServicePair[];
  readonly findings: readonly Finding[];
}

const OUTPUT_NAMES = new Set([...OUTPUT_COLUMNS, REPAIRS_COLUMN, WARNINGS_COLUMN].map(normal));

/** Fields whose cells may be words: `USA`, `Residential`, `lbs`, `inches`. */
const WORDED: readonly Field[] = ['weight_units', 'countryCode', 'residential', 'dimension_units'];

function* missing(field: Field, header: readonly string[]): InSlices<string> {
  const parameter = DEFAULT_PARAMETERS[field];
  const alike = (yield* lookalikes(header, field)).slice(0, 3);
  return (
    `required column missing; the header is the first row and has a column ${field} (or ${aliasesOf(field).join(', ')}, …), ` +
    `or one that ?columns=${field}:… names${parameter === undefined ? '' : `, or the upload says ?${parameter}=`}` +
    `${alike.length === 0 ? '' : `; is it ${alike.join(' or ')}?`}`
  );
}

const MEASURES: readonly { readonly units: Field; readonly values: readonly Field[] }[] = [
  { units: 'weight_units', values: ['weight_value'] },
  { units: 'dimension_units', values: ['length', 'width', 'height'] },
];

interface Units {
  readonly defaults: Defaults;
  readonly problems: Problems;
  /** Columns of units that give way to a unit that a name states. */
  readonly outdone: readonly Claim[];
}

/** Units that columns' names state, as values for the unit fields. A unit column of its own exact name wins over them. */
const statedUnits = ({ chosen, exact }: Choice): Units => {
  const defaults: Partial<Record<Field, string>> = {};
  const problems: Record<string, string> = {};
  const outdone: Claim[] = [];
  for (const { units, values } of MEASURES) {
    const stating = values.flatMap((field) => {
      const claim = chosen.get(field);
      return claim?.unit === undefined ? [] : [{ ...claim, unit: claim.unit }];
    });
    const [first] = stating;
    if (first === undefined || exact.has(units)) continue;
    const column = chosen.get(units);
    if (column !== undefined && isLikely(column)) outdone.push(column);
    const rival = column === undefined || isLikely(column) ? undefined : column;
    const other = rival ?? stating.find(({ unit }) => unit !== first.unit);
    if (other !== undefined) problems[units] = claimedTwice(units, [other, first]);
    else defaults[units] = first.unit;
  }
  // Ounces alone, which the caller named as such, are beside no pounds.
  if (chosen.has('weight_ounces') && !chosen.has('weight_value')) defaults.weight_units = 'LB';
  return { defaults, problems, outdone };
};

/**
 * Maps a header.
 * @param sample the list's first rows, for what is to be said of them
 * @returns the columns, or what is wrong, one entry per field: a required column missing, or two columns that claim one
 * meaning; and under `columns` what is wrong with the caller's names.
 */
export function* readColumnsInSlices(
  header: readonly string[],
  dialect: Dialect,
  reading: Reading,
  sample: readonly (readonly string[])[] = [],
): InSlices<Columns | { readonly problems: Problems }> {
  const { named = new Map(), repairs = [], defaults: said = {} } = reading;
  const choice = yield* chooseColumns(header, named);
  if ('columns' in choice.problems) return { problems: choice.problems };
  const { chosen: claims, passedOver } = choice;
  const problems: Record<string, string> = { ...choice.problems };
  const units = statedUnits(choice);
  const chosen = new Map([...claims].filter(([, claim]) => !units.outdone.includes(claim)));
  const defaults = { ...said, ...units.defaults };
  // Of weights in dispute the units are not known yet; with weights repaired, each may state its own.
  const unitsCanWait = 'weight_value' in problems || repairs.includes('weight');
  for (const field of REQUIRED) {
    const given =
      chosen.has(field) ||
      defaults[field] !== undefined ||
      (field === 'weight_units' && unitsCanWait) ||
      (field === 'weight_value' && chosen.has('weight_ounces'));
    if (!given) problems[field] ??= yield* missing(field, header);
  }
  Object.assign(problems, units.problems);
  if (Object.keys(problems).length > 0) return { problems };
  const passed = header.flatMap((name, index) => (OUTPUT_NAMES.has(normal(name)) ? [] : [index]));
  const ownOutput = passed.length < header.length;
  const fields: Partial<Record<Field, number>> = {};
  for (const [field, { index }] of chosen) fields[field] = index;
  const services = serviceNames(reading.serviceMap, reading.services);
  const findings = yield* findingsOf({
    header: header.map((name) => (OUTPUT_NAMES.has(normal(name)) ? '' : name)),
    chosen,
    passedOver,
    declined: new Set([...named].flatMap(([field, name]) => (name === '' ? [field] : []))),
    hasDimensionUnits: chosen.has('dimension_units') || defaults.dimension_units !== undefined,
    services,
    sample,
  });
  // A request's own names have a request's own values, so that such a row is the call that its cells spell.
  const words = WORDED.filter((field) => chosen.has(field) && chosen.get(field)?.name.trim() !== field);
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
    findings,
  };
}

/** The same without a pause. */
export const readColumns = (...of: Parameters<typeof readColumnsInSlices>): Columns | { readonly problems: Problems } =>
  withoutPause(readColumnsInSlices(...of));
