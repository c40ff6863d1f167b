/**
 * Repairs of cells, on request alone and never silent. Only what is certain is mended: a ZIP code whose repaired form is
 * in the list of ZIP codes (`zip-codes.ts`), a weight that converts exactly. What is left as it was faults as it would
 * have without.
 */
import { US_POSTAL_CODE } from '../rating/shipment.ts';
import { residentialOf } from './cell-values.ts';
import type { Field } from './fields.ts';
import { type Measure, mendSide, mendWeight } from './repair-measure.ts';
import type { CellReader } from './row.ts';
import { ZIP_BITS } from './zip-codes.ts';

const BITS = Buffer.from(ZIP_BITS, 'base64');

/** @param zip five digits */
export const zipExists = (zip: string): boolean => {
  const at = Number(zip);
  return (((BITS[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
};

export const REPAIRS = ['zip', 'weight', 'size', 'residential'] as const;
export type Repair = (typeof REPAIRS)[number];

/** What `?repair=` may say, and what it stands for. */
export const REPAIR_OPTIONS = { zip: ['zip'], weight: ['weight'], all: REPAIRS } as const satisfies Readonly<
  Record<string, readonly Repair[]>
>;
export type RepairOption = keyof typeof REPAIR_OPTIONS;

/** What of a list's columns decides what is mended. */
export interface Mending {
  readonly repairs: readonly Repair[];
  /** The column of each field that the list has. */
  readonly fields: Readonly<Partial<Record<Field, number>>>;
}

export interface Mended {
  /** The row's cells, mended. */
  readonly cell: CellReader;
  /** What was done, a phrase each: `postalCode 2139 read as 02139`. */
  readonly notes: readonly string[];
}

const US_NAMES = new Set(['US', 'USA', 'UNITEDSTATES', 'UNITEDSTATESOFAMERICA']);
const isUs = (country: string): boolean => US_NAMES.has(country.toUpperCase().replaceAll(/[\s.]/g, ''));

/** Zeros that a spreadsheet took, decimals that it added, marks that it was kept from both with. */
const mendZip = (cell: string): string | undefined => {
  const bare = cell
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

type Change = (field: Field, value: string, note: string) => void;

const mendAddress = (cell: CellReader, change: Change): void => {
  const [zip, country] = [cell('postalCode'), cell('countryCode')];
  if (country !== '' && !isUs(country)) return;
  if (!/^(?:us)?$/i.test(country)) change('countryCode', 'US', `countryCode ${country} read as US`);
  const mended = zip === '' || US_POSTAL_CODE.test(zip) ? undefined : mendZip(zip);
  if (mended !== undefined) change('postalCode', mended, `postalCode ${zip} read as ${mended}`);
};

/** One value for all packages, or one for each: `2.5|3|10`. */
const of = (values: readonly string[], index: number): string =>
  values.length === 1 ? (values[0] ?? '') : (values[index] ?? '');

const joined = (values: readonly string[]): string =>
  values.every((value) => value === values[0]) ? (values[0] ?? '') : values.join('|');

const mendWeights = (cell: CellReader, hasUnitColumn: boolean, change: Change): void => {
  const [value, units] = [cell('weight_value'), cell('weight_units')];
  const [values, unitList] = [value.split('|'), units.split('|')];
  if (value === '' || (unitList.length !== 1 && unitList.length !== values.length)) return;
  const mended = values.map((own, index): Measure => {
    const stated = of(unitList, index);
    return mendWeight(own, stated, hasUnitColumn) ?? { value: own, units: stated };
  });
  const newValue = mended.map(({ value: own }) => own).join('|');
  const newUnits = joined(mended.map(({ units: own }) => own));
  if (newValue === value && newUnits === joined(unitList)) return;
  // The cell says its own unit, or its column does.
  const before = /[a-z]/i.test(value) ? value : `${value} ${units}`.trim();
  change('weight_value', newValue, `weight_value ${before} read as ${newValue} ${newUnits}`.trim());
  if (newUnits !== units) change('weight_units', newUnits, '');
};

const SIDES = ['length', 'width', 'height'] as const;

const mendSides = (cell: CellReader, change: Change): void => {
  const stated = cell('dimension_units');
  const unitList = stated.split('|');
  const found = new Set<string>();
  const values = SIDES.map((side) => {
    const cells = cell(side).split('|');
    if (cells.join('') === '') return '';
    const mended = cells.map((own, index) => mendSide(own, of(unitList, index)));
    for (const measure of mended) found.add(measure?.units ?? '?');
    return mended.map((measure, index) => measure?.value ?? of(cells, index)).join('|');
  });
  const [units = ''] = found;
  // Sides of one box in two units, or one that cannot be read: nothing is certain.
  if (found.size !== 1 || units === '?') return;
  const before = SIDES.map((side) => cell(side));
  if (values.every((value, index) => value === before[index]) && units === joined(unitList)) return;
  const text = (sides: readonly string[], unit: string): string => `${sides.join(' x ')} ${unit}`.trim();
  SIDES.forEach((side, index) => {
    change(side, values[index] ?? '', '');
  });
  change('dimension_units', units, `dimensions ${text(before, stated)} read as ${text(values, units)}`);
};

/** Longer cells are none of those that are mended, and notes repeat cells. */
const LONGEST = 1_000;

/** Mends what can be mended for certain in a row. */
export const mendRow = (written: CellReader, { repairs, fields }: Mending): Mended => {
  const cell: CellReader = (field) => {
    const value = written(field);
    return value.length > LONGEST ? '' : value;
  };
  const cells = new Map<Field, string>();
  const notes: string[] = [];
  const change: Change = (field, value, note) => {
    cells.set(field, value);
    if (note !== '') notes.push(note);
  };
  if (repairs.includes('zip')) mendAddress(cell, change);
  if (repairs.includes('weight')) mendWeights(cell, fields.weight_units !== undefined, change);
  if (repairs.includes('size')) mendSides(cell, change);
  const residential = repairs.includes('residential') ? cell('residential') : '';
  const word = VALID_WORD.test(residential) ? undefined : residentialOf(residential);
  if (word !== undefined) change('residential', word, `residential ${residential} read as ${word}`);
  return { cell: (field) => cells.get(field) ?? written(field), notes };
};
