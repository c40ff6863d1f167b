/** Converts numbers that are not in a request's form: `1,250.5`, `1.250,5`. The caller states the form. */
import { type Field, specOf } from '../../rating/fields.ts';

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
