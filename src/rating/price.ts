/**
 * Prices one shipment with one service. Each package is priced separately. Every charge line is rounded once per
 * package, then added up. Only a multiweight base and charges per shipment are lines of the whole shipment.
 */

import { Failed } from '../base/failed.ts';
import { missing } from '../base/must.ts';
import { type Card, ESTIMATED, NO_COLUMN } from './card.ts';
import type { LaneCharges } from './charges.ts';
import type { Fault, Result } from './fault.ts';
import { multiweightOf, type WholePrice } from './multiweight.ts';
import {
  type Asked,
  costsAnywhere,
  costsAtLeast,
  isResidential,
  measuredBy,
  oversized,
  ownWeightOf,
  type PackageTrace,
  pricePackage,
} from './package-price.ts';
import { type Cents, cents } from './quantity.ts';
import type { PackageItem, Shipment } from './shipment.ts';
import {
  addPercentages,
  type Lane,
  limitTogether,
  noCharges,
  packageCharges,
  shipmentCharges,
  unknownBits,
} from './surcharge.ts';
import { discountTogether, type Terms, waivedOn } from './terms.ts';
import { type Departure, deliveryOf, isSaturday } from './transit.ts';
import { HOMES_ONLY, isIncomplete, missingParts, OTHER_DAY, staleBit, ZONE_ESTIMATED } from './warning.ts';

/** What a service charges. `surcharges` and `charges.surcharges` are parallel arrays. */
export interface Price extends Lane {
  readonly billingWeightLb: number;
  readonly baseCents: number;
  readonly discountCents: number;
  readonly surchargeCents: number;
  readonly netCents: number;
  readonly surcharges: readonly number[];
}

export interface Trace {
  readonly packages: PackageTrace[];
  multiweight?: WholePrice;
  /** Cents, parallel to the lane's surcharges: a list for each package, then one for the whole shipment. */
  readonly charges: (readonly number[])[];
}

/** Matches `PO Box 12`, `P.O. Box12`, `PO-Box #9`, `POB 12`, `Post Office Box 5`, anywhere in the line. */
const PO_BOX = /\b(?:(?:p\.?[\s-]*o\.?|post\s+office)[\s-]*box(?:[^a-z]|$)|p\.?o\.?b\.?\s*#?\d)/i;
const isToPoBox = (asked: Asked, line: string): boolean => {
  asked.isToPoBox ??= PO_BOX.test(line);
  return asked.isToPoBox;
};

/** Most lines begin with a letter or a digit. They are not copied. */
const isBlank = (line: string | undefined): boolean => {
  if (line === undefined) return true;
  const first = line.charCodeAt(0);
  return !(first > 32 && first < 127) && line.trim() === '';
};

const uncovered = ({ code }: Card, { postalCode }: Shipment, notTo?: 'homes' | 'PO boxes'): Failed<Fault> =>
  new Failed({ type: 'getRates.noDeliveryCoverage', postalCode, shippingService: code, ...(notTo && { notTo }) });

/** Returns why a service does not accept a shipment, apart from its packages. Undefined if it does. */
const refusalOf = (card: Card, asked: Asked, found: number): Failed<Fault> | undefined => {
  const { shipment } = asked;
  const { addressLine, residential, options } = shipment;
  if (found === NO_COLUMN) return uncovered(card, shipment);
  if (card.refusesPoBox && addressLine !== undefined && isToPoBox(asked, addressLine))
    return uncovered(card, shipment, 'PO boxes');
  if (residential && card.deliversTo === 'businesses') return uncovered(card, shipment, 'homes');
  if (card.addressLineRequired && isBlank(addressLine))
    return new Failed({ type: 'getRates.addressLineRequired', shippingService: card.code });
  if (options !== undefined)
    for (const { member, type } of card.refusals)
      if (options[member] !== undefined) return new Failed({ type, shippingService: card.code });
  return options === undefined ? undefined : latenessOf(card, asked, found);
};

/** @returns the input for pricing with one card */
export const askedOf = (
  card: Card,
  shipment: Shipment,
  origin: number,
  destination: number,
  departure?: Departure,
): Asked => ({
  shipment,
  origin,
  destination,
  packages: measuredBy(card, shipment.packages),
  departure,
  isToPoBox: undefined,
});

/** Returns why a service misses the requested day or number of days. Undefined if it arrives in time. */
const latenessOf = (
  card: Card,
  { shipment: { options }, origin, destination, departure }: Asked,
  found: number,
): Failed<Fault> | undefined => {
  const { by, byDays } = options ?? {};
  if (by === undefined && byDays === undefined) return undefined;
  const saturday = options?.saturday === true;
  const delivery = deliveryOf({ card, column: columnIn(found), origin, destination, departure, saturday });
  const asked = by ?? `${byDays} business days`;
  const unknown = (reason: string) =>
    new Failed<Fault>({ type: 'getRates.arrivalUnknown', shippingService: card.code, by: asked, reason });
  if (delivery === undefined) return unknown('the tariff has no transit days for it');
  const { transitDays, deliveryDate, reason = '' } = delivery;
  if (byDays !== undefined && transitDays <= byDays) return undefined;
  if (deliveryDate === undefined) return unknown(reason);
  if (by !== undefined && deliveryDate <= by) return undefined;
  return new Failed({
    type: 'getRates.arrivesLate',
    shippingService: card.code,
    by: asked,
    deliveryDate,
    transitDays,
  });
};

/**
 * Prices a shipment with one service.
 * @param card the list's card, or the card of `terms`
 * @param terms the client's agreement terms for the card
 * @param trace if given, filled with how each package was priced
 * @returns the price in cents, or why this service has none: `noDeliveryCoverage`, `addressLineRequired`, the fault of
 * an option, `arrivesLate` or `arrivalUnknown`, `weightNotServed`, `sizeNotServed` or `incompletePrice`, in that order
 */
export const priceShipment = (card: Card, asked: Asked, terms: Terms | undefined, trace?: Trace): Result<Price> => {
  const found = card.zones.laneOf(asked.origin, asked.destination);
  return refusalOf(card, asked, found) ?? priceOn(card, asked, found, terms, trace);
};

/**
 * Prices a shipment, but returns undefined if the rates or the lane of a single package show that it costs at least
 * `leastCents`. A list writes only the cheapest service, and needs no reason why another has no price.
 */
export const priceBelow = (
  card: Card,
  asked: Asked,
  terms: Terms | undefined,
  leastCents: number,
): Result<Price> | undefined => {
  const single = asked.packages.length === 1;
  if (single && terms === undefined && costsAnywhere(card, asked) >= leastCents) return undefined;
  const found = card.zones.laneOf(asked.origin, asked.destination);
  const refusal = refusalOf(card, asked, found);
  if (refusal !== undefined) return refusal;
  if (single) {
    const column = columnIn(found);
    const charges = chargesFor(card, asked, column);
    if (costsAtLeast(card, asked, column, charges, terms, leastCents)) return undefined;
  }
  return priceOn(card, asked, found, terms, undefined);
};

/** Returns the rate column of a lane. */
const columnIn = (found: number): number => (found >= ESTIMATED ? found - ESTIMATED : found);

const chargesFor = (card: Card, { shipment, destination, packages }: Asked, column: number): LaneCharges => {
  const area = card.areas[destination] ?? missing('the area of a ZIP code');
  return card.charges.on(column, area, isResidential(card, shipment), shipment.options, packages.length);
};

/** Whether a shipment that asks for Saturday delivery pays for it and is certain to arrive on another day. */
const missesSaturday = (
  { origin, destination, departure }: Asked,
  { card, column, charges }: Pick<Lane, 'card' | 'column' | 'charges'>,
): boolean => {
  if (!charges.surcharges.some(({ when }) => when.saturday === true)) return false;
  const day = deliveryOf({ card, column, origin, destination, departure, saturday: true })?.deliveryDate;
  return day !== undefined && !isSaturday(day);
};

/** @param found the result of `laneOf`, not `NO_COLUMN` */
const priceOn = (
  card: Card,
  asked: Asked,
  found: number,
  terms: Terms | undefined,
  trace: Trace | undefined,
): Result<Price> => {
  const { shipment, packages } = asked;
  const column = columnIn(found);
  const residential = isResidential(card, shipment);
  const charges = chargesFor(card, asked, column);
  const lacks =
    charges.unknown.length === 0
      ? charges.warnings
      : packages.reduce((bits, item) => bits | unknownBits(charges, item, ownWeightOf(card, item)), charges.warnings);
  const warnings =
    (lacks === 0 ? 0 : lacks & ~waivedOn(terms, column, residential, shipment.options?.signature)) |
    (found >= ESTIMATED ? ZONE_ESTIMATED : 0) |
    (residential && !shipment.residential ? HOMES_ONLY : 0) |
    (shipment.options?.saturday === true && missesSaturday(asked, { card, column, charges }) ? OTHER_DAY : 0) |
    (terms === undefined ? staleBit(card) : terms.warnings);
  const lane = { card, column, charges, terms, residential, warnings };
  const [first] = packages;
  const single = first !== undefined && packages.length === 1 && charges.perShipment.length === 0;
  const { options } = shipment;
  const price = single
    ? priceSingle(lane, first, trace)
    : pricePackages(lane, packages, options?.declaredValueCents, trace);
  if (options?.incomplete !== 'refuse' || price instanceof Failed || !isIncomplete(warnings)) return price;
  return new Failed({
    type: 'getRates.incompletePrice',
    shippingService: card.code,
    missing: missingParts(warnings),
  });
};

/** Prices one package without charges per shipment. The package's price is the shipment's price. */
const priceSingle = (lane: Lane, item: PackageItem, trace: Trace | undefined): Result<Price> => {
  const own = pricePackage(lane, item, 0);
  if (own instanceof Failed) return own;
  const refusal = item.sides === undefined ? undefined : oversized(lane.card, [item]);
  if (refusal !== undefined) return refusal;
  const { billingLb, baseCents, discountCents } = own;
  const lines = packageCharges(lane, own.applied, billingLb);
  addPercentages(lane, baseCents - discountCents, lines);
  trace?.packages.push(own);
  trace?.charges.push(lines);
  return priceOf(lane, billingLb, baseCents, discountCents, lines);
};

const pricePackages = (
  lane: Lane,
  packages: readonly PackageItem[],
  declaredValueCents: number | undefined,
  trace: Trace | undefined,
): Result<Price> => {
  const { card, terms } = lane;
  const priced: PackageTrace[] = [];
  let baseCents = 0;
  for (const [index, item] of packages.entries()) {
    const own = pricePackage(lane, item, index);
    if (own instanceof Failed) return own;
    baseCents += own.baseCents;
    priced.push(own);
  }
  const refusal = oversized(card, packages);
  if (refusal !== undefined) return refusal;
  const parcels: Parcels = { lane, packages, declaredValueCents, priced };
  // An agreement can make either method cheaper. Without one, and if both cost the same, the bases decide.
  const multiweight = multiweightOf(lane, packages, priced, terms === undefined ? baseCents : Number.POSITIVE_INFINITY);
  let chosen = multiweight === undefined ? priceEach(parcels) : priceTogether(parcels, multiweight);
  if (multiweight !== undefined && terms !== undefined) {
    const each = priceEach(parcels);
    const more = each.price.netCents - chosen.price.netCents;
    if (more < 0 || (more === 0 && baseCents <= multiweight.baseCents)) chosen = each;
  }
  if (trace !== undefined) {
    trace.packages.push(...priced);
    trace.charges.push(...chosen.charges);
    if (chosen.multiweight !== undefined) trace.multiweight = chosen.multiweight;
  }
  return chosen.price;
};

/** The packages of a shipment, each priced without its surcharges. */
interface Parcels {
  readonly lane: Lane;
  readonly packages: readonly PackageItem[];
  readonly declaredValueCents: number | undefined;
  readonly priced: readonly PackageTrace[];
}

interface Priced {
  readonly price: Price;
  readonly charges: readonly (readonly number[])[];
  readonly multiweight?: WholePrice;
}

const sumsOf = ({ lane, packages, declaredValueCents, priced }: Parcels) => ({
  sums: priced.map(({ applied, billingLb }) => packageCharges(lane, applied, billingLb)),
  whole: shipmentCharges(lane, packages, declaredValueCents, (item) => ownWeightOf(lane.card, item)),
});

/** Prices the shipment as the sum of its packages. */
const priceEach = (parcels: Parcels): Priced => {
  const { lane, priced } = parcels;
  const { sums, whole } = sumsOf(parcels);
  const charges = whole === undefined ? sums : [...sums, whole];
  let [billingLb, base, discount] = [0, 0, 0];
  for (const own of priced) {
    billingLb += own.billingLb;
    base += own.baseCents;
    discount += own.discountCents;
  }
  for (const [index, lines] of charges.entries()) {
    const own = priced[index];
    addPercentages(lane, own === undefined ? 0 : own.baseCents - own.discountCents, lines);
  }
  return { price: priceOf(lane, billingLb, base, discount, summed(lane.charges, charges)), charges };
};

/** Prices the shipment by the pound of its whole weight. */
const priceTogether = (parcels: Parcels, multiweight: WholePrice): Priced => {
  const { lane, packages } = parcels;
  const { ratedLb, baseCents: base } = multiweight;
  const { column, terms, residential } = lane;
  const discount =
    terms === undefined ? 0 : discountTogether(terms, column, ratedLb, residential, base, packages.length);
  const { sums, whole } = sumsOf(parcels);
  if (lane.charges.hasMaximum) limitTogether(lane.charges, sums);
  const charges = [...sums, whole ?? noCharges(lane.charges)];
  addPercentagesTogether(lane, base - discount, charges);
  return { price: priceOf(lane, ratedLb, base, discount, summed(lane.charges, charges)), charges, multiweight };
};

/** Adds percentages of all amounts together to the last lines, which belong to the shipment as a whole. */
const addPercentagesTogether = (lane: Lane, base: number, charges: readonly number[][]): void => {
  const together = summed(lane.charges, charges);
  addPercentages(lane, base, together);
  const own = charges.at(-1) ?? missing('the lines of a shipment');
  for (const { index } of lane.charges.percentages) own[index] = together[index] ?? missing('the line of a percentage');
};

const LINE = 'the line of a surcharge';

/** Adds up the lines of packages and shipment. */
const summed = (lane: LaneCharges, charges: readonly (readonly number[])[]): number[] => {
  const lines = noCharges(lane);
  for (const own of charges)
    for (let at = 0; at < lines.length; at++) lines[at] = (lines[at] ?? missing(LINE)) + (own[at] ?? missing(LINE));
  return lines;
};

const priceOf = (
  { card, column, charges, terms, residential, warnings }: Lane,
  billingWeightLb: number,
  baseCents: number,
  discountCents: number,
  surcharges: readonly number[],
): Price => {
  let surchargeCents = 0;
  for (let at = 0; at < surcharges.length; at++) surchargeCents += surcharges[at] ?? missing(LINE);
  const netCents = baseCents - discountCents + surchargeCents;
  return {
    card,
    column,
    charges,
    terms,
    residential,
    billingWeightLb,
    baseCents,
    discountCents,
    surchargeCents,
    netCents,
    surcharges,
    warnings,
  };
};

interface ChargedLine {
  readonly type: string;
  readonly description: string;
  readonly amountCents: Cents;
}

/** Returns the surcharge lines of a price that are not zero. */
export const chargedLines = (price: Price): readonly ChargedLine[] => {
  const lines: ChargedLine[] = [];
  for (const [index, amountCents] of price.surcharges.entries()) {
    if (amountCents === 0) continue;
    const { type, description } = price.charges.surcharges[index] ?? missing('the surcharge of a charge');
    lines.push({ type, description, amountCents: cents(amountCents) });
  }
  return lines;
};
