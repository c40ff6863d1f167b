/** What a request may ask for beside transport: `rates.options`. Limits: contract, Rate request. */
import { z } from 'zod';
import { type ShipmentOptions, SIGNATURES } from './charges.ts';

/** US dollars. */
const MOST_DECLARED = 50_000;

const AMOUNT_MESSAGE = 'must be of type number: dollars, such as 1250.50';

/** An amount with a currency sign or separators. */
const amountMessage = (input: unknown): string =>
  typeof input === 'string' && /\d/.test(input)
    ? `${AMOUNT_MESSAGE}; ?repair=all repairs such cells in a list`
    : AMOUNT_MESSAGE;

/** Exact for any amount up to the limit. */
const centsOf = (amount: number): number => Math.round(amount * 100);

export const shipmentOptions = z
  .object({
    signature: z.enum(SIGNATURES).optional().meta({ description: 'The signature to ask for at the door.' }),
    saturday: z.boolean().optional().meta({ description: 'Saturday delivery.' }),
    declaredValue: z
      .number({ error: ({ code, input }) => (code === 'invalid_type' ? amountMessage(input) : undefined) })
      .gte(0)
      .lte(MOST_DECLARED)
      .refine((amount) => centsOf(amount) / 100 === amount, 'must have at most two decimals')
      .optional()
      .meta({ description: 'US dollars, of the whole shipment; at most two decimals.', example: 250 }),
    nonStandardPackaging: z.boolean().optional().meta({
      description: 'Whether carriers handle a package by hand for its packaging, such as a crate, a drum or a tire.',
    }),
    incomplete: z
      .enum(['allow', 'refuse'])
      .optional()
      .meta({ description: 'Whether a price may lack a part of the bill (`price.incomplete`). Default: `allow`.' }),
  })
  .meta({ description: 'What the shipment asks for beside transport.' });

/** `false`, `allow` and a declared value of 0 ask for nothing. */
export const optionsOf = (asked: z.output<typeof shipmentOptions> | undefined): ShipmentOptions | undefined => {
  if (asked === undefined) return undefined;
  const { signature, saturday, declaredValue = 0, nonStandardPackaging, incomplete } = asked;
  const options: ShipmentOptions = {
    ...(signature === undefined ? {} : { signature }),
    ...(saturday === true ? { saturday } : {}),
    ...(declaredValue === 0 ? {} : { declaredValueCents: centsOf(declaredValue) }),
    ...(nonStandardPackaging === true ? { nonStandardPackaging } : {}),
    ...(incomplete === 'refuse' ? { incomplete } : {}),
  };
  return Object.keys(options).length === 0 ? undefined : options;
};
