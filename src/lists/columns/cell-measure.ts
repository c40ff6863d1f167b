/** Reads measures from cells that state their own unit: `35 oz`, `12"`. */
import { lengthUnitOf, type WrittenLengthUnit, type WrittenWeightUnit, weightUnitOf } from '../../rating/unit-names.ts';

const WITH_UNIT = /^(\d+(?:\.\d*)?|\.\d+)\s*([a-z]+\.?|")$/i;
/** Longer cells are not measures. */
const LONGEST = 40;

const measureIn = <U>(
  cell: string,
  unitOf: (word: string) => U | undefined,
): { readonly value: string; readonly unit: U } | undefined => {
  const last = cell.charCodeAt(cell.length - 1);
  // Most cells end with a digit, so they state no unit.
  if (last <= 57 && last >= 48) return undefined;
  const [, value = '', word = ''] = cell.length > LONGEST ? [] : (WITH_UNIT.exec(cell.trim()) ?? []);
  const unit = unitOf(word);
  return unit === undefined ? undefined : { value, unit };
};

export const weightIn = (cell: string): { readonly value: string; readonly unit: WrittenWeightUnit } | undefined =>
  measureIn(cell, weightUnitOf);

export const lengthIn = (cell: string): { readonly value: string; readonly unit: WrittenLengthUnit } | undefined =>
  measureIn(cell, (word) => (word === '"' ? 'IN' : lengthUnitOf(word)));
