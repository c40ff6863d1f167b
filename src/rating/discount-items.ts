/** The items that make up the discount of a price. They are computed again from the shipment on request. */
import { z } from 'zod';
import type { PackageTrace } from './package-price.ts';
import { askedOf, type Price, priceShipment, type Trace } from './price.ts';
import { dollars, dollarText } from './quantity.ts';
import { zip5Of } from './rate.ts';
import type { Shipment } from './shipment.ts';
import { capAt, combinationAt, minimumOf, signedPercentOf, type Terms } from './terms.ts';

export const discountSchema = z.object({
  type: z
    .string()
    .describe(
      '`DISCOUNT` or `EARNED_DISCOUNT` is a discount; it is negative if it raises the base charge. `RATE_CAP` is what a cap takes off in addition. `MINIMUM_CHARGE` is negative: it is what the minimum charge takes back.',
    ),
  description: z.string(),
  amount: z.number().describe('US dollars, at most two decimals.'),
});

/** A discount item of one package, or of a shipment that is rated as a whole. */
export interface DiscountItem {
  readonly type: 'DISCOUNT' | 'EARNED_DISCOUNT' | 'RATE_CAP' | 'MINIMUM_CHARGE';
  readonly description: string;
  readonly amountCents: number;
  /** The arithmetic, in words. */
  readonly computation: string;
  /** The program that earned the discount. */
  readonly program?: string;
  readonly source?: string;
}

const capTextsOf = ({ caps }: Terms): Pick<DiscountItem, 'description' | 'source'> => {
  if (caps === undefined) throw new Error('a cap without its terms');
  return { description: caps.description, source: caps.source };
};

/**
 * Returns the items of one discount. Percentages are added up and rounded once. Each item is what its percentage adds
 * to the sum of the items before it.
 * @param packages the number of packages that are rated as a whole. The discount must leave the minimum charge of each
 */
const discountItemsOf = (
  terms: Terms,
  { column, residential }: Pick<Price, 'column' | 'residential'>,
  { billingLb, baseCents, discountCents }: Pick<PackageTrace, 'billingLb' | 'baseCents' | 'discountCents'>,
  packages?: number,
): DiscountItem[] => {
  const multiweight = packages !== undefined;
  const items: DiscountItem[] = [];
  const { parts } = combinationAt(terms, column, billingLb, residential, multiweight);
  let rate = 0;
  let offCents = 0;
  for (const part of parts) {
    rate = Math.max(-10_000, Math.min(10_000, rate + part.rate));
    const { cents } = part;
    // Amounts come after all percentages.
    const amountCents =
      cents === undefined
        ? signedPercentOf(baseCents, rate) - offCents
        : Math.min(baseCents, offCents + cents) - offCents;
    offCents += amountCents;
    const earned = part.tier === undefined ? undefined : terms.earned?.get(part.tier);
    const computation =
      cents === undefined
        ? `${dollarText(part.rate)}% of ${dollarText(baseCents)}`
        : `${dollarText(cents)} off ${dollarText(baseCents - offCents + amountCents)}`;
    items.push({
      type: part.type,
      description: part.description,
      amountCents,
      computation: earned === undefined ? computation : `${computation}, ${earned.text}`,
      ...(part.source === undefined ? {} : { source: part.source }),
      ...(earned === undefined ? {} : { program: earned.program }),
    });
  }
  const capCents = multiweight ? 0 : capAt(terms, column, billingLb);
  if (capCents > 0 && baseCents - offCents > capCents) {
    const amountCents = baseCents - offCents - capCents;
    const computation = `${dollarText(baseCents - offCents)} limited to ${dollarText(capCents)}`;
    items.push({ type: 'RATE_CAP', amountCents, computation, ...capTextsOf(terms) });
    offCents = baseCents - capCents;
  }
  if (offCents !== discountCents) {
    const { cents, source } = minimumOf(terms, residential, column);
    items.push({
      type: 'MINIMUM_CHARGE',
      description: 'Minimum charge',
      amountCents: discountCents - offCents,
      computation: `${dollarText(baseCents - offCents)} raised to ${dollarText(Math.min(baseCents, cents * (packages ?? 1)))}`,
      ...(source === undefined ? {} : { source }),
    });
  }
  return items;
};

export const packageDiscounts = (
  price: Pick<Price, 'terms' | 'column' | 'residential'>,
  part: PackageTrace,
): DiscountItem[] => (price.terms === undefined ? [] : discountItemsOf(price.terms, price, part));

/** Returns the discount items of a shipment that is rated as a whole. */
export const wholeDiscounts = (price: Price, { multiweight, packages }: Trace): DiscountItem[] => {
  const { terms, discountCents } = price;
  if (terms === undefined || multiweight === undefined) return [];
  const { ratedLb: billingLb, baseCents } = multiweight;
  return discountItemsOf(terms, price, { billingLb, baseCents, discountCents }, packages.length);
};

/** Prices a shipment again and returns how its price came about, package by package. */
export const traceOf = (price: Price, shipment: Shipment, originPostalCode: string): Trace => {
  const trace: Trace = { packages: [], charges: [] };
  const origin = zip5Of(originPostalCode);
  // The price met the deadline before, so the deadline is left out.
  const { by, byDays, ...options } = shipment.options ?? {};
  const judged = by === undefined && byDays === undefined ? shipment : { ...shipment, options };
  priceShipment(price.card, askedOf(price.card, judged, origin, zip5Of(shipment.postalCode)), price.terms, trace);
  return trace;
};

/** Returns the items of a price's discount, by package or for the whole shipment. */
const itemsOf = (price: Price, shipment: Shipment, originPostalCode: string): DiscountItem[] => {
  const trace = traceOf(price, shipment, originPostalCode);
  return trace.multiweight === undefined
    ? trace.packages.flatMap((own) => packageDiscounts(price, own))
    : wholeDiscounts(price, trace);
};

const NO_PROGRAMS: ReadonlyMap<string, number> = new Map();

/** Returns the cents that each program of an agreement took off a price, before any minimum charge. */
export const programsOff = (
  price: Price,
  shipment: Shipment,
  originPostalCode: string,
): ReadonlyMap<string, number> => {
  if (price.terms?.earned === undefined) return NO_PROGRAMS;
  const off = new Map<string, number>();
  for (const { program, amountCents } of itemsOf(price, shipment, originPostalCode))
    if (program !== undefined) off.set(program, (off.get(program) ?? 0) + amountCents);
  return off;
};

/** Returns the items of a price's discount, added up over all packages. They sum to `discountCents`. */
export const discountsOf = (
  price: Price,
  shipment: Shipment,
  originPostalCode: string,
): z.output<typeof discountSchema>[] => {
  if (price.terms?.discounts === undefined && price.terms?.caps === undefined) return [];
  const items = itemsOf(price, shipment, originPostalCode);
  const sums = new Map<string, { type: string; description: string; amountCents: number }>();
  for (const { type, description, amountCents } of items) {
    const key = `${type} ${description}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { type, description, amountCents });
    else sum.amountCents += amountCents;
  }
  return [...sums.values()].map(({ type, description, amountCents }) => ({
    type,
    description,
    amount: dollars(amountCents),
  }));
};
