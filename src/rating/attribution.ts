/**
 * Explains why two prices of a shipment differ. It divides the difference of base and discount into causes. All other
 * differences are surcharges, which have their own lines.
 *
 * One thing is changed at a time, and each cause is what its change adds: first the zone on the first price's card,
 * then the billed weight, then the rate table, which includes another service. The discount and what a minimum charge
 * takes back of it come last. If one price rates the shipment as a whole and the other by package, their weights
 * differ. But if only one of them uses an agreement's own multiweight table, weight and rates are that cause. If the
 * first card has no rate for a step, its cause is 0, and the rate table includes it.
 */
import { must } from '../base/must.ts';
import type { Card } from './card.ts';
import { traceOf } from './discount-items.ts';
import { ownTableOf, wholeBaseOf } from './multiweight.ts';
import { measuredBy, packageBaseOf } from './package-price.ts';
import type { Price, Trace } from './price.ts';
import type { PackageItem, Shipment } from './shipment.ts';
import { discountBeforeMinimum, discountTogetherBeforeMinimum, minimumOf } from './terms.ts';

/** Parts of the difference of `base - discount`, in cents. They add up to it. Positive if the other price is higher. */
export interface Causes {
  readonly zoneCents: number;
  readonly weightCents: number;
  readonly rateCents: number;
  /** Difference caused by an agreement's multiweight prices, which at least one side uses. */
  readonly multiweightCents: number;
  /** Before a minimum charge. Includes rate caps. */
  readonly discountCents: number;
  /** What a minimum charge takes back of the discount. */
  readonly minimumCents: number;
}

/** A price, and the ZIP code of the warehouse that it is from. */
export interface Origin {
  readonly price: Price;
  readonly originPostalCode: string;
}

type ColumnNames = Card['columns'];

/** Caches, by name, the column of one card for each column of another, or -1. All days of a service share the names. */
const sameNames = new WeakMap<ColumnNames, WeakMap<ColumnNames, readonly number[]>>();
const sameNamesOf = (own: ColumnNames, others: ColumnNames): readonly number[] => {
  const known = sameNames.get(own)?.get(others);
  if (known !== undefined) return known;
  const found = others.map((name) => own.indexOf(name));
  const kept = sameNames.get(own) ?? new WeakMap<ColumnNames, readonly number[]>();
  sameNames.set(own, kept.set(others, found));
  return found;
};

/** Returns the first price's column for the other's zone: by name, or by the reported zone. -1 without one. */
const columnFor = ({ card, column }: Price, other: Price): number => {
  if (other.card.columns === card.columns) return other.column;
  const named = must(sameNamesOf(card.columns, other.card.columns)[other.column], 'the column of a price');
  if (named !== -1) return named;
  const zone = must(other.card.rateZones[other.column], 'the zone of a price');
  return card.rateZones[column] === zone ? column : card.rateZones.indexOf(zone);
};

/** Base in cents at one weight, in one column; 0 without a rate. */
type BaseAt<W> = (column: number, weight: W) => number;

/** Changes the zone, then the weight. A step without a rate keeps the base before it. */
const stepsOf = <W>(first: Price, other: Price, baseAt: BaseAt<W>, before: W, after: W) => {
  let column = columnFor(first, other);
  const moved = column === -1 || column === first.column ? 0 : baseAt(column, before);
  if (moved === 0) ({ column } = first);
  const inZone = moved === 0 ? first.baseCents : moved;
  const weighed = before === after ? inZone : baseAt(column, after);
  return { zoneCents: inZone - first.baseCents, weightCents: (weighed === 0 ? inZone : weighed) - inZone };
};

const causesFrom = (
  first: Price,
  other: Price,
  { zoneCents, weightCents }: Pick<Causes, 'zoneCents' | 'weightCents'>,
  minimumCents: number,
): Causes => ({
  zoneCents,
  weightCents,
  rateCents: other.baseCents - first.baseCents - zoneCents - weightCents,
  multiweightCents: 0,
  discountCents: first.discountCents - other.discountCents - minimumCents,
  minimumCents,
});

/** Returns what the minimum takes back of the discount of a single package. */
const takenBack = ({ terms, column, billingWeightLb, residential, baseCents, discountCents }: Price): number => {
  if (terms === undefined) return 0;
  // A discount that leaves more than the minimum was not limited.
  if (discountCents < baseCents - minimumOf(terms, residential, column).cents) return 0;
  return discountBeforeMinimum(terms, column, billingWeightLb, residential, baseCents) - discountCents;
};

const singleCauses = (shipment: Shipment, first: Price, other: Price): Causes => {
  const { card } = first;
  const isPlain = card.ounces === undefined && card.cubic === undefined;
  const [item] = isPlain ? shipment.packages : measuredBy(card, shipment.packages);
  const baseAt: BaseAt<number> = (column, lb) => (item === undefined ? 0 : packageBaseOf(card, column, item, lb));
  const steps = stepsOf(first, other, baseAt, first.billingWeightLb, other.billingWeightLb);
  return causesFrom(first, other, steps, takenBack(other) - takenBack(first));
};

/** Returns the base at the weights of another price, as a whole or by package. 0 if any part has no rate. */
const severalAt =
  (card: Card, items: readonly PackageItem[]): BaseAt<Trace> =>
  (column, { multiweight, packages }) => {
    if (multiweight !== undefined) return wholeBaseOf(card, column, multiweight.ratedLb);
    let sum = 0;
    for (const [index, { billingLb }] of packages.entries()) {
      const item = items[index];
      const own = item === undefined ? 0 : packageBaseOf(card, column, item, billingLb);
      if (own === 0) return 0;
      sum += own;
    }
    return sum;
  };

const takenBackOfSeveral = ({ terms, column, residential, discountCents }: Price, trace: Trace): number => {
  if (terms === undefined) return 0;
  const { multiweight, packages } = trace;
  if (multiweight !== undefined) {
    const { ratedLb, baseCents } = multiweight;
    return discountTogetherBeforeMinimum(terms, column, ratedLb, residential, baseCents) - discountCents;
  }
  let off = 0;
  for (const { billingLb, baseCents } of packages)
    off += discountBeforeMinimum(terms, column, billingLb, residential, baseCents);
  return off - discountCents;
};

/** Returns whether a base comes from an agreement's own multiweight table. */
const isByOwn = ({ card, column }: Price, { multiweight }: Trace): boolean =>
  multiweight !== undefined && ownTableOf(card, column) !== undefined;

const severalCauses = (shipment: Shipment, first: Origin, other: Origin): Causes => {
  const [{ price: one }, { price: two }] = [first, other];
  const isSameTable = one.card.rates === two.card.rates && one.column === two.column;
  if (isSameTable && one.terms === undefined && two.terms === undefined)
    return causesFrom(one, two, { zoneCents: 0, weightCents: two.baseCents - one.baseCents }, 0);
  const [before, after] = [
    traceOf(one, shipment, first.originPostalCode),
    traceOf(two, shipment, other.originPostalCode),
  ];
  const baseAt = severalAt(one.card, measuredBy(one.card, shipment.packages));
  const steps = stepsOf(one, two, baseAt, before, after);
  const causes = causesFrom(one, two, steps, takenBackOfSeveral(two, after) - takenBackOfSeveral(one, before));
  const byOwn = [isByOwn(one, before), isByOwn(two, after)];
  if (!byOwn.includes(true)) return causes;
  const { weightCents, rateCents } = causes;
  return byOwn.includes(false)
    ? { ...causes, weightCents: 0, rateCents: 0, multiweightCents: weightCents + rateCents }
    : { ...causes, rateCents: 0, multiweightCents: rateCents };
};

/**
 * Returns the causes of the difference between two prices of a shipment.
 * @param shipment has the packages, address and options of both prices
 */
export const causesOf = (shipment: Shipment, first: Origin, other: Origin): Causes =>
  shipment.packages.length === 1
    ? singleCauses(shipment, first.price, other.price)
    : severalCauses(shipment, first, other);
