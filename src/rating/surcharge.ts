/**
 * Which of a card's surcharges a package is charged, and how much. Sums come first, percentages after them, each rounded
 * once per package.
 */
import type { Card, Surcharge } from './card.ts';
import { type BasisPoints, inches, percentOf, pounds, type Sides, volumeOver } from './quantity.ts';
import type { PackageItem } from './shipment.ts';

/** One service from one origin to one destination: what is the same for all packages of a shipment. */
export interface Lane {
  readonly card: Card;
  readonly column: number;
  readonly destination: number;
  readonly residential: boolean;
  readonly discount: BasisPoints;
  /** Bits of its warnings: see `warning.ts`. */
  readonly warnings: number;
}

/** Whether a surcharge's conditions on the destination hold. */
const reaches = ({ when }: Surcharge, { column, destination, residential }: Lane): boolean =>
  (when.residential === undefined || when.residential === residential) &&
  (when.columns === undefined || when.columns.has(column)) &&
  (when.area === undefined || when.area.has(destination));

const isLarger = ({ cubicInches }: PackageItem, sides: Sides, limit: number): boolean => {
  if (cubicInches !== undefined) return cubicInches > limit;
  return limit === 0 || volumeOver([sides], limit) > 1;
};

/** Whether its conditions on the package, its sides measured as the tariff says, hold. `billingLb` is the weight before any least billing weight. */
const fits = ({ when }: Surcharge, item: PackageItem, billingLb: number): boolean => {
  if (when.actualWeightOverLb !== undefined && item.mass <= pounds(when.actualWeightOverLb)) return false;
  if (when.billingWeightOverLb !== undefined && billingLb <= when.billingWeightOverLb) return false;
  const sized =
    when.lengthOverIn !== undefined ||
    when.secondSideOverIn !== undefined ||
    when.lengthPlusGirthOverIn !== undefined ||
    when.cubicInchesOver !== undefined;
  if (!sized) return true;
  if (item.sides === undefined) return false;
  const [length, width, height] = item.sides;
  return (
    (when.lengthOverIn === undefined || length > inches(when.lengthOverIn)) &&
    (when.secondSideOverIn === undefined || width > inches(when.secondSideOverIn)) &&
    (when.lengthPlusGirthOverIn === undefined || length + 2 * (width + height) > inches(when.lengthPlusGirthOverIn)) &&
    (when.cubicInchesOver === undefined || isLarger(item, item.sides, when.cubicInchesOver))
  );
};

const amountOf = ({ amount }: Surcharge, column: number, billingLb: number): number => {
  if (amount.per === 'percent') return 0;
  const each = amount.centsByColumn[column] ?? 0;
  return amount.per === 'pound' ? each * billingLb : each;
};

const leastLbOf = ({ leastBillingWeightLb }: Surcharge, weightLb: number): number =>
  Math.max(weightLb, leastBillingWeightLb ?? 0);

const applies = (surcharge: Surcharge, lane: Lane, item: PackageItem, weightLb: number): boolean =>
  reaches(surcharge, lane) && fits(surcharge, item, weightLb);

/** Whether another surcharge of the same `dearestOf` name takes this one's place; of equals the first stays. */
const isOutdone = (own: Surcharge, index: number, lane: Lane, item: PackageItem, weightLb: number): boolean => {
  if (own.dearestOf === undefined) return false;
  const amount = amountOf(own, lane.column, leastLbOf(own, weightLb));
  return lane.card.surcharges.some((rival, at) => {
    if (at === index || rival.dearestOf !== own.dearestOf || !applies(rival, lane, item, weightLb)) return false;
    const rivalAmount = amountOf(rival, lane.column, leastLbOf(rival, weightLb));
    return rivalAmount > amount || (rivalAmount === amount && at < index);
  });
};

/** Zeroes beside the card's surcharges. */
export const noCharges = ({ surcharges }: Card): number[] => surcharges.map(() => 0);

/**
 * The least billing weight that a package's surcharges ask for, in pounds; 0 without one.
 * @param weightLb the billing weight before it
 */
export const leastPounds = (lane: Lane, item: PackageItem, weightLb: number): number => {
  const { surcharges } = lane.card;
  let leastLb = 0;
  for (let index = 0; index < surcharges.length; index++) {
    const surcharge = surcharges[index];
    if (surcharge?.leastBillingWeightLb === undefined || surcharge.leastBillingWeightLb <= leastLb) continue;
    if (applies(surcharge, lane, item, weightLb) && !isOutdone(surcharge, index, lane, item, weightLb))
      leastLb = surcharge.leastBillingWeightLb;
  }
  return leastLb;
};

/**
 * The sums that one package is charged, beside the card's surcharges: of each `dearestOf` name only the dearest.
 * @param weightLb the billing weight before any least billing weight, which conditions speak of
 * @param billingLb the weight that is billed, which prices per pound speak of
 */
export const packageCharges = (lane: Lane, item: PackageItem, weightLb: number, billingLb: number): number[] => {
  const { surcharges } = lane.card;
  const lines: number[] = [];
  for (let index = 0; index < surcharges.length; index++) {
    const surcharge = surcharges[index];
    const charged =
      surcharge !== undefined &&
      surcharge.amount.per !== 'percent' &&
      surcharge.amount.per !== 'shipment' &&
      applies(surcharge, lane, item, weightLb) &&
      !isOutdone(surcharge, index, lane, item, weightLb);
    lines.push(charged ? amountOf(surcharge, lane.column, billingLb) : 0);
  }
  return lines;
};

/** The sums that a shipment is charged once, where any of its packages asks for them. */
export const shipmentCharges = (
  lane: Lane,
  packages: readonly PackageItem[],
  weightOf: (item: PackageItem) => number,
): number[] | undefined => {
  let lines: number[] | undefined;
  const { surcharges } = lane.card;
  for (let index = 0; index < surcharges.length; index++) {
    const surcharge = surcharges[index];
    if (surcharge?.amount.per !== 'shipment' || !reaches(surcharge, lane)) continue;
    if (!packages.some((item) => fits(surcharge, item, weightOf(item)))) continue;
    lines ??= noCharges(lane.card);
    lines[index] = amountOf(surcharge, lane.column, 0);
  }
  return lines;
};

/** Adds the percentages on one package's (or the shipment's) discounted base and sums to those sums. */
export const addPercentages = (lane: Lane, base: number, lines: number[]): void => {
  const { surcharges } = lane.card;
  for (let index = 0; index < surcharges.length; index++) {
    const surcharge = surcharges[index];
    if (surcharge?.amount.per !== 'percent' || !reaches(surcharge, lane)) continue;
    const { rate, ofBase, of } = surcharge.amount;
    let subject = ofBase ? base : 0;
    for (let i = 0; i < of.length; i++) subject += lines[of[i] ?? -1] ?? 0;
    lines[index] = percentOf(subject, rate);
  }
};
