/**
 * What a quote says beside its price (contract, Warnings). Rating is hot, so a price carries bits and nothing else; the
 * words are made when somebody reads them.
 *
 * A new type takes the next bit: add it to `TYPES` and to `warningOf`, and set its bit where the price is made.
 */
import { z } from 'zod';
import { must } from '../must.ts';
import type { Card } from './card.ts';
import { PRICE_PARTS, type PricePart } from './charges.ts';
import { partNames } from './part-names.ts';
import type { Terms } from './terms.ts';

const TYPES = [
  'zone.estimated',
  'price.incomplete',
  'fuel.stale',
  'service.homesOnly',
  'agreement.ended',
  'agreement.tierUncertain',
] as const;
export type PriceWarningType = (typeof TYPES)[number];

/** The bit of `zone.estimated`: the zone comes from the distance, because no chart has the origin. */
export const ZONE_ESTIMATED = 1;
/** The bit of `service.homesOnly`: the service goes to homes alone, and the address is not said to be one. */
export const HOMES_ONLY = 2;
/** The bit of `agreement.ended`: the client's agreement on the service is over. */
export const AGREEMENT_ENDED = 4;
/** The bit of `agreement.tierUncertain`: the spend by which the tier was found is old. */
export const TIER_UNCERTAIN = 8;
/** The bit of `fuel.stale`: the fuel rates are over, and the last one holds on. */
const FUEL_STALE = 16;
/** The first of the bits of `price.incomplete`: one for each part of a price, in the order of `PRICE_PARTS`. */
const INCOMPLETE_SHIFT = 5;

/** The warning of a card's own fuel rate. */
export const staleBit = ({ staleFuel }: Pick<Card, 'staleFuel'>): number => (staleFuel === undefined ? 0 : FUEL_STALE);

/** The bits of a price that lacks these parts. */
export const incompleteBits = (parts: ReadonlySet<PricePart>): number =>
  PRICE_PARTS.reduce((bits, part, at) => (parts.has(part) ? bits | (1 << (INCOMPLETE_SHIFT + at)) : bits), 0);

/** The parts that a price lacks, in the order of `PRICE_PARTS`. */
export const missingParts = (bits: number): readonly PricePart[] =>
  PRICE_PARTS.filter((_, at) => (bits & (1 << (INCOMPLETE_SHIFT + at))) !== 0);

/** Whether a price lacks something that the carrier will bill. */
export const isIncomplete = (bits: number): boolean => bits >> INCOMPLETE_SHIFT !== 0;

/** A warning as clients read it. */
export const warningSchema = z.object({
  type: z
    .string()
    .meta({ description: 'Such as `zone.estimated`. New types may come: ignore those that you do not know.' }),
  message: z.string().meta({ description: 'For people.' }),
  arguments: z.record(z.string(), z.unknown()).meta({ description: 'The values behind it, by name.' }),
});
export type Warning = z.output<typeof warningSchema>;

const has = (bits: number, type: PriceWarningType): boolean => {
  switch (type) {
    case 'zone.estimated':
      return (bits & ZONE_ESTIMATED) !== 0;
    case 'service.homesOnly':
      return (bits & HOMES_ONLY) !== 0;
    case 'fuel.stale':
      return (bits & FUEL_STALE) !== 0;
    case 'agreement.ended':
      return (bits & AGREEMENT_ENDED) !== 0;
    case 'agreement.tierUncertain':
      return (bits & TIER_UNCERTAIN) !== 0;
    case 'price.incomplete':
      return isIncomplete(bits);
    default:
      return type satisfies never;
  }
};

const known: (readonly PriceWarningType[] | undefined)[] = [];

/** The types of a price's warnings, in a fixed order. */
export const warningTypes = (bits: number): readonly PriceWarningType[] => {
  const types = known[bits] ?? TYPES.filter((type) => has(bits, type));
  known[bits] = types;
  return types;
};

/** What a price must tell for its warnings. */
export interface Warned {
  readonly card: Card;
  readonly terms: Terms | undefined;
  /** Bits. */
  readonly warnings: number;
}

const warningOf = (type: PriceWarningType, { card, terms, warnings: bits }: Warned, origin: string): Warning => {
  switch (type) {
    case 'zone.estimated':
      return {
        type,
        message: `No zone chart of ${card.carrier} has the origin ${origin}. The zone was estimated from the distance.`,
        arguments: { origin },
      };
    case 'price.incomplete': {
      const missing = missingParts(bits);
      return {
        type,
        message: `The bill may be higher. The tariff of ${card.code} lacks ${partNames(missing)}.`,
        arguments: { missing },
      };
    }
    case 'fuel.stale': {
      const { percent, from, lastDay } = must(card.staleFuel, 'the last fuel rate of a card');
      return {
        type,
        message:
          `The fuel rates of ${card.carrier} are known up to ${lastDay}. This price has the last one, ${percent}%. ` +
          'The bill may differ.',
        arguments: { carrier: card.carrier, rate: Number(percent), lastWeek: from, lastDay },
      };
    }
    case 'service.homesOnly':
      return {
        type,
        message: `${card.code} delivers only to homes. The price is for a home, but the request does not say residential.`,
        arguments: { residential: false },
      };
    case 'agreement.ended':
      return {
        type,
        message: `The agreement ${terms?.agreement} ended on ${terms?.endedOn}. This is the list price of ${card.code}.`,
        arguments: { agreement: terms?.agreement, endedOn: terms?.endedOn },
      };
    case 'agreement.tierUncertain':
      return {
        type,
        message:
          `The tier of the agreement ${terms?.agreement} rests on the spend up to ${terms?.spendUntil}. ` +
          'The discount may have changed since then.',
        arguments: { agreement: terms?.agreement, spendUntil: terms?.spendUntil },
      };
    default:
      return type satisfies never;
  }
};

/** @param origin the ZIP code of the warehouse */
export const warningsOf = (price: Warned, origin: string): Warning[] =>
  warningTypes(price.warnings).map((type) => warningOf(type, price, origin));
