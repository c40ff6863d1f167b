/**
 * Rating: a shipment, the cards in force and the shipper make an outcome, a quote or a fault. The only way to a price
 * in this product; a single call and a row of a batch both come here. Order of judgement: contract, A quote.
 */

import { Failed } from '../base/failed.ts';
import type { Card, RateBook, Warehouse } from './card.ts';
import type { Fault, Result } from './fault.ts';
import { type Asked, measuredBy } from './package-price.ts';
import { askedOf, type Price, priceBelow, priceShipment } from './price.ts';
import type { ShipFrom } from './ship-from.ts';
import { LIMITS, type Shipment } from './shipment.ts';
import { type Shipper, type Terms, termsFor } from './terms.ts';
import { type Delivery, type Departure, deliveryOf, departureOf } from './transit.ts';

/** The cheapest price first; `refused` holds why the other services have none. Never without a price. */
export interface Rated {
  readonly prices: readonly Price[];
  readonly refused: readonly { readonly card: Card; readonly fault: Fault }[];
  readonly warehouse: Warehouse;
  /** When it leaves there; undefined if no service has days. */
  readonly departure: Departure | undefined;
  /** Where several warehouses were asked for: the outcome of each, in their order. This one is the cheapest of them. */
  readonly from?: readonly FromWarehouse[];
}

export interface FromWarehouse {
  readonly warehouse: Warehouse;
  /** That of the same shipment from this warehouse alone. */
  readonly outcome: Result<Rated>;
}

/** When a shipment arrives at a price; undefined if that is unknown. */
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
        destination: destinationOf(shipment),
        saturday: shipment.options?.saturday === true,
      });

/** Its cheapest price. */
export const cheapestOf = ({ prices }: Rated): Price => {
  const [cheapest] = prices;
  if (cheapest === undefined) throw new Error('A rated shipment has no price.');
  return cheapest;
};

export type RateType = 'LIST' | 'ACCOUNT';

/** `ACCOUNT` where the client has an agreement on the service (contract, A quote). */
export const rateTypeOf = ({ terms }: Pick<Price, 'terms'>): RateType =>
  terms === undefined || terms.endedOn !== undefined ? 'LIST' : 'ACCOUNT';

/** The first five digits of a postal code, as a number. */
export const zip5Of = (postalCode: string): number => {
  let zip = 0;
  for (let at = 0; at < 5; at++) zip = zip * 10 + postalCode.charCodeAt(at) - 48;
  return zip;
};

/** The destination that was read last: each service, and each scenario of a comparison, asks for the same. */
let lastRead = { postalCode: '', zip5: 0 };
/** The ZIP5 of a shipment's destination. */
export const destinationOf = ({ postalCode }: Shipment): number => {
  if (postalCode !== lastRead.postalCode) lastRead = { postalCode, zip5: zip5Of(postalCode) };
  return lastRead.zip5;
};

const warehouseOf = (warehouseId: number, { warehouses }: Shipper): Result<Warehouse> => {
  const warehouse = warehouses.get(warehouseId);
  if (warehouse !== undefined && warehouse.countryCode === 'US') return warehouse;
  return new Failed({ type: 'getRates.unknownWarehouse', warehouseId, country: warehouse?.countryCode });
};

/** The warehouses that a quote accepts, in the order in which they are registered. */
export const warehousesInUs = ({ warehouses }: Pick<Shipper, 'warehouses'>): Warehouse[] =>
  [...warehouses.values()].filter(({ countryCode }) => countryCode === 'US');

/** @returns one at least; or the fault of the first that the client does not have */
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
 * Of several reasons, that a service arrives late comes first, and the earliest arrival of those; then that nobody delivers
 * there.
 */
const reasonOf = (faults: readonly Fault[]): Fault | undefined => {
  let earliest: Extract<Fault, { type: 'getRates.arrivesLate' }> | undefined;
  for (const fault of faults)
    if (fault.type === 'getRates.arrivesLate' && (earliest === undefined || fault.deliveryDate < earliest.deliveryDate))
      earliest = fault;
  return earliest ?? faults.find(({ type }) => type === 'getRates.noDeliveryCoverage') ?? faults[0];
};

/** Puts a price behind those that cost no more: services of one price stay in the tariffs' order. */
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

type TermsByCard = ReturnType<Shipper['account']['termsOn']>;

interface Aligned {
  readonly cards: readonly Card[];
  /** Beside the cards. */
  readonly terms: readonly (Terms | undefined)[];
}

const NO_TERMS: Aligned['terms'] = [];

/** By terms, as they were looked up last: the rows of a list ask for the same, and a comparison for those of each scenario. */
const aligned = new WeakMap<TermsByCard, Aligned>();
const termsBeside = (cards: readonly Card[], of: TermsByCard): Aligned['terms'] => {
  if (of.size === 0) return NO_TERMS;
  const known = aligned.get(of);
  if (known?.cards === cards) return known.terms;
  const terms = cards.map((card) => of.get(card));
  aligned.set(of, { cards, terms });
  return terms;
};

const NONE_REFUSED: Rated['refused'] = [];

/** The place of the service that was the cheapest last: a guess, which no price depends on. */
let lastCheapest = 0;

/** Rates a shipment from one warehouse by all services. */
const rateByAll = (
  warehouse: Warehouse,
  shipment: Shipment,
  book: RateBook,
  { account }: Shipper,
  cheapestOnly: boolean,
): Result<Rated> => {
  const { postalCode } = shipment;
  const origin = zip5Of(warehouse.postalCode);
  const destination = destinationOf(shipment);
  const prices: Price[] = [];
  const refused: { card: Card; fault: Fault }[] = [];
  const departure = departureOf(shipment, book, warehouse);
  const asked = { shipment, origin, destination, packages: shipment.packages, departure };
  const measured: { [rounding in Card['sideRounding']]?: Asked['packages'] } = {};
  const { cards } = book;
  const beside = termsBeside(cards, account.termsOn(book, warehouse.id));
  /** @returns undefined for a service that is certain to cost at least so much */
  const priceAt = (listed: Card, at: number, leastCents: number): Result<Price> | undefined => {
    const terms = termsFor(beside[at], shipment.options?.billing);
    const card = terms?.card ?? listed;
    asked.packages = measured[card.sideRounding] ??= measuredBy(card, shipment.packages);
    return leastCents === Number.POSITIVE_INFINITY
      ? priceShipment(card, asked, terms)
      : priceBelow(card, asked, terms, leastCents);
  };
  // The service that won last often wins again. Priced first, it spares most of the others.
  const likely = cheapestOnly ? cards[lastCheapest] : undefined;
  const guess = likely && priceAt(likely, lastCheapest, Number.POSITIVE_INFINITY);
  let best = guess instanceof Failed ? undefined : guess;
  let bestAt = lastCheapest;
  for (let at = 0; at < cards.length; at++) {
    const listed = cards[at];
    if (listed === undefined) continue;
    // Of services that cost the same, the first is the cheapest.
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
    lastCheapest = bestAt;
    return { prices: [best], refused: NONE_REFUSED, warehouse, departure };
  }
  if (prices.length === 0) {
    const faults = refused.map(({ fault }) => fault);
    return new Failed(reasonOf(faults) ?? { type: 'getRates.noDeliveryCoverage', postalCode });
  }
  return { prices, refused, warehouse, departure };
};

/** Rates a shipment from one warehouse. @param named the service, if it names one */
const rateFrom = (
  warehouse: Warehouse,
  shipment: Shipment,
  book: RateBook,
  named: Card | undefined,
  shipper: Shipper,
  cheapestOnly: boolean,
): Result<Rated> => {
  if (named === undefined) return rateByAll(warehouse, shipment, book, shipper, cheapestOnly);
  const terms = termsFor(shipper.account.termsOn(book, warehouse.id).get(named), shipment.options?.billing);
  const origin = zip5Of(warehouse.postalCode);
  const card = terms?.card ?? named;
  const departure = departureOf(shipment, book, warehouse);
  const price = priceShipment(card, askedOf(card, shipment, origin, destinationOf(shipment), departure), terms);
  return price instanceof Failed ? price : { prices: [price], refused: NONE_REFUSED, warehouse, departure };
};

/** The cheapest of several warehouses; of those that cost the same, the first. */
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

/**
 * Rates a shipment by the service it names, or by all of the book; from its warehouse, or from each of several.
 * @param book the cards in force on the shipment's day
 * @param cheapestOnly omits prices that are not the first of their warehouse, and the reasons why services have none.
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
  const named = shippingService === undefined ? undefined : book.byCode.get(shippingService);
  if (shippingService !== undefined && named === undefined)
    return new Failed({ type: 'getRates.unknownShippingService', shippingService });
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
