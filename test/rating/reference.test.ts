/** Facts about every shipment, checked with the reference tariff. */

import Big from 'big.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import type { RateBook } from '../../src/rating/card.ts';
import { explainPrice } from '../../src/rating/explain.ts';
import { chargedLines } from '../../src/rating/price.ts';
import { rateShipment } from '../../src/rating/rate.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { flatAccount } from './flat-account.ts';
import { type Asked, shipmentOf } from './priced.ts';

let book: RateBook;
let holidays: RateBook;

beforeAll(async () => {
  const read = await readTariffFolder('samples/tariffs/reference');
  if (!('document' in read)) throw new Error(JSON.stringify(read.findings));
  const schedule = scheduleOf([read.document]);
  book = schedule.bookOn('2026-06-01');
  holidays = schedule.bookOn('2024-12-20');
});

const WAREHOUSE = { id: 1, name: 'East', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' };
const shipperWith = (discountPercent: number): Shipper => ({
  warehouses: new Map([[1, WAREHOUSE]]),
  account: flatAccount(Object.fromEntries(book.cards.map(({ code }) => [code, discountPercent.toFixed(2)]))),
});

const rated = (asked: Asked, of = book) => {
  const outcome = rateShipment(shipmentOf(asked), of, shipperWith(asked.discountPercent ?? 0));
  if (outcome instanceof Failed) throw new Error(JSON.stringify(outcome.fault));
  return outcome;
};

test('New Jersey to Boston, 2.1 lb: all three services, cheapest first', () => {
  const { prices } = rated({ to: '02139', addressLine: '1 Main Street', packages: [{ lb: 2.1 }] });
  // Zone 3; 3 lb cost 10.66, 10.81 and 35.52, and fuel is 12.5% and 15%.
  expect(prices.map(({ card, baseCents, netCents }) => [card.code, baseCents, netCents])).toEqual([
    ['C1-GROUND', 1_066, 1_199],
    ['C2-GROUND', 1_081, 1_216],
    ['C1-EXPRESS', 3_552, 4_085],
  ]);
});

describe('every kind of charge, to zone 3', () => {
  const packageOf = (lb: number, ...inches: number[]) => [inches.length === 0 ? { lb } : { lb, inches }];

  test.each<[string, Asked, string, readonly (readonly [string, number])[], number]>([
    // 8.80 + 2 × 0.45 = 9.70 for 1 lb, and 0.34 + 2 × 0.07 = 0.48 for each further pound.
    ['50 lb', { packages: packageOf(50) }, 'C1-GROUND', [['FUEL', 415]], 3_737],
    // 9.70 + 50 × 0.48 = 33.70. 12.5% of 33.70 + 33.00 is 8.3375.
    [
      'one over 50 lb',
      { packages: packageOf(50.1) },
      'C1-GROUND',
      [
        ['ADDITIONAL_HANDLING_WEIGHT', 3_300],
        ['FUEL', 834],
      ],
      7_504,
    ],
    // 48 × 10 × 10 / 139 = 34.5: 35 lb. 9.70 + 34 × 0.48 = 26.02. 12.5% is 3.2525.
    ['48 inches', { packages: packageOf(5, 48, 10, 10) }, 'C1-GROUND', [['FUEL', 325]], 2_927],
    // 48.1 × 10 × 10 / 139 = 34.6, but at least 40 lb. 9.70 + 39 × 0.48 = 28.42. 12.5% of 28.42 + 22.00 is 6.3025.
    [
      'one over 48 inches',
      { packages: packageOf(5, 48.1, 10, 10) },
      'C1-GROUND',
      [
        ['ADDITIONAL_HANDLING_DIMENSION', 2_200],
        ['FUEL', 630],
      ],
      5_672,
    ],
    // 96.1 × 10 × 10 / 139 = 69.1, but at least 90 lb. 9.70 + 89 × 0.48 = 52.42. Only the most expensive of both handling charges
    // is charged. 12.5% of 52.42 + 170.00 is 27.8025.
    [
      'one over 96 inches',
      { packages: packageOf(5, 96.1, 10, 10) },
      'C1-GROUND',
      [
        ['OVERSIZE', 17_000],
        ['FUEL', 2_780],
      ],
      25_022,
    ],
    // 12.5% of 9.70 + 19.00 is 3.5875.
    [
      'packaging that machines cannot sort',
      { options: { nonStandardPackaging: true } },
      'C1-GROUND',
      [
        ['ADDITIONAL_HANDLING_PACKAGING', 1_900],
        ['FUEL', 359],
      ],
      3_229,
    ],
    // 24.50 + 2 × 3.80 = 32.10. 10 × 1.25 of declared value. Fuel is on the base alone: 15% of 32.10 is 4.815.
    [
      'an adult signature, Saturday and 1,000.00 of declared value',
      { options: { signature: 'adult', saturday: true, declaredValue: 1_000 } },
      'C1-EXPRESS',
      [
        ['SIGNATURE_ADULT', 840],
        ['SATURDAY_DELIVERY', 1_600],
        ['DECLARED_VALUE', 1_250],
        ['FUEL', 482],
      ],
      7_382,
    ],
  ])('%s', (_name, asked, code, lines, netCents) => {
    const price = rated(asked).prices.find(({ card }) => card.code === code);
    if (price === undefined) throw new Error(`no price by ${code}`);
    expect(chargedLines(price).map(({ type, amountCents }) => [type, amountCents])).toEqual(lines);
    expect([price.netCents, price.warnings]).toEqual([netCents, 0]);
  });

  test.each([
    ['108 inches', [108, 10, 10], false],
    ['one over 108 inches', [108.1, 10, 10], true],
  ])('%s', (_name, inches, isRefused) => {
    const { prices, refused } = rated({ packages: packageOf(5, ...inches) });
    expect(prices.some(({ card }) => card.code === 'C1-GROUND')).toBe(!isRefused);
    expect(refused.some(({ fault }) => fault.type === 'getRates.sizeNotServed')).toBe(isRefused);
  });

  test('the holiday season is charged to homes while it lasts', () => {
    const home = { residential: true } as const;
    // 12.5% of 9.70 + 5.15 is 1.85625, and of 9.70 + 5.15 + 0.65 it is 1.9375.
    expect(rated(home).prices[0]?.netCents).toBe(970 + 515 + 186);
    const [then] = rated(home, holidays).prices;
    expect(then?.netCents).toBe(970 + 515 + 65 + 194);
    expect(then === undefined ? [] : chargedLines(then).map(({ type }) => type)).toContain('DEMAND_RESIDENTIAL');
  });

  test.each([
    ['04619', true, 'Delivery area, residential', 420],
    ['04619', false, 'Delivery area, commercial', 305],
    ['59053', true, 'Extended delivery area, residential', 830],
    ['59053', false, 'Extended delivery area, commercial', 610],
  ])('%s, home %s: %s', (to, residential, description, amountCents) => {
    const [price] = rated({ to, residential }).prices;
    expect(price === undefined ? [] : chargedLines(price)).toContainEqual(
      expect.objectContaining({ description, amountCents }),
    );
  });
});

test('without a street address the second carrier is refused and the others quote', () => {
  const { prices, refused } = rated({ to: '02139' });
  expect(prices.map(({ card }) => card.code)).toEqual(['C1-GROUND', 'C1-EXPRESS']);
  expect(refused.map(({ fault }) => fault.type)).toEqual(['getRates.addressLineRequired']);
});

test.each([
  ['00501', 2],
  ['07030', 1],
  ['02139', 3],
  ['60601', 5],
  ['33101', 6],
  ['90210', 8],
  ['99501', 8],
  ['96813', 8],
])('%s is zone %d from New Jersey', (to, zone) => {
  const [cheapest] = rated({ to }).prices;
  expect(cheapest?.card.rateZones[cheapest.column]).toBe(zone);
});

test.each(['00601', '00802', '00901', '09012', '34002', '96201', '96799', '96910', '00100', '98700'])(
  '%s is not reached',
  (to) => {
    const outcome = rateShipment(shipmentOf({ to }), book, shipperWith(0));
    expect(outcome).toMatchObject({ fault: { type: 'getRates.noDeliveryCoverage', postalCode: to } });
  },
);

test('express costs more than ground everywhere, and every service more for more weight and a farther zone', () => {
  const [ground, express, other] = book.cards;
  if (ground === undefined || express === undefined || other === undefined) throw new Error('three services');
  const rows = ground.topLb + 1;
  for (const { rates } of [ground, express, other]) {
    for (let column = 0; column < 8; column++) {
      for (let pounds = 1; pounds <= 150; pounds++) {
        const at = column * rows + pounds;
        if (pounds > 1) expect(rates[at]).toBeGreaterThan(rates[at - 1] ?? 0);
        if (column > 0) expect(rates[at]).toBeGreaterThan(rates[at - rows] ?? 0);
        expect(express.rates[at]).toBeGreaterThanOrEqual(rates[at] ?? 0);
      }
    }
  }
});

const parcel = fc.record({
  lb: fc.integer({ min: 1, max: 9_900 }).map((hundredths) => hundredths / 100),
  inches: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 3 }),
});
const shipments = fc.record({
  to: fc.constantFrom('02139', '04619', '59053', '60601', '90210', '99501', '96743'),
  residential: fc.boolean(),
  addressLine: fc.constant('1 Main Street'),
  discountPercent: fc.integer({ min: 0, max: 9_000 }).map((hundredths) => hundredths / 100),
  packages: fc.array(parcel, { minLength: 1, maxLength: 5 }),
});

test('net is base less discounts plus surcharges, and the explanation adds up to both', () => {
  fc.assert(
    fc.property(shipments, (asked) => {
      for (const price of rated(asked).prices) {
        expect(price.netCents).toBe(price.baseCents - price.discountCents + price.surchargeCents);
        const { packages } = explainPrice(price, shipmentOf(asked), { warehouse: WAREHOUSE, departure: undefined });
        const sum = (amounts: readonly number[]) =>
          Number(amounts.reduce((total, one) => total.plus(one), new Big(0)).times(100));
        expect(sum(packages.map(({ baseCharge }) => baseCharge))).toBe(price.baseCents);
        expect(sum(packages.map((part) => part.discount))).toBe(price.discountCents);
        expect(sum(packages.flatMap(({ charges }) => charges.map(({ amount }) => amount)))).toBe(price.surchargeCents);
      }
    }),
  );
});

test('several packages cost the sum of single packages', () => {
  fc.assert(
    fc.property(shipments, (asked) => {
      for (const price of rated(asked).prices) {
        const alone = asked.packages.map((one) =>
          rated({ ...asked, packages: [one] }).prices.find(({ card }) => card === price.card),
        );
        expect(alone.reduce((sum, one) => sum + (one?.netCents ?? 0), 0)).toBe(price.netCents);
      }
    }),
    { numRuns: 40 },
  );
});

test('fuel is the decimal percentage of discounted base and surcharges, half a cent up, package by package', () => {
  fc.assert(
    fc.property(shipments, (asked) => {
      for (const price of rated({ ...asked, packages: asked.packages.slice(0, 1) }).prices) {
        const lines = chargedLines(price);
        const named = lines
          .filter(({ type }) => type !== 'FUEL')
          .reduce((sum, { amountCents }) => sum + amountCents, 0);
        const exact = new Big(price.baseCents - price.discountCents + named)
          .times(price.card.code === 'C1-EXPRESS' ? '0.15' : '0.125')
          .round(0, Big.roundHalfUp);
        expect(lines.find(({ type }) => type === 'FUEL')?.amountCents).toBe(Number(exact));
      }
    }),
  );
});
