/**
 * Repairs cells on request and reports every repair. A repair must be certain: the new ZIP code is in the list of ZIP codes
 * (`known-zips.ts`), or the weight converts exactly. A cell that is not repaired gets the same fault as without repairs.
 */
import { must } from '../../base/must.ts';
import { lengthUnitOf, weightUnitOf } from '../../rating/quantity.ts';
import { US_POSTAL_CODE } from '../../rating/shipment.ts';
import { countryOf, residentialOf } from '../columns/cell-values.ts';
import type { Columns } from '../columns/columns.ts';
import { type Field, SIDES } from '../columns/fields.ts';
import { decimalText, inRequestUnits, type Measure, PLAIN, poundsOf, readDecimal } from './decimal.ts';
import { ZIP_BITS } from './known-zips.ts';
import { type CellReader, each } from './row.ts';

/* Repairs weights and dimensions in the formats of shipping tools: `5 lb 3 oz`, `2.3kg`, `12` in OZ, `2,5`. */

const WITH_UNIT = /^([\d.,]+)\s*([a-z]*\.?)$/i;
const POUNDS_AND_OUNCES = /^([\d.,]+?)\s*(lbs?|pounds?)[.,]?\s*(?:and\s+)?([\d.,]+?)\s*(oz|ounces?)\.?$/i;

const poundsAndOunces = (cell: string, units: string, binding: boolean): Measure | undefined => {
  const [, pounds = '', , ounces = ''] = POUNDS_AND_OUNCES.exec(cell) ?? [];
  const value = binding && units !== '' && weightUnitOf(units) !== 'LB' ? undefined : poundsOf(pounds, ounces);
  return value === undefined ? undefined : { value, units: 'LB' };
};

/**
 * Repairs the weight of one package.
 * @param units the stated units for the cell; empty if there are none
 * @param binding whether a cell of this row states the units. If the weight's cell has another unit, nothing is certain.
 * Units for all rows give way to the unit in the cell
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

/** Repairs one side of a box, like `repairWeight`. The unit may be in the cell. */
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

const BITS = Buffer.from(ZIP_BITS, 'base64');

/** @param zip five digits */
export const zipExists = (zip: string): boolean => {
  const at = Number(zip);
  return ((must(BITS[at >> 3], 'a byte of the ZIP list') >> (at & 7)) & 1) === 1;
};

export const REPAIRS = ['zip', 'weight', 'size', 'residential', 'value'] as const;
export type Repair = (typeof REPAIRS)[number];

/** The values of `?repair=` and the repairs that they mean. */
export const REPAIR_OPTIONS = { zip: ['zip'], weight: ['weight'], all: REPAIRS } as const satisfies Readonly<
  Record<string, readonly Repair[]>
>;
export type RepairOption = keyof typeof REPAIR_OPTIONS;

/** The part of a list's columns that determines the repairs. */
type RepairScope = Pick<Columns, 'repairs' | 'emptyWeight' | 'fields'>;

/** Whether values of rows may differ from their cells. `quote_repairs` says how. */
export const changesCells = ({ repairs, emptyWeight }: RepairScope): boolean =>
  repairs.length > 0 || emptyWeight !== undefined;

/** What can be repaired: a field, or the three sides with their unit. */
export const REPAIRED = [
  'postalCode',
  'countryCode',
  'weight_value',
  'dimensions',
  'residential',
  'declared_value',
] as const satisfies readonly Field[];

/** A repair that was made to a row. */
export interface Made {
  readonly what: (typeof REPAIRED)[number];
  readonly before: string;
  readonly after: string;
}

export interface RepairedRow {
  /** The row's cells after the repairs. */
  readonly cell: CellReader;
  readonly made: readonly Made[];
  /** A phrase for each repair, such as `postalCode 2139 read as 02139`, and for an empty weight that was filled. */
  readonly notes: readonly string[];
}

const isUs = (country: string): boolean => countryOf(country.trim()).toUpperCase() === 'US';

/**
 * Restores leading zeros. Removes decimals, invisible characters, and marks that keep a cell text (`="02139"`, `'02139`).
 */
const repairZip = (cell: string): string | undefined => {
  const bare = cell
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .replace(/\.0{1,6}$/, '')
    .replace(/-$/, '');
  const parts = /^(\d{3,5})(?:[- ](\d{4}))?$/.exec(bare) ?? /^(\d{3,5})(\d{4})$/.exec(bare);
  const zip5 = parts?.[1]?.padStart(5, '0');
  if (zip5 === undefined || !zipExists(zip5)) return undefined;
  return parts?.[2] === undefined ? zip5 : `${zip5}-${parts[2]}`;
};

const VALID_WORD = /^(?:true|false)?$/i;

type Change = (field: Field, value: string, made?: Made) => void;

const repairAddress = (cell: CellReader, change: Change): void => {
  const [zip, country] = [cell('postalCode'), cell('countryCode')];
  if (country !== '' && !isUs(country)) return;
  if (!/^(?:us)?$/i.test(country)) change('countryCode', 'US', { what: 'countryCode', before: country, after: 'US' });
  const repaired = zip === '' || US_POSTAL_CODE.test(zip) ? undefined : repairZip(zip);
  if (repaired !== undefined) change('postalCode', repaired, { what: 'postalCode', before: zip, after: repaired });
};

const joined = (values: readonly string[]): string =>
  values.every((value) => value === values[0]) ? (values[0] ?? '') : values.join('|');

const repairWeights = (cell: CellReader, hasUnitColumn: boolean, change: Change): void => {
  const [value, units] = [cell('weight_value'), cell('weight_units')];
  const [values, unitList] = [value.split('|'), units.split('|')];
  if (value === '' || (unitList.length !== 1 && unitList.length !== values.length)) return;
  const repaired = values.map((own, index): Measure => {
    const stated = each(unitList, index);
    return repairWeight(own, stated, hasUnitColumn) ?? { value: own, units: stated };
  });
  const newValue = repaired.map(({ value: own }) => own).join('|');
  const newUnits = joined(repaired.map(({ units: own }) => own));
  if (newValue === value && newUnits === joined(unitList)) return;
  // The unit is in the cell or in the unit column.
  const before = /[a-z]/i.test(value) ? value : `${value} ${units}`.trim();
  change('weight_value', newValue, { what: 'weight_value', before, after: `${newValue} ${newUnits}`.trim() });
  if (newUnits !== units) change('weight_units', newUnits);
};

const ZERO = /^0+(?:\.0*)?$/;

const repairSides = (cell: CellReader, change: Change): void => {
  const stated = cell('dimension_units');
  const unitList = stated.split('|');
  const found = new Set<string>();
  const values = SIDES.map((side) => {
    const cells = cell(side).split('|');
    if (cells.join('') === '') return '';
    const repaired = cells.map((own, index) => repairSide(own, each(unitList, index)));
    for (const measure of repaired) found.add(measure?.units ?? '?');
    return repaired.map((measure, index) => measure?.value ?? each(cells, index)).join('|');
  });
  // Programs that do not know a size write zeros, which are not dimensions.
  if (SIDES.every((side) => ZERO.test(cell(side)))) {
    const before = `${SIDES.map((side) => cell(side)).join(' x ')} ${stated}`.trim();
    change('length', '', { what: 'dimensions', before, after: 'no dimensions' });
    change('width', '');
    change('height', '');
    return;
  }
  const [units = ''] = found;
  // Nothing is certain if the sides have two units or one cannot be read.
  if (found.size !== 1 || units === '?') return;
  const before = SIDES.map((side) => cell(side));
  if (values.every((value, index) => value === before[index]) && units === joined(unitList)) return;
  const text = (sides: readonly string[], unit: string): string => `${sides.join(' x ')} ${unit}`.trim();
  SIDES.forEach((side, index) => {
    change(side, must(values[index], 'a side'));
  });
  const made = { what: 'dimensions', before: text(before, stated), after: text(values, units) } as const;
  change('dimension_units', units, made);
};

/** `$1,250.00`, `1250 USD`, `1250,5`. A comma before three digits separates thousands: money has two decimals. */
const MONEY = /^(?:USD|US\$|\$)?\s*(\d{1,3}(?:,\d{3}){1,2}|\d{1,9})(?:([.,])(\d{1,2}))?\s*(?:USD)?$/i;

const repairValue = (cell: CellReader, change: Change): void => {
  const value = cell('declared_value');
  if (value === '' || PLAIN.test(value)) return;
  const [, whole, point, fraction = ''] = MONEY.exec(value.trim()) ?? [];
  if (whole === undefined || (point === ',' && whole.includes(','))) return;
  const repaired = `${whole.replaceAll(',', '')}${fraction === '' ? '' : `.${fraction}`}`;
  change('declared_value', repaired, { what: 'declared_value', before: value, after: repaired });
};

/** Longer cells are not repaired, because notes repeat the cells. */
const LONGEST = 1_000;

/** Makes the certain repairs of a row. */
export const repairRow = (written: CellReader, { repairs, fields, emptyWeight }: RepairScope): RepairedRow => {
  const cell: CellReader = (field) => {
    const value = written(field);
    return value.length > LONGEST ? '' : value;
  };
  const cells = new Map<Field, string>();
  const made: Made[] = [];
  const change: Change = (field, value, own) => {
    cells.set(field, value);
    if (own !== undefined) made.push(own);
  };
  if (repairs.includes('zip')) repairAddress(cell, change);
  if (repairs.includes('weight')) repairWeights(cell, fields.weight_units !== undefined, change);
  if (repairs.includes('size')) repairSides(cell, change);
  const residential = repairs.includes('residential') ? cell('residential') : '';
  const word = VALID_WORD.test(residential) ? undefined : residentialOf(residential);
  if (word !== undefined) change('residential', word, { what: 'residential', before: residential, after: word });
  if (repairs.includes('value')) repairValue(cell, change);
  const notes = made.map(({ what, before, after }) => `${what} ${before} read as ${after}`);
  // Several units belong to several packages. One weight cannot be for all of them.
  const isEmpty = (): boolean =>
    written('weight_value') === '' && written('weight_ounces') === '' && !cell('weight_units').includes('|');
  if (emptyWeight !== undefined && isEmpty()) {
    const { value, units } = emptyWeight;
    change('weight_value', value);
    change('weight_units', units);
    notes.push(`weight_value (empty) read as ${value} ${units}`);
  }
  return { cell: (field) => cells.get(field) ?? written(field), made, notes };
};
