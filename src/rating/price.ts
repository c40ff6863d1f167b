/**
 * The price of one shipment by one service. Each package is priced by itself and every charge line is rounded once per
 * package, then summed; only a multiweight base and per-shipment sums are lines of the whole shipment.
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
  lacksHandling,
  limitTogether,
  noCharges,
  packageCharges,
  shipmentCharges,
} from './surcharge.ts';
import { discountTogether, type Terms } from './terms.ts';
import { type Departure, deliveryOf } from './transit.ts';
import { HOMES_ONLY, incompleteBits, isIncomplete, missingParts, staleBit, ZONE_ESTIMATED } from './warning.ts';

/** What a service charges. `surcharges` stands beside `charges.surcharges`, entry for entry. */
export interface Price {
  readonly card: Card;
  readonly column: number;
  readonly charges: LaneCharges;
  /** What the client's agreement says of the card. */
  readonly terms: Terms | undefined;
  /** Whether the address is charged as a home. */
  readonly residential: boolean;
  readonly billingWeightLb: number;
  readonly baseCents: number;
  readonly discountCents: number;
  readonly surchargeCents: number;
  readonly netCents: number;
  readonly surcharges: readonly number[];
  /** Bits of its warnings: see `warning.ts`. */
  readonly warnings: number;
}

export interface Trace {
  readonly packages: PackageTrace[];
  multiweight?: WholePrice;
  /** Surcharges in cents beside the lane's: a list for each package, then one for the shipment as a whole. */
  readonly charges: (readonly number[])[];
}

/** `PO Box 12`, `P.O. Box12`, `PO-Box #9`, `POB 12`, `Post Office Box 5`, wherever in the line. */
const PO_BOX = /\b(?:(?:p\.?[\s-]*o\.?|post\s+office)[\s-]*box(?:[^a-z]|$)|p\.?o\.?b\.?\s*#?\d)/i;
/** The line that was judged last: every service asks of the same one. */
let judged = { line: '', isPoBox: false };
const isPoBox = (line: string): boolean => {
  if (line !== judged.line) judged = { line, isPoBox: PO_BOX.test(line) };
  return judged.isPoBox;
};

/** Most lines begin with a letter or a digit, which is seen without a copy of the line. */
const isBlank = (line: string | undefined): boolean => {
  if (line === undefined) return true;
  const first = line.charCodeAt(0);
  return !(first > 32 && first < 127) && line.trim() === '';
};

/** Why a service does not take a shipment, whatever its packages are; undefined if it does. */
const refusalOf = (card: Card, asked: Asked, found: number): Failed<Fault> | undefined => {
  const { shipment } = asked;
  const { addressLine, postalCode, residential, options } = shipment;
  if (found === NO_COLUMN || (card.refusesPoBox && addressLine !== undefined && isPoBox(addressLine)))
    return new Failed({ type: 'getRates.noDeliveryCoverage', postalCode, shippingService: card.code });
  if (residential && card.deliversTo === 'businesses')
    return new Failed({
      type: 'getRates.noDeliveryCoverage',
      postalCode,
      shippingService: card.code,
      deliversTo: card.deliversTo,
    });
  if (card.addressLineRequired && isBlank(addressLine))
    return new Failed({ type: 'getRates.addressLineRequired', shippingService: card.code });
  if (options !== undefined)
    for (const { member, type } of card.refusals)
      if (options[member] !== undefined) return new Failed({ type, shippingService: card.code });
  return options === undefined ? undefined : latenessOf(card, asked, found);
};

/** @returns what one service is asked for */
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
});

/** Why a service does not arrive in time, if the shipment asks for a day or a number of days; undefined if it does. */
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
 * Prices a shipment by one service.
 * @param card the list's, or that of `terms`
 * @param terms what the client's agreement says of the card
 * @param trace filled with how each package was priced, where an explanation is wanted
 * @returns the price in cents, or why this service has none: `noDeliveryCoverage`, `addressLineRequired`, the fault of an
 * option, `arrivesLate` or `arrivalUnknown`, `weightNotServed`, `sizeNotServed` or `incompletePrice`, in that order of judgement
 */
export const priceShipment = (card: Card, asked: Asked, terms: Terms | undefined, trace?: Trace): Result<Price> => {
  const found = card.zones.laneOf(asked.origin, asked.destination);
  return refusalOf(card, asked, found) ?? priceOn(card, asked, found, terms, trace);
};

/**
 * The same, but undefined for a single package of which a look at the rates, or at its lane, shows that it costs no less than
 * `leastCents`: a list writes the cheapest service alone, and needs no reason why another has no price.
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

/** The rate column of a lane. */
const columnIn = (found: number): number => (found >= ESTIMATED ? found - ESTIMATED : found);

const WITHOUT_HANDLING = incompleteBits(new Set(['handling']));

const chargesFor = (card: Card, { shipment, destination, packages }: Asked, column: number): LaneCharges => {
  const area = card.areas[destination] ?? missing('the area of a ZIP code');
  return card.charges.on(column, area, isResidential(card, shipment), shipment.options, packages.length);
};

/** @param found what the zones say of the lane: not `NO_COLUMN` */
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
    charges.unknown.length > 0 && packages.some((item) => lacksHandling(charges, item, ownWeightOf(card, item)));
  const warnings =
    charges.warnings |
    (lacks ? WITHOUT_HANDLING : 0) |
    (found >= ESTIMATED ? ZONE_ESTIMATED : 0) |
    (residential && !shipment.residential ? HOMES_ONLY : 0) |
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

/** A single package and no sum for the whole shipment: the package's price is the shipment's. */
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
  // An agreement may make either way the cheaper one. Without one, and if both cost the same, the bases tell.
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

/** The packages of a shipment, each of them priced but for its surcharges. */
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

/** The shipment as the sum of its packages. */
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

/** The shipment by the pound of its whole weight. */
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

/** Adds the percentages of a shipment that is rated as a whole, on all sums together, to its own lines: the last ones. */
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

/** A surcharge that is charged, and how much. */
interface ChargedLine {
  readonly type: string;
  readonly description: string;
  readonly amountCents: Cents;
}

/** The surcharge lines of a price that are not zero. */
export const chargedLines = (price: Price): readonly ChargedLine[] => {
  const lines: ChargedLine[] = [];
  for (const [index, amountCents] of price.surcharges.entries()) {
    if (amountCents === 0) continue;
    const { type, description } = price.charges.surcharges[index] ?? missing('the surcharge of a charge');
    lines.push({ type, description, amountCents: cents(amountCents) });
  }
  return lines;
};
