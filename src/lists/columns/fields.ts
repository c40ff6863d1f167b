/** Fields that columns may contain, and how column names are compared. */
import { FIELD_NAMES, type Field } from '../../rating/fields.ts';

export type { Field } from '../../rating/fields.ts';

export const SIDES = ['length', 'width', 'height'] as const satisfies readonly Field[];

/** Longer cells are not names. They are compared unchanged, because converting a megabyte would take many milliseconds. */
export const MOST_NAME_CHARACTERS = 200;

/** Returns a column name in the form for comparison, which ignores case, spaces, `_` and `-`. */
export const normal = (name: string): string =>
  name.length > MOST_NAME_CHARACTERS ? name : name.toLowerCase().replaceAll(/[\s_-]+/g, '');

/** A name that a caller repeats. Outputs have an apostrophe before a name that a spreadsheet would run as a formula. */
export const repeatedName = (name: string): string => normal(name).replace(/^'/, '');

const FIELD_BY_NAME: ReadonlyMap<string, Field> = new Map(FIELD_NAMES.map((field) => [normal(field), field]));

/** Returns the field with this exact name. `quantity` is a former name of `packages`. */
export const fieldCalled = (name: string): Field | undefined =>
  normal(name) === 'quantity' ? 'packages' : FIELD_BY_NAME.get(normal(name));

/** Returns the field of a column with this name. */
export const fieldNamed = (name: string): Field | undefined => {
  const field = FIELD_BY_NAME.get(normal(name));
  return field === 'weight_ounces' || field === 'dimensions' ? undefined : field;
};

export const isSide = (field: Field): boolean => SIDES.some((side) => side === field);

/** The column index of each field that a list has. */
export type FieldColumns = Readonly<Partial<Record<Field, number>>>;

/** Returns the column with a field's values. The column of the dimensions has the sides too. */
export const columnOf = (fields: FieldColumns, field: Field): number | undefined =>
  fields[field] ?? (isSide(field) ? fields.dimensions : undefined);

/** Longer cells are not sizes. */
const LONGEST_SIZE = 1_000;

const BETWEEN_SIDES = /[x×*]/i;

/** Splits `12x10x8|6x6x6` or `12,10,8` into the sides of each package. Empty for a long cell. */
const sizesIn = (cell: string): readonly (readonly string[])[] =>
  cell.length > LONGEST_SIZE
    ? []
    : cell.split('|').map((size) => size.split(BETWEEN_SIDES.test(size) ? BETWEEN_SIDES : ','));

/** Returns each side of the packages. A side that a package lacks is empty. A cell that is no size is returned as the length. */
const sidesIn = (cell: string): Readonly<Record<(typeof SIDES)[number], string>> => {
  const sizes = sizesIn(cell);
  if (sizes.length === 0 || sizes.some((sides) => sides.length > SIDES.length))
    return { length: cell, width: '', height: '' };
  const each = (side: 0 | 1 | 2): string => sizes.map((sides) => sides[side]?.trim() ?? '').join('|');
  return { length: each(0), width: each(1), height: each(2) };
};

/** Whether a cell looks like three sides. Three numbers with commas do not count: they may be anything. */
export const isSize = (cell: string): boolean =>
  BETWEEN_SIDES.test(cell) &&
  sizesIn(cell).every((sides) => sides.length === SIDES.length) &&
  sidesIn(cell).height !== '';

/** Reads a field from the cell of its column. */
export const fieldIn = (fields: FieldColumns, field: Field, cell: string): string =>
  fields[field] !== undefined || (field !== 'length' && field !== 'width' && field !== 'height')
    ? cell
    : sidesIn(cell)[field];

/** Returns the name that chooses each column. The second of several columns called `Weight` is `Weight (2)`. */
export const numberedNames = (header: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const name of header) counts.set(name.trim(), (counts.get(name.trim()) ?? 0) + 1);
  const seen = new Map<string, number>();
  return header.map((name) => {
    const own = name.trim();
    const place = (seen.get(own) ?? 0) + 1;
    seen.set(own, place);
    // Columns without a name cannot be chosen.
    return counts.get(own) === 1 || own === '' ? name : `${own} (${place})`;
  });
};

/** The text up to an unescaped comma. */
const PAIR = /(?:\\.|[^\\,])+/gsu;

/** Splits a parameter into pairs, which are separated by commas. @returns the pairs, or the problem with the text */
export const escapedPairs = (text: string): readonly string[] | string =>
  /(?:^|[^\\])(?:\\\\)*\\$/s.test(text) ? 'ends with a single backslash' : (text.match(PAIR) ?? []);

/** Returns a name in a pair without its backslashes. */
export const unescaped = (name: string): string => name.replaceAll(/\\(.)/gsu, '$1').trim();

/** Column names by field. An empty name means that the field has no column. */
export type NamedColumns = ReadonlyMap<Field, string>;

const NO_PAIRS = 'must be pairs such as weight_value:Wt (lbs),postalCode:Ship To Zip';

/**
 * Reads `?columns=`, the caller's choice of columns. It has pairs of a field and a column name, separated by commas:
 * `weight_value:Wt (lbs),postalCode:Ship To Zip`. A backslash goes before a comma or backslash in a column name. A field
 * with nothing after its colon has no column: with `packages:`, a column with that name only passes through.
 * @returns the names, or the problem with the text
 */
export const readNamedColumns = (text: string): NamedColumns | string => {
  const named = new Map<Field, string>();
  const pairs = escapedPairs(text);
  if (typeof pairs === 'string') return pairs;
  for (const pair of pairs) {
    const colon = pair.indexOf(':');
    if (colon === -1) return NO_PAIRS;
    const field = fieldCalled(pair.slice(0, colon));
    if (field === undefined) return `names an unknown field; the fields are ${FIELD_NAMES.join(', ')}`;
    if (named.has(field)) return `names ${field} twice`;
    named.set(field, unescaped(pair.slice(colon + 1)));
  }
  return named.size === 0 ? NO_PAIRS : named;
};
