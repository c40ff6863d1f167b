/**
 * The words of column names. `MEANINGS` are patterns of names whose meaning is certain: words that must be in the name, and
 * words that may be. `QUESTIONS` are words of names that look like a field, unless they also have a word of something else.
 */
import type { Field } from './fields.ts';
import { listed, wordSplitter } from './name-words.ts';
import { LENGTH_WORDS, WEIGHT_WORDS } from './unit-names.ts';

export interface Pattern {
  readonly field: Field;
  /** One word of each group must be in the name. */
  readonly groups: readonly ReadonlySet<string>[];
  /** All words that may be in it. */
  readonly allowed: ReadonlySet<string>;
  /** Words that say what it belongs to. If there are any and the name has none, it is less certain. */
  readonly owners: ReadonlySet<string>;
  /** With one of these words the meaning is only likely. */
  readonly likely: ReadonlySet<string>;
  /** Words that put a column behind others of the same address, the last ones most. */
  readonly later: readonly string[];
  readonly least: number;
  /** Whether it is a single letter: `L`. */
  readonly letter: boolean;
}

interface More {
  readonly owners?: string;
  readonly likely?: string;
  readonly later?: string;
  readonly least?: number;
  readonly letter?: true;
}

/**
 * @param needed groups of words with spaces between them, and `|` between the words of a group
 * @param allowed more words that may be in the name
 */
const pattern = (field: Field, needed: string, allowed = '', more: More = {}): Pattern => {
  const { owners = '', likely = '', later = '', least = 0, letter = false } = more;
  const groups = listed(needed).map((group) => new Set(group.split('|')));
  const all = [allowed, owners, likely, later].flatMap(listed);
  return {
    ...{ field, groups, letter, least, later: listed(later) },
    ...{ owners: new Set(listed(owners)), likely: new Set(listed(likely)) },
    allowed: new Set([...groups.flatMap((group) => [...group]), ...all]),
  };
};

const RECIPIENT = 'to ship shipping delivery deliver destination dest recipient receiver consignee';
const PACKAGE = 'package packages parcel pkg box carton ctn shipment';
const OF_BOX = { owners: `${PACKAGE} dimension dimensions dim dims outer outside` };
const OF_RECIPIENT = { owners: RECIPIENT };
/** Words of what a whole order or shipment has. */
const OF_ALL = 'order total';
const UNIT = 'unit|units|uom';
const PLURAL = 'packages|pieces|pcs|cartons|boxes|parcels|pkgs|ctns';
const SINGULAR = 'package|piece|pc|carton|box|parcel|pkg|ctn';
const LENGTH = 'length|len|lgth|lgt';
const WIDTH = 'width|wid|wdth';
const HEIGHT = 'height|hgt|hght|ht';

const MEANINGS: readonly Pattern[] = [
  pattern('warehouse_id', 'warehouse', 'number no code id ship from origin'),
  pattern('postalCode', 'zip|zipcode|postal|postcode', 'code 5 address', OF_RECIPIENT),
  pattern('postalCode', 'post code', 'address', OF_RECIPIENT),
  pattern('weight_value', 'weight|wt', '', {
    owners: `${PACKAGE} shipping ship gross actual value`,
    likely: `${OF_ALL} override`,
  }),
  pattern('weight_units', 'units'),
  pattern('weight_units', `weight|wt ${UNIT}`, `of measure order ${PACKAGE}`),
  pattern('weight_units', 'unit measure', 'of', { likely: 'unit' }),
  pattern('weight_units', 'uom', '', { likely: 'uom' }),
  pattern('shippingService', 'service', 'code type name selected carrier ship shipping shipment information'),
  pattern('shippingService', 'mail class'),
  pattern('countryCode', 'country|nation', 'address', {
    ...OF_RECIPIENT,
    later: 'code iso alpha 2 id name region territory or',
  }),
  pattern('addressLine', 'address|street 1', '', { ...OF_RECIPIENT, later: 'address line street' }),
  pattern('addressLine', 'line 1', '', { ...OF_RECIPIENT, least: 4 }),
  pattern('addressLine', 'address|street', '', { ...OF_RECIPIENT, later: 'address line street', least: 5 }),
  pattern('residential', 'residential|resi', 'is address indicator ind flag status commercial comm or', OF_RECIPIENT),
  pattern('residential', 'address classification', '', OF_RECIPIENT),
  pattern('length', LENGTH, '', OF_BOX),
  pattern('width', WIDTH, '', OF_BOX),
  pattern('height', HEIGHT, '', OF_BOX),
  pattern('length', 'l', '', { ...OF_BOX, least: 1, letter: true }),
  pattern('width', 'w', '', { ...OF_BOX, least: 1, letter: true }),
  pattern('height', 'h', '', { ...OF_BOX, least: 1, letter: true }),
  pattern('dimensions', `l|d|depth|${LENGTH} w|${WIDTH} h|${HEIGHT}`, 'x by size', OF_BOX),
  pattern('dimension_units', `dimension|dimensions|dim|dims|size|length|distance ${UNIT}`, `of measure ${PACKAGE}`),
  pattern('shipDate', 'ship|shipping|shipment date'),
  pattern('packages', PLURAL, 'count quantity qty number no num nr of total shipment'),
  pattern('packages', `${SINGULAR} count|quantity|qty`, 'number of total shipment'),
  pattern('packages', `${SINGULAR} number|no|num|nr|count|quantity|qty of`, 'shipment'),
  pattern('signature', 'signature', 'option options type service level delivery'),
  pattern('saturday', 'saturday', 'is'),
  pattern('saturday', 'saturday delivery|deliver|service', 'is on option indicator'),
  pattern('declared_value', 'declared value', 'amount usd shipment total carrier'),
  pattern('non_standard_packaging', 'non standard package|packaging|container', 'is'),
  pattern('non_standard_packaging', 'nonstandard package|packaging', 'type is'),
  pattern('incomplete', 'incomplete prices'),
  pattern('non_standard_packaging', 'additional|addl handling', 'required indicator', { likely: 'handling' }),
];

/** How the cells of a column bear on the question whether it is a field. */
export type Evidence =
  /** The name alone asks, unless there are cells and none of them can be read. */
  | 'refuted'
  /** The name asks only if the cells show it. */
  | 'shown';

export interface Question extends Pick<Pattern, 'field' | 'groups'> {
  /** Words of `OTHERS` that the name may have. */
  readonly despite: ReadonlySet<string>;
  readonly evidence: Evidence;
}

const question = (field: Field, needed: string, despite = '', evidence: Evidence = 'refuted'): Question => {
  const groups = listed(needed).map((group) => new Set(group.split('|')));
  return { field, groups, evidence, despite: new Set([...groups.flatMap((group) => [...group]), ...listed(despite)]) };
};

const ITEM = 'item items lineitem line product variant';
const QUANTITY = 'quantity|qty|units';

/** The first that fits counts. */
const QUESTIONS: readonly Question[] = [
  question('warehouse_id', 'warehouse', '', 'shown'),
  question('weight_units', `weight|wt ${UNIT}|measure|measurement`),
  question('dimension_units', `dimension|dimensions|dim|dims|size ${UNIT}|measure|measurement`),
  question('postalCode', 'zip|zipcode|postal|postcode', 'code'),
  question('length', `l|depth|dpth|${LENGTH}`, ITEM),
  question('width', `w|${WIDTH}`, ITEM),
  question('height', `h|d|depth|${HEIGHT}`, ITEM),
  question('weight_value', `weight|wt|mass|${[...WEIGHT_WORDS.keys()].filter((word) => word.length > 1).join('|')}`),
  question('packages', `${SINGULAR}|${PLURAL} ${QUANTITY}|count|number|no|num|nr|total`, 'count', 'shown'),
  question('packages', PLURAL, 'count'),
  question('packages', QUANTITY, `${ITEM} total`),
  question('countryCode', 'country|nation', 'code id name'),
  question('countryCode', 'land|nationality', '', 'shown'),
  question('residential', 'residential|resi|commercial|residence', 'code status type'),
  question('residential', 'home delivery'),
  question(
    'residential',
    'address|delivery|location|recipient|receiver|consignee|destination|dest|customer type|class|classification|category|kind|code',
    '',
    'shown',
  ),
  question('dimensions', 'dimension|dimensions|dims'),
  question('dimensions', 'size|dim|measurement|measurements|measure', ITEM, 'shown'),
  question('signature', 'signature', 'requires type status'),
  question('signature', 'confirmation|confirm|sig', 'type status code requires', 'shown'),
  question('saturday', 'saturday', 'requires'),
  question('declared_value', 'declared|decl|insured|insurance value|amount'),
  question('non_standard_packaging', 'nonstandard|standard packaging|container', 'type'),
  question('shipDate', 'ship|shipped|shipping|shipment|dispatch|dispatched date|at|on', 'date', 'shown'),
  question('shippingService', 'service|carrier|courier|method|shipvia|via', 'code name'),
];

/** Words in names of columns that do not describe the package or its destination. */
export const OTHERS: ReadonlySet<string> = new Set(
  listed(
    'from sender shipper origin return returns billing bill payer payor payment third tp importer exporter store item items ' +
      'lineitem line product variant sku unit price cost charge charges amount total tax taxes fee surcharge discount value ' +
      'currency name phone email fulfillment status requires tracking zone girth type insured insurance predefined count state ' +
      'province city id code number reference notes note message customs declared manufacturing manufacture invoice label ' +
      'date time account notification language locale pickup stock available per rate refunded update packaging',
  ),
);

/** What else may be part of a name without separators. */
const MORE_WORDS = 'requested level required ordered class each consignment';

/** Splits the name of a column into words. */
export const wordsOf = wordSplitter(
  new Set(
    [
      ...MEANINGS.flatMap(({ allowed }) => [...allowed]),
      ...QUESTIONS.flatMap(({ despite }) => [...despite]),
      ...OTHERS,
      ...listed(MORE_WORDS),
      ...WEIGHT_WORDS.keys(),
      ...LENGTH_WORDS.keys(),
    ].filter((word) => word.length > 1),
  ),
);

interface Grouped {
  readonly groups: readonly ReadonlySet<string>[];
}

/** Finds the first of the entries of which a name has a word of each group. Most names have no word of any. */
const finder = <T extends Grouped>(
  entries: readonly T[],
): ((words: readonly string[], test: (entry: T) => boolean) => T | undefined) => {
  const byWord = new Map<string, T[]>();
  for (const entry of entries)
    for (const word of entry.groups[0] ?? []) byWord.set(word, [...(byWord.get(word) ?? []), entry]);
  const has = (words: readonly string[], { groups }: T): boolean =>
    groups.every((group) => words.some((word) => group.has(word)));
  return (words, test) => {
    if (!words.some((word) => byWord.has(word))) return undefined;
    const near = new Set(words.flatMap((word) => byWord.get(word) ?? []));
    return entries.find((entry) => near.has(entry) && has(words, entry) && test(entry));
  };
};

/** The meaning of the words of a name that is certain, if there is one. */
export const findMeaning = finder(MEANINGS);
export const findQuestion = finder(QUESTIONS);

const QUANTITIES = new Set(QUANTITY.split('|'));
const BOXES = new Set(`${SINGULAR}|${PLURAL}`.split('|'));

/** Whether a name counts something, but says nothing of packages. */
export const isQuantity = (name: string): boolean => {
  const words = wordsOf(name);
  return words.some((word) => QUANTITIES.has(word)) && !words.some((word) => BOXES.has(word));
};

/** What a weight can be of. It matters if rows have a number of packages. */
export const WEIGHT_PERS = ['package', 'shipment'] as const;
export type WeightPer = (typeof WEIGHT_PERS)[number];

const EACH = new Set([...BOXES, 'each', 'per']);
const WHOLE = new Set(listed(`${OF_ALL} shipment consignment`));

/** @returns what the name of a column says of its weights; undefined if it says nothing */
export const weightPerName = (name: string): WeightPer | 'unclear' | undefined => {
  const words = wordsOf(name);
  if (words.some((word) => EACH.has(word))) return 'package';
  if (words.some((word) => WHOLE.has(word))) return 'shipment';
  // Gross is opposed to net: it says nothing of the number of packages.
  return words.includes('gross') ? 'unclear' : undefined;
};
