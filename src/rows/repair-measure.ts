/** Weights and sides of boxes as shipping tools export them: `5 lb 3 oz`, `2.3kg`, `12` in OZ, `2,5`. */
import { type Decimal, decimalText, PLAIN, readDecimal, scaled, sum } from './decimal.ts';
import { lengthUnitOf, type WrittenWeightUnit, weightUnitOf } from './unit-names.ts';

export interface Measure {
  /** A decimal number, as a request has it. */
  readonly value: string;
  /** Empty where none is written. */
  readonly units: string;
}

const WITH_UNIT = /^([\d.,]+)\s*([a-z]*\.?)$/i;
const POUNDS_AND_OUNCES = /^([\d.,]+?)\s*(lbs?|pounds?)[.,]?\s*(?:and\s+)?([\d.,]+?)\s*(oz|ounces?)\.?$/i;

/** Exact: an ounce is 0.0625 LB, a gram 0.001 KG. */
const inRequestUnits = (value: Decimal, unit: WrittenWeightUnit): Measure | undefined => {
  const [converted, units] =
    unit === 'OZ' ? [scaled(value, 625n, 4), 'LB'] : unit === 'G' ? [scaled(value, 1n, 3), 'KG'] : [value, unit];
  const text = decimalText(converted);
  return text === undefined ? undefined : { value: text, units };
};

const poundsAndOunces = (cell: string, units: string, binding: boolean): Measure | undefined => {
  const [, pounds = '', , ounces = ''] = POUNDS_AND_OUNCES.exec(cell) ?? [];
  const [lb, oz] = [readDecimal(pounds), readDecimal(ounces)];
  if (lb === undefined || oz === undefined || (binding && units !== '' && weightUnitOf(units) !== 'LB'))
    return undefined;
  return inRequestUnits(sum(lb, scaled(oz, 625n, 4)), 'LB');
};

/**
 * One package's weight in the units of a request.
 * @param units that are stated for the cell, empty where there are none
 * @param binding whether a column of this row states them: where it and the cell name two units, nothing is certain. A
 * unit that is stated for all rows alike gives way to the cell's own
 * @returns the weight, which is the same as before where it needs no repair, or undefined where it cannot be repaired
 */
export const mendWeight = (cell: string, units: string, binding: boolean): Measure | undefined => {
  if (PLAIN.test(cell) && (units === '' || units === 'LB' || units === 'KG')) return { value: cell, units };
  const text = cell.trim();
  if (text.length > 40) return undefined;
  const [, number = '', word = ''] = WITH_UNIT.exec(text) ?? [];
  const value = readDecimal(number);
  if (value === undefined) return poundsAndOunces(text, units.trim(), binding);
  const [own, stated] = [weightUnitOf(word), weightUnitOf(units)];
  if ((word !== '' && own === undefined) || (binding && units.trim() !== '' && stated === undefined)) return undefined;
  if (binding && own !== undefined && stated !== undefined && own !== stated) return undefined;
  const unit = own ?? stated;
  if (unit !== undefined) return inRequestUnits(value, unit);
  const plain = decimalText(value);
  return plain === undefined ? undefined : { value: plain, units: '' };
};

/** One side of a box; its unit may stand in the cell too. As `mendWeight`. */
export const mendSide = (cell: string, units: string): Measure | undefined => {
  if (PLAIN.test(cell) && (units === '' || units === 'IN' || units === 'CM')) return { value: cell, units };
  const [, number = '', word = ''] = WITH_UNIT.exec(cell.trim().replace(/"$/, 'in')) ?? [];
  const value = readDecimal(number);
  const [own, stated] = [lengthUnitOf(word), lengthUnitOf(units)];
  if (value === undefined || (word !== '' && own === undefined) || (units.trim() !== '' && stated === undefined))
    return undefined;
  if (own !== undefined && stated !== undefined && own !== stated) return undefined;
  const text = decimalText(value);
  return text === undefined ? undefined : { value: text, units: own ?? stated ?? '' };
};
