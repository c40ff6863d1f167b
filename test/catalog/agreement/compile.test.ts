/** How the files of an agreement change a price, form by form. 1 lb to zone 2 costs 10.00, each pound more 1.00. */
import { describe, expect, test } from 'vitest';
import type { AgreementDocument } from '../../../src/catalog/agreement/document.ts';
import { zonesOf } from '../../../src/catalog/agreement/subject.ts';
import { discountsOf } from '../../../src/rating/discount-items.ts';
import { rateTypeOf } from '../../../src/rating/rate.ts';
import { warningTypes } from '../../../src/rating/warning.ts';
import { type Asked, shipmentOf } from '../../rating/priced.ts';
import { ANYWHERE, smallTariff } from '../tariff/small-tariff.ts';
import { agreement, type DiscountInput, discounts, minimums, priceWith, WAREHOUSE, zones } from './fixtures.ts';

const NO_MINIMUM = minimums({ minimum: 'usd', value: '0.00' });
const TARIFF = smallTariff();
const FAR = { to: '90210' };

const having = (...lines: DiscountInput[]): AgreementDocument =>
  agreement({ discounts: discounts(...lines), minimums: NO_MINIMUM });

const off = (document: AgreementDocument, asked: Asked = {}, tariff = TARIFF): number =>
  priceWith(tariff, document, asked).discountCents;
const pounds = (lb: number): Asked => ({ packages: [{ lb }] });

describe('zones', () => {
  test.each([
    ['2', 200, 0],
    ['8', 0, 400],
    ['2-8', 200, 400],
    ['3-7', 0, 0],
  ])('%s', (cell, near, far) => {
    const document = having({ zones: zones(cell), percent: '20' });
    expect([off(document), off(document, FAR)]).toEqual([near, far]);
  });

  test('a number names the columns that end in it, if the service has no such column', () => {
    const card = { columns: ['202', '203', '245', 'AK'], rateZones: [2, 3, 8, 8] };
    const named = (...cells: string[]) => [...(zonesOf(zones(...cells), card) ?? [])];
    expect(named('2')).toEqual([0]);
    expect(named('2-8')).toEqual([0, 1]);
    expect(named('3-8')).toEqual([1]);
    expect(named('45')).toEqual([2]);
    expect(named('203', '245')).toEqual([1, 2]);
    expect(named('202-244')).toEqual([0, 1]);
    expect(named('AK', '2')).toEqual([3, 0]);
    expect(named('44')).toEqual([]);
    expect(zonesOf('*', card)).toBeUndefined();
  });

  test('a number names the columns reported as that zone, if no column is it or ends in it', () => {
    const card = { columns: ['NEAR', 'AK', 'HI'], rateZones: [2, 8, 8] };
    expect([...(zonesOf(zones('8'), card) ?? [])]).toEqual([1, 2]);
  });
});

test('a weight band is of the billing weight, with both ends, and the last one is open', () => {
  const document = having(
    { fromLb: 1, toLb: 3, percent: '1' },
    { fromLb: 4, toLb: 5, percent: '10' },
    { fromLb: 8, percent: '50' },
  );
  const at = (lb: number) => off(document, pounds(lb));
  expect([at(0.5), at(3), at(3.01), at(5), at(6), at(7), at(7.1), at(10)]).toEqual([
    ...[10, 12, 130, 140, 0, 0, 850, 950],
  ]);
});

test('three hundred bands are kept apart', () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({ fromLb: at + 1, toLb: at + 1, percent: `${at % 100}` }));
  const heavy = smallTariff({
    service: { maximumActualLb: 400, zones: ANYWHERE },
    document: { rates: { GROUND: { columns: ['2'], cents: Array.from({ length: 400 }, () => [10_000]) } } },
  });
  // A package weighs up to 99 lb. 60 × 60 × 11 / 139 are 285 lb.
  const big: Asked = { packages: [{ lb: 1, inches: [60, 60, 11] }] };
  expect([off(having(...rows), big, heavy), off(having(...rows), pounds(6), heavy)]).toEqual([8_400, 500]);
});

test('residential and commercial addresses have separate discounts', () => {
  const document = having({ address: 'residential', percent: '1.5' }, { address: 'commercial', percent: '18.5' });
  expect([off(document, { residential: true }), off(document, { residential: false })]).toEqual([15, 185]);
});

test('discounts of different names add up to at most 100 percent, rounded once', () => {
  // 11.00 × 2.35% is 0.2585. Each by itself would be 0.13 + 0.14 = 0.27.
  const two = having({ discount: 'A', percent: '1.15' }, { discount: 'B', percent: '1.20' });
  expect(off(two, pounds(2))).toBe(26);
  expect(off(having({ discount: 'A', percent: '70' }, { discount: 'B', percent: '60' }))).toBe(1_000);
});

test('only the highest discount with the same better_of counts, and among equals the first', () => {
  const document = having(
    { discount: 'Zone', betterOf: 'x', zones: zones('2'), percent: '10' },
    { discount: 'Portfolio', betterOf: 'x', percent: '12' },
    { discount: 'Far', betterOf: 'x', zones: zones('8'), percent: '12' },
    { discount: 'Loyalty', percent: '3' },
  );
  const named = (asked: Asked) =>
    discountsOf(priceWith(TARIFF, document, asked), shipmentOf(asked), WAREHOUSE.postalCode).map((item) => [
      item.description,
      item.amount,
    ]);
  expect(named({})).toEqual([
    ['Portfolio', 1.2],
    ['Loyalty', 0.3],
  ]);
  expect(named(FAR)).toEqual([
    ['Portfolio', 2.4],
    ['Loyalty', 0.6],
  ]);
});

test('a line of a tier counts while the tier is in force, and is an earned discount', () => {
  const document = agreement(
    {
      discounts: discounts(
        { percent: '10' },
        { discount: 'Tier', tier: '1', percent: '2' },
        { discount: 'Tier', tier: '2', percent: '5' },
      ),
      minimums: NO_MINIMUM,
      tiers: [
        { row: 2, tier: '1', fromUsd: '1000.00' },
        { row: 3, tier: '2', fromUsd: '2000.00' },
      ],
    },
    {
      earned: {
        inForce: [
          { from: '2026-03-01', until: '2026-03-31', tier: '2' },
          { from: '2026-04-01', tier: '1' },
        ],
      },
    },
  );
  const on = (day: string) => priceWith(TARIFF, document, { day });
  expect(['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'].map((day) => on(day).discountCents)).toEqual([
    ...[100, 150, 150, 120],
  ]);
  expect(discountsOf(on('2026-03-31'), shipmentOf({}), WAREHOUSE.postalCode)).toEqual([
    { type: 'DISCOUNT', description: 'Base', amount: 1 },
    { type: 'EARNED_DISCOUNT', description: 'Tier', amount: 0.5 },
  ]);
});

test('a star is for the services of the carrier, and a code for that service', () => {
  const other = smallTariff({ service: { carrier: 'Other' } });
  const star = having({ percent: '10' });
  const named = having({ services: ['GROUND'], percent: '10' });
  // The minimum is of the carrier's services too: 10.00 are left of 11.00 by the other one.
  expect([off(star, pounds(2)), off(star, pounds(2), other), off(named, pounds(2), other)]).toEqual([110, 0, 100]);
});

describe('a minimum', () => {
  const HALF = discounts({ percent: '50' });
  const net = (lines: ReturnType<typeof minimums>, asked: Asked = {}) => {
    const price = priceWith(TARIFF, agreement({ discounts: HALF, minimums: lines }), asked);
    return price.baseCents - price.discountCents;
  };

  test("is the tariff's without a line: 1 lb to the nearest zone", () => {
    expect([net([]), net([], pounds(2)), net([], { ...pounds(2), ...FAR })]).toEqual([1_000, 1_000, 1_100]);
  });

  test.each([
    ['usd', '7.25', {}, 725],
    ['less usd', '1.25', {}, 875],
    ['less usd', '30.00', {}, 500],
    ['less percent', '12.5', {}, 875],
    ['less usd', '1.25', { zone: '2', weightLb: 2 }, 975],
    ['less usd', '12.50', { zone: '8' }, 750],
  ] as const)('%s %s %j', (minimum, value, cell, cents) => {
    expect(net(minimums({ minimum, value, ...cell }))).toBe(cents);
  });

  test('never raises a base that is lower', () => {
    expect(net(minimums({ minimum: 'usd', value: '15.00' }))).toBe(1_000);
  });

  test('for one kind of address takes precedence over one for any', () => {
    const lines = minimums(
      { minimum: 'usd', value: '8.00' },
      { minimum: 'usd', value: '9.00', address: 'residential' },
    );
    expect([net(lines), net(lines, { residential: true })]).toEqual([800, 900]);
  });
});

describe('own rates', () => {
  const own = {
    columns: ['2', '8'],
    cents: [
      [900, null],
      [950, 1_900],
    ],
    centsPerLbAboveTop: [470, 900],
  };

  test('replace the list before the discount, with their own nearest cell as the minimum', () => {
    const document = agreement({ rates: { GROUND: own }, discounts: discounts({ percent: '10' }) });
    const priced = (asked: Asked) => {
      const { baseCents, discountCents } = priceWith(TARIFF, document, asked);
      return [baseCents, discountCents];
    };
    // A discount leaves 9.00. 3 lb are above the table: 3 × 4.70.
    expect([priced({}), priced(pounds(2)), priced({ ...pounds(2), ...FAR })]).toEqual([
      [900, 0],
      [950, 50],
      [1_900, 190],
    ]);
    expect(priced({ packages: [{ lb: 1, inches: [10, 10, 4] }] })).toEqual([1_410, 141]);
    expect(() => priced(FAR)).toThrow('weightNotServed');
  });

  test('keep the list for columns and weights that they do not have', () => {
    const short = agreement({ rates: { GROUND: { columns: ['2'], cents: [[900]] } } });
    const listed = (asked: Asked) => priceWith(TARIFF, agreement(), asked).baseCents;
    const priced = (asked: Asked) => priceWith(TARIFF, short, asked).baseCents;
    expect(priced({})).toBe(900);
    expect([priced(pounds(2)), priced(FAR), priced({ ...pounds(2), ...FAR })]).toEqual([
      listed(pounds(2)),
      listed(FAR),
      listed({ ...pounds(2), ...FAR }),
    ]);
  });

  test('have rows of ounces like the tariff', () => {
    const rates = { GROUND: { ...own, ounces: [{ upToOz: 8, cents: [400, 500] }] } };
    const document = agreement({ rates, discounts: discounts({ percent: '10' }), minimums: NO_MINIMUM });
    const { baseCents, discountCents } = priceWith(TARIFF, document, pounds(0.5));
    expect([baseCents, discountCents]).toEqual([400, 40]);
  });
});

test('the agreement’s own divisor applies above its volume', () => {
  const file = { services: { GROUND: { dimensionalFactor: 200, dimensionalOverCubicIn: 1_728 } } };
  const weight = (inches: number[], document: AgreementDocument) =>
    priceWith(TARIFF, document, { packages: [{ lb: 1, inches }] }).billingWeightLb;
  const own = agreement({}, file);
  // 12 × 12 × 12 is 1,728: list 12.4 and so 13 lb. One inch more is 1,872: 9.36 and so 10 lb, list 14.
  expect([weight([12, 12, 12], own), weight([13, 12, 12], own)]).toEqual([1, 10]);
  expect(() => weight([12, 12, 12], agreement())).toThrow('13');
});

describe('a rate cap', () => {
  const caps = { GROUND: { columns: ['2'], cents: [[700], [710], [720]] } };
  const capped = (percent: string, rateCapPercent = '4.9') =>
    agreement(
      { caps, discounts: discounts({ percent }), minimums: NO_MINIMUM },
      { services: { GROUND: { rateCapPercent } } },
    );

  test("limits the net base to a percentage above last year's", () => {
    // 7.10 × 104.9% is 7.4479.
    expect(off(capped('10'), pounds(2))).toBe(1_100 - 745);
    expect(off(capped('50'), pounds(2))).toBe(550);
  });

  test('applies to the weights and columns that the table has', () => {
    expect([off(capped('10'), pounds(4)), off(capped('10'), { ...pounds(2), ...FAR })]).toEqual([130, 220]);
  });

  test('does not go below the minimum', () => {
    const document = agreement(
      { caps, discounts: discounts({ percent: '10' }) },
      { services: { GROUND: { rateCapPercent: '0' } } },
    );
    expect(off(document, pounds(2))).toBe(100);
  });
});

describe('dates', () => {
  const document = agreement(
    { discounts: discounts({ percent: '10' }), minimums: NO_MINIMUM },
    { effective: '2026-02-01', until: '2026-11-30' },
    [{ from: '2026-07-01', discounts: discounts({ percent: '20' }) }],
  );
  const on = (day: string) => priceWith(TARIFF, document, { day });

  test('an agreement begins, is amended and ends at midnight', () => {
    const days = ['2026-01-31', '2026-02-01', '2026-06-30', '2026-07-01', '2026-11-30', '2026-12-01'];
    expect(days.map((day) => [on(day).discountCents, rateTypeOf(on(day)), warningTypes(on(day).warnings)])).toEqual([
      [0, 'LIST', []],
      [100, 'ACCOUNT', []],
      [100, 'ACCOUNT', []],
      [200, 'ACCOUNT', []],
      [200, 'ACCOUNT', []],
      [0, 'LIST', ['agreement.ended']],
    ]);
  });

  test('an amendment replaces the files that it has, and names itself as the source', () => {
    const [part] = on('2026-07-01').terms?.discounts?.combinations[1]?.parts ?? [];
    expect(part?.source).toBe('acme/amendments/2026-07-01/discounts.csv row 2');
    expect(on('2026-07-01').terms?.minimum.commercial).toEqual({ cents: 0, source: 'acme/minimums.csv row 2' });
  });
});
