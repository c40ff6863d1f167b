/**
 * Recognized column names: those of the contract, and those in exports of shops, marketplaces, shipping tools and carriers
 * (`docs/headers.md`). Matching ignores case, spaces and punctuation. Names for the sender, the payer or an item are
 * deliberately missing, and so is a bare `quantity`, which usually counts items.
 */
import { type InSlices, mapInSlices } from '../time-slices.ts';
import { FIELDS, type Field, fieldNamed, MOST_NAME_CHARACTERS } from './fields.ts';
import { LENGTH_WORDS, lengthUnitOf, WEIGHT_WORDS, weightUnitOf } from './unit-names.ts';

/** Prefixes of address fields that mean the recipient. */
const RECIPIENTS = [
  'to',
  'to address',
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
const PACKAGES = ['package', 'parcel', 'pkg', 'box', 'shipment'];

/** Ranks of certainty. If two columns could have the same meaning, the one with the lower rank gets it. */
const SURE = 0;
/** The name does not say what it belongs to: `zip`, `length`. */
const BARE = 10;
/** The name usually has this meaning, but not always. A finding reports its use. */
const LIKELY = 20;

interface Name {
  readonly name: string;
  readonly rank: number;
}

const likely = (...names: readonly string[]): Name[] => names.map((name) => ({ name, rank: LIKELY }));
const sure = (...names: readonly string[]): Name[] => names.map((name) => ({ name, rank: SURE }));

const ofRecipient = (...names: readonly string[]): Name[] =>
  names.flatMap((name) => [
    { name, rank: BARE },
    ...RECIPIENTS.map((prefix) => ({ name: `${prefix} ${name}`, rank: SURE })),
    { name: `${name} (shipping)`, rank: SURE },
  ]);

/** For names that may occur together in one address: earlier names rank before later ones. */
const firstOf = (...names: readonly string[]): Name[] =>
  names.flatMap((name, at) => ofRecipient(name).map((own) => ({ name: own.name, rank: own.rank + at })));

const ofPackage = (...names: readonly string[]): Name[] =>
  names.flatMap((name) => [
    { name, rank: BARE },
    ...PACKAGES.map((prefix) => ({ name: `${prefix} ${name}`, rank: SURE })),
  ]);

const sideNames = (side: string): Name[] => [
  ...ofPackage(side),
  ...sure(`dimensions ${side}`, `dimension ${side}`, `dim ${side}`, `dims ${side}`, `package dimensions ${side}`),
];

/** The first few names of each field appear in messages. */
const NAMES: Readonly<Record<Field, readonly Name[]>> = {
  warehouse_id: sure(
    'warehouse',
    'warehouse number',
    'warehouse no',
    'warehouse code',
    'ship from warehouse',
    'origin warehouse',
  ),
  postalCode: ofRecipient(
    'zip',
    'zip code',
    'postcode',
    'postal',
    'postal code',
    'zip postal code',
    'postal zip',
    'postal code zip',
    'zip5',
  ),
  weight_value: [
    ...ofPackage('weight', 'wt'),
    ...sure('shipping weight', 'ship weight', 'gross weight', 'actual weight', 'weight weight'),
    ...likely('order weight', 'order total weight', 'total weight', 'weight total', 'override weight'),
  ],
  weight_ounces: [],
  weight_units: [
    ...sure(
      'units',
      'weight unit',
      'weight uom',
      'weight unit of measure',
      'wt unit',
      'wt units',
      'package weight unit',
      'package weight units',
      'parcel weight unit',
      'shipment weight unit',
      'order weight unit',
      'order weight units',
    ),
    ...likely('unit of measure', 'uom'),
  ],
  shippingService: sure(
    'service',
    'service code',
    'shipping service code',
    'ship service',
    'service type',
    'service name',
    'shipping service name',
    'shipping service type',
    'shipping service selected',
    'service selected',
    'carrier service',
    'carrier service name',
    'carrier service selected',
    'shipment service',
    'shipment service type',
    'shipment information service type',
    'mail class',
  ),
  countryCode: firstOf(
    'country',
    'country code',
    'country iso code',
    'country iso',
    'country id',
    'country name',
    'country region',
    'country region code',
    'country territory',
    'country territory code',
    'country or territory',
    'country or region',
  ),
  addressLine: firstOf(
    'address 1',
    'address line 1',
    'street 1',
    'street line 1',
    'street address 1',
    'line 1',
    'address 1&2',
    'address',
    'street',
    'street address',
    'address line',
  ),
  residential: [
    ...ofRecipient(
      'residential',
      'is residential',
      'residential delivery',
      'residential address',
      'residential indicator',
      'residential ind',
      'residential flag',
      'residential status',
      'residential commercial',
      'residential or commercial',
      'commercial residential',
      'residential commercial indicator',
      'commercial residential indicator',
      'address residential indicator',
    ),
  ],
  length: sideNames('length'),
  width: sideNames('width'),
  height: sideNames('height'),
  dimension_units: sure(
    'dimension unit',
    'dimensions unit',
    'dimensions units',
    'dimension uom',
    'dimension unit of measure',
    'dim unit',
    'dim units',
    'dims unit',
    'dims units',
    'size unit',
    'size units',
    'package dimension unit',
    'package dimension units',
    'parcel dimension unit',
    'parcel distance unit',
    'length unit',
  ),
  shipDate: sure('shipping date', 'shipment date'),
  packages: sure(
    'number of packages',
    'package count',
    'pieces',
    'cartons',
    'boxes',
    'parcels',
    'no of packages',
    'num packages',
    'package quantity',
    'package qty',
    'packages count',
    'total packages',
    'shipment package count',
    'piece count',
    'number of pieces',
    'no of pieces',
    'total pieces',
    'carton count',
    'number of cartons',
    'no of cartons',
    'carton quantity',
    'carton qty',
    'box count',
    'number of boxes',
    'no of boxes',
    'box quantity',
    'box qty',
    'parcel count',
    'number of parcels',
    'no of parcels',
    'parcel quantity',
    'parcel qty',
    'pkgs',
    'pkg count',
    'number of pkgs',
    'no of pkgs',
    'pkg qty',
  ),
  signature: sure(
    'signature option',
    'signature options',
    'signature type',
    'signature service',
    'signature option type',
    'signature level',
    'delivery signature',
    'delivery signature option',
    'delivery signature options',
  ),
  saturday: sure(
    'saturday delivery',
    'saturday deliver',
    'deliver on saturday',
    'deliver saturday',
    'saturday delivery option',
    'saturday delivery indicator',
    'is saturday delivery',
    'saturday service',
  ),
  declared_value: sure(
    'declared value amount',
    'declared value usd',
    'shipment declared value',
    'total declared value',
    'carrier declared value',
  ),
  incomplete: sure('incomplete prices'),
  non_standard_packaging: [
    ...sure('non standard package', 'non standard container', 'nonstandard package type', 'is non standard packaging'),
    ...likely('additional handling', 'addl handling', 'additional handling required', 'additional handling indicator'),
  ],
};

/** A few names of a field, for messages. */
export const aliasesOf = (field: Field): string[] => NAMES[field].slice(0, 4).map(({ name }) => name);

/** What a column's name means. */
export interface Meaning {
  readonly field: Field;
  /** A lower rank is more certain. */
  readonly rank: number;
  /** The unit in the name. */
  readonly unit?: string;
}

/** A name without case, spaces and punctuation. A long one stays as it is. */
export const bare = (name: string): string =>
  name.length > MOST_NAME_CHARACTERS ? name : name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...FIELDS.filter((field) => field !== 'weight_ounces').map((field): [string, Meaning] => [
    bare(field),
    { field, rank: SURE },
  ]),
  ...FIELDS.flatMap((field) => NAMES[field].map(({ name, rank }): [string, Meaning] => [bare(name), { field, rank }])),
]);

const UNIT_WORDS: readonly (readonly [word: string, unit: string])[] = [...WEIGHT_WORDS, ...LENGTH_WORDS];

const unitOf = (field: Field, word: string): string | undefined =>
  field === 'weight_value'
    ? weightUnitOf(word)
    : field === 'length' || field === 'width' || field === 'height'
      ? lengthUnitOf(word)
      : undefined;

/** The last word after a space, a bracket and the like, but not after a slash, which separates two units. */
const LAST_WORD = /(?:^|[\s_([.,:-])([a-z]+)\.?[\s)\]]*$/i;

/** The last word of a name: `lb` for `Package Weight (lb)`, `PackageWeightLb` and `Wt in lb.`. */
const lastWord = (name: string): string =>
  (LAST_WORD.exec(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))?.[1] ?? '').toLowerCase();

/** Whether a unit alone is a column name. `LB` and `KG` are more likely cells of a list without a header. */
const isName = (unit: string): boolean => unit.length > 2 || unit === 'oz';

/** Reads a measure with its unit: `Weight (lb)`, `weight_kg`, `Weight in oz`, `Length [in]`. */
const measured = (name: string): Meaning | undefined => {
  const text = bare(name);
  for (const [word, unit] of UNIT_WORDS) {
    // A single letter is a unit only as a separate word, as in `weight g`, but not in `weighing`.
    if (!text.endsWith(word) || (word.length === 1 && lastWord(name) !== word)) continue;
    const measure = text.slice(0, text.length - word.length);
    if (measure === '' && isName(word) && weightUnitOf(word) !== undefined)
      return { field: 'weight_value', rank: BARE, unit };
    const meaning = MEANINGS.get(measure) ?? (measure.endsWith('in') ? MEANINGS.get(measure.slice(0, -2)) : undefined);
    if (meaning !== undefined && unitOf(meaning.field, word) === unit) return { ...meaning, unit };
  }
  return undefined;
};

/** The unit in the name of a field's column, if any. */
export const unitInName = (name: string, field: Field): string | undefined => {
  if (name.length > MOST_NAME_CHARACTERS) return undefined;
  const meaning = measured(name);
  return meaning?.field === field ? meaning.unit : unitOf(field, lastWord(name));
};

/** The meaning of a column name: a field's own name or an alias, possibly followed by a unit. */
export const meaningOf = (name: string): Meaning | undefined =>
  name.length > MOST_NAME_CHARACTERS ? undefined : (MEANINGS.get(bare(name)) ?? measured(name));

/** How many fields a row would name if it were the header. */
export function* knownFields(header: readonly string[]): InSlices<number> {
  const fields = yield* mapInSlices(header, (name) => fieldNamed(name) ?? meaningOf(name)?.field);
  return new Set(fields.filter((field) => field !== undefined)).size;
}

export const isLikely = ({ rank }: Meaning): boolean => rank >= LIKELY;
