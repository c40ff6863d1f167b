/**
 * The price of one shipment by one service. Each package is priced by itself and every charge line is rounded once per
 * package, then summed; only a multiweight base and per-shipment sums are lines of the whole shipment.
 */
import { type Card, ESTIMATED, NO_COLUMN } from './card.ts';
import { Failed, type Result } from './fault.ts';
import {
  type BasisPoints,
  billedPounds,
  billedPoundsTogether,
  type Cents,
  cents,
  inches,
  type Mass,
  percentOf,
  type Sides,
  volumeOver,
  wholeInches,
} from './quantity.ts';
import type { PackageItem, Shipment } from './shipment.ts';
import { addPercentages, type Lane, leastPounds, noCharges, packageCharges, shipmentCharges } from './surcharge.ts';
import { ZONE_ESTIMATED } from './warning.ts';

/** What a service charges. `surcharges` stands beside the card's surcharges, entry for entry. */
export interface Price {
  readonly card: Card;
  readonly column: number;
  readonly billingWeightLb: number;
  readonly baseCents: number;
  readonly discountCents: number;
  readonly surchargeCents: number;
  readonly netCents: number;
  readonly surcharges: readonly number[];
  /** Bits of its warnings: see `warning.ts`. */
  readonly warnings: number;
}

/** How a package came to its weight and base; kept only where an explanation is asked for. */
export interface PackageTrace {
  readonly actualLb: number;
  readonly dimensionalLb: number;
  readonly leastLb: number;
  readonly billingLb: number;
  readonly baseCents: number;
  readonly discountCents: number;
}

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

export interface Trace {
  readonly packages: PackageTrace[];
  multiweight?: WholePrice;
  /** Surcharges in cents beside the card's: a list for each package, then one for the shipment as a whole. */
  readonly charges: (readonly number[])[];
}

/** Dimensional weight in whole pounds (service specification, Billing weight rule); 0 without dimensions. */
const dimensionalPounds = ({ sides, cubicInches }: PackageItem, factor: number): number => {
  if (cubicInches !== undefined) return Math.ceil(cubicInches / factor);
  return sides === undefined ? 0 : volumeOver([sides], factor);
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

/** Packages with their sides measured as a card says. Whoever prices by many cards does this once for those alike. */
export const measuredBy = ({ sideRounding }: Card, packages: readonly PackageItem[]): readonly PackageItem[] => {
  if (sideRounding !== 'none')
    for (const { sides } of packages)
      if (sides !== undefined) return packages.map((item) => measured(item, sideRounding));
  return packages;
};

/** `PO Box 12`, `P.O. Box12`, `PO-Box #9`, `POB 12`, `Post Office Box 5`, wherever in the line. */
const PO_BOX = /\b(?:(?:p\.?[\s-]*o\.?|post\s+office)[\s-]*box(?:[^a-z]|$)|p\.?o\.?b\.?\s*#?\d)/i;
const isPoBox = (addressLine: string): boolean => PO_BOX.test(addressLine);

/** The greater of actual and dimensional weight, before any least billing weight. */
const ownWeightOf = (card: Card, item: PackageItem): number =>
  Math.max(billedPounds(item.mass), dimensionalPounds(item, card.dimensionalFactor));

/** The base of one package in cents, or 0 where the card has no rate for it. */
const baseOf = (card: Card, column: number, billingLb: number): number => {
  if (billingLb <= card.topLb) return card.rates[column * (card.topLb + 1) + billingLb] ?? 0;
  return (card.centsPerLbAboveTop?.[column] ?? 0) * billingLb;
};

const discountOn = (base: number, rate: BasisPoints, minimumNet: number): number =>
  rate === 0 ? 0 : Math.max(0, Math.min(percentOf(base, rate), base - minimumNet));

interface Totals {
  billingLb: number;
  base: number;
  discount: number;
}

const notServed = (card: Card, packageIndex: number, weightLb: number): Result<never> =>
  new Failed({
    type: 'getRates.weightNotServed',
    shippingService: card.code,
    packageIndex,
    weightLb,
    maximumLb: card.maximumActualLb,
  });

/**
 * What a shipment weighs as a whole. Weights are added up before they are rounded up to the pound, and so are volumes
 * before they are divided: the greater counts (FedEx Service Guide 2026, pages 42 and 135). A package that a surcharge
 * bills at a least weight counts with that weight.
 */
const wholeWeightOf = (
  card: Card,
  packages: readonly PackageItem[],
  priced: readonly PackageTrace[],
): { actualLb: number; dimensionalLb: number; totalLb: number } => {
  const masses: Mass[] = [];
  const boxes: Sides[] = [];
  let leastLb = 0;
  for (const [index, item] of packages.entries()) {
    const own = priced[index];
    if (own !== undefined && own.billingLb > Math.max(own.actualLb, own.dimensionalLb)) leastLb += own.billingLb;
    else {
      masses.push(item.mass);
      if (item.sides !== undefined) boxes.push(item.sides);
    }
  }
  const actualLb = billedPoundsTogether(masses) + leastLb;
  const dimensionalLb = boxes.length === 0 ? 0 : volumeOver(boxes, card.dimensionalFactor) + leastLb;
  return { actualLb, dimensionalLb, totalLb: Math.max(actualLb, dimensionalLb) };
};

/**
 * The price per pound on the whole shipment, where the card has one and it is lower than the packages' sum. The weight
 * is not lifted to a higher break whose price per pound is lower: the guide multiplies by the shipment's weight (page 42).
 */
const multiweightOf = (
  { card, column }: Lane,
  packages: readonly PackageItem[],
  priced: readonly PackageTrace[],
  sumCents: number,
): WholePrice | undefined => {
  const table = card.multiweight;
  if (table === undefined || packages.length < 2) return undefined;
  const { totalLb, actualLb, dimensionalLb } = wholeWeightOf(card, packages, priced);
  if (totalLb < table.minimumTotalLb) return undefined;
  const ratedLb = Math.max(totalLb, packages.length * table.minimumAverageLb);
  const reached = table.breaks.findLast(({ fromLb }) => fromLb <= ratedLb);
  const baseCents = (reached?.centsPerLb[column] ?? 0) * ratedLb;
  if (reached === undefined || baseCents === 0 || baseCents >= sumCents) return undefined;
  return { fromLb: reached.fromLb, actualLb, dimensionalLb, ratedLb, baseCents };
};

/**
 * Prices a shipment by one service.
 * @param origin the warehouse's ZIP5, as a number
 * @param discount the client's discount on the base charge
 * @param trace filled with how each package was priced, where an explanation is wanted
 * @param packages the shipment's, as `measuredBy` gives them
 * @returns the price in cents, or why this service has none: `noDeliveryCoverage`, `addressLineRequired` or
 * `weightNotServed`, in that order of judgement
 */
export const priceShipment = (
  card: Card,
  shipment: Shipment,
  origin: number,
  destination: number,
  discount: BasisPoints,
  trace?: Trace,
  packages = measuredBy(card, shipment.packages),
): Result<Price> => {
  const found = card.zones.laneOf(origin, destination);
  const uncovered =
    found === NO_COLUMN || (card.refusesPoBox && shipment.addressLine !== undefined && isPoBox(shipment.addressLine));
  if (uncovered)
    return new Failed({
      type: 'getRates.noDeliveryCoverage',
      postalCode: shipment.postalCode,
      shippingService: card.code,
    });
  if (card.addressLineRequired && (shipment.addressLine ?? '').trim() === '')
    return new Failed({ type: 'getRates.addressLineRequired', shippingService: card.code });

  const { residential } = shipment;
  const isEstimated = found >= ESTIMATED;
  const column = isEstimated ? found - ESTIMATED : found;
  const warnings = isEstimated ? ZONE_ESTIMATED : 0;
  const lane = { card, column, destination, residential, discount, warnings };
  const [first] = packages;
  const single = first !== undefined && packages.length === 1 && !card.chargesShipments;
  return single ? priceSingle(lane, first, trace) : pricePackages(lane, packages, trace);
};

/** Prices one package but for its surcharges. */
const pricePackage = (lane: Lane, item: PackageItem, index: number): Result<PackageTrace> => {
  const { card, column, discount } = lane;
  const actualLb = billedPounds(item.mass);
  if (actualLb > card.maximumActualLb) return notServed(card, index, actualLb);
  const dimensionalLb = dimensionalPounds(item, card.dimensionalFactor);
  const weightLb = Math.max(actualLb, dimensionalLb);
  const leastLb = leastPounds(lane, item, weightLb);
  const billingLb = Math.max(weightLb, leastLb);
  const baseCents = baseOf(card, column, billingLb);
  if (baseCents === 0) return notServed(card, index, billingLb);
  const discountCents = discountOn(baseCents, discount, card.minimumNetCents);
  return { actualLb, dimensionalLb, leastLb, billingLb, baseCents, discountCents };
};

const chargesOf = (lane: Lane, item: PackageItem, { actualLb, dimensionalLb, billingLb }: PackageTrace): number[] =>
  packageCharges(lane, item, Math.max(actualLb, dimensionalLb), billingLb);

/** A single package and no table for the whole shipment: the package's price is the shipment's. */
const priceSingle = (lane: Lane, item: PackageItem, trace: Trace | undefined): Result<Price> => {
  const own = pricePackage(lane, item, 0);
  if (own instanceof Failed) return own;
  const { billingLb, baseCents, discountCents } = own;
  const lines = chargesOf(lane, item, own);
  addPercentages(lane, baseCents - discountCents, lines);
  trace?.packages.push(own);
  trace?.charges.push(lines);
  return priceOf(lane, billingLb, baseCents, discountCents, lines);
};

const pricePackages = (lane: Lane, packages: readonly PackageItem[], trace: Trace | undefined): Result<Price> => {
  const { card, discount } = lane;
  const priced: PackageTrace[] = [];
  const totals: Totals = { billingLb: 0, base: 0, discount: 0 };
  for (const [index, item] of packages.entries()) {
    const own = pricePackage(lane, item, index);
    if (own instanceof Failed) return own;
    totals.billingLb += own.billingLb;
    totals.base += own.baseCents;
    totals.discount += own.discountCents;
    priced.push(own);
  }
  const multiweight = multiweightOf(lane, packages, priced, totals.base);
  if (multiweight !== undefined) {
    totals.billingLb = multiweight.ratedLb;
    totals.base = multiweight.baseCents;
    totals.discount = discountOn(multiweight.baseCents, discount, card.minimumNetCents * packages.length);
  }
  const charges = packages.map((item, index) => {
    const own = priced[index];
    const lines = own === undefined ? noCharges(card) : chargesOf(lane, item, own);
    const base = own === undefined || multiweight !== undefined ? 0 : own.baseCents - own.discountCents;
    addPercentages(lane, base, lines);
    return lines;
  });
  const whole = shipmentCharges(lane, packages, (item) => ownWeightOf(card, item));
  if (whole !== undefined || multiweight !== undefined) {
    const lines = whole ?? noCharges(card);
    addPercentages(lane, multiweight === undefined ? 0 : totals.base - totals.discount, lines);
    charges.push(lines);
  }
  if (trace !== undefined) {
    trace.packages.push(...priced);
    trace.charges.push(...charges);
    if (multiweight !== undefined) trace.multiweight = multiweight;
  }
  return priceOf(lane, totals.billingLb, totals.base, totals.discount, summed(card, charges));
};

/** Adds up the lines of packages and shipment. */
const summed = (card: Card, charges: readonly (readonly number[])[]): readonly number[] => {
  const lines = noCharges(card);
  for (const own of charges) for (let at = 0; at < own.length; at++) lines[at] = (lines[at] ?? 0) + (own[at] ?? 0);
  return lines;
};

const priceOf = (
  { card, column, warnings }: Lane,
  billingWeightLb: number,
  baseCents: number,
  discountCents: number,
  surcharges: readonly number[],
): Price => {
  let surchargeCents = 0;
  for (let at = 0; at < surcharges.length; at++) surchargeCents += surcharges[at] ?? 0;
  const netCents = baseCents - discountCents + surchargeCents;
  return { card, column, billingWeightLb, baseCents, discountCents, surchargeCents, netCents, surcharges, warnings };
};

/** A surcharge of which some is charged. */
interface ChargedLine {
  readonly type: string;
  readonly description: string;
  readonly amountCents: Cents;
}

/** A card's surcharge lines of a price that are not zero. */
export const chargedLines = (price: Price): readonly ChargedLine[] => {
  const lines: ChargedLine[] = [];
  for (const [index, amountCents] of price.surcharges.entries()) {
    const surcharge = price.card.surcharges[index];
    if (amountCents === 0 || surcharge === undefined) continue;
    const { type, description } = surcharge;
    lines.push({ type, description, amountCents: cents(amountCents) });
  }
  return lines;
};
