/** Agreements that tests write as lines, and the prices that they give. */

import { Failed } from '../../../src/base/failed.ts';
import { accountOf } from '../../../src/catalog/agreement/account.ts';
import type { ZoneRange } from '../../../src/catalog/agreement/cells.ts';
import {
  type AgreementDocument,
  type AgreementFileInput,
  type AgreementTables,
  type Amendment,
  agreementFile,
  type DiscountLine,
  type FuelLine,
  type MinimumLine,
  NO_TABLES,
  type SurchargeLine,
} from '../../../src/catalog/agreement/document.ts';
import type { TariffDocument } from '../../../src/catalog/tariff/document.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import type { RateBook, Warehouse } from '../../../src/rating/card.ts';
import type { Price } from '../../../src/rating/price.ts';
import { rateShipment } from '../../../src/rating/rate.ts';
import type { Shipper } from '../../../src/rating/terms.ts';
import { type Asked, shipmentOf } from '../../rating/priced.ts';

export const DAY = '2026-06-01';
export const WAREHOUSE: Warehouse = {
  ...{ id: 1, name: 'East', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' },
};

/** Rows as a file has them: the header is row 1. */
const rows = <T extends object>(lines: readonly T[]): (T & { row: number })[] =>
  lines.map((line, at) => ({ row: at + 2, ...line }));

/** `2-8` or `44`. */
export const zones = (...cells: readonly string[]): ZoneRange[] =>
  cells.map((cell) => {
    const [from = '', to = from] = cell.split('-');
    return { from, to };
  });

export type DiscountInput = Partial<DiscountLine> & { percent: string };
export type MinimumInput = Partial<MinimumLine> & Pick<MinimumLine, 'minimum' | 'value'>;
export type SurchargeInput = Partial<SurchargeLine> & Pick<SurchargeLine, 'surcharge' | 'change'>;

/** Each line has the default of every column that is not written. */
export const discounts = (...lines: readonly DiscountInput[]): DiscountLine[] =>
  rows(lines).map((line) => ({
    ...{ discount: 'Base', services: '*', zones: '*', fromLb: 1, address: 'any', appliesTo: 'both' },
    ...line,
  }));

export const minimums = (...lines: readonly MinimumInput[]): MinimumLine[] =>
  rows(lines).map((line) => ({ services: '*', address: 'any', ...line }));

export const surcharges = (...lines: readonly SurchargeInput[]): SurchargeLine[] =>
  rows(lines).map((line) => ({ services: '*', zones: '*', value: '', ...line }));

export const fuel = (...lines: readonly (Partial<FuelLine> & Pick<FuelLine, 'from' | 'percent'>)[]): FuelLine[] =>
  rows(lines).map((line) => ({ services: '*', ...line }));

/** An agreement with the carrier of the small tariff from 2026 on. */
export const agreement = (
  tables: Partial<AgreementTables> = {},
  file: Partial<AgreementFileInput> = {},
  amendments: readonly Amendment[] = [],
): AgreementDocument => ({
  file: agreementFile.parse({ name: 'acme', carrier: 'Small', effective: '2026-01-01', ...file }),
  tables: { ...NO_TABLES, ...tables },
  amendments,
});

export const shipperOf = (...documents: readonly AgreementDocument[]): Shipper => ({
  warehouses: new Map([[1, WAREHOUSE]]),
  account: accountOf({ discounts: new Map(), agreements: documents.map((document) => ({ document })) }),
});

export const bookOf = (tariff: TariffDocument, day = DAY): RateBook => scheduleOf([tariff]).bookOn(day);

/** The price by the service that is asked for, or by the first of a tariff. */
export const priceWith = (tariff: TariffDocument, document: AgreementDocument, asked: Asked = {}): Price => {
  const book = bookOf(tariff, asked.day ?? DAY);
  const [card] = book.cards;
  const shipment = {
    ...shipmentOf(asked),
    ...(card === undefined ? {} : { shippingService: asked.service ?? card.code }),
  };
  const outcome = rateShipment(shipment, book, shipperOf(document));
  if (outcome instanceof Failed) throw new Error(JSON.stringify(outcome.fault));
  const [price] = outcome.prices;
  if (price === undefined) throw new Error('no price');
  return price;
};
