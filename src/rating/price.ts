/**
 * The price of one shipment by one service. Each package is priced by itself and every charge line is rounded once per
 * package, then summed; only a multiweight base and per-shipment sums are lines of the whole shipment.
 */
import { type Card, NO_COLUMN } from './card.ts';
import type { Fault } from './fault.ts';
import { type BasisPoints, billedPounds, type Cents, cents, percentOf } from './quantity.ts';
import type { PackageItem, Shipment } from './shipment.ts';
import { addPercentages, amountOf, chosenFor, fits, reaches } from './surcharge.ts';

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

export interface Trace {
  readonly packages: PackageTrace[];
  multiweight?: {
    readonly fromLb: number;
    readonly totalLb: number;
    readonly centsPerLb: number;
    readonly baseCents: number;
  };
  /** Surcharges in cents beside the card's: a list for each package, then one for the shipment as a whole. */
  readonly charges: (readonly number[])[];
}

/** Dimensional weight in whole pounds (service specification, Billing weight rule); 0 without dimensions. */
const dimensionalPounds = ({ inches }: PackageItem, factor: number): number => {
  if (inches === undefined) return 0;
  return Math.ceil((inches[0] * inches[1] * inches[2]) / factor);
};

const isPoBox = (addressLine: string): boolean => /^\s*(?:p\.?\s*o\.?|post\s+office)\s*box\b/i.test(addressLine);

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

const notServed = (card: Card, packageIndex: number, weightLb: number): Fault => ({
  type: 'getRates.weightNotServed',
  shippingService: card.code,
  packageIndex,
  weightLb,
  maximumLb: card.maximumActualLb,
});

/** The multiweight base where the card has one and it is lower than the packages' sum. */
const multiweightOf = (card: Card, column: number, packages: number, totals: Totals): Trace['multiweight'] => {
  const table = card.multiweight;
  if (table === undefined || packages < 2) return undefined;
  const totalLb = Math.max(totals.billingLb, packages * table.minimumAverageLb);
  if (totalLb < table.minimumTotalLb) return undefined;
  let best: Trace['multiweight'];
  for (const { fromLb, centsPerLb } of table.breaks) {
    const rate = centsPerLb[column] ?? 0;
    // A shipment may be rated as if it weighed the next break's least weight, where that is cheaper.
    const ratedLb = Math.max(totalLb, fromLb);
    const baseCents = rate * ratedLb;
    if (rate > 0 && baseCents < (best?.baseCents ?? totals.base))
      best = { fromLb, totalLb: ratedLb, centsPerLb: rate, baseCents };
  }
  return best;
};

/**
 * Prices a shipment by one service.
 * @param origin the warehouse's ZIP5, as a number
 * @param discount the client's discount on the base charge
 * @param trace filled with how each package was priced, where an explanation is wanted
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
): Price | Fault => {
  const column = card.zones.columnOf(origin, destination);
  const uncovered =
    column === NO_COLUMN || (card.refusesPoBox && shipment.addressLine !== undefined && isPoBox(shipment.addressLine));
  if (uncovered)
    return { type: 'getRates.noDeliveryCoverage', postalCode: shipment.postalCode, shippingService: card.code };
  if (card.addressLineRequired && (shipment.addressLine ?? '').trim() === '')
    return { type: 'getRates.addressLineRequired', shippingService: card.code };

  const candidates: number[] = [];
  const { surcharges } = card;
  for (let index = 0; index < surcharges.length; index++) {
    const surcharge = surcharges[index];
    if (surcharge !== undefined && reaches(surcharge, column, destination, shipment.residential))
      candidates.push(index);
  }
  return pricePackages({ card, column, discount, candidates }, shipment.packages, trace);
};

/** What is the same for all packages of a shipment. */
interface Lane {
  readonly card: Card;
  readonly column: number;
  readonly discount: BasisPoints;
  /** Indexes of the surcharges whose conditions on the destination hold. */
  readonly candidates: readonly number[];
}

/** Zeroes beside the card's surcharges. */
const noCharges = ({ surcharges }: Card): number[] => {
  const lines: number[] = [];
  for (let index = 0; index < surcharges.length; index++) lines.push(0);
  return lines;
};

/** Prices one package but for the percentages. `sums` gets its surcharges. */
const pricePackage = (
  { card, column, discount, candidates }: Lane,
  item: PackageItem,
  index: number,
  sums: number[],
): PackageTrace | Fault => {
  const actualLb = billedPounds(item.mass);
  if (actualLb > card.maximumActualLb) return notServed(card, index, actualLb);
  const dimensionalLb = dimensionalPounds(item, card.dimensionalFactor);
  const weightLb = Math.max(actualLb, dimensionalLb);
  const chosen = candidates.length === 0 ? candidates : chosenFor(candidates, card, item, column, weightLb);
  let leastLb = 0;
  for (const at of chosen) leastLb = Math.max(leastLb, card.surcharges[at]?.leastBillingWeightLb ?? 0);
  const billingLb = Math.max(weightLb, leastLb);
  const baseCents = baseOf(card, column, billingLb);
  if (baseCents === 0) return notServed(card, index, billingLb);
  for (const at of chosen) {
    const surcharge = card.surcharges[at];
    if (surcharge !== undefined) sums[at] = amountOf(surcharge, column, billingLb);
  }
  const discountCents = discountOn(baseCents, discount, card.minimumNetCents);
  return { actualLb, dimensionalLb, leastLb, billingLb, baseCents, discountCents };
};

/** Adds up the lines of packages: a single one's are the shipment's. */
const summed = (card: Card, charges: readonly number[][]): readonly number[] => {
  const [only] = charges;
  if (only !== undefined && charges.length === 1) return only;
  const lines = noCharges(card);
  for (const own of charges) for (let at = 0; at < own.length; at++) lines[at] = (lines[at] ?? 0) + (own[at] ?? 0);
  return lines;
};

/** The sums that a shipment is charged once. */
const wholeCharges = (
  { card, column, candidates }: Lane,
  packages: readonly PackageItem[],
  billingLb: number,
): number[] | undefined => {
  let sums: number[] | undefined;
  for (const at of candidates) {
    const surcharge = card.surcharges[at];
    if (surcharge?.amount.per !== 'shipment') continue;
    if (!packages.some((item) => fits(surcharge, item, ownWeightOf(card, item)))) continue;
    sums ??= noCharges(card);
    sums[at] = amountOf(surcharge, column, billingLb);
  }
  return sums;
};

const pricePackages = (lane: Lane, packages: readonly PackageItem[], trace: Trace | undefined): Price | Fault => {
  const { card, column, discount, candidates } = lane;
  const totals: Totals = { billingLb: 0, base: 0, discount: 0 };
  const charges: number[][] = [];
  const bases: number[] = [];
  for (let index = 0; index < packages.length; index++) {
    const item = packages[index];
    if (item === undefined) continue;
    const sums = noCharges(card);
    const own = pricePackage(lane, item, index, sums);
    if ('type' in own) return own;
    totals.billingLb += own.billingLb;
    totals.base += own.baseCents;
    totals.discount += own.discountCents;
    charges.push(sums);
    bases.push(own.baseCents - own.discountCents);
    trace?.packages.push(own);
  }
  const multiweight = multiweightOf(card, column, packages.length, totals);
  if (multiweight !== undefined) {
    totals.billingLb = multiweight.totalLb;
    totals.base = multiweight.baseCents;
    totals.discount = discountOn(multiweight.baseCents, discount, card.minimumNetCents * packages.length);
    bases.fill(0);
    if (trace !== undefined) trace.multiweight = multiweight;
  }
  const whole =
    wholeCharges(lane, packages, totals.billingLb) ?? (multiweight === undefined ? undefined : noCharges(card));
  if (whole !== undefined) {
    charges.push(whole);
    bases.push(multiweight === undefined ? 0 : totals.base - totals.discount);
  }
  for (let index = 0; index < charges.length; index++) {
    const own = charges[index];
    if (own !== undefined) addPercentages(card, candidates, bases[index] ?? 0, own);
  }
  trace?.charges.push(...charges);
  return priceOf(card, column, totals, summed(card, charges));
};

const priceOf = (
  card: Card,
  column: number,
  { billingLb, base, discount }: Totals,
  surcharges: readonly number[],
): Price => {
  let surchargeCents = 0;
  for (const line of surcharges) surchargeCents += line;
  return {
    card,
    column,
    billingWeightLb: billingLb,
    baseCents: base,
    discountCents: discount,
    surchargeCents,
    netCents: base - discount + surchargeCents,
    surcharges,
  };
};

/** A card's surcharge lines of a price that are not zero. */
export const chargedLines = (price: Price): { type: string; description: string; amountCents: Cents }[] =>
  price.card.surcharges.flatMap(({ type, description }, index) => {
    const amountCents = price.surcharges[index] ?? 0;
    return amountCents === 0 ? [] : [{ type, description, amountCents: cents(amountCents) }];
  });
