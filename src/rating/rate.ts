/**
 * Rating: a shipment, the cards in force and the shipper make an outcome, a quote or a fault. The only way to a price
 * in this product; a single call and a row of a batch both come here. Order of judgement: contract, A quote.
 */
import type { Card, RateBook, Shipper, Warehouse } from './card.ts';
import { Failed, type Fault, type Result } from './fault.ts';
import { measuredBy } from './package-price.ts';
import { type Price, priceBelow, priceShipment } from './price.ts';
import type { Shipment } from './shipment.ts';
import type { Terms } from './terms.ts';

/** The cheapest price first; `refused` holds why the other services have none. Never without a price. */
export interface Rated {
  readonly prices: readonly Price[];
  readonly refused: readonly { readonly card: Card; readonly fault: Fault }[];
  readonly warehouse: Warehouse;
}

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

const warehouseOf = (shipment: Shipment, shipper: Shipper): Result<Warehouse> => {
  const warehouse = shipper.warehouses.get(shipment.warehouseId);
  if (warehouse !== undefined && warehouse.countryCode === 'US') return warehouse;
  const country = warehouse?.countryCode;
  return new Failed({ type: 'getRates.unknownWarehouse', warehouseId: shipment.warehouseId, country });
};

const reasonOf = (refused: Rated['refused']): Fault | undefined =>
  (refused.find(({ fault }) => fault.type === 'getRates.noDeliveryCoverage') ?? refused[0])?.fault;

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
  readonly of: TermsByCard | undefined;
  /** Beside the cards. */
  readonly terms: readonly (Terms | undefined)[];
}

/** What was looked up last: the rows of a list ask for the same. */
let aligned: Aligned = { cards: [], of: undefined, terms: [] };
const termsBeside = (cards: readonly Card[], of: TermsByCard): Aligned['terms'] => {
  if (aligned.of !== of || aligned.cards !== cards)
    aligned = { cards, of, terms: of.size === 0 ? [] : cards.map((card) => of.get(card)) };
  return aligned.terms;
};

/**
 * Rates a shipment by the service it names, or by all of the book.
 * @param book the cards in force on the shipment's day
 * @param cheapestOnly omits prices that are not the first. Services that cannot be the cheapest are then not priced
 */
export const rateShipment = (
  shipment: Shipment,
  book: RateBook,
  shipper: Shipper,
  cheapestOnly = false,
): Result<Rated> => {
  if (book.cards.length === 0) return new Failed({ type: 'getRates.noTariff', shipDate: book.day });
  const { shippingService, postalCode } = shipment;
  const named = shippingService === undefined ? undefined : book.byCode.get(shippingService);
  if (shippingService !== undefined && named === undefined)
    return new Failed({ type: 'getRates.unknownShippingService', shippingService });
  const warehouse = warehouseOf(shipment, shipper);
  if (warehouse instanceof Failed) return warehouse;
  const { countryCode: country } = shipment;
  if (country !== 'US') return new Failed({ type: 'getRates.noDeliveryCoverage', postalCode, country });

  const origin = zip5Of(warehouse.postalCode);
  const destination = zip5Of(postalCode);
  const prices: Price[] = [];
  const refused: { card: Card; fault: Fault }[] = [];
  let { packages } = shipment;
  let sideRounding: Card['sideRounding'] = 'none';
  const termsByCard = shipper.account.termsOn(book, warehouse.id);
  const cards = named === undefined ? book.cards : [named];
  const beside = named === undefined ? termsBeside(cards, termsByCard) : [termsByCard.get(named)];
  for (let at = 0; at < cards.length; at++) {
    const listed = cards[at];
    if (listed === undefined) continue;
    const terms = beside[at];
    const card = terms?.card ?? listed;
    if (card.sideRounding !== sideRounding) packages = measuredBy(card, shipment.packages);
    ({ sideRounding } = card);
    const [best] = prices;
    const price =
      cheapestOnly && best !== undefined
        ? priceBelow(card, shipment, origin, destination, terms, packages, best.netCents)
        : priceShipment(card, shipment, origin, destination, terms, undefined, packages);
    if (price === undefined) continue;
    if (price instanceof Failed) refused.push({ card, fault: price.fault });
    else if (!cheapestOnly) insert(prices, price);
    else if (best === undefined || price.netCents < best.netCents) prices[0] = price;
  }
  if (prices.length === 0) {
    return new Failed(reasonOf(refused) ?? { type: 'getRates.noDeliveryCoverage', postalCode });
  }
  return { prices, refused, warehouse };
};
