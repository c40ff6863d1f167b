/**
 * The words of column names. `MEANINGS` are patterns of names with a certain meaning: words that must be in the name, and
 * words that may be. `QUESTIONS` are words of names that look like a field, unless they also have a word for something else.
 * `ShipTo Postal-Code`, `shiptopostalcode` and `ship_to_postal_code` have equal words.
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
import { LENGTH_WORDS, WEIGHT_WORDS } from '../../rating/quantity.ts';
import { MOST_NAME_CHARACTERS } from './fields.ts';

/** Splits a constant of ours at its spaces. */
export const listed = (words: string): readonly string[] => words.split(' ').filter((word) => word !== '');

/** In characters. A longer text without separators is not split into known words. */
const LONGEST_RUN = 40;
/** The number of names whose results are kept. */
const MOST_KEPT = 1_000;

/** Keeps results by name, because a list asks for each name several times. Long names are read each time. */
export const remembered = <T>(read: (name: string) => T): ((name: string) => T) => {
  const kept = new Map<string, { readonly result: T }>();
  return (name) => {
    const before = kept.get(name);
    if (before !== undefined) return before.result;
    const result = read(name);
    if (kept.size >= MOST_KEPT) kept.clear();
    if (name.length <= MOST_NAME_CHARACTERS) kept.set(name, { result });
    return result;
  };
};

/** Sides in one word: `lxwxh` or `lwh`. `LxWxH` is split at its capitals first, into `Lx`, `Wx` and `H`. */
const LETTERS_OF_SIDES = /^[lwhd]x$|^[lwhd]x?[lwhd]x?[lwhd]$/;

/** Splits a text into known words, longest first. Returns undefined if a part is unknown or a single letter. */
const splitRun = (run: string): readonly string[] | undefined => {
  // By start: the end of the first word, if the text from there consists of known words.
  const ends: (number | undefined)[] = [];
  ends[run.length] = run.length;
  for (let at = run.length - 2; at >= 0; at -= 1)
    for (let end = Math.min(run.length, at + LONGEST_WORD); end >= at + 2 && ends[at] === undefined; end -= 1)
      if (ends[end] !== undefined && KNOWN.has(run.slice(at, end))) ends[at] = end;
  const words: string[] = [];
  for (let at = 0; at < run.length; ) {
    const end = ends[at];
    if (end === undefined) return undefined;
    words.push(run.slice(at, end));
    at = end;
  }
  return words;
};

/** Returns the groups of words of which a name must have one each. */
const groupsIn = (needed: string) => listed(needed).map((group): ReadonlySet<string> => new Set(group.split('|')));

const patternOf = (field: Field, name: ColumnName) => {
  const { needed, allowed = '', owners = '', likely = '', later = '', least = 0, letter = false } = name;
  const groups = groupsIn(needed);
  const all = [allowed, owners, likely, later].flatMap(listed);
  return {
    ...{ field, groups, letter, least, later: listed(later) },
    ...{ owners: new Set(listed(owners)), likely: new Set(listed(likely)) },
    /** All words that the name may have. */
    allowed: new Set([...groups.flatMap((group) => [...group]), ...all]),
  };
};

export type Pattern = ReturnType<typeof patternOf>;

const MEANINGS: readonly Pattern[] = FIELD_NAMES.flatMap((field) =>
  specOf(field).names.map((name) => patternOf(field, name)),
);

/** How the cells decide whether to ask about a column. */
type Evidence =
  /** Ask by name, unless there are cells and none of them can be read. */
  | 'refuted'
  /** Ask only if the cells show the field. */
  | 'shown'
  /** Ask only if there are cells and all of them can be read. */
  | 'read';

const questionOf = (field: Field, { needed, despite = '', shown, read }: AskedName) => {
  const groups = groupsIn(needed);
  const words = [...groups.flatMap((group) => [...group]), ...listed(despite)];
  const evidence: Evidence = shown === true ? 'shown' : read === true ? 'read' : 'refuted';
  /* `despite` are the words of `OTHERS` that the name may have. */
  return { field, groups, evidence, despite: new Set(words) };
};

/** Fields whose names are matched first or last, because names of other fields have some of the same words. */
const FIRST_ASKED: readonly Field[] = [
  ...(['warehouse_id', 'weight_units', 'dimension_units', 'postalCode', 'length', 'width', 'height'] as const),
  ...(['weight_value', 'packages', 'countryCode', 'residential', 'dimensions'] as const),
];
const LAST_ASKED: readonly Field[] = ['shipDate', 'shippingService'];
const BETWEEN = FIELD_NAMES.filter((field) => !FIRST_ASKED.includes(field) && !LAST_ASKED.includes(field));

/** The first match counts. */
const QUESTIONS = [...FIRST_ASKED, ...BETWEEN, ...LAST_ASKED].flatMap((field) =>
  specOf(field).asks.map((name) => questionOf(field, name)),
);

/** Words in column names that are not about the package or its destination. */
export const OTHERS: ReadonlySet<string> = new Set(
  listed(
    'from sender shipper origin return returns billing bill payer payor payment third tp importer exporter store item items ' +
      'lineitem line product variant sku unit price cost charge charges amount total tax taxes fee surcharge discount value ' +
      'currency name phone email fulfillment status requires tracking zone girth type insured insurance predefined count state ' +
      'province city id code number reference notes note message customs declared manufacturing manufacture invoice label ' +
      'date time account notification language locale pickup stock available per rate refunded update packaging',
  ),
);

/** More words that may be part of a name without separators. */
const MORE_WORDS = 'requested level required ordered class each consignment';

/** The words that a text without separators may consist of. */
const KNOWN: ReadonlySet<string> = new Set(
  [
    ...MEANINGS.flatMap(({ allowed }) => [...allowed]),
    ...QUESTIONS.flatMap(({ despite }) => [...despite]),
    ...OTHERS,
    ...listed(MORE_WORDS),
    ...WEIGHT_WORDS.keys(),
    ...LENGTH_WORDS.keys(),
  ].filter((word) => word.length > 1),
);
const LONGEST_WORD = Math.max(...[...KNOWN].map(({ length }) => length));

const wordsIn = (run: string): readonly string[] => {
  if (KNOWN.has(run)) return [run];
  if (LETTERS_OF_SIDES.test(run)) return [...run];
  return (run.length > LONGEST_RUN ? undefined : splitRun(run)) ?? [run];
};

/** Splits the name of a column into lowercase words. A name that is too long has none. */
export const wordsOf = remembered((name): readonly string[] =>
  name.length > MOST_NAME_CHARACTERS
    ? []
    : name
        .replaceAll('#', ' number ')
        // Both lines of an address.
        .replaceAll('1&2', '1')
        .replaceAll(/(\p{Ll})(?=\p{Lu})|(\p{L})(?=\d)|(\d)(?=\p{L})/gu, '$& ')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        // The plural in parentheses: `Package(s)`.
        .filter((word) => word !== '' && word !== 's')
        .flatMap(wordsIn),
);

/** Finds the first entry for which a name has a word of each group. Most names have no word of any entry. */
const finder = <T extends Pick<Pattern, 'groups'>>(
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

/** Finds the certain meaning of a name's words. */
export const findMeaning = finder(MEANINGS);
export const findQuestion = finder(QUESTIONS);

const QUANTITIES = new Set(QUANTITY.split('|'));
const BOXES = new Set(`${SINGULAR}|${PLURAL}`.split('|'));

/** Whether a name counts something but does not mention packages. */
export const isQuantity = (name: string): boolean => {
  const words = wordsOf(name);
  return words.some((word) => QUANTITIES.has(word)) && !words.some((word) => BOXES.has(word));
};

/** What a weight can be for. It matters if rows have a number of packages. */
export const WEIGHT_PERS = ['package', 'shipment'] as const;
export type WeightPer = (typeof WEIGHT_PERS)[number];

const EACH = new Set([...BOXES, 'each', 'per']);
const WHOLE = new Set(listed(`${OF_ALL} shipment consignment`));

/** @returns what the weights of a column are for, by its name; undefined if the name does not say */
export const weightPerName = (name: string): WeightPer | 'unclear' | undefined => {
  const words = wordsOf(name);
  if (words.some((word) => EACH.has(word))) return 'package';
  if (words.some((word) => WHOLE.has(word))) return 'shipment';
  // Gross is the opposite of net. It says nothing about the number of packages.
  return words.includes('gross') ? 'unclear' : undefined;
};
