/**
 * The price of one shipment by one service. Each package is priced by itself and every charge line is rounded once per
 * package, then summed; only a multiweight base and per-shipment sums are lines of the whole shipment.
 */
import { type Card, NO_COLUMN } from './card.ts';
import type { Fault } from './fault.ts';
import { type BasisPoints, billedPounds, type Cents, cents, percentOf } from './quantity.ts';
import type { PackageItem, Shipment } from './shipment.ts';
import { addPercentages, type Lane, leastPounds, noCharges, packageCharges, shipmentCharges } from './surcharge.ts';

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

/** `PO Box 12`, `P.O. Box12`, `PO-Box #9`, `POB 12`, `Post Office Box 5`, wherever in the line. */
const PO_BOX = /\b(?:(?:p\.?[\s-]*o\.?|post\s+office)[\s-]*box|p\.?o\.?b\.?(?=\s*#?\d))(?![a-z])/i;
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

  const { residential, packages } = shipment;
  const lane = { card, column, destination, residential, discount };
  const [first] = packages;
  const single = first !== undefined && packages.length === 1 && !card.chargesShipments;
  return single ? priceSingle(lane, first, trace) : pricePackages(lane, packages, trace);
};

/** Prices one package but for its surcharges. */
const pricePackage = (lane: Lane, item: PackageItem, index: number): PackageTrace | Fault => {
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
const priceSingle = (lane: Lane, item: PackageItem, trace: Trace | undefined): Price | Fault => {
  const own = pricePackage(lane, item, 0);
  if ('type' in own) return own;
  const { billingLb, baseCents, discountCents } = own;
  const lines = chargesOf(lane, item, own);
  addPercentages(lane, baseCents - discountCents, lines);
  trace?.packages.push(own);
  trace?.charges.push(lines);
  return priceOf(lane, billingLb, baseCents, discountCents, lines);
};

const pricePackages = (lane: Lane, packages: readonly PackageItem[], trace: Trace | undefined): Price | Fault => {
  const { card, column, discount } = lane;
  const priced: PackageTrace[] = [];
  const totals: Totals = { billingLb: 0, base: 0, discount: 0 };
  for (const [index, item] of packages.entries()) {
    const own = pricePackage(lane, item, index);
    if ('type' in own) return own;
    totals.billingLb += own.billingLb;
    totals.base += own.baseCents;
    totals.discount += own.discountCents;
    priced.push(own);
  }
  const multiweight = multiweightOf(card, column, packages.length, totals);
  if (multiweight !== undefined) {
    totals.billingLb = multiweight.totalLb;
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
  { card, column }: Lane,
  billingWeightLb: number,
  baseCents: number,
  discountCents: number,
  surcharges: readonly number[],
): Price => {
  let surchargeCents = 0;
  for (let at = 0; at < surcharges.length; at++) surchargeCents += surcharges[at] ?? 0;
  const netCents = baseCents - discountCents + surchargeCents;
  return { card, column, billingWeightLb, baseCents, discountCents, surchargeCents, netCents, surcharges };
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
