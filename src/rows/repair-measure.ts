/** Repairs weights and dimensions in the formats of shipping tools: `5 lb 3 oz`, `2.3kg`, `12` in OZ, `2,5`. */
import { type Decimal, decimalText, PLAIN, readDecimal, scaled, sum } from './decimal.ts';
import { lengthUnitOf, type WrittenWeightUnit, weightUnitOf } from './unit-names.ts';

export interface Measure {
  /** A decimal number in the form of a request. */
  readonly value: string;
  /** Empty if there is no unit. */
  readonly units: string;
}

const WITH_UNIT = /^([\d.,]+)\s*([a-z]*\.?)$/i;
const POUNDS_AND_OUNCES = /^([\d.,]+?)\s*(lbs?|pounds?)[.,]?\s*(?:and\s+)?([\d.,]+?)\s*(oz|ounces?)\.?$/i;

/** Converts exactly: an ounce is 0.0625 LB, a gram 0.001 KG. */
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
 * Repairs the weight of one package.
 * @param units the stated units for the cell; empty if there are none
 * @param binding whether a cell of this row states the units. If it contradicts a unit in the weight's cell, nothing is
 * certain. Units for all rows give way to the unit in the cell
 * @returns the weight in units of a request, unchanged if it needs no repair; undefined if it cannot be repaired
 */
export const repairWeight = (cell: string, units: string, binding: boolean): Measure | undefined => {
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

/** Repairs one side of a box, as `repairWeight` does. The unit may be in the cell. */
export const repairSide = (cell: string, units: string): Measure | undefined => {
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
