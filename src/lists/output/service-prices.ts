/** Prices a row by every service, for lists with `?services=all`. */

import { Failed } from '../../base/failed.ts';
import { must } from '../../base/must.ts';
import type { RateBook } from '../../rating/card.ts';
import type { Result } from '../../rating/fault.ts';
import type { Price } from '../../rating/price.ts';
import { cheapestOf, type Rated, rateShipment } from '../../rating/rate.ts';
import type { Shipment } from '../../rating/shipment.ts';
import type { Shipper } from '../../rating/terms.ts';

/** Valid until the next row. */
export interface ServicePrices {
  /** In the order of the format's services. Undefined if a service does not take the shipment. */
  readonly byService: readonly (Price | undefined)[];
  readonly cheapest: Price;
}

interface Rating {
  readonly shipper: Shipper;
  readonly bookOn: (shipDate: string | undefined) => RateBook;
}

/**
 * Prices every service even if the row names one, so that users can compare and find alternatives.
 * @returns a function that prices a row; undefined without services. It returns undefined if no service takes the shipment
 */
export const createServicePrices = (services: readonly string[], { shipper, bookOn }: Rating) => {
  if (services.length === 0) return undefined;
  const places = new Map(services.map((code, place) => [code, place]));
  const byService: (Price | undefined)[] = services.map(() => undefined);
  /** Keeps the cheapest price for each service, as in the single call that names the service. */
  const take = (prices: readonly Price[]): void => {
    for (const price of prices) {
      const place = must(places.get(price.card.code), 'the column of a service');
      const before = byService[place];
      if (before === undefined || price.netCents < before.netCents) byService[place] = price;
    }
  };
  return (shipment: Shipment, outcome: Result<Rated>): ServicePrices | undefined => {
    const all =
      shipment.shippingService === undefined
        ? outcome
        : rateShipment({ ...shipment, shippingService: undefined }, bookOn(shipment.shipDate), shipper);
    if (all instanceof Failed) return undefined;
    byService.fill(undefined);
    if (all.from === undefined) take(all.prices);
    else for (const { outcome: one } of all.from) if (!(one instanceof Failed)) take(one.prices);
    return { byService, cheapest: cheapestOf(all) };
  };
};
