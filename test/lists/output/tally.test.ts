/** Tallies of rows, their sums and the summary for users. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summaryOf } from '../../../src/lists/output/summary.ts';
import { createTally, EMPTY_TALLY, plus } from '../../../src/lists/output/tally.ts';
import type { Price } from '../../../src/rating/price.ts';
import { incompleteBits, ZONE_ESTIMATED } from '../../../src/rating/warning.ts';
import { smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { priceOf } from '../../rating/priced.ts';

const MADE = priceOf(smallTariff());
/** Returns a price of 10.00 for 1 lb to zone 2, with overrides. */
const price = (more: Partial<Price> = {}, code = 'GROUND'): Price => ({
  ...MADE,
  ...more,
  card: { ...MADE.card, code },
});

test('an empty tally has no counts', () => {
  expect(EMPTY_TALLY).toEqual({
    processed: 0,
    quoted: 0,
    faulted: 0,
    faults: {},
    byService: {},
    byZone: {},
    byWeight: {},
    cheapest: {},
    warnings: {},
    missing: {},
  });
});

/** Warning bits: see `warning.ts`. */
const [NO_FUEL, NO_RESIDENTIAL] = [incompleteBits(new Set(['fuel'])), incompleteBits(new Set(['residential']))];
const INCOMPLETE = (): Price[] => [
  price({ netCents: 1_000, warnings: NO_FUEL }),
  price({ netCents: 200, warnings: NO_FUEL | NO_RESIDENTIAL | ZONE_ESTIMATED }),
  price({ netCents: 30, warnings: NO_FUEL }),
  price({ netCents: 4 }),
];

test('counts rows with incomplete prices by missing part, and each row once in their money', () => {
  const tally = tallied(...INCOMPLETE());
  expect(tally).toMatchObject({
    warnings: {
      'price.incomplete': { shipments: 3, netCents: 1_230 },
      'zone.estimated': { shipments: 1, netCents: 200 },
    },
    missing: { fuel: 3, residential: 1 },
  });
  const twice = plus(tally, plus(EMPTY_TALLY, tally));
  expect(twice).toMatchObject({ missing: { fuel: 6, residential: 2 } });
  expect(summaryOf(twice).incomplete).toEqual({
    rows: 6,
    totalNetCharge: 24.6,
    missing: { fuel: 6, residential: 2 },
  });
  expect(summaryOf(EMPTY_TALLY).incomplete).toEqual({ rows: 0, totalNetCharge: 0, missing: {} });
});

test('counts rows by service, zone, weight and warning, and faults by type', () => {
  const tally = createTally();
  tally.quoted(price());
  tally.quoted(price({ netCents: 2_500, column: 1, billingWeightLb: 151, warnings: 1 }, 'AIR'), true);
  tally.quoted(price({ netCents: 500, warnings: 1 }), true);
  tally.faulted({ type: 'row.malformed', row: 1, reason: '' });
  tally.faulted({ type: 'row.malformed', row: 2, reason: '' });
  tally.faulted({ type: 'getRates.noTariff', shipDate: '2020-01-01' });
  expect(tally.result()).toEqual({
    processed: 6,
    quoted: 3,
    faulted: 3,
    faults: { 'row.malformed': 2, 'getRates.noTariff': 1 },
    byService: { GROUND: { shipments: 2, netCents: 1_500 }, AIR: { shipments: 1, netCents: 2_500 } },
    byZone: { '2': { shipments: 2, netCents: 1_500 }, '8': { shipments: 1, netCents: 2_500 } },
    byWeight: { '1': { shipments: 2, netCents: 1_500 }, over: { shipments: 1, netCents: 2_500 } },
    cheapest: { AIR: 1, GROUND: 1 },
    warnings: { 'zone.estimated': { shipments: 2, netCents: 3_000 } },
    missing: {},
  });
});

test.each([
  [1, '1'],
  [2, '2'],
  [3, '5'],
  [5, '5'],
  [6, '10'],
  [150, '150'],
  [151, 'over'],
])('%d lb is in the band %s', (billingWeightLb, band) => {
  const tally = createTally();
  tally.quoted(price({ billingWeightLb }));
  expect(Object.keys(tally.result().byWeight)).toEqual([band]);
});

const tallied = (...prices: readonly Price[]) => {
  const tally = createTally();
  for (const one of prices) tally.quoted(one, true);
  tally.faulted({ type: 'row.malformed', row: 1, reason: '' });
  return tally.result();
};

test('adds tallies with different services, zones and faults', () => {
  const sum = plus(tallied(price({ warnings: 1 })), tallied(price(), price({ netCents: 300 }, 'AIR')));
  expect(sum).toEqual({
    processed: 5,
    quoted: 3,
    faulted: 2,
    faults: { 'row.malformed': 2 },
    byService: { GROUND: { shipments: 2, netCents: 2_000 }, AIR: { shipments: 1, netCents: 300 } },
    byZone: { '2': { shipments: 3, netCents: 2_300 } },
    byWeight: { '1': { shipments: 3, netCents: 2_300 } },
    cheapest: { GROUND: 2, AIR: 1 },
    warnings: { 'zone.estimated': { shipments: 1, netCents: 1_000 } },
    missing: {},
  });
  expect(plus(EMPTY_TALLY, sum)).toEqual(sum);
  expect(plus(sum, EMPTY_TALLY)).toEqual(sum);
});

test('the tallies of two halves add up to the tally of all rows', () => {
  const overrides = fc.record({
    netCents: fc.nat(5_000),
    warnings: fc.constantFrom(0, NO_FUEL, NO_FUEL | ZONE_ESTIMATED, NO_RESIDENTIAL),
    column: fc.constantFrom(0, 1),
    billingWeightLb: fc.constantFrom(1, 4, 151),
  });
  const row = fc.option(fc.tuple(overrides, fc.constantFrom('AIR', 'GROUND'), fc.boolean()));
  type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;
  const tallyOf = (rows: readonly Row[]) => {
    const tally = createTally();
    for (const one of rows)
      if (one === null) tally.faulted({ type: 'row.malformed', row: 1, reason: '' });
      else tally.quoted(price(one[0], one[1]), one[2]);
    return tally.result();
  };
  const halves = fc.property(fc.array(row), fc.array(row), (first, second) => {
    expect(plus(tallyOf(first), tallyOf(second))).toEqual(tallyOf([...first, ...second]));
  });
  fc.assert(halves);
});

test('a summary is sorted by name and weight, and has dollars', () => {
  const tally = tallied(
    price({ billingWeightLb: 3, warnings: 1 }),
    price({ netCents: 250, column: 1, billingWeightLb: 1 }, 'AIR'),
    price({ netCents: 105, billingWeightLb: 200 }),
  );
  expect(summaryOf(tally)).toEqual({
    rows: { processed: 4, quoted: 3, faulted: 1 },
    totalNetCharge: 13.55,
    currency: 'USD',
    byService: [
      { shippingService: 'AIR', shipments: 1, totalNetCharge: 2.5 },
      { shippingService: 'GROUND', shipments: 2, totalNetCharge: 11.05 },
    ],
    byZone: [
      { rateZone: '2', shipments: 2, totalNetCharge: 11.05 },
      { rateZone: '8', shipments: 1, totalNetCharge: 2.5 },
    ],
    byBillingWeight: [
      { overLb: 0, toLb: 1, shipments: 1, totalNetCharge: 2.5 },
      { overLb: 2, toLb: 5, shipments: 1, totalNetCharge: 10 },
      { overLb: 150, toLb: null, shipments: 1, totalNetCharge: 1.05 },
    ],
    cheapest: [
      { shippingService: 'AIR', shipments: 1 },
      { shippingService: 'GROUND', shipments: 2 },
    ],
    faults: { 'row.malformed': 1 },
    warnings: [{ type: 'zone.estimated', shipments: 1, totalNetCharge: 10 }],
    incomplete: { rows: 0, totalNetCharge: 0, missing: {} },
  });
});
