/**
 * What the name of a column certainly means, by its words (`name-grammar.ts`): those of the contract, and those in exports of
 * shops, marketplaces, shipping tools and carriers (`docs/headers.md`). Case, spaces and punctuation do not matter.
 */

import { type InSlices, mapInSlices } from '../../base/time-slices.ts';
import { OF_ITEM, specOf } from '../../rating/fields.ts';
import { lengthUnitOf, weightUnitOf } from '../../rating/unit-names.ts';
import { type Field, fieldNamed, MOST_NAME_CHARACTERS } from './fields.ts';
import { findMeaning, type Pattern, wordsOf } from './name-grammar.ts';
import { remembered } from './name-words.ts';

/** Ranks of certainty. If two columns could have the same meaning, the one with the lower rank gets it. */
const SURE = 0;
/** The name does not say what it belongs to: `zip`, `length`. */
const BARE = 10;
/** The name usually has this meaning, but not always. A finding reports its use. */
const LIKELY = 20;

/** A few names of a field's column, for messages. */
export const namesOf = (field: Field): string => specOf(field).required ?? field;

/** What a column's name means. */
export interface Meaning {
  readonly field: Field;
  /** A lower rank is more certain. */
  readonly rank: number;
  /** The unit in the name. */
  readonly unit?: string;
  /** Whether it is a letter alone, which means a side only beside the letters of the other sides. */
  readonly letter?: true;
}

/** A name without case, spaces and punctuation. A long one stays as it is. */
export const bare = (name: string): string =>
  name.length > MOST_NAME_CHARACTERS ? name : name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** `Zip (required)`. It does not say more. */
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

/** The unit at the end of words, and the words before it: `Weight (lb)`, `weight_kg`, `Length in inches`. */
const unitAtEnd = (
  words: readonly string[],
): { readonly unit: string; readonly before: readonly string[] } | undefined => {
  const unit = words.at(-1) ?? '';
  const before = words.slice(0, words.at(-2) === 'in' ? -2 : -1);
  // Two units say none: `kg/lb`.
  return isUnit(unit) && !isUnit(before.at(-1) ?? '') ? { unit, before } : undefined;
};

/** Whether a unit alone is a column name. `LB` and `KG` are more likely cells of a list without a header. */
const isName = (unit: string): boolean => unit.length > 2 || unit === 'oz';

/** Reads a measure with its unit. */
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

/** The unit in the name of a field's column, if any. */
export const unitInName = (name: string, field: Field): string | undefined =>
  unitOf(field, unitAtEnd(wordsOf(name).filter((word) => !isEmphasis(word)))?.unit ?? '');

/** The meaning of a column name: certain words, possibly followed by a unit. */
export const meaningOf = remembered((name): Meaning | undefined => {
  const words = wordsOf(name);
  const meaning = certain(words) ?? measured(words);
  if (meaning !== undefined || !words.some(isEmphasis)) return meaning;
  const rest = words.filter((word) => !isEmphasis(word));
  const emphasized = certain(rest) ?? measured(rest);
  // `Signature Required` does not say which signature.
  return emphasized?.field === 'signature' ? undefined : emphasized;
});

/** How many fields a row would name if it were the header. */
export function* knownFields(header: readonly string[]): InSlices<number> {
  const fields = yield* mapInSlices(header, (name) => {
    const meaning = meaningOf(name);
    return fieldNamed(name) ?? (meaning?.letter === true ? undefined : meaning?.field);
  });
  return new Set(fields.filter((field) => field !== undefined)).size;
}

/** Whether it is of an item, and only likely. */
export const isOfItem = ({ rank }: Meaning): boolean => rank >= LIKELY + OF_ITEM;

export const isLikely = ({ rank }: Meaning): boolean => rank >= LIKELY;
