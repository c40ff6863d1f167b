/**
 * Declares each field of a shipment: its place in a request, its names for people, columns and command options, its
 * values, and what happens if a list does not use it. All code that reads, names or shows a field uses these
 * declarations. The console imports this module, so it has no schemas.
 */
import { WEIGHT_WORDS } from './quantity.ts';

/** Signatures that a request may ask for, cheapest first. */
export const SIGNATURES = ['indirect', 'direct', 'adult'] as const;

/** Who pays the carrier, or `return` for a return shipment. */
export const BILLINGS = ['shipper', 'recipient', 'third_party', 'return'] as const;
export type Billing = (typeof BILLINGS)[number];

/** A column name with a certain meaning (`lists/columns/name-grammar.ts`). Words are separated by spaces or `|`. */
export interface ColumnName {
  /** Groups of words. A name must have one word of each group. `|` separates the words of a group. */
  readonly needed: string;
  /** More words that the name may have. */
  readonly allowed?: string;
  /** Words that say what the column belongs to. If there are any and the name has none, the meaning is less certain. */
  readonly owners?: string;
  /** Words that make the meaning only likely. */
  readonly likely?: string;
  /** Words that rank a column after others of the same address. Later words rank it lower. */
  readonly later?: string;
  readonly least?: number;
  /** Whether the name is a single letter: `L`. */
  readonly letter?: true;
}

/** A column name that looks like the field. The column is not used. The service only asks about it. */
export interface AskedName {
  readonly needed: string;
  /** Words for other things that the name may have. */
  readonly despite?: string;
  /** Asks only if the cells confirm the name. Otherwise the name is enough, unless no cell can be read. */
  readonly shown?: true;
  /** Asks only if there are cells and all of them can be read. */
  readonly read?: true;
}

interface FieldSpec {
  /** Path in a request, below `rates`. `[]` is each package. Undefined if only lists have the field. */
  readonly path?: string;
  /** Name for people. */
  readonly label: string;
  /** Name within a sentence, if it differs from the label. */
  readonly short?: string;
  /** Column names to suggest. A list without the field is refused unless the upload gives a value for all rows. */
  readonly required?: string;
  /** How a cell becomes a value of a request. */
  readonly kind: 'text' | 'number' | 'dollars' | 'flag' | 'choice' | 'date';
  /** Whether cells may be words such as `lbs`: always, or only in a column without the request's own name. */
  readonly worded?: 'always' | 'renamed';
  /** The parameter of an upload that gives a value for all rows. */
  readonly parameter?: string;
  readonly names: readonly ColumnName[];
  readonly asks: readonly AskedName[];
  /** What it means for the rows if no column is used. */
  readonly unused?: string | undefined;
}

export type FieldKind = FieldSpec['kind'];

/** An option of a shipment: a member of `rates.options`. */
interface OptionSpec extends FieldSpec {
  readonly path: `options.${string}`;
  readonly kind: 'dollars' | 'flag' | 'choice' | 'date';
  readonly unused: string | undefined;
  /** Description in the OpenAPI document. */
  readonly about: string;
  /** The values of a choice. */
  readonly values?: readonly string[];
  /** The default of a choice. It means the same as no value. */
  readonly usual?: string;
  /** Maximum in dollars. */
  readonly most?: number;
  readonly example?: number;
  /**
   * The charge that a tariff may have for it: the part of a price, and the reason if a surcharge's condition has its
   * member. Undefined if nothing is charged.
   */
  readonly charge?: {
    readonly part: string;
    readonly because?: string;
    /** Values of a choice that cost something. Undefined if all do. */
    readonly of?: readonly string[];
  };
  /** Fault of a service that does not offer it. Undefined if every service does. */
  readonly refusal?: string;
  /** The option of `rates quote`, and its help. */
  readonly option: readonly [flags: `--${string}`, about: string];
  /** What the console's form of a quote shows. Undefined if the form does not have it. */
  readonly form:
    | undefined
    | {
        readonly label: string;
        readonly hint?: string;
        readonly choices?: Readonly<Record<string, string>>;
      };
}

const LENGTH = 'length|len|lgth|lgt';
const WIDTH = 'width|wid|wdth';
const HEIGHT = 'height|hgt|hght|ht';
export const PLURAL = 'packages|pieces|pcs|cartons|boxes|parcels|pkgs|ctns';
export const SINGULAR = 'package|piece|pc|carton|box|parcel|pkg|ctn';
export const QUANTITY = 'quantity|qty|units';
/** Words for a whole order or shipment. */
export const OF_ALL = 'order total';
const RECIPIENT = 'to ship shipping delivery deliver destination dest recipient receiver consignee';
const PACKAGE = 'package packages parcel pkg box carton ctn shipment';
const BOX = `${PACKAGE} dimension dimensions dim dims outer outside`;
const UNIT = 'unit|units|uom';
const ITEM = 'item items lineitem line product variant';
const MASS = [...WEIGHT_WORDS.keys()].filter((word) => word.length > 1).join('|');

/** How much less certain the weight of an item is than the weight of a shipment. */
export const OF_ITEM = 5;

const NO_DIMENSIONS = 'no dimensions are read';

/** The options of a shipment. `price.ts` and the surcharges of a tariff decide what an option does. */
export const OPTIONS = {
  signature: {
    path: 'options.signature',
    label: 'Signature',
    kind: 'choice',
    values: SIGNATURES,
    worded: 'always',
    about: 'The signature that the recipient must give.',
    charge: { part: 'signature', because: 'signature' },
    option: ['--signature <kind>', 'the signature to ask for at the door'],
    form: {
      label: 'Signature',
      choices: {
        '': 'None',
        indirect: 'Indirect: a neighbor may sign',
        direct: 'Direct: someone at the address',
        adult: 'Adult: 21 or older',
      },
    },
    names: [{ needed: 'signature', allowed: 'option options type service level delivery' }],
    asks: [
      { needed: 'signature|sig', despite: 'requires type status' },
      { needed: 'confirmation|confirm', despite: 'type status code requires', shown: true },
    ],
    unused: 'no row is charged for a signature',
  },
  saturday: {
    path: 'options.saturday',
    label: 'Saturday delivery',
    kind: 'flag',
    worded: 'always',
    about: 'Saturday delivery.',
    charge: { part: 'saturday', because: 'Saturday delivery' },
    refusal: 'getRates.saturdayNotOffered',
    option: ['--saturday', 'Saturday delivery'],
    form: { label: 'Saturday delivery' },
    names: [
      { needed: 'saturday', allowed: 'is' },
      { needed: 'saturday delivery|deliver|service', allowed: 'is on option indicator' },
    ],
    asks: [
      { needed: 'saturday', despite: 'requires' },
      { needed: 'sat', despite: 'requires', read: true },
      { needed: 'weekend delivery|deliver', read: true },
    ],
    unused: 'no row is charged for Saturday delivery',
  },
  declared_value: {
    path: 'options.declaredValue',
    label: 'Declared value',
    kind: 'dollars',
    most: 50_000,
    about: 'The value of the whole shipment in US dollars, with at most two decimals.',
    example: 250,
    charge: { part: 'declaredValue' },
    option: ['--declared-value <dollars>', 'the declared value of the whole shipment'],
    form: { label: 'Declared value, USD', hint: 'Of the whole shipment.' },
    names: [{ needed: 'declared value', allowed: 'amount usd shipment total carrier' }],
    asks: [
      { needed: 'declared|decl|insured|insurance|ins|cargo value|val|amount|amt' },
      { needed: 'declared|insured|insurance', shown: true },
    ],
    unused: 'no row is charged for its declared value',
  },
  non_standard_packaging: {
    path: 'options.nonStandardPackaging',
    label: 'Non-standard packaging',
    kind: 'flag',
    worded: 'always',
    about: 'Whether carriers handle a package by hand for its packaging, such as a crate, a drum or a tire.',
    charge: { part: 'handling', because: 'non-standard packaging' },
    option: ['--non-standard-packaging', 'packaging that carriers handle by hand, such as a crate, a drum or a tire'],
    form: { label: 'Non-standard packaging', hint: 'Such as a crate, a drum or a tire.' },
    names: [
      { needed: 'non standard package|packaging|container', allowed: 'is' },
      { needed: 'nonstandard package|packaging', allowed: 'type is' },
      { needed: 'additional|addl handling', allowed: 'required indicator', likely: 'handling' },
    ],
    asks: [
      { needed: 'nonstandard|standard packaging|container', despite: 'type' },
      { needed: 'nonmachinable|irregular' },
      { needed: 'non machinable' },
    ],
    unused: 'no row is charged for its packaging',
  },
  deliver_by: {
    path: 'options.by',
    label: 'Deliver by',
    kind: 'date',
    about: 'Only services that arrive by this day, `YYYY-MM-DD`.',
    option: ['--by <date>', 'only services that arrive by this day, YYYY-MM-DD'],
    form: { label: 'Deliver by', hint: 'Only services that arrive by this day.' },
    names: [
      { needed: 'deliver|delivery|arrive|arrival by', allowed: 'date' },
      { needed: 'required delivery date', allowed: 'by' },
      { needed: 'need|needed|must by|arrive', allowed: 'date' },
    ],
    asks: [],
    unused: 'no row has a day by which it must arrive',
  },
  incomplete: {
    path: 'options.incomplete',
    label: 'Incomplete prices',
    kind: 'choice',
    values: ['allow', 'refuse'],
    usual: 'allow',
    parameter: 'incomplete',
    about: 'Whether a price may be incomplete (`price.incomplete`). Default: `allow`.',
    option: ['--incomplete <what>', 'allow or refuse incomplete prices'],
    form: undefined,
    names: [{ needed: 'incomplete prices' }],
    asks: [],
    unused: undefined,
  },
  billing: {
    path: 'options.billing',
    label: 'Billing',
    kind: 'choice',
    values: BILLINGS,
    usual: 'shipper',
    worded: 'always',
    about:
      'Who pays the carrier, or `return`. Agreements may have separate terms for each. Default: `shipper`. The price comes from your agreement, whoever pays.',
    charge: { part: 'billing', because: 'billing', of: ['third_party', 'return'] },
    option: ['--billing <who>', 'who pays: shipper, recipient (collect) or third_party; or return'],
    form: {
      label: 'Who pays',
      choices: {
        '': 'The shipper',
        recipient: 'The recipient: collect',
        third_party: 'A third party',
        return: 'A return to you',
      },
    },
    names: [
      { needed: 'billing type|option|party|terms' },
      { needed: 'bill transportation|freight|shipping to', allowed: 'charges shipment information' },
    ],
    asks: [
      { needed: 'bill|billing|billed|payer|payor|terms|paid', shown: true },
      { needed: 'third party', shown: true },
    ],
    unused: 'the shipper pays for each row',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;
export type OptionField = keyof typeof OPTIONS;

/**
 * Fields by their names in the contract. `weight_ounces` is added to a weight in pounds. It requires a column of pounds
 * or the caller's choice. Ounces alone are the whole weight. `dimensions` has three sides in one cell: `12x10x8`.
 */
export const FIELDS = {
  warehouse_id: {
    path: 'shipper.warehouse_id',
    label: 'Warehouse',
    required: 'warehouse, warehouse number, warehouse no, warehouse code',
    kind: 'text',
    parameter: 'warehouse_id',
    names: [{ needed: 'warehouse', allowed: 'number no code id ship from origin' }],
    asks: [{ needed: 'warehouse', shown: true }],
  },
  postalCode: {
    path: 'recipient.address.postalCode',
    label: 'Destination ZIP code',
    short: 'ZIP code',
    required: 'zip, zip code, postcode, ship to zip',
    kind: 'text',
    names: [
      { needed: 'zip|zipcode|postal|postcode', allowed: 'code 5 address', owners: RECIPIENT },
      { needed: 'post code', allowed: 'address', owners: RECIPIENT },
    ],
    asks: [{ needed: 'zip|zipcode|postal|postcode', despite: 'code' }],
  },
  weight_value: {
    path: 'packageItems[].weight.value',
    label: 'Weight',
    required: 'weight, wt, package weight, shipping weight',
    kind: 'number',
    worded: 'renamed',
    parameter: 'weight',
    names: [
      {
        needed: 'weight|wt',
        owners: `${PACKAGE} shipping ship gross actual value`,
        likely: `${OF_ALL} override`,
      },
      {
        needed: 'weight|wt item|product|lineitem',
        allowed: 'combined line',
        likely: 'item product lineitem',
        least: OF_ITEM,
      },
    ],
    asks: [{ needed: `weight|wt|mass|${MASS}` }],
  },
  weight_ounces: { label: 'Ounces, added to pounds', kind: 'number', names: [], asks: [] },
  weight_units: {
    path: 'packageItems[].weight.units',
    label: 'Unit of weight',
    required: 'units, weight unit, weight uom, unit of measure',
    kind: 'text',
    worded: 'renamed',
    parameter: 'units',
    names: [
      { needed: 'units' },
      { needed: `weight|wt ${UNIT}`, allowed: `of measure order ${PACKAGE}` },
      { needed: 'unit measure', allowed: 'of', likely: 'unit' },
      { needed: 'uom', likely: 'uom' },
    ],
    asks: [{ needed: `weight|wt ${UNIT}|measure|measurement` }, { needed: UNIT, shown: true }],
  },
  shippingService: {
    path: 'shippingService',
    label: 'Shipping service',
    short: 'service',
    kind: 'text',
    parameter: 'shippingService',
    names: [
      { needed: 'service', allowed: 'code type name selected carrier ship shipping shipment information' },
      { needed: 'mail class' },
    ],
    asks: [
      { needed: 'service|carrier|courier|method|shipvia|via|speed', despite: 'code name' },
      { needed: 'svc', despite: 'code name type' },
      { needed: 'ship|shipping|shipment|delivery mode|speed|option', despite: 'code name' },
    ],
    unused: 'all services are compared, and the cheapest is taken',
  },
  countryCode: {
    path: 'recipient.address.countryCode',
    label: 'Country',
    kind: 'text',
    worded: 'renamed',
    names: [
      {
        needed: 'country|nation',
        allowed: 'address',
        owners: RECIPIENT,
        later: 'code iso alpha 2 id name region territory or',
      },
    ],
    asks: [
      { needed: 'country|nation|ctry|cntry', despite: 'code id name' },
      { needed: 'land|nationality', shown: true },
    ],
    unused: 'every row counts as US',
  },
  addressLine: {
    path: 'recipient.address.addressLine',
    label: 'Street address',
    kind: 'text',
    names: [
      { needed: 'address|street 1', owners: RECIPIENT, later: 'address line street' },
      { needed: 'line 1', owners: RECIPIENT, least: 4 },
      { needed: 'address|street', owners: RECIPIENT, later: 'address line street', least: 5 },
    ],
    asks: [],
  },
  residential: {
    path: 'recipient.address.residential',
    label: 'Residential',
    kind: 'flag',
    worded: 'renamed',
    parameter: 'residential',
    names: [
      {
        needed: 'residential|resi',
        allowed: 'is address indicator ind flag status commercial comm or',
        owners: RECIPIENT,
      },
      { needed: 'address classification', owners: RECIPIENT },
    ],
    asks: [
      { needed: 'residential|resi|commercial|residence', despite: 'code status type' },
      { needed: 'home delivery' },
      { needed: 'res|business|private', read: true },
      { needed: 'address|addr type|class|classification|category|kind', read: true },
      {
        needed:
          'address|addr|delivery|location|recipient|receiver|consignee|destination|dest|customer type|class|classification|category|kind|code',
        shown: true,
      },
    ],
    unused: 'no row counts as residential',
  },
  length: {
    path: 'packageItems[].dimensions.length',
    label: 'Length',
    kind: 'number',
    worded: 'renamed',
    names: [
      { needed: LENGTH, owners: BOX },
      { needed: 'l', owners: BOX, least: 1, letter: true },
    ],
    asks: [{ needed: `l|depth|dpth|${LENGTH}`, despite: ITEM }],
    unused: NO_DIMENSIONS,
  },
  width: {
    path: 'packageItems[].dimensions.width',
    label: 'Width',
    kind: 'number',
    worded: 'renamed',
    names: [
      { needed: WIDTH, owners: BOX },
      { needed: 'w', owners: BOX, least: 1, letter: true },
    ],
    asks: [{ needed: `w|${WIDTH}`, despite: ITEM }],
    unused: NO_DIMENSIONS,
  },
  height: {
    path: 'packageItems[].dimensions.height',
    label: 'Height',
    kind: 'number',
    worded: 'renamed',
    names: [
      { needed: HEIGHT, owners: BOX },
      { needed: 'h', owners: BOX, least: 1, letter: true },
    ],
    asks: [{ needed: `h|d|depth|${HEIGHT}`, despite: ITEM }],
    unused: NO_DIMENSIONS,
  },
  dimensions: {
    label: 'Dimensions in one cell',
    kind: 'text',
    worded: 'always',
    names: [{ needed: `l|d|depth|${LENGTH} w|${WIDTH} h|${HEIGHT}`, allowed: 'x by size', owners: BOX }],
    asks: [
      { needed: 'dimension|dimensions|dims' },
      { needed: 'size|dim|measurement|measurements|measure', despite: ITEM, shown: true },
    ],
    unused: NO_DIMENSIONS,
  },
  dimension_units: {
    path: 'packageItems[].dimensions.units',
    label: 'Unit of dimensions',
    kind: 'text',
    worded: 'renamed',
    parameter: 'dimension_units',
    names: [
      {
        needed: `dimension|dimensions|dim|dims|size|length|distance ${UNIT}`,
        allowed: `of measure ${PACKAGE}`,
      },
    ],
    asks: [{ needed: `dimension|dimensions|dim|dims|size ${UNIT}|measure|measurement` }],
  },
  shipDate: {
    path: 'shipDate',
    label: 'Ship date',
    kind: 'date',
    names: [{ needed: 'ship|shipping|shipment date' }],
    asks: [
      { needed: 'ship|shipped|shipping|shipment|dispatch|dispatched|pickup date|at|on', despite: 'date', shown: true },
    ],
    unused: 'every row ships today',
  },
  packages: {
    path: 'packageItems',
    label: 'Number of packages',
    kind: 'number',
    names: [
      { needed: PLURAL, allowed: 'count quantity qty number no num nr of total shipment' },
      { needed: `${SINGULAR} count|quantity|qty`, allowed: 'number of total shipment' },
      { needed: `${SINGULAR} number|no|num|nr|count|quantity|qty of`, allowed: 'shipment' },
    ],
    asks: [
      {
        needed: `${SINGULAR}|${PLURAL} ${QUANTITY}|count|cnt|ct|number|no|num|nr|total`,
        despite: 'count',
        shown: true,
      },
      { needed: PLURAL, despite: 'count' },
      { needed: QUANTITY, despite: `${ITEM} total` },
    ],
    unused: 'each row counts as one package',
  },
  ...OPTIONS,
} as const satisfies Readonly<Record<string, FieldSpec>>;
export type Field = keyof typeof FIELDS;

/** Returns the keys of a record with their own types. */
export const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] => {
  const keys: K[] = [];
  for (const key in record) keys.push(key);
  return keys;
};

export const FIELD_NAMES = keysOf(FIELDS);
export const OPTION_NAMES = keysOf(OPTIONS);

export const specOf = (field: Field): FieldSpec => FIELDS[field];
export const optionOf = (field: OptionField): OptionSpec => OPTIONS[field];

/** The name of an option in `rates.options`. */
export type Member<F extends OptionField> = (typeof OPTIONS)[F]['path'] extends `options.${infer M}` ? M : never;

/** @returns the last name in the path of a field */
export const memberOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const FIELDS_BY_PATH = new Map(FIELD_NAMES.map((field) => [specOf(field).path, field]));

/** Returns the field at a path such as `rates.packageItems[1].weight.value`, or the nearest one. */
export const fieldAt = (path: string): Field | undefined => {
  const place = path.replace(/^rates\./, '').replaceAll(/\[\d+\]/g, '[]');
  const own = FIELDS_BY_PATH.get(place);
  if (own !== undefined) return own;
  if (place.endsWith('.weight')) return 'weight_value';
  if (place.startsWith('packageItems')) return 'packages';
  const last = memberOf(place);
  return FIELD_NAMES.find((field) => field === last || isAlone(specOf(field).path, last));
};

/** Returns whether a path ends with this name and is not inside a package. */
const isAlone = (path: string | undefined, last: string): boolean =>
  path !== undefined && !path.includes('[]') && memberOf(path) === last;

/** Labels by field name. */
export const LABELS: ReadonlyMap<string, string> = new Map(FIELD_NAMES.map((field) => [field, specOf(field).label]));

/** Returns the last name of a path as words: `scenarios[0].fuelPercent` is `Fuel percent`. */
const lastName = (path: string): string => {
  if (path === 'rates') return '`rates`';
  const name = path.slice(path.lastIndexOf('.') + 1).replaceAll(/\[\d+\]|[<>]/g, '');
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns the label for a path of a request, or for a field: `Weight of package 2`. */
export const nameAt = (path: string): string => {
  const label = LABELS.get(fieldAt(path) ?? path) ?? lastName(path);
  const index = /packageItems\[(\d+)\]/.exec(path)?.[1];
  return index === undefined || index === '0' ? label : `${label} of package ${Number(index) + 1}`;
};

/** Returns what is wrong at a path, for people: `Weight of package 2 is required`. People count packages, not entries. */
export const problemAt = (path: string, problem: string): string => {
  const isOfList = path.startsWith('rates.') && fieldAt(path) === 'packages';
  const [, count] = (isOfList && /^must have (at \w+ \d+) entr/.exec(problem)) || [];
  if (count !== undefined) return `${FIELDS.packages.label} must be ${count}`;
  // The list of packages has no name for people. Only a request in JSON can lack it.
  return `${isOfList ? path : nameAt(path)} ${problem}`;
};
