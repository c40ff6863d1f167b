/**
 * What a quote says beside its price (contract, Warnings). Rating is hot, so a price carries one bit for each type and
 * nothing else; the words are made when somebody reads them.
 *
 * A new type takes the next bit: add it to `TYPES` and to `warningOf`, and set its bit where the price is made.
 */
import { z } from 'zod';
import type { Card } from './card.ts';

const TYPES = ['zone.estimated'] as const;
type PriceWarningType = (typeof TYPES)[number];

/** The bit of `zone.estimated`: the zone comes from the distance, because no chart has the origin. */
export const ZONE_ESTIMATED = 1 << TYPES.indexOf('zone.estimated');

/** A warning as clients read it. */
export const warningSchema = z.object({
  type: z
    .string()
    .meta({ description: 'Such as `zone.estimated`. New types may come: ignore those that you do not know.' }),
  message: z.string().meta({ description: 'For people.' }),
  arguments: z.record(z.string(), z.unknown()).meta({ description: 'The values behind it, by name.' }),
});
export type Warning = z.output<typeof warningSchema>;

/** The types of a price's warnings, by bit, in a fixed order. */
export const warningTypes = (bits: number): readonly PriceWarningType[] =>
  TYPES.filter((_, index) => (bits & (1 << index)) !== 0);

const warningOf = (type: PriceWarningType, card: Card, origin: string): Warning => {
  switch (type) {
    case 'zone.estimated':
      return {
        type,
        message: `No zone chart of ${card.carrier} has the origin ${origin}. The zone was estimated from the distance.`,
        arguments: { origin },
      };
    default:
      return type satisfies never;
  }
};

/** @param origin the ZIP code of the warehouse */
export const warningsOf = (
  { card, warnings }: { readonly card: Card; readonly warnings: number },
  origin: string,
): Warning[] => warningTypes(warnings).map((type) => warningOf(type, card, origin));
