/** The base of a shipment of several packages that is rated by its whole weight (express multiweight). */
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
  /** Of the volumes of all packages together. */
  readonly dimensionalLb: number;
  readonly ratedLb: number;
  readonly baseCents: number;
}

/**
 * What a shipment weighs as a whole. Weights are added up before they are rounded up to the pound, and so are volumes
 * before they are divided: the greater counts (FedEx Service Guide 2026, pages 42 and 135). A package that is too small to
 * be billed by its volume has none here either. Packages with another divisor are added up by themselves. A package that a surcharge bills at a least weight counts with that weight.
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

/** The agreement's own table, where a column is priced by it. */
export const ownTableOf = ({ ownMultiweight: own }: Card, column: number): OwnMultiweight | undefined =>
  own?.columns.has(column) === true ? own : undefined;

/** The weight break that a shipment reaches, and its base in cents, rounded half up; 0 where the column has no such price. */
export const brokenAt = ({ breaks, perLb }: Multiweight, column: number, ratedLb: number) => {
  const reached = breaks.findLast(({ fromLb }) => fromLb <= ratedLb);
  const cents = reached === undefined ? 0 : (reached.cents[column] ?? missing('a multiweight price'));
  return { reached, cents, baseCents: Math.floor((2 * cents * ratedLb + perLb) / (2 * perLb)) };
};

/** The base in cents of a shipment that is rated by this weight as a whole; 0 where the card has no such price. */
export const wholeBaseOf = (card: Card, column: number, ratedLb: number): number => {
  const table = ownTableOf(card, column) ?? card.multiweight;
  return table === undefined ? 0 : brokenAt(table, column, ratedLb).baseCents;
};

/**
 * The price per pound on the whole shipment, where the card has one and it is lower than the packages' sum. The weight
 * is not lifted to a higher break whose price per pound is lower: the guide multiplies by the shipment's weight (page 42).
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
