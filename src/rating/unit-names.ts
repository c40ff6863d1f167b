/** Names of units in cells and headers. */

/** Requests do not accept ounces and grams. They are converted exactly to pounds and kilograms. */
export type WrittenWeightUnit = 'LB' | 'KG' | 'OZ' | 'G';
export type WrittenLengthUnit = 'IN' | 'CM';

const WEIGHTS: Readonly<Record<WrittenWeightUnit, readonly string[]>> = {
  LB: ['lb', 'lbs', 'pound', 'pounds'],
  KG: ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms'],
  OZ: ['oz', 'ozs', 'ounce', 'ounces'],
  G: ['g', 'gm', 'gms', 'gram', 'grams'],
};
const LENGTHS: Readonly<Record<WrittenLengthUnit, readonly string[]>> = {
  IN: ['in', 'inch', 'inches'],
  CM: ['cm', 'cms', 'centimeter', 'centimeters', 'centimetre', 'centimetres'],
};

const byWord = <U extends string>(words: Readonly<Record<U, readonly string[]>>): ReadonlyMap<string, U> => {
  const units: [string, U][] = [];
  for (const unit in words) for (const word of words[unit]) units.push([word, unit]);
  return new Map(units);
};
export const WEIGHT_WORDS = byWord(WEIGHTS);
export const LENGTH_WORDS = byWord(LENGTHS);

const plain = (word: string): string => word.trim().toLowerCase().replace(/\.$/, '');

/** Returns the unit that a word names. Case and a final period do not matter: `Lbs.` is LB. */
export const weightUnitOf = (word: string): WrittenWeightUnit | undefined => WEIGHT_WORDS.get(plain(word));
export const lengthUnitOf = (word: string): WrittenLengthUnit | undefined => LENGTH_WORDS.get(plain(word));
