/**
 * Which column of a list means what. Names match without regard to case, spaces, `_` and `-`; an exact name wins over an
 * alias (contract, CSV).
 */
import type { Dialect } from './csv.ts';

/** The columns that have a meaning, by the names of the contract. */
export const FIELDS = [
  'warehouse_id',
  'postalCode',
  'weight_value',
  'weight_units',
  'shippingService',
  'countryCode',
  'addressLine',
  'residential',
  'length',
  'width',
  'height',
  'dimension_units',
  'shipDate',
] as const;
export type Field = (typeof FIELDS)[number];

const ALIASES: Readonly<Partial<Record<Field, readonly string[]>>> = {
  warehouse_id: ['warehouse'],
  postalCode: ['zip', 'zip code', 'postcode', 'destination zip', 'ship to zip'],
  weight_value: ['weight'],
  weight_units: ['units', 'weight unit'],
  shippingService: ['service'],
  countryCode: ['country'],
  addressLine: ['address', 'street'],
};

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

/** Values for columns that the list does not have, given at upload. */
export type Defaults = Readonly<Partial<Record<Field, string>>>;

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
  readonly defaults: Defaults;
  /** Columns that are passed through: all but those of an earlier output, which are replaced. */
  readonly passed: readonly number[];
  /** Whether the list is an output of ours: formulas in it were defused, and are taken back before rating. */
  readonly ownOutput: boolean;
}

export type Problems = Readonly<Record<string, string>>;

/** A column's name without what is not told apart: case, spaces, `_` and `-`. */
export const normal = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

const OUTPUT_NAMES = new Set(OUTPUT_COLUMNS.map(normal));

interface Claim {
  readonly index: number;
  readonly name: string;
}

const claimsOf = (header: readonly string[], names: readonly string[]): Claim[] => {
  const wanted = new Set(names.map(normal));
  return header.flatMap((name, index) => (wanted.has(normal(name)) ? [{ index, name }] : []));
};

const quoted = (claims: readonly Claim[]): string =>
  claims.map(({ name, index }) => `"${name}" (column ${index + 1})`).join(' and ');

/**
 * Maps a header.
 * @returns the columns, or what is wrong, one entry per field: a required column missing, or two columns that claim one
 * meaning.
 */
export const readColumns = (
  header: readonly string[],
  dialect: Dialect,
  defaults: Defaults,
): Columns | { readonly problems: Problems } => {
  const fields: Partial<Record<Field, number>> = {};
  const problems: Record<string, string> = {};
  const passed = header.flatMap((name, index) => (OUTPUT_NAMES.has(normal(name)) ? [] : [index]));
  for (const field of FIELDS) {
    const exact = claimsOf(header, [field]);
    const claims = exact.length > 0 ? exact : claimsOf(header, ALIASES[field] ?? []);
    const [claim] = claims;
    if (claims.length > 1) problems[field] = `two columns claim it: ${quoted(claims)}`;
    else if (claim !== undefined) fields[field] = claim.index;
    else if (REQUIRED.includes(field) && defaults[field] === undefined) {
      const parameter = DEFAULT_PARAMETERS[field];
      const aliases = ALIASES[field] ?? [];
      problems[field] =
        `required column missing; the header is the first row and has a column ${field}` +
        `${aliases.length > 0 ? ` (or ${aliases.join(', ')})` : ''}${parameter === undefined ? '' : `, or the upload says ?${parameter}=`}`;
    }
  }
  if (Object.keys(problems).length > 0) return { problems };
  return { dialect, header, fields, defaults, passed, ownOutput: passed.length < header.length };
};
