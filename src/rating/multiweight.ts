/** Calculates the base of a shipment of several packages that is rated by its whole weight (express multiweight). */
import { missing } from '../base/must.ts';
import type { Card, Multiweight, OwnMultiweight } from './card.ts';
import { countedSides, divisorOf, type PackageTrace } from './package-price.ts';
import { billedPoundsTogether, type Mass, type Sides, volumeOver } from './quantity.ts';
import type { PackageItem } from './shipment.ts';
import type { Lane } from './surcharge.ts';

/** The base of a shipment that is rated as a whole. Weights are whole pounds. */
export interface WholePrice {
  /** The weight break. */
  readonly fromLb: number;
  readonly actualLb: number;
  /** From the volumes of all packages together. */
  readonly dimensionalLb: number;
  readonly ratedLb: number;
  readonly baseCents: number;
}

/**
 * Returns the weight of a whole shipment: the greater of actual and dimensional weight. Weights and volumes are added
 * up before rounding up (FedEx Service Guide 2026, pages 42 and 135). Packages too small to be billed by volume add
 * none. Volumes with another divisor are added up separately. A package with a minimum billing weight counts with it.
 */
const wholeWeightOf = (
  card: Card,
  packages: readonly PackageItem[],
  priced: readonly PackageTrace[],
): { actualLb: number; dimensionalLb: number; totalLb: number } => {
  const masses: Mass[] = [];
  const boxes: Sides[] = [];
  const others: Sides[] = [];
  let leastLb = 0;
  for (const [index, item] of packages.entries()) {
    const own = priced[index];
    if (own !== undefined && own.billingLb > Math.max(own.actualLb, own.dimensionalLb)) leastLb += own.billingLb;
    else {
      masses.push(item.mass);
      const sides = countedSides(item, card);
      if (sides !== undefined) (divisorOf(item, sides, card) === card.dimensionalFactor ? boxes : others).push(sides);
    }
  }
  const actualLb = billedPoundsTogether(masses) + leastLb;
  const over = (sized: readonly Sides[], divisor: number): number =>
    sized.length === 0 ? 0 : volumeOver(sized, divisor);
  const volumeLb = over(boxes, card.dimensionalFactor) + over(others, card.secondDivisor?.dimensionalFactor ?? 1);
  const dimensionalLb = volumeLb === 0 ? 0 : volumeLb + leastLb;
  return { actualLb, dimensionalLb, totalLb: Math.max(actualLb, dimensionalLb) };
};

/** Returns the agreement's own table if it prices the column. */
export const ownTableOf = ({ ownMultiweight: own }: Card, column: number): OwnMultiweight | undefined =>
  own?.columns.has(column) === true ? own : undefined;

/** Returns the weight break that a shipment reaches, and its base in cents, rounded half up; 0 without such a price. */
export const brokenAt = ({ breaks, perLb }: Multiweight, column: number, ratedLb: number) => {
  const reached = breaks.findLast(({ fromLb }) => fromLb <= ratedLb);
  const cents = reached === undefined ? 0 : (reached.cents[column] ?? missing('a multiweight price'));
  return { reached, cents, baseCents: Math.floor((2 * cents * ratedLb + perLb) / (2 * perLb)) };
};

/** Returns the base in cents of a shipment that is rated as a whole at this weight; 0 if the card has no such price. */
export const wholeBaseOf = (card: Card, column: number, ratedLb: number): number => {
  const table = ownTableOf(card, column) ?? card.multiweight;
  return table === undefined ? 0 : brokenAt(table, column, ratedLb).baseCents;
};

/**
 * Returns the price per pound on the whole shipment if the card has one that is lower than the packages' sum. The
 * weight is not raised to a break with a lower price: the guide multiplies by the shipment's weight (page 42).
 */
export const multiweightOf = (
  { card, column }: Lane,
  packages: readonly PackageItem[],
  priced: readonly PackageTrace[],
  sumCents: number,
): WholePrice | undefined => {
  const table = ownTableOf(card, column) ?? card.multiweight;
  if (table === undefined || packages.length < 2) return undefined;
  const { totalLb, actualLb, dimensionalLb } = wholeWeightOf(card, packages, priced);
  if (totalLb < table.minimumTotalLb) return undefined;
  const ratedLb = Math.max(totalLb, packages.length * table.minimumAverageLb);
  const { reached, baseCents } = brokenAt(table, column, ratedLb);
  if (reached === undefined || baseCents === 0 || baseCents >= sumCents) return undefined;
  return { fromLb: reached.fromLb, actualLb, dimensionalLb, ratedLb, baseCents };
};
