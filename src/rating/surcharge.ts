/**
 * Which surcharges of a lane a package is charged, and how much. Sums come first, percentages after them, each rounded
 * once per package.
 */
import type { Card } from './card.ts';
import type { LaneCharges, Measures, Surcharge } from './charges.ts';
import { type BasisPoints, inches, percentOf, pounds, type Sides, volumeOver } from './quantity.ts';
import type { PackageItem } from './shipment.ts';

/** One service from one origin to one destination: what is the same for all packages of a shipment. */
export interface Lane {
  readonly card: Card;
  readonly column: number;
  readonly charges: LaneCharges;
  readonly discount: BasisPoints;
  /** Bits of its warnings: see `warning.ts`. */
  readonly warnings: number;
}

/** Whether a package has more than so many cubic inches, its sides measured as the tariff says. */
export const isLarger = ({ cubicInches }: PackageItem, sides: Sides, limit: number): boolean => {
  if (cubicInches !== undefined) return cubicInches > limit;
  return limit === 0 || volumeOver([sides], limit) > 1;
};

const isSized = (measures: Measures): boolean =>
  measures.lengthOverIn !== undefined ||
  measures.secondSideOverIn !== undefined ||
  measures.lengthPlusGirthOverIn !== undefined ||
  measures.cubicInchesOver !== undefined;

/** Whether a package exceeds every measure that is given. A package without dimensions exceeds no size. */
const exceeds = (measures: Measures, item: PackageItem, billingLb: number): boolean => {
  if (measures.actualWeightOverLb !== undefined && item.mass <= pounds(measures.actualWeightOverLb)) return false;
  if (measures.billingWeightOverLb !== undefined && billingLb <= measures.billingWeightOverLb) return false;
  if (!isSized(measures)) return true;
  if (item.sides === undefined) return false;
  const [length, width, height] = item.sides;
  return (
    (measures.lengthOverIn === undefined || length > inches(measures.lengthOverIn)) &&
    (measures.secondSideOverIn === undefined || width > inches(measures.secondSideOverIn)) &&
    (measures.lengthPlusGirthOverIn === undefined ||
      length + 2 * (width + height) > inches(measures.lengthPlusGirthOverIn)) &&
    (measures.cubicInchesOver === undefined || isLarger(item, item.sides, measures.cubicInchesOver))
  );
};

/** Whether a surcharge's conditions on the package hold. `billingLb` is the weight before any least billing weight. */
const fits = ({ when }: Surcharge, item: PackageItem, billingLb: number): boolean =>
  exceeds(when, item, billingLb) &&
  (when.anyOf === undefined || when.anyOf.some((measures) => exceeds(measures, item, billingLb)));

const amountOf = ({ amount }: Surcharge, column: number, billingLb: number): number => {
  if (amount.per === 'percent' || amount.per === 'declaredValue') return 0;
  const each = amount.centsByColumn[column] ?? 0;
  return amount.per === 'pound' ? each * billingLb : each;
};

/** Whether a package exceeds any measure of the lane's surcharges. Most packages exceed none. */
const isExtraordinary = ({ ordinary }: LaneCharges, item: PackageItem, billingLb: number): boolean => {
  if (item.mass > ordinary.mass || billingLb > ordinary.billingLb) return true;
  const { sides } = item;
  if (sides === undefined) return false;
  const [length, width, height] = sides;
  return (
    length > ordinary.length ||
    width > ordinary.secondSide ||
    length + 2 * (width + height) > ordinary.lengthPlusGirth ||
    (ordinary.cubicIn !== Number.POSITIVE_INFINITY && isLarger(item, sides, ordinary.cubicIn))
  );
};

const NONE: readonly number[] = [];

/**
 * The surcharges of `LaneCharges.measured` that a package is charged, as indexes of the lane's list: of each `dearestOf`
 * name only the dearest, and of equals the first.
 * @param weightLb the billing weight before any least billing weight, which conditions speak of
 */
export const appliedTo = ({ charges, column }: Lane, item: PackageItem, weightLb: number): readonly number[] => {
  const { measured } = charges;
  if (measured.length === 0 || !isExtraordinary(charges, item, weightLb)) return NONE;
  const applied: number[] = [];
  const dearest = new Map<string, { readonly place: number; readonly amount: number }>();
  for (const { index, surcharge } of measured) {
    if (!fits(surcharge, item, weightLb)) continue;
    const { dearestOf: name, leastBillingWeightLb = 0 } = surcharge;
    if (name === undefined) {
      applied.push(index);
      continue;
    }
    const amount = amountOf(surcharge, column, Math.max(weightLb, leastBillingWeightLb));
    const rival = dearest.get(name);
    if (rival === undefined) {
      dearest.set(name, { place: applied.length, amount });
      applied.push(index);
    } else if (amount > rival.amount) {
      dearest.set(name, { place: rival.place, amount });
      applied[rival.place] = index;
    }
  }
  return applied;
};

/** The least billing weight that a package's surcharges ask for, in pounds; 0 without one. */
export const leastPounds = ({ surcharges }: LaneCharges, applied: readonly number[]): number => {
  let leastLb = 0;
  for (const index of applied) leastLb = Math.max(leastLb, surcharges[index]?.leastBillingWeightLb ?? 0);
  return leastLb;
};

/** Puts the amounts of some surcharges of a lane into a package's lines. */
const addAmounts = (
  { surcharges }: LaneCharges,
  indexes: readonly number[],
  column: number,
  billingLb: number,
  lines: number[],
): void => {
  for (const index of indexes) {
    const surcharge = surcharges[index];
    if (surcharge !== undefined) lines[index] = amountOf(surcharge, column, billingLb);
  }
};

/**
 * The sums that one package is charged, beside the lane's surcharges.
 * @param billingLb the weight that is billed, which prices per pound speak of
 */
export const packageCharges = ({ charges, column }: Lane, applied: readonly number[], billingLb: number): number[] => {
  const lines = charges.plain.slice();
  if (charges.perPound.length > 0) addAmounts(charges, charges.perPound, column, billingLb, lines);
  if (applied.length > 0) addAmounts(charges, applied, column, billingLb, lines);
  return lines;
};

/** Zeroes beside a lane's surcharges. */
export const noCharges = ({ surcharges }: LaneCharges): number[] => surcharges.map(() => 0);

const onDeclaredValue = (
  amount: Extract<Surcharge['amount'], { per: 'declaredValue' }>,
  valueCents: number,
): number => {
  if (valueCents <= amount.freeCents) return 0;
  return Math.max(amount.minimumCents, Math.ceil(valueCents / 10_000) * amount.centsPer100);
};

/** The sums that a shipment is charged once, where any of its packages asks for them. */
export const shipmentCharges = (
  { charges, column }: Lane,
  packages: readonly PackageItem[],
  declaredValueCents: number | undefined,
  weightOf: (item: PackageItem) => number,
): number[] | undefined => {
  let lines: number[] | undefined;
  for (const index of charges.perShipment) {
    const surcharge = charges.surcharges[index];
    if (surcharge === undefined || !packages.some((item) => fits(surcharge, item, weightOf(item)))) continue;
    lines ??= noCharges(charges);
    lines[index] =
      surcharge.amount.per === 'declaredValue'
        ? onDeclaredValue(surcharge.amount, declaredValueCents ?? 0)
        : amountOf(surcharge, column, 0);
  }
  return lines;
};

/** Lowers the lines of a shipment that is rated as a whole to the most that it pays: the first packages pay first. */
export const limitTogether = ({ surcharges }: LaneCharges, charges: readonly number[][]): void => {
  for (const [index, { multiweightMaximumCents }] of surcharges.entries()) {
    if (multiweightMaximumCents === undefined) continue;
    let left: number = multiweightMaximumCents;
    for (const lines of charges) {
      const charged = Math.min(lines[index] ?? 0, left);
      lines[index] = charged;
      left -= charged;
    }
  }
};

/** Adds the percentages on one package's (or the shipment's) discounted base and sums to those sums. */
export const addPercentages = ({ percentages }: LaneCharges, base: number, lines: number[]): void => {
  for (let at = 0; at < percentages.length; at++) {
    const percentage = percentages[at];
    if (percentage === undefined) continue;
    const { rate, ofBase, of } = percentage.amount;
    let subject = ofBase ? base : 0;
    for (let i = 0; i < of.length; i++) subject += lines[of[i] ?? -1] ?? 0;
    lines[percentage.index] = percentOf(subject, rate);
  }
};
