/**
 * Names by which columns are known: those of the contract, and the usual ones of the field, as shops, marketplaces and
 * shipping tools export them. Matched without regard to case, spaces and punctuation. Names that could as well mean
 * something else (`unit`, `qty`, `state`, `total weight`, a shop's own shipping method) are left out on purpose.
 */
import type { Field } from './fields.ts';
import { lengthUnitOf, weightUnitOf } from './unit-words.ts';

/** Who a shipment goes to, as prefixes of the fields of an address. */
const RECIPIENTS = [
  '',
  'to',
  'ship',
  'ship to',
  'ship to address',
  'shipping',
  'shipping address',
  'delivery',
  'delivery address',
  'deliver to',
  'destination',
  'dest',
  'recipient',
  'recipient address',
  'receiver',
  'consignee',
];

const ofRecipient = (...names: readonly string[]): string[] =>
  names.flatMap((name) => [...RECIPIENTS.map((prefix) => `${prefix} ${name}`), `${name} (shipping)`]);

const ofPackage = (...names: readonly string[]): string[] =>
  names.flatMap((name) => ['', 'package ', 'parcel ', 'pkg ', 'box '].map((prefix) => `${prefix}${name}`));

/** The first of each are told in messages. */
export const ALIASES: Readonly<Record<Field, readonly string[]>> = {
  warehouse_id: [
    'warehouse',
    'warehouse number',
    'warehouse no',
    'warehouse code',
    'ship from warehouse',
    'origin warehouse',
  ],
  postalCode: ofRecipient(
    'zip',
    'zip code',
    'postcode',
    'postal',
    'postal code',
    'zip postal code',
    'postal zip',
    'zip5',
  ),
  weight_value: [
    ...ofPackage('weight', 'wt'),
    'shipping weight',
    'ship weight',
    'shipment weight',
    'gross weight',
    'actual weight',
  ],
  weight_units: [
    'units',
    'weight unit',
    'weight uom',
    'weight unit of measure',
    'wt unit',
    'wt units',
    'package weight units',
  ],
  shippingService: ['service', 'service code', 'shipping service code', 'ship service'],
  countryCode: ofRecipient('country', 'country code', 'country iso code', 'country iso'),
  addressLine: ofRecipient(
    'address',
    'street',
    'street address',
    'address 1',
    'address line 1',
    'street 1',
    'street line 1',
  ),
  residential: [
    'is residential',
    'residential delivery',
    'residential address',
    'residential indicator',
    'residential flag',
  ],
  length: ofPackage('length'),
  width: ofPackage('width'),
  height: ofPackage('height'),
  dimension_units: [
    'dimension unit',
    'dimensions unit',
    'dimension uom',
    'dim unit',
    'dim units',
    'dims unit',
    'size unit',
  ],
  shipDate: ['shipping date', 'shipment date'],
  quantity: [
    'package count',
    'packages',
    'number of packages',
    'no of packages',
    'package quantity',
    'parcel count',
    'number of parcels',
  ],
};

/** A name without case, spaces and punctuation. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const FIELD_BY_ALIAS: ReadonlyMap<string, Field> = new Map(
  Object.entries(ALIASES).flatMap(([field, names]) =>
    names.map((name): [string, Field] => [bare(name), field as Field]),
  ),
);

/** A measure's name and the unit at its end: `Weight (lb)`, `weight_kg`, `Weight in oz`, `Length [in]`. */
const NAME_AND_UNIT = /^(.*?[^\s_([-])[\s_([-]+(?:in\s+)?([a-z]+)\.?[\s)\]]*$/i;

const measureUnit = (field: Field, word: string): string | undefined =>
  field === 'weight_value'
    ? weightUnitOf(word)
    : field === 'length' || field === 'width' || field === 'height'
      ? lengthUnitOf(word)
      : undefined;

/** Names are short; a cell that is none is not looked through. */
const MOST_CHARACTERS = 100;

const nameAndUnit = (name: string): readonly [measure: string, word: string] => {
  const [, measure = '', word = ''] =
    name.length > MOST_CHARACTERS ? [] : (NAME_AND_UNIT.exec(name.trim().replaceAll(/([a-z])([A-Z])/g, '$1 $2')) ?? []);
  return [measure, word];
};

/** The unit that a column of a known field states in its name, if any. */
export const unitInName = (name: string, field: Field): string | undefined => measureUnit(field, nameAndUnit(name)[1]);

/**
 * What a column's name means by an alias, or by a field's own name with a unit behind it.
 * @param ownName the field of this very name
 */
export const meaningOf = (name: string, ownName: (name: string) => Field | undefined): Field | undefined => {
  const field = FIELD_BY_ALIAS.get(bare(name));
  if (field !== undefined || name.length > MOST_CHARACTERS) return field;
  const [measure] = nameAndUnit(name);
  const measured = FIELD_BY_ALIAS.get(bare(measure)) ?? ownName(measure);
  return measured === undefined || unitInName(name, measured) === undefined ? undefined : measured;
};
