/**
 * Decides which surcharges of a lane apply to a package, and what they cost. Fixed amounts come first, then
 * percentages. Each percentage is rounded once per package.
 */
import { missing } from '../base/must.ts';
import type { Card } from './card.ts';
import type { LaneCharges, Measured, PackageLimits, Surcharge } from './charges.ts';
import { basisPoints, percentOf, type Sides, volumeOver } from './quantity.ts';
import type { PackageItem } from './shipment.ts';
import { afterChanges, type ChangedCharge, ownCharge, type Terms } from './terms.ts';

/** One service from one origin to one destination, with what is the same for all packages of a shipment. */
export interface Lane {
  readonly card: Card;
  readonly column: number;
  readonly charges: LaneCharges;
  /** The client's agreement terms for the card. */
  readonly terms: Terms | undefined;
  /** Whether the address is priced as residential. */
  readonly residential: boolean;
  /** Warning bits: see `warning.ts`. */
  readonly warnings: number;
}

/** Returns whether a package exceeds a volume in cubic inches, with its sides rounded as the tariff says. */
export const isLarger = ({ cubicInches }: PackageItem, sides: Sides, limit: number): boolean => {
  if (cubicInches !== undefined) return cubicInches > limit;
  return limit === 0 || volumeOver([sides], limit) > 1;
};

/** Returns whether a package exceeds all limits. A package without dimensions exceeds no size limit. */
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

/** Returns whether a package meets a surcharge's conditions. `billingLb` excludes any minimum billing weight. */
const fits = ({ limits }: Measured, item: PackageItem, billingLb: number): boolean => {
  for (let at = 0; at < limits.length; at++) {
    const one = limits[at] ?? missing('the limits of a surcharge');
    if (exceeds(one, item, billingLb)) return true;
  }
  return false;
};

const SURCHARGE = 'a surcharge of the lane';

const amountOf = ({ amount }: Surcharge, column: number, billingLb: number): number => {
  if (amount.per === 'percent' || amount.per === 'declaredValue') return 0;
  const each = amount.centsByColumn[column] ?? missing('the amount of a surcharge');
  return amount.per === 'pound' ? each * billingLb : each;
};

/** Returns the agreement's charge that replaces a surcharge of the lane. Undefined if the list surcharge applies. */
const changedAt = (
  { terms, charges, residential }: Lane,
  index: number,
  billingLb: number,
): ChangedCharge | undefined =>
  terms?.charges === undefined
    ? undefined
    : ownCharge(terms, charges.places[index] ?? missing('the place of a surcharge'), residential, billingLb);

/** Returns the cents that a surcharge of the lane costs the client. */
const billedAmountOf = (lane: Lane, index: number, surcharge: Surcharge, billingLb: number): number => {
  const own = changedAt(lane, index, billingLb);
  if (own === undefined) return amountOf(surcharge, lane.column, billingLb);
  const each = own.byColumn[lane.column] ?? missing('the amount of an agreement');
  return surcharge.amount.per === 'pound' ? each * billingLb : each;
};

/**
 * Returns the list amount of a surcharge at its own minimum billing weight. Surcharges of a group are compared by it.
 * Agreements do not influence which one applies, so a larger discount never causes a more expensive one to apply.
 */
const leastAmountOf = (surcharge: Surcharge, column: number, weightLb: number): number =>
  amountOf(surcharge, column, Math.max(weightLb, surcharge.leastBillingWeightLb ?? 0));

/** Returns whether a package exceeds any of the limits. Most packages exceed none. */
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

/** Returns the warning bits of a package's surcharges whose amount is unknown. */
export const unknownBits = ({ unknown }: LaneCharges, item: PackageItem, weightLb: number): number =>
  unknown.reduce((bits, surcharge) => (fits(surcharge, item, weightLb) ? bits | surcharge.bit : bits), 0);

const NONE: readonly number[] = [];

/**
 * Returns the surcharges of `LaneCharges.measured` that apply to a package, as indexes into the lane's list. Of each
 * `dearestOf` group, only the most expensive applies, or the first of equals.
 * @param weightLb the billing weight before any minimum billing weight, which conditions are about
 */
export const appliedTo = ({ charges, column }: Lane, item: PackageItem, weightLb: number): readonly number[] => {
  const measured = item.sides === undefined ? charges.measuredByWeight : charges.measured;
  if (measured.length === 0 || !isExtraordinary(charges.ordinary, item, weightLb)) return NONE;
  const { surcharges, groups } = charges;
  const applied: number[] = [];
  for (let at = 0; at < measured.length; at++) {
    const candidate = measured[at] ?? missing('a measured surcharge');
    if (!fits(candidate, item, weightLb)) continue;
    const group = groups[candidate.index] ?? missing('the group of a surcharge');
    let place = group === -1 ? applied.length : 0;
    while (place < applied.length && groups[applied[place] ?? missing(SURCHARGE)] !== group) place += 1;
    if (place === applied.length) applied.push(candidate.index);
    else {
      const rival = surcharges[applied[place] ?? missing(SURCHARGE)] ?? missing(SURCHARGE);
      if (leastAmountOf(candidate.surcharge, column, weightLb) > leastAmountOf(rival, column, weightLb))
        applied[place] = candidate.index;
    }
  }
  return applied.length === 0 ? NONE : applied;
};

/** Returns the minimum billing weight that a package's surcharges require, in pounds; 0 without one. */
export const leastPounds = ({ surcharges }: LaneCharges, applied: readonly number[]): number => {
  let leastLb = 0;
  for (const index of applied)
    leastLb = Math.max(leastLb, (surcharges[index] ?? missing(SURCHARGE)).leastBillingWeightLb ?? 0);
  return leastLb;
};

/** Writes the amounts of some surcharges of a lane into a package's lines. */
const addAmounts = (lane: Lane, indexes: readonly number[], billingLb: number, lines: number[]): void => {
  for (const index of indexes) {
    const surcharge = lane.charges.surcharges[index] ?? missing(SURCHARGE);
    lines[index] = billedAmountOf(lane, index, surcharge, billingLb);
  }
};

/** Replaces a package's plain lines where the agreement charges something else. */
const changePlain = (lane: Lane, billingLb: number, lines: number[]): void => {
  const { plainIndexes } = lane.charges;
  for (let at = 0; at < plainIndexes.length; at++) {
    const index = plainIndexes[at] ?? missing('the index of a surcharge');
    const own = changedAt(lane, index, billingLb);
    if (own !== undefined) lines[index] = own.byColumn[lane.column] ?? missing('the amount of an agreement');
  }
};

/**
 * Returns one package's surcharges except percentages, in cents, parallel to the lane's surcharges.
 * @param billingLb the billed weight, which prices per pound are multiplied by
 */
export const packageCharges = (lane: Lane, applied: readonly number[], billingLb: number): number[] => {
  const { charges, terms } = lane;
  const lines = charges.plain.slice();
  if (terms?.charges !== undefined) changePlain(lane, billingLb, lines);
  if (charges.perPound.length > 0) addAmounts(lane, charges.perPound, billingLb, lines);
  if (applied.length > 0) addAmounts(lane, applied, billingLb, lines);
  return lines;
};

/** Returns zeros, parallel to a lane's surcharges. */
export const noCharges = ({ surcharges }: LaneCharges): number[] => surcharges.map(() => 0);

const onDeclaredValue = (
  amount: Extract<Surcharge['amount'], { per: 'declaredValue' }>,
  valueCents: number,
): number => {
  if (valueCents <= amount.freeCents) return 0;
  return Math.max(amount.minimumCents, Math.ceil(valueCents / 10_000) * amount.centsPer100);
};

const onDeclaredValueIn = (
  lane: Lane,
  index: number,
  amount: Extract<Surcharge['amount'], { per: 'declaredValue' }>,
  valueCents: number,
): number => {
  const own = changedAt(lane, index, 0);
  const list = onDeclaredValue(amount, valueCents);
  return own === undefined ? list : afterChanges(own, lane.column, list);
};

/** Returns the amounts that a shipment is charged once, if any of its packages meets their conditions. */
export const shipmentCharges = (
  lane: Lane,
  packages: readonly PackageItem[],
  declaredValueCents: number | undefined,
  weightOf: (item: PackageItem) => number,
): number[] | undefined => {
  let lines: number[] | undefined;
  for (const measured of lane.charges.perShipment) {
    const { index, surcharge } = measured;
    if (!packages.some((item) => fits(measured, item, weightOf(item)))) continue;
    lines ??= noCharges(lane.charges);
    lines[index] =
      surcharge.amount.per === 'declaredValue'
        ? onDeclaredValueIn(lane, index, surcharge.amount, declaredValueCents ?? 0)
        : billedAmountOf(lane, index, surcharge, 0);
  }
  return lines;
};

/** Applies the caps of surcharges to a shipment that is rated as a whole. The first packages pay first. */
export const limitTogether = ({ surcharges }: LaneCharges, charges: readonly number[][]): void => {
  for (const [index, { multiweightMaximumCents }] of surcharges.entries()) {
    if (multiweightMaximumCents === undefined) continue;
    let left: number = multiweightMaximumCents;
    for (const lines of charges) {
      const charged = Math.min(lines[index] ?? missing('the line of a surcharge'), left);
      lines[index] = charged;
      left -= charged;
    }
  }
};

/** Adds percentages such as fuel to the lines of one package or the shipment. `base` is after the discount. */
export const addPercentages = (lane: Lane, base: number, lines: number[]): void => {
  const { percentages } = lane.charges;
  for (let at = 0; at < percentages.length; at++) {
    const { index, amount } = percentages[at] ?? missing('a percentage');
    const { rate, ofBase, of } = amount;
    let subject = ofBase ? base : 0;
    for (let i = 0; i < of.length; i++)
      subject += lines[of[i] ?? missing('a part of a percentage')] ?? missing('the line of a surcharge');
    const own = changedAt(lane, index, 0);
    lines[index] = percentOf(
      subject,
      own === undefined ? rate : basisPoints(own.byColumn[lane.column] ?? missing('the rate of an agreement')),
    );
  }
};
