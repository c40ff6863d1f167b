/** The fields that columns may stand for, and how their names are compared. */

/**
 * The columns that have a meaning, by the names of the contract. `weight_ounces`, which is added to a weight in pounds, is
 * found beside a column of pounds, or named by the caller: by its name alone a column of ounces is the whole weight.
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
] as const;
export type Field = (typeof FIELDS)[number];

/** A column's name without what is not told apart: case, spaces, `_` and `-`. */
export const normal = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

const FIELD_BY_NAME: ReadonlyMap<string, Field> = new Map(FIELDS.map((field) => [normal(field), field]));

/** The field of this very name. `quantity` is what `packages` was called before. */
export const fieldCalled = (name: string): Field | undefined =>
  normal(name) === 'quantity' ? 'packages' : FIELD_BY_NAME.get(normal(name));

/** The field that a column of this name is. */
export const fieldNamed = (name: string): Field | undefined => {
  const field = FIELD_BY_NAME.get(normal(name));
  return field === 'weight_ounces' ? undefined : field;
};
