/**
 * Which column of a list means what: as the caller says, else by its name. Names match without regard to case, spaces,
 * `_` and `-`; an exact name wins over an alias (contract, CSV).
 */
import { ALIASES, meaningOf, unitInName } from './aliases.ts';
import type { Encoding } from './encoding.ts';
import { FIELDS, type Field, normal } from './fields.ts';
import type { NamedColumns } from './named-columns.ts';
import type { Repair } from './repair.ts';
import type { Dialect } from './scanner.ts';

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
}

export type Problems = Readonly<Record<string, string>>;

const OUTPUT_NAMES = new Set([...OUTPUT_COLUMNS, REPAIRS_COLUMN].map(normal));
const FIELD_BY_NAME: ReadonlyMap<string, Field> = new Map(FIELDS.map((field) => [normal(field), field]));
const fieldNamed = (name: string): Field | undefined => FIELD_BY_NAME.get(normal(name));

interface Claim {
  readonly index: number;
  readonly name: string;
}
type Claims = ReadonlyMap<Field, readonly Claim[]>;

const claimsBy = (
  header: readonly string[],
  free: (index: number) => boolean,
  meaning: (name: string) => Field | undefined,
): Claims => {
  const claims = new Map<Field, Claim[]>();
  header.forEach((name, index) => {
    const field = free(index) ? meaning(name) : undefined;
    if (field !== undefined) claims.set(field, [...(claims.get(field) ?? []), { index, name }]);
  });
  return claims;
};

/** How many fields a row would give columns to, were it the header. */
export const knownFields = (header: readonly string[]): number =>
  new Set(header.flatMap((name) => fieldNamed(name) ?? meaningOf(name, fieldNamed) ?? [])).size;

const quoted = (claims: readonly Claim[]): string =>
  claims.map(({ name, index }) => `"${name}" (column ${index + 1})`).join(' and ');

const escaped = (name: string): string => name.replaceAll(/[\\,]/g, '\\$&');

const twice = (field: Field, claims: readonly Claim[]): string =>
  `two columns claim it: ${quoted(claims)}; ${
    claims.every(({ name }) => name === claims[0]?.name)
      ? 'give one of them another name'
      : `?columns=${field}:${escaped(claims[0]?.name ?? '')} chooses one`
  }`;

const missing = (field: Field): string => {
  const parameter = DEFAULT_PARAMETERS[field];
  const aliases = ALIASES[field].slice(0, 4).map((name) => name.trim());
  return (
    `required column missing; the header is the first row and has a column ${field} (or ${aliases.join(', ')}, …), ` +
    `or one that ?columns=${field}:… names${parameter === undefined ? '' : `, or the upload says ?${parameter}=`}`
  );
};

/** The columns that the caller names, and what is wrong with the names. */
const namedColumns = (
  header: readonly string[],
  named: NamedColumns,
): { claims: Map<Field, Claim>; problem?: string } => {
  const claims = new Map<Field, Claim>();
  const taken = new Set<number>();
  for (const [field, name] of named) {
    if (name === '') continue;
    const exact = claimsBy(
      header,
      () => true,
      (own) => (own.trim() === name ? field : undefined),
    ).get(field);
    const found =
      exact ??
      claimsBy(
        header,
        () => true,
        (own) => (normal(own) === normal(name) ? field : undefined),
      ).get(field);
    const [claim] = found ?? [];
    if (claim === undefined) return { claims, problem: `names "${name}" for ${field}, which is not in the header` };
    if (found !== undefined && found.length > 1)
      return { claims, problem: `names ${quoted(found)} for ${field}: two columns` };
    if (taken.has(claim.index)) return { claims, problem: `names "${name}" for two fields` };
    taken.add(claim.index);
    claims.set(field, claim);
  }
  return { claims };
};

const MEASURES: readonly { readonly units: Field; readonly values: readonly Field[] }[] = [
  { units: 'weight_units', values: ['weight_value'] },
  { units: 'dimension_units', values: ['length', 'width', 'height'] },
];

/** Units that columns' names state, as values for the unit fields. A unit column of its own exact name wins over them. */
const statedUnits = (
  chosen: ReadonlyMap<Field, Claim>,
  isExact: (field: Field) => boolean,
): { readonly defaults: Defaults; readonly problems: Problems } => {
  const defaults: Partial<Record<Field, string>> = {};
  const problems: Record<string, string> = {};
  for (const { units, values } of MEASURES) {
    const stating = values.flatMap((field) => {
      const claim = chosen.get(field);
      const unit = claim === undefined ? undefined : unitInName(claim.name, field);
      return claim === undefined || unit === undefined ? [] : [{ ...claim, unit }];
    });
    const [first] = stating;
    if (first === undefined || isExact(units)) continue;
    const column = chosen.get(units);
    const other = column ?? stating.find(({ unit }) => unit !== first.unit);
    if (other !== undefined) problems[units] = twice(units, [other, first]);
    else defaults[units] = first.unit;
  }
  return { defaults, problems };
};

/**
 * Maps a header.
 * @returns the columns, or what is wrong, one entry per field: a required column missing, or two columns that claim one
 * meaning; and under `columns` what is wrong with the caller's names.
 */
export const readColumns = (
  header: readonly string[],
  dialect: Dialect,
  { named = new Map(), repairs = [], defaults: said = {} }: Reading,
): Columns | { readonly problems: Problems } => {
  const { claims: asked, problem } = namedColumns(header, named);
  if (problem !== undefined) return { problems: { columns: problem } };
  const taken = new Set([...asked.values()].map(({ index }) => index));
  const free = (index: number): boolean => !taken.has(index);
  const exact = claimsBy(header, free, fieldNamed);
  const aliased = claimsBy(header, free, (name) => meaningOf(name, fieldNamed));
  const chosen = new Map<Field, Claim>();
  const problems: Record<string, string> = {};
  for (const field of FIELDS) {
    const own = asked.get(field);
    const claims = own !== undefined ? [own] : named.has(field) ? [] : (exact.get(field) ?? aliased.get(field) ?? []);
    const [claim] = claims;
    if (claims.length > 1) problems[field] = twice(field, claims);
    else if (claim !== undefined) chosen.set(field, claim);
  }
  const units = statedUnits(chosen, (field) => asked.has(field) || (exact.has(field) && !named.has(field)));
  const defaults = { ...said, ...units.defaults };
  // Of weights in dispute the units are not known yet; with weights repaired, each may state its own.
  const unitsCanWait = 'weight_value' in problems || repairs.includes('weight');
  for (const field of REQUIRED) {
    const given = chosen.has(field) || defaults[field] !== undefined || (field === 'weight_units' && unitsCanWait);
    if (!given) problems[field] ??= missing(field);
  }
  Object.assign(problems, units.problems);
  if (Object.keys(problems).length > 0) return { problems };
  const passed = header.flatMap((name, index) => (OUTPUT_NAMES.has(normal(name)) ? [] : [index]));
  const fields: Partial<Record<Field, number>> = {};
  for (const [field, { index }] of chosen) fields[field] = index;
  return { dialect, header, fields, defaults, passed, ownOutput: passed.length < header.length, repairs };
};
