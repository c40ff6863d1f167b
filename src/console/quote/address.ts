/** The inputs of a quote in the page's address, as paths and texts, so that a quote can be linked and reloaded. */
import { href } from '../navigation.tsx';
import { type FormField, type Typed, textIn } from '../ui/form.tsx';

export interface Inputs {
  readonly typed: Typed;
  readonly packages: readonly Typed[];
}

const OF_PACKAGE = /^packageItems\[(\d{1,2})\]\.(.+)$/;

/** @param hash such as `#/quote?recipient.address.postalCode=02139` @returns undefined if there are no inputs */
export const inputsIn = (hash: string): Inputs | undefined => {
  const typed: Record<string, string> = {};
  const packages: Record<string, string>[] = [];
  const [, query = ''] = hash.split('?', 2);
  for (const [path, text] of new URLSearchParams(query)) {
    const [, index, member] = OF_PACKAGE.exec(path) ?? [];
    if (index === undefined || member === undefined) typed[path] = text;
    else packages[Number(index)] = { ...packages[Number(index)], [member]: text };
  }
  if (packages.length === 0) packages.push({});
  return query === '' ? undefined : { typed, packages: Array.from(packages, (own = {}) => own) };
};

/** @param fields the fields of the shipment @param fieldsOf the fields of a package that are sent */
export const addressOf = (
  { typed, packages }: Inputs,
  fields: readonly FormField[],
  fieldsOf: (own: Typed) => readonly FormField[],
): string => {
  const query = new URLSearchParams();
  const add = (some: readonly FormField[], own: Typed, under: string): void => {
    for (const field of some) {
      const text = textIn({ typed: own }, field).trim();
      if (text !== '') query.set(under + field.at, text);
    }
  };
  add(fields, typed, '');
  for (const [index, own] of packages.entries()) add(fieldsOf(own), own, `packageItems[${index}].`);
  return `${href.quote}?${query}`;
};
