/** Fields that columns may contain, and how column names are compared. */
import { FIELD_NAMES, type Field } from '../../rating/fields.ts';

export type { Field } from '../../rating/fields.ts';

export const SIDES = ['length', 'width', 'height'] as const satisfies readonly Field[];

/** Longer cells are not names. They are compared unchanged, because converting a megabyte would take many milliseconds. */
export const MOST_NAME_CHARACTERS = 200;

/** Returns a column name in the form for comparison, which ignores case, spaces, `_` and `-`. */
export const normal = (name: string): string =>
  name.length > MOST_NAME_CHARACTERS ? name : name.toLowerCase().replaceAll(/[\s_-]+/g, '');

const FIELD_BY_NAME: ReadonlyMap<string, Field> = new Map(FIELD_NAMES.map((field) => [normal(field), field]));

/** Returns the field with this exact name. `quantity` is a former name of `packages`. */
export const fieldCalled = (name: string): Field | undefined =>
  normal(name) === 'quantity' ? 'packages' : FIELD_BY_NAME.get(normal(name));

/** Returns the field of a column with this name. */
export const fieldNamed = (name: string): Field | undefined => {
  const field = FIELD_BY_NAME.get(normal(name));
  return field === 'weight_ounces' || field === 'dimensions' ? undefined : field;
};

/** A date as WorldShip exports it: `20260601`. Other numbers are not dates. */
const COMPACT_DATE = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;

/** Converts a compact date to the form of a request. Leaves other cells unchanged. */
export const isoDay = (cell: string): string => cell.replace(COMPACT_DATE, '$1-$2-$3');

export const isSide = (field: Field): boolean => SIDES.some((side) => side === field);

/** The column index of each field that a list has. */
export type FieldColumns = Readonly<Partial<Record<Field, number>>>;

/** Returns the column with a field's values. The column of the dimensions has the sides too. */
export const columnOf = (fields: FieldColumns, field: Field): number | undefined =>
  fields[field] ?? (isSide(field) ? fields.dimensions : undefined);

/** Longer cells are not sizes. */
const LONGEST_SIZE = 1_000;

const BETWEEN_SIDES = /[x×*]/i;

/** Splits `12x10x8` or `12,10,8` into sides, for each package: `12x10x8|6x6x6`. Any other cell is returned as the length. */
const sidesIn = (cell: string): Readonly<Record<(typeof SIDES)[number], string>> => {
  const sizes =
    cell.length > LONGEST_SIZE
      ? []
      : cell.split('|').map((size) => size.split(BETWEEN_SIDES.test(size) ? BETWEEN_SIDES : ','));
  if (sizes.length === 0 || sizes.some((sides) => sides.length !== SIDES.length))
    return { length: cell, width: '', height: '' };
  const each = (side: 0 | 1 | 2): string => sizes.map((sides) => sides[side]?.trim() ?? '').join('|');
  return { length: each(0), width: each(1), height: each(2) };
};

/** Whether a cell looks like three sides. Three numbers with commas do not count: they may be anything. */
export const isSize = (cell: string): boolean => BETWEEN_SIDES.test(cell) && sidesIn(cell).height !== '';

/** Reads a field from the cell of its column. */
export const fieldIn = (fields: FieldColumns, field: Field, cell: string): string =>
  fields[field] !== undefined || (field !== 'length' && field !== 'width' && field !== 'height')
    ? cell
    : sidesIn(cell)[field];
