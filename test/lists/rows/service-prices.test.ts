import { beforeAll, expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import { scheduleOf, serviceCodes } from '../../../src/catalog/tariff/schedule.ts';
import { createServicePrices } from '../../../src/lists/rows/extra-cells.ts';
import type { RateBook } from '../../../src/rating/card.ts';
import { rateShipment } from '../../../src/rating/rate.ts';
import { readShipment, type Shipment } from '../../../src/rating/shipment.ts';
import { chartedTariff, smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { demoShipper, referenceSchedule } from './fixtures.ts';

let book: RateBook;
let services: readonly string[];
beforeAll(async () => {
  const schedule = await referenceSchedule();
  book = schedule.bookOn('2026-06-01');
  services = serviceCodes(schedule);
});

const shipmentOf = (warehouse: unknown, shippingService?: string, addressLine = '1 Main St'): Shipment => {
  const read = readShipment({
    rates: {
      shippingService,
      shipper: { warehouse_id: warehouse },
      recipient: { address: { postalCode: '80202', addressLine } },
      packageItems: [{ weight: { units: 'LB', value: 7 } }],
    },
  });
  if (read instanceof Failed) throw new Error('the request is invalid');
  return read;
};
const rate = (shipment: Shipment) => rateShipment(shipment, book, demoShipper);

/** Returns the net charge of the single call that names the service. */
const alone = (warehouse: unknown, service: string, street?: string): number | undefined => {
  const outcome = rate(shipmentOf(warehouse, service, street));
  return outcome instanceof Failed ? undefined : outcome.prices[0]?.netCents;
};

test.each([
  ['one warehouse', 101],
  ['any warehouse', 'any'],
  ['several warehouses', '102|101'],
])('are those of single calls by each service, from %s', (_, warehouse) => {
  const pricesOf = createServicePrices(services, { shipper: demoShipper, bookOn: () => book });
  for (const [service, street] of [
    [undefined, '1 Main St'],
    ['C1-EXPRESS', '1 Main St'],
    ['C1-GROUND', ''],
  ] as const) {
    const shipment = shipmentOf(warehouse, service, street);
    const found = pricesOf?.(shipment, rate(shipment));
    const expected = services.map((code) => alone(warehouse, code, street));
    expect(found?.byService.map((price) => price?.netCents)).toEqual(expected);
    expect(found?.cheapest.netCents).toBe(Math.min(...expected.filter((cents) => cents !== undefined)));
  }
});

test('of several warehouses, each service has the cheapest that it serves', () => {
  const air = chartedTariff({
    file: { name: 'air' },
    service: { code: 'AIR', zones: { chart: 'small', column: 'zone', distanceMiles: [500] } },
    document: {
      rates: { AIR: { columns: ['2', '8'], cents: Array.from({ length: 10 }, () => [9_000, 9_000]) } },
      charts: {
        small: {
          columns: ['zone'],
          rows: [
            { origin: '070', destination: '000-999', zones: ['2'] },
            { origin: '606', destination: '000-999', zones: [''] },
            { origin: '900', destination: '000-999', zones: [''] },
          ],
        },
      },
    },
  });
  const schedule = scheduleOf([smallTariff(), air]);
  const near = { ...shipmentOf('any'), postalCode: '60614' };
  const bookOn = () => schedule.bookOn('2026-06-01');
  const pricesOf = createServicePrices(['GROUND', 'AIR'], { shipper: demoShipper, bookOn });
  const found = pricesOf?.(near, rateShipment(near, bookOn(), demoShipper));
  expect(found?.byService.map((price) => price?.netCents)).toEqual([1_600, 9_000]);
  expect(found?.cheapest.card.code).toBe('GROUND');
});

test('are absent if no service takes the shipment', () => {
  const pricesOf = createServicePrices(services, { shipper: demoShipper, bookOn: () => book });
  const nowhere = { ...shipmentOf(101), postalCode: '00000' };
  expect(rate(nowhere)).toBeInstanceOf(Failed);
  expect(pricesOf?.(nowhere, rate(nowhere))).toBeUndefined();
  expect(createServicePrices([], { shipper: demoShipper, bookOn: () => book })).toBeUndefined();
});
