/**
 * The words of column names. `MEANINGS` are patterns of names whose meaning is certain: words that must be in the name, and
 * words that may be. `QUESTIONS` are words of names that look like a field, unless they also have a word of something else.
 */
import {
  type AskedName,
  type ColumnName,
  FIELD_NAMES,
  type Field,
  OF_ALL,
  PLURAL,
  QUANTITY,
  SINGULAR,
  specOf,
} from '../../rating/fields.ts';
import { LENGTH_WORDS, WEIGHT_WORDS } from '../../rating/unit-names.ts';
import { listed, wordSplitter } from './name-words.ts';

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

const patternOf = (field: Field, name: ColumnName): Pattern => {
  const { needed, allowed = '', owners = '', likely = '', later = '', least = 0, letter = false } = name;
  const groups = listed(needed).map((group) => new Set(group.split('|')));
  const all = [allowed, owners, likely, later].flatMap(listed);
  return {
    ...{ field, groups, letter, least, later: listed(later) },
    ...{ owners: new Set(listed(owners)), likely: new Set(listed(likely)) },
    allowed: new Set([...groups.flatMap((group) => [...group]), ...all]),
  };
};

const MEANINGS: readonly Pattern[] = FIELD_NAMES.flatMap((field) =>
  specOf(field).names.map((name) => patternOf(field, name)),
);

/** How the cells of a column bear on the question whether it is a field. */
export type Evidence =
  /** The name alone asks, unless there are cells and none of them can be read. */
  | 'refuted'
  /** The name asks only if the cells show it. */
  | 'shown'
  /** The name asks only if there are cells, and all of them can be read. */
  | 'read';

export interface Question extends Pick<Pattern, 'field' | 'groups'> {
  /** Words of `OTHERS` that the name may have. */
  readonly despite: ReadonlySet<string>;
  readonly evidence: Evidence;
}

const questionOf = (field: Field, { needed, despite = '', shown, read }: AskedName): Question => {
  const groups = listed(needed).map((group) => new Set(group.split('|')));
  const words = [...groups.flatMap((group) => [...group]), ...listed(despite)];
  const evidence = shown === true ? 'shown' : read === true ? 'read' : 'refuted';
  return { field, groups, evidence, despite: new Set(words) };
};

/** Fields whose names are looked at before and after those of all other fields, because words of theirs are in other names. */
const FIRST_ASKED: readonly Field[] = [
  ...(['warehouse_id', 'weight_units', 'dimension_units', 'postalCode', 'length', 'width', 'height'] as const),
  ...(['weight_value', 'packages', 'countryCode', 'residential', 'dimensions'] as const),
];
const LAST_ASKED: readonly Field[] = ['shipDate', 'shippingService'];
const BETWEEN = FIELD_NAMES.filter((field) => !FIRST_ASKED.includes(field) && !LAST_ASKED.includes(field));

/** The first that fits counts. */
const QUESTIONS: readonly Question[] = [...FIRST_ASKED, ...BETWEEN, ...LAST_ASKED].flatMap((field) =>
  specOf(field).asks.map((name) => questionOf(field, name)),
);

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
