/** The answer to one request: its status and its exact body. */
import { expect, test } from 'vitest';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { quoteOutcome } from '../../src/rating/quote.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { smallTariff } from '../catalog/tariff/small-tariff.ts';
import { flatAccount } from './flat-account.ts';

const SHIPPER: Shipper = {
  warehouses: new Map([
    [101, { id: 101, name: 'East', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' }],
  ]),
  account: flatAccount({ GROUND: '5' }),
};
const NOW = new Date('2026-06-01T12:00:00Z');

const service = (code: string, more = {}) => ({
  code,
  carrier: 'Small',
  description: code,
  dimensionalFactor: 139,
  hasNo: ['fuel' as const, 'deliveryArea' as const, 'handling' as const, 'limits' as const],
  zones: { distanceMiles: [500] },
  ...more,
});
const table = {
  columns: ['2', '8'],
  cents: [
    [1_000, 2_000],
    [1_100, 2_200],
  ],
};
const tariff = smallTariff({
  file: {
    services: [service('GROUND'), service('STREET', { addressLineRequired: true })],
    surcharges: [
      {
        type: 'RESIDENTIAL',
        description: 'Residential delivery',
        when: { residential: true },
        amount: { per: 'package', usd: '5.15' },
      },
    ],
  },
  document: { rates: { GROUND: table, STREET: table } },
});

const answer = (
  rates: object = {},
  { explain, more, document = tariff }: { explain?: boolean; more?: object; document?: TariffDocument } = {},
) =>
  quoteOutcome(
    {
      rates: {
        shipper: { warehouse_id: 101 },
        recipient: { address: { postalCode: '02139', residential: true } },
        packageItems: [{ weight: { units: 'LB', value: 1.5 } }],
        ...rates,
      },
      ...more,
    },
    SHIPPER,
    scheduleOf([document]),
    NOW,
    explain,
  );

// 11.00 less 5%, which the minimum charge of 10.00 allows, plus 5.15.
const QUOTE = {
  status: 200,
  rateType: 'ACCOUNT',
  totalDiscounts: 0.55,
  discounts: [{ type: 'DISCOUNT', description: 'Account discount', amount: 0.55 }],
  totalBaseCharge: 11,
  totalNetCharge: 15.6,
  shippingService: 'GROUND',
  carrier: 'Small',
  tariff: expect.stringMatching(/^small@2026-01-01-/),
  shipmentDetail: {
    rateZone: '2',
    carrierZone: '2',
    totalBillingWeight: { units: 'LB', value: 2 },
    currency: 'USD',
    totalSurcharges: 5.15,
    surcharges: [{ type: 'RESIDENTIAL', description: 'Residential delivery', amount: 5.15 }],
  },
};

test('a request that names a service gets only its quote', () => {
  expect(answer({ shippingService: 'GROUND' })).toEqual({ status: 200, body: QUOTE });
});

test('a request without a service gets the cheapest quote, all quotes, and why other services have none', () => {
  expect(answer()).toEqual({
    status: 200,
    body: {
      ...QUOTE,
      quotes: [QUOTE],
      unavailable: [
        {
          shippingService: 'STREET',
          fault: {
            type: 'getRates.addressLineRequired',
            message: 'The shipping service STREET needs the street address.',
            arguments: { addressLine: 'required by STREET' },
          },
        },
      ],
    },
  });
});

test('each quote has an explanation on request, with the discount of the client', () => {
  const { body } = answer({}, { explain: true });
  const explanation = { zone: { rateZone: '2' }, packages: [{ discounts: [{ computation: '5.00% of 11.00' }] }] };
  expect(body).toMatchObject({ explanation, quotes: [{ explanation }] });
});

test('a wrong form of the request or a wrong shipment is a 422 with the fault', () => {
  expect(answer({ packageItems: [] })).toEqual({
    status: 422,
    body: {
      code: 422,
      fault: {
        type: 'getRates.invalidRequest',
        message: 'Number of packages must be at least 1.',
        arguments: { 'rates.packageItems': 'must have at least 1 entry' },
      },
    },
  });
  expect(answer({ shippingService: 'STREET' })).toMatchObject({
    status: 422,
    body: { code: 422, fault: { type: 'getRates.addressLineRequired' } },
  });
});

test('the tariff is the one in force on the ship date, or today without a ship date', () => {
  expect(answer({ shipDate: '2025-12-31' })).toMatchObject({
    status: 422,
    body: { fault: { type: 'getRates.noTariff', arguments: { shipDate: '2025-12-31' } } },
  });
  expect(answer({ shipDate: '2026-01-01' })).toMatchObject({ status: 200 });
});

test('unknown members are warnings of the answer, not of each quote', () => {
  const { body } = answer({ insured: true }, { more: { currency: 'USD' } });
  expect(body).toMatchObject({
    warnings: [{ arguments: { member: 'rates.insured' } }, { arguments: { member: 'currency' } }],
  });
  expect(body).not.toHaveProperty('quotes.0.warnings');
  expect(answer().body).not.toHaveProperty('warnings');
});
