/** Calculates the weight and base charge of one package, and decides whether a service accepts it. */

import { Failed } from '../base/failed.ts';
import { missing } from '../base/must.ts';
import type { Card, SmallRates } from './card.ts';
import type { LaneCharges } from './charges.ts';
import type { Fault, Result } from './fault.ts';
import {
  billedPounds,
  hundredthsOfCubicFeet,
  inches,
  inchesIn,
  percentOf,
  pounds,
  type Sides,
  volumeOver,
  wholeInches,
} from './quantity.ts';
import type { PackageItem, Shipment } from './shipment.ts';
import { appliedTo, isExtraordinary, isLarger, type Lane, leastPounds } from './surcharge.ts';
import { discountOn, type Terms } from './terms.ts';
import type { Departure } from './transit.ts';

/** The input of pricing. `origin` and `destination` are ZIP5s as numbers. */
export interface Asked {
  readonly shipment: Shipment;
  readonly origin: number;
  readonly destination: number;
  /** Packages of the shipment, measured by `measuredBy` for the card. */
  readonly packages: readonly PackageItem[];
  /** When the shipment leaves. Undefined if no service has transit days. */
  readonly departure: Departure | undefined;
  /** Whether the street address is a PO box. Undefined until a service needs to know. */
  isToPoBox: boolean | undefined;
}

/** Returns whether the address is priced as residential. */
export const isResidential = ({ deliversTo }: Card, { residential }: Shipment): boolean =>
  deliversTo === 'homes' || residential;

/** Source of a package's base: a row of pounds, the price per pound above them, a row of ounces, or a volume tier. */
export type BaseRow = { readonly by: 'pounds' } | { readonly by: 'ounces' | 'cubic'; readonly at: number };

/** The weight and the base of a package, and how they came about. */
export interface PackageTrace {
  readonly actualLb: number;
  readonly dimensionalLb: number;
  readonly leastLb: number;
  readonly billingLb: number;
  readonly baseCents: number;
  readonly baseRow: BaseRow;
  readonly discountCents: number;
  /** Surcharges that apply because of its weight and size, as indexes into the lane's list. */
  readonly applied: readonly number[];
}

/** Returns the sides if the package's volume counts as weight. Undefined without dimensions or if it is too small. */
export const countedSides = (item: PackageItem, { dimensionalOverCubicIn }: Card): Sides | undefined => {
  const { sides } = item;
  if (sides === undefined) return undefined;
  return dimensionalOverCubicIn > 0 && !isLarger(item, sides, dimensionalOverCubicIn) ? undefined : sides;
};

export const divisorOf = (
  item: PackageItem,
  sides: Sides,
  { dimensionalFactor, secondDivisor: second }: Card,
): number =>
  second !== undefined &&
  (item.mass > second.overMass ||
    (second.overCubicIn !== Number.POSITIVE_INFINITY && isLarger(item, sides, second.overCubicIn)))
    ? second.dimensionalFactor
    : dimensionalFactor;

/** Dimensional weight in whole pounds (service specification, Billing weight rule); 0 without dimensions. */
const dimensionalPounds = (item: PackageItem, card: Card): number => {
  const sides = countedSides(item, card);
  if (sides === undefined) return 0;
  const divisor = card.secondDivisor === undefined ? card.dimensionalFactor : divisorOf(item, sides, card);
  return item.cubicInches === undefined ? volumeOver([sides], divisor) : Math.ceil(item.cubicInches / divisor);
};

const measured = (item: PackageItem, rounding: 'nearest' | 'up'): PackageItem => {
  if (item.sides === undefined) return item;
  const length = wholeInches(item.sides[0], rounding);
  const width = wholeInches(item.sides[1], rounding);
  const height = wholeInches(item.sides[2], rounding);
  return {
    mass: item.mass,
    sides: [inches(length), inches(width), inches(height)],
    cubicInches: length * width * height,
  };
};

/** Returns the packages with their sides measured as a card says. Cards with the same rounding can share the result. */
export const measuredBy = ({ sideRounding }: Card, packages: readonly PackageItem[]): readonly PackageItem[] => {
  if (sideRounding !== 'none')
    for (const { sides } of packages)
      if (sides !== undefined) return packages.map((item) => measured(item, sideRounding));
  return packages;
};

/** Returns the greater of actual and dimensional weight, before any minimum billing weight. */
export const ownWeightOf = (card: Card, item: PackageItem): number =>
  Math.max(billedPounds(item.mass), Math.min(dimensionalPounds(item, card), card.maximumDimensionalLb));

const PACKAGE = 'the package of a shipment';
const POUNDS: BaseRow = { by: 'pounds' };
const ONE_POUND = pounds(1);

/** Returns the base of one package by whole pounds, in cents; 0 if the card has no rate for it. */
export const baseByPounds = (card: Card, column: number, billingLb: number): number => {
  if (billingLb <= card.topLb)
    return card.rates[column * (card.topLb + 1) + billingLb] ?? missing('a rate of the card');
  const { centsPerLbAboveTop: above } = card;
  return above === undefined ? 0 : (above[column] ?? missing('a price per pound of the card')) * billingLb;
};

/** Returns the first row whose limit a value does not exceed, and its cents. Undefined if there is none with a rate. */
const smallRate = ({ limits, centsByColumn }: SmallRates, column: number, value: number) => {
  const at = limits.findIndex((limit) => value <= limit);
  const baseCents = at === -1 ? 0 : (centsByColumn[at]?.[column] ?? missing('a rate of the card'));
  return baseCents === 0 ? undefined : { at, baseCents };
};

interface Base {
  readonly baseCents: number;
  readonly baseRow: BaseRow;
}

/** Returns the volume in the unit of the limits. */
const volumeOf = ({ inInches }: NonNullable<Card['cubic']>, sides: Sides): number =>
  inInches ? volumeOver([sides], 1) : hundredthsOfCubicFeet(sides);

/**
 * Returns the base of one package: by ounces if it weighs less than a pound and is billed as one, and by volume if that
 * costs less. 0 if the card has no rate for it.
 */
const smallBaseOf = (card: Card, column: number, item: PackageItem, billingLb: number): Base => {
  const byPounds = card.cubic?.only === true ? 0 : baseByPounds(card, column, billingLb);
  let base: Base = { baseCents: byPounds, baseRow: POUNDS };
  if (card.ounces !== undefined && billingLb === 1 && item.mass < ONE_POUND) {
    const ounce = smallRate(card.ounces, column, item.mass);
    if (ounce !== undefined) base = { baseCents: ounce.baseCents, baseRow: { by: 'ounces', at: ounce.at } };
  }
  const { cubic } = card;
  if (cubic === undefined || item.sides === undefined) return base;
  if (item.mass > pounds(cubic.maximumActualLb) || item.sides[0] > inches(cubic.maximumLengthIn)) return base;
  const tier = smallRate(cubic, column, volumeOf(cubic, item.sides));
  if (tier === undefined || (base.baseCents !== 0 && base.baseCents <= tier.baseCents)) return base;
  return { baseCents: tier.baseCents, baseRow: { by: 'cubic', at: tier.at } };
};

/**
 * Returns the base of one package in cents, by the methods of the card; 0 if the card has no rate for it.
 * @param item measured as the card says
 */
export const packageBaseOf = (card: Card, column: number, item: PackageItem, billingLb: number): number =>
  card.ounces === undefined && card.cubic === undefined
    ? baseByPounds(card, column, billingLb)
    : smallBaseOf(card, column, item, billingLb).baseCents;

const notServed = (card: Card, packageIndex: number, weightLb: number, actualLb = weightLb): Result<never> =>
  new Failed({
    type: 'getRates.weightNotServed',
    shippingService: card.code,
    packageIndex,
    weightLb,
    ...(actualLb < weightLb && { isLight: true }),
    // The rates may end below what the service accepts.
    maximumLb:
      card.cubic?.only === true || card.centsPerLbAboveTop !== undefined
        ? card.maximumActualLb
        : Math.min(card.maximumActualLb, card.topLb),
  });

/** Returns why a package has no price: its weight, or its size if prices are by volume alone. */
const notTaken = (card: Card, { mass, sides }: PackageItem, packageIndex: number, weightLb: number): Result<never> => {
  const { cubic, code: shippingService } = card;
  if (cubic?.only !== true) return notServed(card, packageIndex, weightLb, billedPounds(mass));
  if (sides === undefined) return new Failed({ type: 'getRates.dimensionsRequired', shippingService, packageIndex });
  const most = cubic.limits.at(-1) ?? missing('the largest volume');
  return new Failed({
    type: 'getRates.sizeNotServed',
    shippingService,
    packageIndex,
    measure: 'volume',
    inches: volumeOf(cubic, sides),
    maximumInches: most,
  });
};

/** Returns the lowest cost of a package for any destination and size. Infinite if the card does not accept it. */
export const costsAnywhere = ({ leastCents, topLb }: Card, { packages }: Asked): number =>
  leastCents[Math.min(billedPounds((packages[0] ?? missing(PACKAGE)).mass), topLb + 1)] ??
  missing('the least of a weight');

/**
 * Returns whether a package certainly costs at least `leastCents`: by its base, because no surcharge is negative, or
 * with the surcharges of an ordinary package. Also false if the rates cannot tell, as with a minimum billing weight.
 * @param charges the charges of its lane
 */
export const costsAtLeast = (
  card: Card,
  { shipment, packages }: Asked,
  column: number,
  charges: LaneCharges,
  terms: Terms | undefined,
  leastCents: number,
): boolean => {
  const item = packages[0] ?? missing(PACKAGE);
  const weightLb = ownWeightOf(card, item);
  if (isExtraordinary(card.charges.ordinary, item, weightLb)) return false;
  const list = packageBaseOf(card, column, item, weightLb);
  // Without a rate, the reason must be reported.
  if (list === 0) return false;
  const base =
    terms === undefined ? list : list - discountOn(terms, column, weightLb, isResidential(card, shipment), list);
  if (base >= leastCents) return true;
  const { ordinarily } = charges;
  if (ordinarily === undefined || terms?.charges !== undefined) return false;
  let net = base + ordinarily.sum;
  const { percentages } = ordinarily;
  for (let at = 0; at < percentages.length; at++) {
    const percentage = percentages[at];
    if (percentage === undefined) continue;
    net += percentOf((percentage.ofBase ? base : 0) + percentage.ofFixed, percentage.rate);
  }
  // A package of another size costs at least as much. It pays more amounts, and percentages of more.
  return net >= leastCents;
};

/** Prices one package without its surcharges. */
export const pricePackage = (lane: Lane, item: PackageItem, index: number): Result<PackageTrace> => {
  const { card, column, charges, terms, residential } = lane;
  const actualLb = billedPounds(item.mass);
  if (actualLb > card.maximumActualLb) return notServed(card, index, actualLb);
  const dimensionalLb = dimensionalPounds(item, card);
  const weightLb = Math.max(actualLb, Math.min(dimensionalLb, card.maximumDimensionalLb));
  const applied = appliedTo(lane, item, weightLb);
  const leastLb = applied.length === 0 ? 0 : leastPounds(charges, applied);
  const billingLb = Math.max(weightLb, leastLb);
  let baseRow: BaseRow = POUNDS;
  let baseCents: number;
  if (card.ounces === undefined && card.cubic === undefined) baseCents = baseByPounds(card, column, billingLb);
  else ({ baseCents, baseRow } = smallBaseOf(card, column, item, billingLb));
  if (baseCents === 0) return notTaken(card, item, index, billingLb);
  const discountCents = terms === undefined ? 0 : discountOn(terms, column, billingLb, residential, baseCents);
  return { actualLb, dimensionalLb, leastLb, billingLb, baseCents, baseRow, discountCents, applied };
};

/** Returns the fault of the first package that exceeds the service's size limits. */
export const oversized = (card: Card, packages: readonly PackageItem[]): Failed<Fault> | undefined => {
  for (let index = 0; index < packages.length; index++) {
    const sides = packages[index]?.sides;
    if (sides === undefined) continue;
    const length = sides[0];
    const lengthPlusGirth = length + 2 * (sides[1] + sides[2]);
    if (length <= card.maximumLength && lengthPlusGirth <= card.maximumLengthPlusGirth) continue;
    const isLong = length > card.maximumLength;
    return new Failed({
      type: 'getRates.sizeNotServed',
      shippingService: card.code,
      packageIndex: index,
      measure: isLong ? 'length' : 'lengthPlusGirth',
      inches: inchesIn(isLong ? length : lengthPlusGirth),
      maximumInches: inchesIn(isLong ? card.maximumLength : card.maximumLengthPlusGirth),
    });
  }
  return undefined;
};
