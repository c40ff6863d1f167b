/** Which services price a shipment, in what order, and which reason is given if none does. */

import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import type { TariffFileInput } from '../../src/catalog/tariff/document.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import type { RateBook, Warehouse } from '../../src/rating/card.ts';
import type { Fault } from '../../src/rating/fault.ts';
import { type Rated, rateShipment, rateTypeOf, zip5Of } from '../../src/rating/rate.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { type Account, LIST_PRICES } from '../../src/rating/terms.ts';
import { ANYWHERE, oneColumn, smallTariff } from '../catalog/tariff/small-tariff.ts';
import { bookOfCards } from './book-of-cards.ts';
import { flatAccount } from './flat-account.ts';
import { type Asked, shipmentOf } from './priced.ts';

type Service = Partial<TariffFileInput['services'][number]>;

const EAST: Warehouse = { id: 1, name: 'East', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' };
const SHIPPER: Shipper = { warehouses: new Map([[1, EAST]]), account: LIST_PRICES };

/** Services to anywhere in this order, each with its prices in cents for 1 lb, 2 lb and so on. */
const bookOf = (services: readonly (readonly [string, number | readonly number[], Service?])[]): RateBook => {
  const tariff = smallTariff({
    file: {
      services: services.map(([code, , more]) => ({
        code,
        carrier: 'Small',
        description: code,
        dimensionalFactor: 139,
        zones: ANYWHERE,
        ...more,
      })),
    },
    document: { rates: Object.fromEntries(services.map(([code, cents]) => [code, oneColumn('2', ...[cents].flat())])) },
  });
  return scheduleOf([tariff]).bookOn('2026-06-01');
};

/** Returns the result of rating, with its fault unwrapped. */
const outcomeOf = (...asked: Parameters<typeof rateShipment>): Rated | Fault => {
  const outcome = rateShipment(...asked);
  return outcome instanceof Failed ? outcome.fault : outcome;
};

const rated = (book: RateBook, asked: Asked = {}, shipper = SHIPPER) => {
  const outcome = outcomeOf(shipmentOf(asked), book, shipper);
  if ('type' in outcome) throw new Error(JSON.stringify(outcome));
  return outcome;
};

const codes = (book: RateBook, shipper = SHIPPER) => rated(book, {}, shipper).prices.map(({ card }) => card.code);

test('services come cheapest first, and in tariff order at the same price', () => {
  expect(
    codes(
      bookOf([
        ['A', 300],
        ['B', 100],
        ['C', 200],
      ]),
    ),
  ).toEqual(['B', 'C', 'A']);
  expect(
    codes(
      bookOf([
        ['B', 200],
        ['A', 200],
        ['D', 100],
        ['C', 200],
      ]),
    ),
  ).toEqual(['D', 'B', 'A', 'C']);
  expect(
    codes(
      bookOf([
        ['C', 200],
        ['B', 200],
        ['A', 200],
      ]),
    ),
  ).toEqual(['C', 'B', 'A']);
});

test('services are compared by their price after the discount', () => {
  const book = bookOf([
    ['A', [100, 190]],
    ['B', [100, 200]],
  ]);
  const order = (account: Account) =>
    rated(book, { packages: [{ lb: 2 }] }, { ...SHIPPER, account }).prices.map(({ card }) => card.code);
  expect(order(LIST_PRICES)).toEqual(['A', 'B']);
  expect(order(flatAccount({ B: '10' }))).toEqual(['B', 'A']);
});

test('missing coverage comes before any other reason', () => {
  const boxed = shipmentOf({ packages: [{ lb: 2 }], addressLine: 'PO Box 5' });
  const outcome = (...services: Parameters<typeof bookOf>[0]) => outcomeOf(boxed, bookOf(services), SHIPPER);
  // 2 lb are above both tables. The second service does not deliver to post office boxes, which is checked first.
  expect(outcome(['A', 100], ['B', 100, { refusesPoBox: true }])).toEqual({
    type: 'getRates.noDeliveryCoverage',
    postalCode: '02139',
    shippingService: 'B',
    notTo: 'PO boxes',
  });
  expect(outcome(['A', 100], ['B', 100])).toMatchObject({ type: 'getRates.weightNotServed', shippingService: 'A' });
});

test('a service that refuses is listed with its reason, next to the prices of the others', () => {
  const { prices, refused, warehouse } = rated(
    bookOf([
      ['A', 100, { addressLineRequired: true }],
      ['B', 200],
    ]),
  );
  expect(prices.map(({ card, netCents }) => [card.code, netCents])).toEqual([['B', 200]]);
  expect(refused.map(({ card, fault }) => [card.code, fault])).toEqual([
    ['A', { type: 'getRates.addressLineRequired', shippingService: 'A' }],
  ]);
  expect(warehouse).toBe(EAST);
});

test('a shipment that names a service is priced only with that service', () => {
  const book = bookOf([
    ['A', 100],
    ['B', 200],
  ]);
  const named = (shippingService: string) => outcomeOf({ ...shipmentOf({}), shippingService }, book, SHIPPER);
  expect(named('B')).toMatchObject({ prices: [{ netCents: 200 }], refused: [] });
  expect(named('C')).toEqual({ type: 'getRates.unknownShippingService', shippingService: 'C' });
});

test('each service measures sides in its own way, whatever the one before it did', () => {
  const inches = [12.4, 12.4, 12.4];
  const book = bookOf([
    ['A', 1, { sideRounding: 'up' }],
    ['B', 1, { sideRounding: 'none' }],
    ['C', 1, { sideRounding: 'nearest' }],
    ['D', 1, { sideRounding: 'nearest' }],
    ['E', 1, { sideRounding: 'none' }],
  ]);
  const outcome = outcomeOf(shipmentOf({ packages: [{ lb: 1, inches }] }), book, SHIPPER);
  if (!('type' in outcome)) throw new Error('16 lb have no rate');
  const faults = book.cards.map(({ code }) =>
    outcomeOf({ ...shipmentOf({ packages: [{ lb: 1, inches }] }), shippingService: code }, book, SHIPPER),
  );
  expect(faults.map((fault) => ('weightLb' in fault ? fault.weightLb : undefined))).toEqual([16, 14, 13, 13, 14]);
});

test('tariff, service, warehouse and country are checked in this order', () => {
  const none = bookOfCards([], '2020-01-01');
  const book = bookOf([['A', 100]]);
  const wrong = { ...shipmentOf({}), shippingService: 'X', warehouseId: 9, countryCode: 'MX' };
  expect(outcomeOf(wrong, none, SHIPPER)).toEqual({ type: 'getRates.noTariff', shipDate: '2020-01-01' });
  expect(outcomeOf(wrong, book, SHIPPER)).toEqual({
    type: 'getRates.unknownShippingService',
    shippingService: 'X',
  });
  const { shippingService: _, ...any } = wrong;
  expect(outcomeOf(any, book, SHIPPER)).toEqual({ type: 'getRates.unknownWarehouse', warehouseId: 9 });
  expect(outcomeOf({ ...any, warehouseId: 1 }, book, SHIPPER)).toEqual({
    type: 'getRates.noDeliveryCoverage',
    postalCode: '02139',
    country: 'MX',
  });
});

test('a warehouse outside the United States is unknown, and its country is named', () => {
  const abroad = { ...SHIPPER, warehouses: new Map([[1, { ...EAST, countryCode: 'CA' }]]) };
  expect(outcomeOf(shipmentOf({}), bookOf([['A', 100]]), abroad)).toEqual({
    type: 'getRates.unknownWarehouse',
    warehouseId: 1,
    country: 'CA',
  });
});

test('a discount applies to one service, and makes its rate an account rate', () => {
  const book = bookOf([
    ['A', [100, 200]],
    ['B', [200, 400]],
  ]);
  const quoted = (account: Account) =>
    rated(book, { packages: [{ lb: 2 }] }, { ...SHIPPER, account }).prices.map((price) => [
      ...[price.card.code, price.discountCents, rateTypeOf(price)],
    ]);
  expect(quoted(flatAccount({ A: '10' }))).toEqual([
    ['A', 20, 'ACCOUNT'],
    ['B', 0, 'LIST'],
  ]);
  expect(quoted(LIST_PRICES)).toEqual([
    ['A', 0, 'LIST'],
    ['B', 0, 'LIST'],
  ]);
});

test('a ZIP code counts by its first five digits', () => {
  expect([zip5Of('02139'), zip5Of('99950-0001'), zip5Of('00501')]).toEqual([2_139, 99_950, 501]);
});

test('the cheapest price alone is the first of all prices, whatever is shipped', async () => {
  const read = await readTariffFolder(join(import.meta.dirname, '../../samples/tariffs/reference'));
  if (!('document' in read)) throw new Error(JSON.stringify(read.findings));
  const book = scheduleOf([read.document]).bookOn('2026-06-01');
  const side = fc.integer({ min: 1, max: 110 });
  const asked = fc.record({
    packages: fc.array(
      fc.record({ lb: fc.integer({ min: 1, max: 99 }), inches: fc.tuple(side, side, side) }, { requiredKeys: ['lb'] }),
      { minLength: 1, maxLength: 2 },
    ),
    to: fc.constantFrom('02139', '60601', '59718', '99501', '00601'),
    residential: fc.boolean(),
    addressLine: fc.constantFrom('1 Main St', ''),
    options: fc.constantFrom({}, { signature: 'adult' }, { declaredValue: 700 }),
  });
  const discounted = { ...SHIPPER, account: flatAccount({ 'C1-EXPRESS': '60' }) };
  fc.assert(
    fc.property(asked, fc.constantFrom(SHIPPER, discounted), (what, shipper) => {
      const all = outcomeOf(shipmentOf(what), book, shipper);
      const first = outcomeOf(shipmentOf(what), book, shipper, true);
      if ('type' in all || 'type' in first) expect(first).toEqual(all);
      else {
        expect(first.prices).toHaveLength(1);
        expect(first.prices[0]).toEqual(all.prices[0]);
      }
    }),
    { numRuns: 800 },
  );
});
