import { expect, test } from 'vitest';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { quoteOutcome } from '../../src/rating/quote.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';
import { warningTypes } from '../../src/rating/warning.ts';
import { chartedTariff, smallTariff } from '../catalog/tariff/small-tariff.ts';

const warehouse = (id: number, postalCode: string) =>
  [id, { id, name: '', postalCode, stateOrProvinceCode: '', countryCode: 'US' }] as const;
const shipper: Shipper = {
  warehouses: new Map([
    warehouse(101, '07001'),
    warehouse(102, '60601-1234'),
    warehouse(103, '96701'),
    warehouse(104, '08701'),
  ]),
  account: LIST_PRICES,
};

const quoted = (document: TariffDocument, warehouseId: number, rates = {}) =>
  quoteOutcome(
    {
      rates: {
        shipper: { warehouse_id: warehouseId },
        recipient: { address: { postalCode: '10001' } },
        packageItems: [{ weight: { units: 'LB', value: 1 } }],
        ...rates,
      },
    },
    shipper,
    scheduleOf([document]),
    new Date('2026-06-01T12:00:00Z'),
  );

const ESTIMATED = [
  {
    type: 'zone.estimated',
    message: 'Small has no zone chart for the origin 60601, so the zone was estimated from the distance.',
    arguments: { origin: '60601' },
  },
];

test('a zone without a chart for its origin is a warning, on the answer and on each quote', () => {
  expect(quoted(chartedTariff(), 102)).toMatchObject({
    status: 200,
    body: { warnings: ESTIMATED, quotes: [{ warnings: ESTIMATED }] },
  });
  expect(quoted(chartedTariff(), 102, { shippingService: 'GROUND' }).body).toMatchObject({ warnings: ESTIMATED });
});

test('a zone that is estimated into the first rate column is a warning', () => {
  expect(quoted(chartedTariff(), 104).body).toMatchObject({
    shipmentDetail: { rateZone: '2' },
    warnings: [{ type: 'zone.estimated', arguments: { origin: '08701' } }],
  });
});

test('a zone from a chart is not a warning', () => {
  const { status, body } = quoted(chartedTariff(), 101);
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('warnings');
  expect(body).not.toHaveProperty('quotes.0.warnings');
});

test('a tariff without charts defines its zones by distance, which is not an estimate', () => {
  const { status, body } = quoted(smallTariff(), 102);
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('warnings');
});

test('the estimate changes no price', () => {
  const estimated = quoted(chartedTariff(), 102);
  const defined = quoted(smallTariff(), 102);
  expect(estimated.body).toMatchObject({ totalNetCharge: 20, shipmentDetail: { rateZone: '8' } });
  expect(defined.body).toMatchObject({ totalNetCharge: 20, shipmentDetail: { rateZone: '8' } });
});

test('a price without a warning has no types', () => {
  expect(warningTypes(0)).toEqual([]);
  expect(warningTypes(1)).toEqual(['zone.estimated']);
});
