/** The fields of a shipment as people call them, and where they stand in a request. */
import type { Field } from '../rows/fields.ts';

export interface FieldGuide {
  readonly field: Field;
  readonly label: string;
  readonly required?: boolean;
}

/** The fields in the order that people think of them. */
export const FIELD_GUIDES: readonly FieldGuide[] = [
  { field: 'warehouse_id', label: 'Warehouse', required: true },
  { field: 'postalCode', label: 'Destination ZIP code', required: true },
  { field: 'weight_value', label: 'Weight', required: true },
  { field: 'weight_units', label: 'Unit of weight', required: true },
  { field: 'shippingService', label: 'Shipping service' },
  { field: 'addressLine', label: 'Street address' },
  { field: 'residential', label: 'Residential' },
  { field: 'countryCode', label: 'Country' },
  { field: 'packages', label: 'Number of packages' },
  { field: 'weight_ounces', label: 'Ounces, added to pounds' },
  { field: 'length', label: 'Length' },
  { field: 'width', label: 'Width' },
  { field: 'height', label: 'Height' },
  { field: 'dimension_units', label: 'Unit of dimensions' },
  { field: 'shipDate', label: 'Ship date' },
];

/** A request's JSON paths, and the field that they stand for; the first that fits. */
const FIELD_BY_PATH: readonly (readonly [RegExp, Field])[] = [
  [/weight\.units$/, 'weight_units'],
  [/dimensions\.units$/, 'dimension_units'],
  [/dimensions\.length$/, 'length'],
  [/dimensions\.width$/, 'width'],
  [/dimensions\.height$/, 'height'],
  [/weight/, 'weight_value'],
  [/packageItems/, 'packages'],
  [/warehouse_id$/, 'warehouse_id'],
  [/postalCode$/, 'postalCode'],
  [/countryCode$/, 'countryCode'],
  [/addressLine$/, 'addressLine'],
  [/residential$/, 'residential'],
  [/shippingService$/, 'shippingService'],
  [/shipDate$/, 'shipDate'],
];

export const fieldAt = (path: string): Field | undefined => FIELD_BY_PATH.find(([pattern]) => pattern.test(path))?.[1];

/** What is at a path of a request: `Weight of package 2`. */
export const nameAt = (path: string): string => {
  const field = fieldAt(path);
  const label = FIELD_GUIDES.find((guide) => guide.field === field)?.label ?? path;
  const index = /packageItems\[(\d+)\]/.exec(path)?.[1];
  return index === undefined || index === '0' ? label : `${label} of package ${Number(index) + 1}`;
};
