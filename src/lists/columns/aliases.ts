/**
 * Decides what a column name certainly means, by its words (`name-grammar.ts`): names of the contract, and names in exports
 * of shops, marketplaces, shipping tools and carriers (`docs/headers.md`). Case, spaces and punctuation do not matter.
 */

import { type InSlices, mapInSlices } from '../../base/time-slices.ts';
import { OF_ITEM, specOf } from '../../rating/fields.ts';
import { lengthUnitOf, weightUnitOf } from '../../rating/quantity.ts';
import { type Field, fieldNamed, MOST_NAME_CHARACTERS } from './fields.ts';
import { findMeaning, type Pattern, remembered, wordsOf } from './name-grammar.ts';

/** Ranks of certainty. If two columns can have the same meaning, the one with the lower rank wins. */
const SURE = 0;
/** The name does not say whose value it is: `zip`, `length`. */
const BARE = 10;
/** The name usually has this meaning, but not always. A finding reports its use. */
const LIKELY = 20;

/** Returns a few names of a field's column, for messages. */
export const namesOf = (field: Field): string => specOf(field).required ?? field;

/** The meaning of a column name. */
export interface Meaning {
  readonly field: Field;
  /** Lower is more certain. */
  readonly rank: number;
  /** The unit in the name. */
  readonly unit?: string;
  /** Whether the name is a single letter. It means a side only if there are columns for the other sides. */
  readonly letter?: true;
}

/** Returns a name in lower case without spaces and punctuation. A long name stays unchanged. */
export const bare = (name: string): string =>
  name.length > MOST_NAME_CHARACTERS ? name : name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** `Zip (required)`: such a word does not change the meaning. */
const isEmphasis = (word: string): boolean => word === 'required' || word === 'optional';

const rankOf = (words: readonly string[], { owners, likely, later, least }: Pattern): number => {
  const has = (among: ReadonlySet<string>): boolean => words.some((word) => among.has(word));
  const base = has(likely) ? LIKELY : owners.size === 0 || has(owners) ? SURE : BARE;
  return base + least + Math.max(...words.map((word) => later.indexOf(word))) + 1;
};

const certain = (words: readonly string[]): Meaning | undefined => {
  const found = findMeaning(words, ({ allowed }) => words.every((word) => allowed.has(word)));
  if (found === undefined) return undefined;
  const rank = rankOf(words, found);
  return { field: found.field, rank, ...(found.letter && rank >= BARE && { letter: true }) };
};

const unitOf = (field: Field, word: string): string | undefined =>
  field === 'weight_value'
    ? weightUnitOf(word)
    : field === 'length' || field === 'width' || field === 'height' || field === 'dimensions'
      ? lengthUnitOf(word)
      : undefined;

const isUnit = (word: string): boolean => (weightUnitOf(word) ?? lengthUnitOf(word)) !== undefined;

/** Returns the unit at the end of words, and the words before it: `Weight (lb)`, `weight_kg`, `Length in inches`. */
const unitAtEnd = (
  words: readonly string[],
): { readonly unit: string; readonly before: readonly string[] } | undefined => {
  const unit = words.at(-1) ?? '';
  const before = words.slice(0, words.at(-2) === 'in' ? -2 : -1);
  // Two units are ambiguous: `kg/lb`.
  return isUnit(unit) && !isUnit(before.at(-1) ?? '') ? { unit, before } : undefined;
};

/** Whether a unit alone is a column name. `LB` and `KG` are more likely cells of a list without a header. */
const isName = (unit: string): boolean => unit.length > 2 || unit === 'oz';

/** Reads the name of a measure with its unit: `Weight (lb)`. */
const measured = (words: readonly string[]): Meaning | undefined => {
  const { unit = '', before = [] } = unitAtEnd(words) ?? {};
  if (unit === '') return undefined;
  const weight = weightUnitOf(unit);
  if (before.length === 0)
    return weight !== undefined && isName(unit) ? { field: 'weight_value', rank: BARE, unit: weight } : undefined;
  const meaning = certain(before);
  const own = meaning === undefined ? undefined : unitOf(meaning.field, unit);
  return meaning === undefined || own === undefined
    ? undefined
    : { field: meaning.field, rank: meaning.rank, unit: own };
};

/** Returns the unit in the name of a field's column, if any. */
export const unitInName = (name: string, field: Field): string | undefined =>
  unitOf(field, unitAtEnd(wordsOf(name).filter((word) => !isEmphasis(word)))?.unit ?? '');

/** Returns the meaning of a column name: certain words, possibly followed by a unit. */
export const meaningOf = remembered((name): Meaning | undefined => {
  const words = wordsOf(name);
  const meaning = certain(words) ?? measured(words);
  if (meaning !== undefined || !words.some(isEmphasis)) return meaning;
  const rest = words.filter((word) => !isEmphasis(word));
  const emphasized = certain(rest) ?? measured(rest);
  // `Signature Required` does not say which signature.
  return emphasized?.field === 'signature' ? undefined : emphasized;
});

/** Counts the fields that a row would name if it were the header. */
export function* knownFields(header: readonly string[]): InSlices<number> {
  const fields = yield* mapInSlices(header, (name) => {
    const meaning = meaningOf(name);
    return fieldNamed(name) ?? (meaning?.letter === true ? undefined : meaning?.field);
  });
  return new Set(fields.filter((field) => field !== undefined)).size;
}

/** Whether a likely meaning is about an item, not the package. */
export const isOfItem = ({ rank }: Meaning): boolean => rank >= LIKELY + OF_ITEM;

export const isLikely = ({ rank }: Meaning): boolean => rank >= LIKELY;
