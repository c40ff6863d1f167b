/**
 * Which surcharges of a lane a package is charged, and how much. Sums come first, percentages after them, each rounded
 * once per package.
 */
import type { Card } from './card.ts';
import type { LaneCharges, Measured, PackageLimits, Surcharge } from './charges.ts';
import { type BasisPoints, percentOf, type Sides, volumeOver } from './quantity.ts';
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

/** Whether a package exceeds all limits. A package without dimensions exceeds no size. */
const exceeds = (limits: PackageLimits, item: PackageItem, billingLb: number): boolean => {
  if (item.mass <= limits.mass || billingLb <= limits.billingLb) return false;
  if (!limits.isSized) return true;
  const { sides } = item;
  if (sides === undefined) return false;
  return (
    sides[0] > limits.length &&
    sides[1] > limits.secondSide &&
    sides[0] + 2 * (sides[1] + sides[2]) > limits.lengthPlusGirth &&
    (limits.cubicIn < 0 || isLarger(item, sides, limits.cubicIn))
  );
};

/** Whether a surcharge's conditions on the package hold. `billingLb` is the weight before any least billing weight. */
const fits = ({ limits }: Measured, item: PackageItem, billingLb: number): boolean => {
  for (let at = 0; at < limits.length; at++) {
    const one = limits[at];
    if (one !== undefined && exceeds(one, item, billingLb)) return true;
  }
  return false;
};

const amountOf = ({ amount }: Surcharge, column: number, billingLb: number): number => {
  if (amount.per === 'percent' || amount.per === 'declaredValue') return 0;
  const each = amount.centsByColumn[column] ?? 0;
  return amount.per === 'pound' ? each * billingLb : each;
};

/** What a surcharge is, at its own least billing weight, when it is compared with others. */
const leastAmountOf = (surcharge: Surcharge, column: number, weightLb: number): number =>
  amountOf(surcharge, column, Math.max(weightLb, surcharge.leastBillingWeightLb ?? 0));

/** Whether a package exceeds any of the limits. Most packages exceed none. */
export const isExtraordinary = (ordinary: PackageLimits, item: PackageItem, billingLb: number): boolean => {
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
  const measured = item.sides === undefined ? charges.measuredByWeight : charges.measured;
  if (measured.length === 0 || !isExtraordinary(charges.ordinary, item, weightLb)) return NONE;
  const { surcharges, groups } = charges;
  const applied: number[] = [];
  for (let at = 0; at < measured.length; at++) {
    const candidate = measured[at];
    if (candidate === undefined || !fits(candidate, item, weightLb)) continue;
    const group = groups[candidate.index] ?? -1;
    let place = group === -1 ? applied.length : 0;
    while (place < applied.length && groups[applied[place] ?? -1] !== group) place += 1;
    const rival = surcharges[applied[place] ?? -1];
    if (rival === undefined) applied.push(candidate.index);
    else if (leastAmountOf(candidate.surcharge, column, weightLb) > leastAmountOf(rival, column, weightLb))
      applied[place] = candidate.index;
  }
  return applied.length === 0 ? NONE : applied;
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
  for (const measured of charges.perShipment) {
    const { index, surcharge } = measured;
    if (!packages.some((item) => fits(measured, item, weightOf(item)))) continue;
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
