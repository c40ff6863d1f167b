/**
 * Rates a shipment with the cards in force for a shipper. The outcome is a quote or a fault. Single calls and rows of a
 * batch both come here, and nothing else makes a price. Order of checks: contract, A quote.
 */

import { Failed } from '../base/failed.ts';
import type { Card, RateBook, Warehouse } from './card.ts';
import type { Fault, Result } from './fault.ts';
import { type Asked, measuredBy } from './package-price.ts';
import { askedOf, type Price, priceBelow, priceShipment } from './price.ts';
import type { ShipFrom } from './ship-from.ts';
import { LIMITS, type Shipment } from './shipment.ts';
import { type Shipper, termsFor } from './terms.ts';
import { type Delivery, type Departure, deliveryOf, departureOf } from './transit.ts';

/** A rated shipment. It has at least one price, the cheapest first. `refused` says why other services have none. */
export interface Rated {
  readonly prices: readonly Price[];
  readonly refused: readonly { readonly card: Card; readonly fault: Fault }[];
  readonly warehouse: Warehouse;
  /** When the shipment leaves the warehouse. Undefined if no service has transit days. */
  readonly departure: Departure | undefined;
  /** The outcome of each warehouse in request order, if there are several. This one is the cheapest. */
  readonly from?: readonly FromWarehouse[];
}

export interface FromWarehouse {
  readonly warehouse: Warehouse;
  /** Outcome of the same shipment from this warehouse alone. */
  readonly outcome: Result<Rated>;
}

/** Returns when a shipment arrives with the service of a price. Undefined if that is unknown. */
export const arrivalOf = (
  { card, column }: Pick<Price, 'card' | 'column'>,
  shipment: Shipment,
  { departure, warehouse }: Pick<Rated, 'departure' | 'warehouse'>,
): Delivery | undefined =>
  departure === undefined || card.transit === undefined
    ? undefined
    : deliveryOf({
        ...{ card, column, departure },
        origin: zip5Of(warehouse.postalCode),
        destination: zip5Of(shipment.postalCode),
        saturday: shipment.options?.saturday === true,
      });

export const cheapestOf = ({ prices }: Rated): Price => {
  const [cheapest] = prices;
  if (cheapest === undefined) throw new Error('A rated shipment has no price.');
  return cheapest;
};

export type RateType = 'LIST' | 'ACCOUNT';

/** Returns `ACCOUNT` if the client has an agreement in force on the service (contract, A quote). */
export const rateTypeOf = ({ terms }: Pick<Price, 'terms'>): RateType =>
  terms === undefined || terms.endedOn !== undefined ? 'LIST' : 'ACCOUNT';

/** Returns the first five digits of a postal code as a number. */
export const zip5Of = (postalCode: string): number => {
  let zip = 0;
  for (let at = 0; at < 5; at++) zip = zip * 10 + postalCode.charCodeAt(at) - 48;
  return zip;
};

export const warehouseOf = (warehouseId: number, { warehouses }: Pick<Shipper, 'warehouses'>): Result<Warehouse> => {
  const warehouse = warehouses.get(warehouseId);
  if (warehouse !== undefined && warehouse.countryCode === 'US') return warehouse;
  return new Failed({ type: 'getRates.unknownWarehouse', warehouseId, country: warehouse?.countryCode });
};

/** Returns the warehouses that a quote accepts, in the order of their registration. */
export const warehousesInUs = ({ warehouses }: Pick<Shipper, 'warehouses'>): Warehouse[] =>
  [...warehouses.values()].filter(({ countryCode }) => countryCode === 'US');

/** @returns at least one warehouse, or the fault of the first one that the client does not have */
const warehousesOf = (shipFrom: ShipFrom, shipper: Shipper): Result<readonly Warehouse[]> => {
  if (shipFrom === 'any') {
    const all = warehousesInUs(shipper);
    if (all.length === 0) return new Failed({ type: 'getRates.unknownWarehouse', warehouseId: 'any' });
    if (all.length <= LIMITS.warehouses) return all;
    const message = `must name at most ${LIMITS.warehouses} warehouses, such as 101|103: any would be ${all.length}`;
    return new Failed({
      type: 'getRates.invalidRequest',
      issues: [{ path: 'rates.shipper.warehouse_id', message }],
    });
  }
  const named: Warehouse[] = [];
  for (const id of shipFrom) {
    const warehouse = warehouseOf(id, shipper);
    if (warehouse instanceof Failed) return warehouse;
    named.push(warehouse);
  }
  return named;
};

/**
 * Chooses which of several reasons to report. Late arrival comes first, with the earliest arrival. Missing coverage
 * comes next.
 */
const reasonOf = (faults: readonly Fault[]): Fault | undefined => {
  let earliest: Extract<Fault, { type: 'getRates.arrivesLate' }> | undefined;
  for (const fault of faults)
    if (fault.type === 'getRates.arrivesLate' && (earliest === undefined || fault.deliveryDate < earliest.deliveryDate))
      earliest = fault;
  return earliest ?? faults.find(({ type }) => type === 'getRates.noDeliveryCoverage') ?? faults[0];
};

/** Inserts a price after those that cost no more. Services with the same price stay in the order of the tariffs. */
const insert = (prices: Price[], price: Price): void => {
  let at = prices.length;
  prices.push(price);
  for (; at > 0; at--) {
    const before = prices[at - 1];
    if (before === undefined || before.netCents <= price.netCents) break;
    prices[at] = before;
  }
  prices[at] = price;
};

const NONE_REFUSED: Rated['refused'] = [];

/** Rates a shipment from one warehouse with all services. */
const rateByAll = (
  warehouse: Warehouse,
  shipment: Shipment,
  book: RateBook,
  { account }: Shipper,
  cheapestOnly: boolean,
): Result<Rated> => {
  const { postalCode } = shipment;
  const origin = zip5Of(warehouse.postalCode);
  const destination = zip5Of(postalCode);
  const prices: Price[] = [];
  const refused: { card: Card; fault: Fault }[] = [];
  const departure = departureOf(shipment, book, warehouse);
  const asked = { shipment, origin, destination, packages: shipment.packages, departure, isToPoBox: undefined };
  const measured: { [rounding in Card['sideRounding']]?: Asked['packages'] } = {};
  const { cards, cheapest } = book;
  const beside = account.termsOn(book, warehouse.id);
  /** @returns undefined if the service certainly costs at least `leastCents` */
  const priceAt = (listed: Card, at: number, leastCents: number): Result<Price> | undefined => {
    const terms = termsFor(beside[at], shipment.options?.billing);
    const card = terms?.card ?? listed;
    asked.packages = measured[card.sideRounding] ??= measuredBy(card, shipment.packages);
    return leastCents === Number.POSITIVE_INFINITY
      ? priceShipment(card, asked, terms)
      : priceBelow(card, asked, terms, leastCents);
  };
  // The service that was cheapest last is often cheapest again. Pricing it first saves most other pricing.
  let bestAt = cheapest.at;
  const likely = cheapestOnly ? cards[bestAt] : undefined;
  const guess = likely && priceAt(likely, bestAt, Number.POSITIVE_INFINITY);
  let best = guess instanceof Failed ? undefined : guess;
  for (let at = 0; at < cards.length; at++) {
    const listed = cards[at];
    if (listed === undefined) continue;
    // If services cost the same, the first one wins.
    const limit = best === undefined ? Number.POSITIVE_INFINITY : best.netCents + (at < bestAt ? 1 : 0);
    const price = listed === likely ? guess : priceAt(listed, at, limit);
    if (price === undefined) continue;
    if (price instanceof Failed) refused.push({ card: beside[at]?.card ?? listed, fault: price.fault });
    else if (!cheapestOnly) insert(prices, price);
    else if (price.netCents < limit) {
      best = price;
      bestAt = at;
    }
  }
  if (best !== undefined) {
    cheapest.at = bestAt;
    return { prices: [best], refused: NONE_REFUSED, warehouse, departure };
  }
  if (prices.length === 0) {
    const faults = refused.map(({ fault }) => fault);
    return new Failed(reasonOf(faults) ?? { type: 'getRates.noDeliveryCoverage', postalCode });
  }
  return { prices, refused, warehouse, departure };
};

/** Rates a shipment from one warehouse. @param named the service that the shipment names, if any */
const rateFrom = (
  warehouse: Warehouse,
  shipment: Shipment,
  book: RateBook,
  named: Card | undefined,
  shipper: Shipper,
  cheapestOnly: boolean,
): Result<Rated> => {
  if (named === undefined) return rateByAll(warehouse, shipment, book, shipper, cheapestOnly);
  const stated = shipper.account.termsOn(book, warehouse.id)[book.cards.indexOf(named)];
  const terms = termsFor(stated, shipment.options?.billing);
  const origin = zip5Of(warehouse.postalCode);
  const card = terms?.card ?? named;
  const departure = departureOf(shipment, book, warehouse);
  const price = priceShipment(card, askedOf(card, shipment, origin, zip5Of(shipment.postalCode), departure), terms);
  return price instanceof Failed ? price : { prices: [price], refused: NONE_REFUSED, warehouse, departure };
};

/** Returns the cheapest of several warehouses, or the first of those that cost the same. */
const cheapestFrom = (from: readonly FromWarehouse[], postalCode: string): Result<Rated> => {
  let best: Rated | undefined;
  const faults: Fault[] = [];
  for (const { outcome } of from) {
    if (outcome instanceof Failed) faults.push(outcome.fault);
    else if (best === undefined || cheapestOf(outcome).netCents < cheapestOf(best).netCents) best = outcome;
  }
  if (best === undefined) return new Failed(reasonOf(faults) ?? { type: 'getRates.noDeliveryCoverage', postalCode });
  return { ...best, from };
};

/** Returns the card of a service, or the fault if it is not in force. */
export const cardIn = ({ byCode, day, starts }: RateBook, shippingService: string): Result<Card> => {
  const card = byCode.get(shippingService);
  if (card !== undefined) return card;
  const from = starts.get(shippingService) ?? '';
  const start = from > day ? `; it starts on ${from}` : '';
  const problem = from !== '' && { problem: `not in force on ${day}${start}` };
  return new Failed({ type: 'getRates.unknownShippingService', shippingService, ...problem });
};

/**
 * Rates a shipment with the service it names or all services of the book, from one warehouse or from each of several.
 * @param book the cards in force on the shipment's day
 * @param cheapestOnly keeps only the cheapest price of each warehouse, and omits why other services have no price.
 * Services that cannot be the cheapest are then not priced
 */
export const rateShipment = (
  shipment: Shipment,
  book: RateBook,
  shipper: Shipper,
  cheapestOnly = false,
): Result<Rated> => {
  if (book.cards.length === 0) return new Failed({ type: 'getRates.noTariff', shipDate: book.day });
  const { shippingService, shipFrom, postalCode, countryCode: country } = shipment;
  const named = shippingService === undefined ? undefined : cardIn(book, shippingService);
  if (named instanceof Failed) return named;
  const chosen = shipFrom === undefined ? warehouseOf(shipment.warehouseId, shipper) : warehousesOf(shipFrom, shipper);
  if (chosen instanceof Failed) return chosen;
  if (country !== 'US') return new Failed({ type: 'getRates.noDeliveryCoverage', postalCode, country });
  if (!isSeveral(chosen)) return rateFrom(chosen, shipment, book, named, shipper, cheapestOnly);
  const from = chosen.map((warehouse) => ({
    warehouse,
    outcome: rateFrom(warehouse, shipment, book, named, shipper, cheapestOnly),
  }));
  return cheapestFrom(from, postalCode);
};

const isSeveral = (chosen: Warehouse | readonly Warehouse[]): chosen is readonly Warehouse[] => Array.isArray(chosen);
