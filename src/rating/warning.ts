/**
 * Warnings of a quote (contract, Warnings). Rating is a hot path, so a price carries only bits. The text is made when
 * somebody reads it.
 *
 * A new type is one entry in `PRICE_WARNINGS` with the next bit. Pricing sets the bit. The union of types, the titles
 * and the tables of the docs follow from the entries.
 */
import { must } from '../base/must.ts';
import type { Card } from './card.ts';
import { PRICE_PARTS, type PricePart, partNames } from './charges.ts';
import type { Terms } from './terms.ts';

/** The bit of `zone.estimated`: the zone comes from the distance, because no chart has the origin. */
export const ZONE_ESTIMATED = 1;
/** The bit of `service.homesOnly`: the service delivers only to homes, and the request does not say `residential`. */
export const HOMES_ONLY = 2;
/** The bit of `agreement.ended`: the client's agreement on the service has ended. */
export const AGREEMENT_ENDED = 4;
/** The bit of `agreement.tierUncertain`: the tier is based on old spend. */
export const TIER_UNCERTAIN = 8;
/** The bit of `fuel.stale`: the fuel rates have ended, and the last one is used. */
const FUEL_STALE = 16;
/** The bit of `saturday.otherDay`: the request asks for Saturday delivery, and the shipment arrives on another day. */
export const OTHER_DAY = 32;
/** The first bit of `price.incomplete`. Each part of a price has one bit, in the order of `PRICE_PARTS`. */
const INCOMPLETE_SHIFT = 6;
const ALL_PARTS = (1 << PRICE_PARTS.length) - 1;

/** Returns the warning bit of a card's own fuel rate. */
export const staleBit = ({ staleFuel }: Pick<Card, 'staleFuel'>): number => (staleFuel === undefined ? 0 : FUEL_STALE);

/** Returns the bits of a price that lacks these parts. */
export const incompleteBits = (parts: ReadonlySet<PricePart>): number =>
  PRICE_PARTS.reduce((bits, part, at) => (parts.has(part) ? bits | (1 << (INCOMPLETE_SHIFT + at)) : bits), 0);

/** Returns the parts that a price lacks, in the order of `PRICE_PARTS`. */
export const missingParts = (bits: number): readonly PricePart[] =>
  PRICE_PARTS.filter((_, at) => (bits & (1 << (INCOMPLETE_SHIFT + at))) !== 0);

/** Returns whether a price lacks something that the carrier will bill. */
export const isIncomplete = (bits: number): boolean => bits >> INCOMPLETE_SHIFT !== 0;

/** A warning as clients read it. `arguments` are the values behind it, by name. */
export interface Warning {
  readonly type: string;
  readonly message: string;
  readonly arguments: Record<string, unknown>;
}

/** The members of a price that its warnings need. */
export interface Warned {
  readonly card: Card;
  readonly terms: Terms | undefined;
  /** Warning bits. */
  readonly warnings: number;
}

/** Declaration of a warning. @typeParam A the values that its text needs */
interface WarningSpec<A extends readonly unknown[]> {
  readonly title: string;
  /** When it occurs: one sentence or more. */
  readonly when: string;
  /** The meaning of each argument, by name. */
  readonly args: Readonly<Record<string, string>>;
  /** Returns the sentences for people, and the arguments. */
  say(...of: A): readonly [message: string, args: Record<string, unknown>];
}

/** A warning of a price that has any of these bits. `origin` is the ZIP code of the warehouse. */
type PriceWarningSpec = WarningSpec<[price: Warned, origin: string]> & { readonly bits: number };

const priceWarning = (spec: PriceWarningSpec): PriceWarningSpec => spec;

/** Warnings of a price, in the order in which a quote lists them. */
const PRICE_WARNINGS = {
  'zone.estimated': priceWarning({
    bits: ZONE_ESTIMATED,
    title: 'Estimated zone',
    when: 'The carrier has zone charts, but none has this origin. The zone comes from the distance.',
    args: { origin: 'the ZIP code of the warehouse' },
    say: ({ card }, origin) => [
      `${card.carrier} has no zone chart for the origin ${origin}, so the zone was estimated from the distance.`,
      { origin },
    ],
  }),
  'price.incomplete': priceWarning({
    bits: ALL_PARTS << INCOMPLETE_SHIFT,
    title: 'Incomplete price',
    when: 'The carrier will bill something that the tariff does not have, so the price is too low. `signature`, `saturday`, `declaredValue` and `billing` are missing only if the request asks for them.',
    args: { missing: `the parts as a list in this order: ${PRICE_PARTS.map((part) => `\`${part}\``).join(', ')}` },
    say: ({ card, warnings }) => {
      const missing = missingParts(warnings);
      return [
        `The bill may be higher. The tariff of ${card.code} does not include ${partNames(missing)}.`,
        { missing },
      ];
    },
  }),
  'fuel.stale': priceWarning({
    bits: FUEL_STALE,
    title: 'Last known fuel rate',
    when: 'The fuel rates of the tariff, or the fuel prices of your agreement, have ended. The price uses the last known rate.',
    args: {
      carrier: 'the carrier',
      rate: 'in percent',
      lastWeek: 'its first day',
      lastDay: 'the last day of the known rates',
    },
    say: ({ card }) => {
      const { percent, from, lastDay } = must(card.staleFuel, 'the last fuel rate of a card');
      return [
        `The fuel rates of ${card.carrier} are known up to ${lastDay}. This price uses the last one, ${percent}%. ` +
          'The bill may differ.',
        { carrier: card.carrier, rate: Number(percent), lastWeek: from, lastDay },
      ];
    },
  }),
  'service.homesOnly': priceWarning({
    bits: HOMES_ONLY,
    title: 'Priced as a home',
    when: 'The service delivers only to homes, and the request does not say `residential`. The price is for a home.',
    args: { residential: 'false' },
    say: ({ card }) => [
      `${card.code} delivers only to homes. The price is for a home, but the request does not say residential.`,
      { residential: false },
    ],
  }),
  'saturday.otherDay': priceWarning({
    bits: OTHER_DAY,
    title: 'Saturday delivery on another day',
    when: 'The request asks for Saturday delivery, and the shipment arrives on another day. The price is still for Saturday delivery.',
    args: { saturday: 'true' },
    say: ({ card }) => [
      `The price is for Saturday delivery, but ${card.code} arrives on another day. Leave out Saturday delivery, or change the ship date.`,
      { saturday: true },
    ],
  }),
  'agreement.ended': priceWarning({
    bits: AGREEMENT_ENDED,
    title: 'Agreement ended',
    when: 'Your agreement on this service has ended. The list price applies.',
    args: { agreement: 'its name', endedOn: 'its last day' },
    say: ({ card, terms }) => [
      `The agreement ${terms?.agreement} ended on ${terms?.endedOn}. This is the list price of ${card.code}.`,
      { agreement: terms?.agreement, endedOn: terms?.endedOn },
    ],
  }),
  'agreement.tierUncertain': priceWarning({
    bits: TIER_UNCERTAIN,
    title: 'Tier may have changed',
    when: 'Your tier is based on spend that is older than the week before last, or no spend is known. The discount may have changed since then.',
    args: { agreement: 'its name', spendUntil: 'the last day of the last known week; null if no week is known' },
    say: ({ terms }) => [
      terms?.spendUntil === null
        ? `No tier of the agreement ${terms.agreement} is in force, because no week of spend is known. The discount may be higher.`
        : `The tier of the agreement ${terms?.agreement} is based on the spend up to ${terms?.spendUntil}. The discount may have changed since then.`,
      { agreement: terms?.agreement, spendUntil: terms?.spendUntil },
    ],
  }),
};
type PriceWarningType = keyof typeof PRICE_WARNINGS;

/** Warning about a member of a single call that no request has. */
const unknownMember: WarningSpec<[member: string, more: number]> = {
  title: 'Unknown member',
  when: 'A single call has an unknown member, such as `residental`. It was ignored. At most twenty are named.',
  args: { member: 'its JSON path' },
  say: (member, more) => [
    `The member ${member} is unknown and was ignored.${more > 0 ? ` So were ${more} more members.` : ''}`,
    { member },
  ],
};

export const WARNINGS = { ...PRICE_WARNINGS, 'request.unknownMember': unknownMember };

const TYPES = Object.keys(PRICE_WARNINGS) as PriceWarningType[];

const known: (readonly PriceWarningType[] | undefined)[] = [];

/** Returns the types of a price's warnings, in a fixed order. */
export const warningTypes = (bits: number): readonly PriceWarningType[] => {
  const types = known[bits] ?? TYPES.filter((type) => (bits & PRICE_WARNINGS[type].bits) !== 0);
  known[bits] = types;
  return types;
};

const warningOf = (type: string, [message, args]: ReturnType<PriceWarningSpec['say']>): Warning => ({
  type,
  message,
  arguments: args,
});

/** @param origin the ZIP code of the warehouse */
export const warningsOf = (price: Warned, origin: string): Warning[] =>
  warningTypes(price.warnings).map((type) => warningOf(type, PRICE_WARNINGS[type].say(price, origin)));

/** @param more number of other members that no warning names */
export const unknownMemberWarning = (member: string, more: number): Warning =>
  warningOf('request.unknownMember', unknownMember.say(member, more));
