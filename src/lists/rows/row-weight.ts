/**
 * Converts a row's weight to the units of a request. The conversion is exact: an ounce is 0.0625 LB (four more decimals), a
 * gram 0.001 KG. So every row has an equivalent single call in pounds or kilograms with the same charges. Also converts the
 * sides of rows whose cells state their own unit: `12 in`, `12 x 9 x 6 in`.
 */
import { lengthUnitOf } from '../../rating/quantity.ts';
import { lengthIn, weightIn } from '../columns/cell-forms.ts';
import type { Columns } from '../columns/columns.ts';
import { type Field, SIDES } from '../columns/fields.ts';
import { decimalText, inRequestUnits, type Measure, PLAIN, poundsOf, quotient, readDecimal } from './decimal.ts';
import { type CellReader, countOf, DECIMAL, each } from './row.ts';

const LONGEST = 1_000;

/** Why a measure cannot be read, and the field that this is about. */
export interface Unread {
  readonly reason: string;
  readonly about: Field;
}

/**
 * Converts a weight. If the result would not be certain, the weight stays unchanged and its unit causes a fault. A cell that
 * is not a number causes a fault by itself.
 */
const certain = (value: string, units: string): Measure => {
  if (units !== 'OZ' && units !== 'G') return { value, units };
  if (!DECIMAL.test(value)) return { value, units: units === 'OZ' ? 'LB' : 'KG' };
  const decimal = PLAIN.test(value) ? readDecimal(value) : undefined;
  return (decimal && inRequestUnits(decimal, units)) ?? { value, units };
};

/** Whether both values are probably the same total weight, not pounds and the remaining ounces. */
const isSameTwice = (pounds: number, ounces: number): boolean => {
  const isUsual = Number.isInteger(pounds) && ounces < 16;
  return ounces > 0 && !isUsual && Math.abs(ounces - 16 * pounds) < 1;
};

type Sum = { readonly value: string } | Unread;

/**
 * @param ounces not empty
 * @returns the sum in pounds. A cell that is not a number of at least 0 is returned unchanged and causes the weight's fault
 */
const added = (pounds: string, ounces: string): Sum => {
  const wrong = [pounds, ounces].find((cell) => cell !== '' && !PLAIN.test(cell));
  if (wrong !== undefined) return { value: wrong };
  const total = poundsOf(pounds === '' ? '0' : pounds, ounces);
  if (total === undefined)
    return { about: 'weight_value', reason: 'its pounds and ounces have too many digits to be added up' };
  return isSameTwice(Number(pounds), Number(ounces))
    ? {
        about: 'weight_ounces',
        reason:
          'its ounces seem to be the whole weight again, not the rest of it; use ?columns=weight_ounces: to read only the pounds',
      }
    : { value: total };
};

const LETTER = /[a-z]/i;

/** Decides how the weights of a list are read. */
const weighingOf = ({ fields, words, weightPer }: Columns) => ({
  hasOunces: fields.weight_ounces !== undefined,
  /** Whether a cell may state its own unit: `35 oz`. */
  statesUnits: words.includes('weight_value'),
  /** Whether each row states its units in a column. A unit for all rows gives way to the unit in the cell. */
  isBinding: fields.weight_units !== undefined,
  /** Whether the weight of a row is for all its packages. */
  divides: weightPer === 'shipment',
});

const WEIGHTS = ['weight_value', 'weight_units', 'weight_ounces'] as const satisfies readonly Field[];

/** Splits the unit from the cell of a weight. It wins over the unit for all rows. */
const withoutUnit = (value: string, unit: string, isBinding: boolean): Measure | Unread => {
  const own = weightIn(value);
  if (own === undefined) return { value, units: unit };
  if (isBinding && unit !== '' && unit !== own.unit)
    return { about: 'weight_value', reason: `its weight is in ${own.unit}, but its units are ${unit.slice(0, 20)}` };
  return { value: own.value, units: own.unit };
};

/** Divides a weight equally among packages. */
const divided = (weight: Measure, packages: number): Measure => {
  const whole = PLAIN.test(weight.value) ? readDecimal(weight.value) : undefined;
  const text = whole === undefined ? undefined : decimalText(quotient(whole, packages));
  return text === undefined ? weight : { ...weight, value: text };
};

/** Returns the row's weights in units of a request, or the reason why they cannot be read. */
const weightsOf = (cell: CellReader, how: ReturnType<typeof weighingOf>): Measure | Unread => {
  const { hasOunces, statesUnits, isBinding } = how;
  const cells = [cell('weight_value'), cell('weight_units'), hasOunces ? cell('weight_ounces') : ''];
  const about = WEIGHTS[cells.findIndex(({ length }) => length > LONGEST)];
  if (about !== undefined) return { about, reason: 'its weight is too long to be read' };
  const [values = [], units = [], ounces = []] = cells.map((text) => text.split('|'));
  if (cells[2] !== '' && ounces.length !== values.length)
    return { about: 'weight_ounces', reason: 'it does not have as many ounces as pounds' };
  const count = Math.max(values.length, units.length);
  const weights: Measure[] = [];
  for (let at = 0; at < count; at++) {
    const written = { value: values[at] ?? '', units: each(units, at) };
    const stated = statesUnits ? withoutUnit(written.value, written.units, isBinding) : written;
    if ('reason' in stated) return stated;
    const { value, units: unit } = stated;
    const extra = ounces[at] ?? '';
    const own = statesUnits ? weightIn(extra) : undefined;
    const more = own?.unit === 'OZ' ? own.value : extra;
    if (more === '') weights.push(certain(value, unit));
    else if (unit !== 'LB') return { about: 'weight_ounces', reason: 'its ounces can only be added to a weight in LB' };
    else {
      const whole = added(value, more);
      if ('reason' in whole) return whole;
      weights.push({ value: whole.value, units: 'LB' });
    }
  }
  const [only] = weights;
  const packages = how.divides ? countOf(cell('packages')) : 1;
  if (only !== undefined && weights.length === 1 && packages > 1) return divided(only, packages);
  const first = only?.units ?? '';
  const alike = weights.every((weight) => weight.units === first);
  return {
    value: weights.map(({ value }) => value).join('|'),
    units: alike && units.length === 1 ? first : weights.map((weight) => weight.units).join('|'),
  };
};

/** @returns a reader of the row's cells with converted measures, or the reason why they cannot be read */
export type MeasureReader = (cell: CellReader) => CellReader | Unread;

/** Returns the weight reader of a list; undefined if its weights need no conversion. */
export const weightReader = (columns: Columns): MeasureReader | undefined => {
  const { defaults, words } = columns;
  const how = weighingOf(columns);
  const converts = defaults.weight_units === 'OZ' || defaults.weight_units === 'G' || words.includes('weight_units');
  const always = how.hasOunces || converts || how.divides;
  if (!always && !how.statesUnits) return undefined;
  return (cell) => {
    // Most cells state no unit.
    if (!always && !LETTER.test(cell('weight_value'))) return cell;
    const weights = weightsOf(cell, how);
    if ('reason' in weights) return weights;
    return (field) =>
      field === 'weight_value' ? weights.value : field === 'weight_units' ? weights.units : cell(field);
  };
};

/** @returns a reader of the row's cells with plain sides; undefined if the list's sides cannot state units */
export const sidesReader = ({ fields, words }: Columns): MeasureReader | undefined => {
  const isOneCell = words.includes('dimensions');
  const worded = SIDES.filter((side) => isOneCell || words.includes(side));
  if (worded.length === 0) return undefined;
  const isBinding = fields.dimension_units !== undefined;
  return (cell) => {
    const own = new Map<Field, NonNullable<ReturnType<typeof lengthIn>>>();
    for (const side of worded) {
      const measure = lengthIn(cell(side));
      if (measure !== undefined) own.set(side, measure);
    }
    const [first] = own;
    if (first === undefined) return cell;
    const stated = cell('dimension_units');
    // A unit for all rows gives way to the units in the cells. A side without a unit does not, except in `12 x 9 x 6 in`.
    const isOfAll = own.size === SIDES.length || (isOneCell && own.has('height'));
    const givesWay = stated === '' || (isOfAll && !isBinding);
    const unit = givesWay ? first[1].unit : lengthUnitOf(stated);
    // A unit that no request may have causes a fault by itself.
    if (unit === undefined || (unit !== stated && !givesWay)) return cell;
    const [about, other] = [...own].find((side) => side[1].unit !== unit) ?? [];
    const units = givesWay ? `${first[0]} is in` : 'units are';
    if (about !== undefined) return { about, reason: `its ${about} is in ${other?.unit}, but its ${units} ${unit}` };
    if (givesWay && !isOfAll) return cell;
    return (field) => (field === 'dimension_units' ? unit : (own.get(field)?.value ?? cell(field)));
  };
};
