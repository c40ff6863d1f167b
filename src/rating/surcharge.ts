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

/** The surcharges of one package that are not percentages: of each `dearestOf` name only the dearest. */
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
    if (surcharge === undefined || surcharge.amount.per === 'percent' || !fits(surcharge, item, weightLb)) continue;
    const rival =
      surcharge.dearestOf === undefined
        ? -1
        : chosen.findIndex((other) => card.surcharges[other]?.dearestOf === surcharge.dearestOf);
    if (rival === -1) chosen.push(index);
    else {
      const held = card.surcharges[chosen[rival] ?? -1];
      const heldAmount =
        held === undefined ? 0 : amountOf(held, column, Math.max(weightLb, held.leastBillingWeightLb ?? 0));
      if (amountOf(surcharge, column, Math.max(weightLb, surcharge.leastBillingWeightLb ?? 0)) > heldAmount)
        chosen[rival] = index;
    }
  }
  return chosen;
};

/** Adds the percentages on one package's (or the shipment's) discounted base and sums, to the sums and to the lines. */
export const addPercentages = (
  card: Card,
  candidates: readonly number[],
  base: number,
  sums: number[],
  lines: number[],
): void => {
  for (const index of candidates) {
    const surcharge = card.surcharges[index];
    if (surcharge?.amount.per !== 'percent') continue;
    const { rate, ofBase, of } = surcharge.amount;
    let subject = ofBase ? base : 0;
    if (of.size > 0)
      for (let i = 0; i < sums.length; i++) if (of.has(card.surcharges[i]?.type ?? '')) subject += sums[i] ?? 0;
    const line = percentOf(subject, rate);
    lines[index] = (lines[index] ?? 0) + line;
    sums[index] = (sums[index] ?? 0) + line;
  }
};
