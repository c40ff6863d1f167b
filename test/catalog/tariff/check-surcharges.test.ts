/** Findings about periods, zones and conditions of surcharges. The other findings are in `check.test.ts`. */
import { expect, test } from 'vitest';
import { checkTariff } from '../../../src/catalog/tariff/check/check.ts';
import type { TariffFileInput } from '../../../src/catalog/tariff/document.ts';
import { type Parts, smallTariff } from './small-tariff.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const found = (surcharges: readonly Surcharge[], service: Parts['service'] = {}) =>
  checkTariff(smallTariff({ file: { surcharges: [...surcharges] }, service: { maximumActualLb: 10, ...service } })).map(
    ({ severity, at, message }) => `${severity} ${at}: ${message}`,
  );

const fee = (type: string, more: Partial<Surcharge> = {}): Surcharge => ({
  type,
  description: type,
  amount: { per: 'package', usd: '1.00' },
  ...more,
});
const percentage = (more: Partial<Surcharge> = {}): Surcharge =>
  fee('FUEL', { amount: { per: 'percent', rate: '10', of: ['BASE'] }, ...more });
type Rates = Exclude<Extract<Surcharge['amount'], { per: 'percent' }>['rate'], string>;
const weekly = (...rate: Rates): Surcharge => fee('FUEL', { amount: { per: 'percent', rate, of: ['BASE'] } });
const perShipment: Surcharge['amount'] = { per: 'shipment', usd: '1.00' };
const declared: Surcharge['amount'] = { per: 'declaredValue', usdPer100: '1.50' };

const FIRST = 'tariff.json surcharges[0]';

test.each<[string, readonly Surcharge[], string]>([
  [
    'a period that ends before it begins',
    [fee('FEE', { from: '2026-06-02', until: '2026-06-01' })],
    `error ${FIRST}.until: 2026-06-01 is before 2026-06-02, the first day`,
  ],
  [
    'a rate that ends before it begins',
    [weekly({ from: '2026-01-01', until: '2025-12-31', rate: '9' })],
    `error ${FIRST}.amount.rate: the rate from 2026-01-01 ends before it begins, on 2025-12-31`,
  ],
  [
    'two rates for one day',
    [weekly({ from: '2026-01-12', rate: '8' }, { from: '2026-01-01', until: '2026-01-12', rate: '9' })],
    `error ${FIRST}.amount.rate: the rate from 2026-01-01 lasts until 2026-01-12, but another begins on 2026-01-12`,
  ],
  [
    'fuel that begins after the tariff',
    [weekly({ from: '2026-01-05', rate: '9' })],
    `warning ${FIRST}.amount.rate: no rate on the first day, 2026-01-01`,
  ],
  [
    'an amount for a zone without rates',
    [fee('FEE', { amount: { per: 'package', usd: { 'zone 2': '1.00', 'zone 3': '2.00' } } })],
    `warning ${FIRST}.amount.usd: no rate column of its services is reported as zone 3`,
  ],
  [
    'an amount for what is no zone',
    [fee('FEE', { amount: { per: 'package', usd: { 'zone 9': '1.00' } } })],
    `error ${FIRST}.amount.usd: zone 9 is not a rate column of its services`,
  ],
  [
    'several measures of a shipment',
    [fee('FEE', { amount: perShipment, when: { anyOf: [{ lengthOverIn: 48 }] } })],
    `error ${FIRST}.when.anyOf: is for amounts per package or per pound`,
  ],
  [
    'a percentage of large packages',
    [percentage({ when: { anyOf: [{ lengthOverIn: 48 }] } })],
    `error ${FIRST}.when: a percentage cannot depend on weight or size`,
  ],
  [
    'a percentage for a signature',
    [percentage({ when: { signature: ['adult'] } })],
    `error ${FIRST}.when: a percentage cannot depend on what the request asks for`,
  ],
  [
    'a percentage for Saturdays',
    [percentage({ when: { saturday: true } })],
    `error ${FIRST}.when: a percentage cannot depend on what the request asks for`,
  ],
  [
    'a declared value of heavy packages',
    [fee('DECLARED_VALUE', { amount: declared, when: { actualWeightOverLb: 50 } })],
    `error ${FIRST}.when: an amount on the declared value cannot depend on a package`,
  ],
  [
    'a least billing weight of a declared value',
    [fee('DECLARED_VALUE', { amount: declared, leastBillingWeightLb: 40 })],
    `error ${FIRST}: dearestOf and leastBillingWeightLb are for amounts per package or per pound`,
  ],
  [
    'a maximum of an amount per shipment',
    [fee('FEE', { amount: perShipment, multiweightMaximumUsd: '10.00' })],
    `error ${FIRST}.multiweightMaximumUsd: is for amounts per package or per pound`,
  ],
])('%s', (_name, surcharges, finding) => {
  expect(found(surcharges)).toEqual([finding]);
});

test('two demand surcharges of a service must not apply on one day, unless their conditions differ', () => {
  const autumn = fee('DEMAND_HANDLING', { description: 'Autumn', from: '2026-09-28', until: '2026-11-22' });
  const peak = fee('DEMAND_HANDLING', { description: 'Peak', from: '2026-11-22', until: '2027-01-17' });
  expect(found([autumn, peak])).toEqual([
    'error tariff.json surcharges[1]: "Peak" and surcharges[0] "Autumn" are both charged on 2026-11-22 under the same conditions; change their periods',
  ]);
  expect(found([autumn, { ...peak, from: '2026-11-23' }])).toEqual([]);
  expect(found([autumn, { ...peak, when: { residential: true } }])).toEqual([]);
  expect(found([autumn, { ...peak, type: 'DEMAND_OVERSIZE' }])).toEqual([]);
});

test('two fuel surcharges of a service must not apply on one day, unless they apply to different charges', () => {
  const [first, second] = [
    weekly({ from: '2026-01-01', until: '2026-01-11', rate: '9' }),
    weekly({ from: '2026-01-11', rate: '8' }),
  ];
  expect(found([first, second])).toContain(
    'error tariff.json surcharges[1]: "FUEL" and surcharges[0] "FUEL" are both charged on 2026-01-11 under the same conditions; change their periods',
  );
  const ofFee = fee('FUEL', { amount: { per: 'percent', rate: '5', of: ['FEE'] } });
  expect(found([fee('FEE'), first, ofFee])).toEqual([]);
});

test('two surcharges of any kind of fuel must not apply on one day', () => {
  const [first, second] = [
    weekly({ from: '2026-01-01', until: '2026-01-11', rate: '9' }),
    weekly({ from: '2026-01-11', rate: '8' }),
  ].map((entry) => ({ ...entry, type: 'FUEL_AIR', description: 'Fuel by air' }));
  if (first === undefined || second === undefined) throw new Error('two surcharges');
  expect(found([first, second])).toContain(
    'error tariff.json surcharges[1]: "Fuel by air" and surcharges[0] "Fuel by air" are both charged on 2026-01-11 under the same conditions; change their periods',
  );
  const later = { ...second, amount: weekly({ from: '2026-01-12', rate: '8' }).amount };
  expect(found([first, later]).filter((text) => text.startsWith('error'))).toEqual([]);
});

test('a charge for addresses that no service goes to is never charged', () => {
  const home = fee('RESIDENTIAL', { when: { residential: true } });
  expect(found([home], { deliversTo: 'businesses' })).toEqual([
    `warning ${FIRST}.when.residential: its services deliver only to businesses: it is never charged`,
  ]);
  expect(found([{ ...home, when: { residential: false } }], { deliversTo: 'homes' })).toEqual([
    `warning ${FIRST}.when.residential: its services deliver only to homes: it is never charged`,
  ]);
  expect(found([home], { deliversTo: 'homes' })).toEqual([]);
});

test('options, any of several measures, and amounts by zone are correct for packages', () => {
  const usd = { 'zone 2': '1.00', 8: '2.00', '*': '3.00' };
  const when: Surcharge['when'] = {
    anyOf: [{ lengthOverIn: 48 }, { actualWeightOverLb: 50 }],
    nonStandardPackaging: true,
  };
  const handling = fee('OVERSIZE', { when, amount: { per: 'package', usd }, multiweightMaximumUsd: '99.00' });
  const signature = fee('SIGNATURE_ADULT', { when: { signature: ['adult'] }, amount: perShipment });
  expect(found([handling, signature, fee('DECLARED_VALUE', { amount: declared })])).toEqual([]);
});
