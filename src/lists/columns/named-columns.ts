/**
 * `?columns=`: the caller's choice of columns. It has pairs of a field and a column name, separated by commas:
 * `weight_value:Wt (lbs),postalCode:Ship To Zip`. A backslash goes before a comma or backslash in a column name. A field
 * with nothing after its colon has no column: with `packages:`, a column with that name only passes through.
 */
import { FIELD_NAMES } from '../../rating/fields.ts';
import { type Field, fieldCalled } from './fields.ts';

/** Column names by field. An empty name means that the field has no column. */
export type NamedColumns = ReadonlyMap<Field, string>;

/** The text up to an unescaped comma. */
const PAIR = /(?:\\.|[^\\,])+/gsu;

/** @returns the names, or the problem with the text */
export const readNamedColumns = (text: string): NamedColumns | string => {
  const named = new Map<Field, string>();
  if (/(?:^|[^\\])(?:\\\\)*\\$/s.test(text)) return 'ends with a single backslash';
  for (const pair of text.match(PAIR) ?? []) {
    const colon = pair.indexOf(':');
    if (colon === -1) return 'must be pairs such as weight_value:Wt (lbs),postalCode:Ship To Zip';
    const field = fieldCalled(pair.slice(0, colon));
    if (field === undefined) return `names an unknown field; the fields are ${FIELD_NAMES.join(', ')}`;
    if (named.has(field)) return `names ${field} twice`;
    named.set(
      field,
      pair
        .slice(colon + 1)
        .replaceAll(/\\(.)/gsu, '$1')
        .trim(),
    );
  }
  return named.size === 0 ? 'must be pairs such as weight_value:Wt (lbs),postalCode:Ship To Zip' : named;
};
