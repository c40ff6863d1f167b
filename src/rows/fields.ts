/** The fields that columns may contain, and the comparison of their names. */

/**
 * The fields, by the names of the contract. `weight_ounces` is added to a weight in pounds. It requires a column of pounds or
 * the caller's choice: a column of ounces alone is the whole weight.
 */
export const FIELDS = [
  'warehouse_id',
  'postalCode',
  'weight_value',
  'weight_ounces',
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
  'packages',
  'signature',
  'saturday',
  'declared_value',
  'non_standard_packaging',
  'incomplete',
] as const;
export type Field = (typeof FIELDS)[number];

/** Longer cells are not names, and are compared as they are: one of a megabyte would take many milliseconds. */
export const MOST_NAME_CHARACTERS = 200;

/** A column's name in the form for comparison, which ignores case, spaces, `_` and `-`. */
export const normal = (name: string): string =>
  name.length > MOST_NAME_CHARACTERS ? name : name.toLowerCase().replaceAll(/[\s_-]+/g, '');

const FIELD_BY_NAME: ReadonlyMap<string, Field> = new Map(FIELDS.map((field) => [normal(field), field]));

/** The field with this exact name. `quantity` is a former name of `packages`. */
export const fieldCalled = (name: string): Field | undefined =>
  normal(name) === 'quantity' ? 'packages' : FIELD_BY_NAME.get(normal(name));

/** The field of a column with this name. */
export const fieldNamed = (name: string): Field | undefined => {
  const field = FIELD_BY_NAME.get(normal(name));
  return field === 'weight_ounces' ? undefined : field;
};

/** A date as WorldShip exports it: `20260601`. Other numbers are not dates. */
const COMPACT_DATE = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;

/** A cell of a ship date as a request has it, if it is a compact date. Other cells stay as they are. */
export const isoDay = (cell: string): string => cell.replace(COMPACT_DATE, '$1-$2-$3');
