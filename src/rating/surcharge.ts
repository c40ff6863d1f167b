/**
 * Which of a card's surcharges a package is charged, and how much. Sums come first, percentages after them, each rounded
 * once per package.
 */
import type { Card, Surcharge } from './card.ts';
import { percentOf, pounds } from './quantity.ts';
import type { PackageItem } from './shipment.ts';

/** Whether a surcharge's conditions on the destination hold, which are the same for all packages. */
export const reaches = ({ when }: Surcharge, column: number, destination: number, residential: boolean): boolean =>
  (when.residential === undefined || when.residential === residential) &&
  (when.columns === undefined || when.columns.has(column)) &&
  (when.area === undefined || when.area.has(destination));

/** Whether its conditions on the package hold. `billingLb` is the weight before any least billing weight. */
export const fits = ({ when }: Surcharge, item: PackageItem, billingLb: number): boolean => {
  if (when.actualWeightOverLb !== undefined && item.mass <= pounds(when.actualWeightOverLb)) return false;
  if (when.billingWeightOverLb !== undefined && billingLb <= when.billingWeightOverLb) return false;
  const sized =
    when.lengthOverIn !== undefined ||
    when.secondSideOverIn !== undefined ||
    when.lengthPlusGirthOverIn !== undefined ||
    when.cubicInchesOver !== undefined;
  if (!sized) return true;
  if (item.inches === undefined) return false;
  const [length, width, height] = item.inches;
  return (
    (when.lengthOverIn === undefined || length > when.lengthOverIn) &&
    (when.secondSideOverIn === undefined || width > when.secondSideOverIn) &&
    (when.lengthPlusGirthOverIn === undefined || length + 2 * (width + height) > when.lengthPlusGirthOverIn) &&
    (when.cubicInchesOver === undefined || length * width * height > when.cubicInchesOver)
  );
};

export const amountOf = ({ amount }: Surcharge, column: number, billingLb: number): number => {
  if (amount.per === 'percent') return 0;
  const each = amount.centsByColumn[column] ?? 0;
  return amount.per === 'pound' ? each * billingLb : each;
};

const leastLbOf = ({ leastBillingWeightLb }: Surcharge, weightLb: number): number =>
  Math.max(weightLb, leastBillingWeightLb ?? 0);

/** Whether another surcharge of the same `dearestOf` name takes this one's place; of equals the first stays. */
const isOutdone = (
  index: number,
  candidates: readonly number[],
  card: Card,
  item: PackageItem,
  column: number,
  weightLb: number,
): boolean => {
  const own = card.surcharges[index];
  if (own?.dearestOf === undefined) return false;
  const amount = amountOf(own, column, leastLbOf(own, weightLb));
  return candidates.some((at) => {
    const rival = card.surcharges[at];
    if (rival === undefined || at === index || rival.dearestOf !== own.dearestOf || !fits(rival, item, weightLb))
      return false;
    const rivalAmount = amountOf(rival, column, leastLbOf(rival, weightLb));
    return rivalAmount > amount || (rivalAmount === amount && at < index);
  });
};

/**
 * The surcharges of one package that are sums of its own: of each `dearestOf` name only the dearest.
 * @param candidates indexes of those whose conditions on the destination hold, percentages and all
 * @param weightLb the billing weight before any least billing weight
 */
export const chosenFor = (
  candidates: readonly number[],
  card: Card,
  item: PackageItem,
  column: number,
  weightLb: number,
): number[] => {
  const chosen: number[] = [];
  for (const index of candidates) {
    const surcharge = card.surcharges[index];
    if (surcharge === undefined || surcharge.amount.per === 'percent' || surcharge.amount.per === 'shipment') continue;
    if (fits(surcharge, item, weightLb) && !isOutdone(index, candidates, card, item, column, weightLb))
      chosen.push(index);
  }
  return chosen;
};

/** Adds the percentages on one package's (or the shipment's) discounted base and sums to those sums. */
export const addPercentages = (card: Card, candidates: readonly number[], base: number, sums: number[]): void => {
  for (const index of candidates) {
    const surcharge = card.surcharges[index];
    if (surcharge?.amount.per !== 'percent') continue;
    const { rate, ofBase, of } = surcharge.amount;
    let subject = ofBase ? base : 0;
    for (const at of of) subject += sums[at] ?? 0;
    sums[index] = percentOf(subject, rate);
  }
};
