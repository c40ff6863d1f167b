/** The fields that columns may stand for, and how their names are compared. */

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
  'quantity',
] as const;
export type Field = (typeof FIELDS)[number];

/** A column's name without what is not told apart: case, spaces, `_` and `-`. */
export const normal = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');
