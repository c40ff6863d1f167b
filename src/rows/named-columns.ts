/**
 * `?columns=`: which column means what, in the caller's words. Pairs of a field's name and a column's, parted by commas:
 * `weight_value:Wt (lbs),postalCode:Ship To Zip`. A comma or backslash within a column's name has a backslash before it.
 * A field with nothing behind its colon has no column: `packages:` passes a column of that name through as any other.
 */
import { FIELDS, type Field, fieldCalled } from './fields.ts';

/** Column names by field; an empty name says that no column has this meaning. */
export type NamedColumns = ReadonlyMap<Field, string>;

/** Each run up to a comma that has no backslash before it. */
const PAIR = /(?:\\.|[^\\,])+/gsu;

/** @returns the names, or what is wrong with the text */
export const readNamedColumns = (text: string): NamedColumns | string => {
  const named = new Map<Field, string>();
  if (/(?:^|[^\\])(?:\\\\)*\\$/s.test(text)) return 'ends with a backslash that has nothing behind it';
  for (const pair of text.match(PAIR) ?? []) {
    const colon = pair.indexOf(':');
    if (colon === -1) return 'must be pairs such as weight_value:Wt (lbs),postalCode:Ship To Zip';
    const field = fieldCalled(pair.slice(0, colon));
    if (field === undefined) return `names a field that there is not; the fields are ${FIELDS.join(', ')}`;
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
