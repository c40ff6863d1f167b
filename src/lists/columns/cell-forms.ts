/** Converts cells that are not in a request's form: numbers, dates, and measures that state their own unit. */
import { type Field, specOf } from '../../rating/fields.ts';
import { type LengthUnit, lengthUnitOf, type WrittenWeightUnit, weightUnitOf } from '../../rating/quantity.ts';

/** The decimal signs that a caller can name. The other sign separates thousands. */
export const DECIMAL_SIGNS = ['point', 'comma'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** Whether a field's cells are numbers that may have decimals or separators. */
export const isNumber = (field: Field): boolean => {
  const { kind } = specOf(field);
  return kind === 'number' || kind === 'dollars';
};

/** A number with its separators. A unit may follow. */
const RUN = /[\d.,]+/g;
/** `1,250`, `1,250.5`. The first group cannot begin with zero. */
const GROUPED_BY_COMMAS = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
/** `1.250`, `1.250,5`, `2,5`, `,5`. */
const WITH_DECIMAL_COMMA = /^(?:[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?|\d*,\d+)$/;

/** Longer cells are not numbers. */
const LONGEST = 1_000;

const plainRun = (run: string, sign: DecimalSign): string => {
  if (sign === 'point') return GROUPED_BY_COMMAS.test(run) ? run.replaceAll(',', '') : run;
  return WITH_DECIMAL_COMMA.test(run) ? run.replaceAll('.', '').replace(',', '.') : run;
};

/** Converts the numbers in a cell to a request's form. A number in another form stays unchanged. */
export const plainNumbers = (field: Field, cell: string, sign: DecimalSign): string =>
  isNumber(field) && cell.length <= LONGEST ? cell.replaceAll(RUN, (run) => plainRun(run, sign)) : cell;

/** Writes a request's value in the list's form, so that reading the cell gives the value again. */
export const writtenNumbers = (field: Field, value: string, sign: DecimalSign | undefined): string =>
  sign === 'comma' && isNumber(field) ? value.replaceAll('.', ',') : value;

/** The orders of a date that a caller can name: `6/1/2026`. */
export const DATE_ORDERS = ['mdy', 'dmy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Three numbers with the same separator between them. A time of day and its zone may follow. They are ignored. */
const PARTS =
  /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]m)?(?: ?(?:[a-z]{1,4}|[+-]\d{2}:?\d{2}))?)?$/i;

/** @returns the date in the form of a request. A cell in another form stays unchanged */
export const orderedDay = (cell: string, order: DateOrder): string => {
  const [, first = '', , second = '', third = ''] = PARTS.exec(cell) ?? [];
  const [year, month, day] =
    order === 'ymd' || first.length === 4
      ? [first, second, third]
      : order === 'mdy'
        ? [third, first, second]
        : [third, second, first];
  if ((year.length !== 4 && year.length !== 2) || month.length > 2 || day.length > 2) return cell;
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};

/** A date as WorldShip exports it: `20260601`. Other numbers are not dates. */
const COMPACT_DATE = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;

/** Converts a compact date to the form of a request. Leaves other cells unchanged. */
export const isoDay = (cell: string): string => cell.replace(COMPACT_DATE, '$1-$2-$3');

/** A measure with its own unit: `35 oz`, `12"`. */
const WITH_UNIT = /^(\d+(?:\.\d*)?|\.\d+)\s*([a-z]+\.?|")$/i;
/** Longer cells are not measures. */
const LONGEST_MEASURE = 40;

const measureIn = <U>(
  cell: string,
  unitOf: (word: string) => U | undefined,
): { readonly value: string; readonly unit: U } | undefined => {
  const last = cell.charCodeAt(cell.length - 1);
  // Most cells end with a digit, so they state no unit.
  if (last <= 57 && last >= 48) return undefined;
  const [, value = '', word = ''] = cell.length > LONGEST_MEASURE ? [] : (WITH_UNIT.exec(cell.trim()) ?? []);
  const unit = unitOf(word);
  return unit === undefined ? undefined : { value, unit };
};

export const weightIn = (cell: string): { readonly value: string; readonly unit: WrittenWeightUnit } | undefined =>
  measureIn(cell, weightUnitOf);

export const lengthIn = (cell: string): { readonly value: string; readonly unit: LengthUnit } | undefined =>
  measureIn(cell, (word) => (word === '"' ? 'IN' : lengthUnitOf(word)));
