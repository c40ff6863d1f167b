/** Prices a shipment from New Jersey by the first service of a tariff, through the schema and the core. */
import { Failed } from '../../src/base/failed.ts';
import { checkTariff, hasErrors } from '../../src/catalog/tariff/check/check.ts';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import type { Fault } from '../../src/rating/fault.ts';
import { askedOf, type Price, priceShipment } from '../../src/rating/price.ts';
import { zip5Of } from '../../src/rating/rate.ts';
import { readShipment, type Shipment } from '../../src/rating/shipment.ts';
import { flatTerms } from './flat-account.ts';

export interface Asked {
  readonly packages?: readonly { readonly lb?: number; readonly kg?: number; readonly inches?: readonly number[] }[];
  readonly to?: string;
  readonly residential?: boolean;
  readonly addressLine?: string;
  readonly discountPercent?: number;
  /** `rates.options`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The ship date. Default: the tariff's effective date. */
  readonly day?: string;
  /** The service of a price with an agreement. Default: the tariff's first. */
  readonly service?: string;
}

/** The shipment as the schema reads it from a request body. */
export const shipmentOf = ({
  packages = [{ lb: 1 }],
  to = '02139',
  residential,
  addressLine,
  options,
}: Asked): Shipment => {
  const shipment = readShipment({
    rates: {
      options,
      shipper: { warehouse_id: 1 },
      recipient: { address: { postalCode: to, residential, addressLine } },
      packageItems: packages.map(({ lb, kg, inches }) => ({
        weight: kg === undefined ? { units: 'LB', value: lb } : { units: 'KG', value: kg },
        ...(inches && { dimensions: { units: 'IN', length: inches[0], width: inches[1], height: inches[2] } }),
      })),
    },
  });
  if (shipment instanceof Failed) throw new Error(JSON.stringify(shipment.fault));
  return shipment;
};

export const priced = (document: TariffDocument, asked: Asked = {}): Price | Fault => {
  const findings = checkTariff(document);
  if (hasErrors(findings)) throw new Error(JSON.stringify(findings));
  const [card] = compileTariff(document, asked.day);
  if (card === undefined) throw new Error('no service');
  const shipment = shipmentOf(asked);
  const terms = flatTerms(card, (asked.discountPercent ?? 0).toFixed(2));
  const price = priceShipment(card, askedOf(card, shipment, 7001, zip5Of(shipment.postalCode)), terms);
  return price instanceof Failed ? price.fault : price;
};

/** Returns the price, which must exist. */
export const priceOf = (document: TariffDocument, asked: Asked = {}): Price => {
  const price = priced(document, asked);
  if ('type' in price) throw new Error(JSON.stringify(price));
  return price;
};
