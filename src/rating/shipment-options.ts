/** Schema of `rates.options`, the options of a request. Limits: contract, Rate request. */
import { z } from 'zod';
import type { ShipmentOptions } from './charges.ts';
import { memberOf, OPTION_NAMES, type OptionField, optionOf } from './fields.ts';

/** Converts dollars to cents. Exact for any amount up to the limit. */
const centsOf = (amount: number): number => Math.round(amount * 100);

const dollars = (most: number | undefined) =>
  z
    .number({
      error: ({ code }) => (code === 'invalid_type' ? 'must be a number of dollars, such as 1250.50' : undefined),
    })
    .gte(0)
    .lte(most ?? Number.POSITIVE_INFINITY, `must be at most ${most} US dollars, whatever the shipping service`)
    .refine((amount) => centsOf(amount) / 100 === amount, 'must have at most two decimals');

const typeOfValue = ({ kind, values = [], most }: ReturnType<typeof optionOf>) => {
  switch (kind) {
    case 'choice':
      return z.enum(values);
    case 'dollars':
      return dollars(most);
    case 'date':
      return z.iso.date('must be a date, YYYY-MM-DD');
    default:
      return z.boolean();
  }
};

const schemaOf = (field: OptionField) => {
  const { about, example } = optionOf(field);
  const value = typeOfValue(optionOf(field));
  return value.optional().meta({ description: about, ...(example === undefined ? {} : { example }) });
};

export const shipmentOptions = z
  .object(Object.fromEntries(OPTION_NAMES.map((field) => [memberOf(optionOf(field).path), schemaOf(field)])))
  .meta({ description: 'Delivery options and terms of payment.' });

/** Reads the options of a request. `false`, 0 dollars and usual values such as `allow` ask for nothing. */
export const optionsOf = (asked: z.output<typeof shipmentOptions> | undefined): ShipmentOptions | undefined => {
  if (asked === undefined) return undefined;
  const entries = OPTION_NAMES.flatMap((field): (readonly [string, unknown])[] => {
    const { path, usual } = optionOf(field);
    const member = memberOf(path);
    const value = asked[member];
    if (value === undefined || value === false || value === 0 || value === usual) return [];
    return [typeof value === 'number' ? [`${member}Cents`, centsOf(value)] : [member, value]];
  });
  const options: ShipmentOptions = Object.fromEntries(entries);
  return entries.length === 0 ? undefined : options;
};
