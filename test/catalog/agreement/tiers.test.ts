/** Which tier is in force on which day. */
import { describe, expect, test } from 'vitest';
import type { AgreementFileInput } from '../../../src/catalog/agreement/document.ts';
import { tierOfDay } from '../../../src/catalog/agreement/versions.ts';
import { shifted } from '../../../src/catalog/tariff/days.ts';
import { warningsOf, warningTypes } from '../../../src/rating/warning.ts';
import { smallTariff } from '../tariff/small-tariff.ts';
import { agreement, discounts, minimums, priceWith } from './fixtures.ts';

const TIERS = [
  { row: 2, tier: 'bronze', fromUsd: '100.00' },
  { row: 3, tier: 'silver', fromUsd: '200.00' },
  { row: 4, tier: 'gold', fromUsd: '300.00' },
];
/** A Saturday. */
const FIRST_WEEK = '2026-01-10';

const agreementWith = (spend: readonly number[], earned: AgreementFileInput['earned'] = {}) =>
  agreement(
    {
      tiers: TIERS,
      spend: spend.map((usd, at) => ({ row: at + 2, weekEnding: shifted(FIRST_WEEK, 7 * at), usd: usd.toFixed(2) })),
      discounts: discounts({ tier: 'silver', percent: '10' }, { tier: 'gold', percent: '20' }),
    },
    { earned },
  );

/** The tier on the day after each week of spend. */
const tiersOf = (spend: readonly number[], earned: AgreementFileInput['earned'] = {}) =>
  spend.map((_, at) => tierOfDay(agreementWith(spend, earned), shifted(FIRST_WEEK, 7 * at + 1))?.tier);

test('an average covers the last weeks, or as many as there are', () => {
  expect(tiersOf([300, 100, 100, 99, 100, 101], { averageWeeks: 2 })).toEqual([
    ...['gold', 'silver', 'bronze', undefined, undefined, 'bronze'],
  ]);
  // 51 weeks of 100.00 and one of 300.01 are an average of 103.84…; the 53rd week drops the first.
  const year = [300.01, ...Array.from({ length: 51 }, () => 100), 0];
  const on = (week: number) => tierOfDay(agreementWith(year), shifted(FIRST_WEEK, 7 * week + 1));
  expect(on(51)).toMatchObject({ tier: 'bronze', weeks: 52, averageCents: 10_384 });
  expect(on(52)).toMatchObject({ weeks: 52, averageCents: 9_807 });
  expect(on(52)?.tier).toBeUndefined();
});

test('a band begins at its amount to the cent, not at the rounded average', () => {
  // 199.99 and 200.00 are 199.995 on average.
  expect(tiersOf([200, 199.99])).toEqual(['silver', 'bronze']);
  expect(tiersOf([199.99, 200.01])).toEqual(['bronze', 'silver']);
});

test('a tier rises at once and falls after a number of lower weeks in a row', () => {
  const spend = [250, 150, 250, 150, 150, 150, 350];
  expect(tiersOf(spend, { averageWeeks: 1, lowerAfterWeeks: 3 })).toEqual([
    ...['silver', 'silver', 'silver', 'silver', 'silver', 'bronze', 'gold'],
  ]);
});

test('a tier takes effect a number of days after the week', () => {
  const document = agreementWith([250], { fromDaysAfter: 4 });
  const on = (day: string) => tierOfDay(document, day);
  expect(on('2026-01-13')).toEqual({ by: 'nothing', isUncertain: true });
  expect(on('2026-01-14')).toMatchObject({ tier: 'silver', by: 'average', spendUntil: FIRST_WEEK, isUncertain: false });
});

test('a set tier takes precedence over the grace period, which takes precedence over the average', () => {
  const document = agreementWith([250, 250, 250], {
    inForce: [{ from: '2026-01-05', until: '2026-01-06', tier: 'gold' }],
    grace: { until: '2026-01-20', tier: 'bronze' },
  });
  const on = (day: string) => tierOfDay(document, day);
  expect(['2026-01-04', '2026-01-05', '2026-01-06', '2026-01-07', '2026-01-20', '2026-01-21'].map(on)).toMatchObject([
    { tier: 'bronze', by: 'grace' },
    { tier: 'gold', by: 'inForce' },
    { tier: 'gold', by: 'inForce' },
    { tier: 'bronze', by: 'grace' },
    { tier: 'bronze', by: 'grace' },
    { tier: 'silver', by: 'average' },
  ]);
});

test('an agreement without tiers has none', () => {
  expect(tierOfDay(agreement(), '2026-06-01')).toBeUndefined();
});

test('a tier is uncertain once two weeks of spend are missing, and the price says so', () => {
  const document = agreementWith([250]);
  const on = (day: string) => {
    const price = priceWith(smallTariff(), document, { packages: [{ lb: 2 }], day });
    return [price.discountCents, warningTypes(price.warnings)];
  };
  // The week ended on 2026-01-10. The next one ends on the 17th, and its spend may come until the 24th.
  expect([on('2026-01-10'), on('2026-01-11'), on('2026-01-24'), on('2026-01-25')]).toEqual([
    [0, ['agreement.tierUncertain']],
    [100, []],
    [100, []],
    [100, ['agreement.tierUncertain']],
  ]);
  const first = priceWith(smallTariff(), document, { packages: [{ lb: 2 }], day: '2026-01-10' });
  expect(warningsOf(first, '02139')[0]).toEqual({
    type: 'agreement.tierUncertain',
    message:
      'No tier of the agreement acme is in force, because no week of spend is known. The discount may be higher.',
    arguments: { agreement: 'acme', spendUntil: null },
  });
});

/** A pound to zone 2 costs 10.00 and each more 1.00; to zone 8, in California, twice as much. */
describe('tiers without bands of spend, which the contract sets', () => {
  const document = agreement(
    {
      discounts: discounts(
        { percent: '10' },
        { discount: 'Tier', tier: 'silver', percent: '5' },
        { discount: 'Tier', tier: 'gold', fromLb: 3, percent: '12.5' },
      ),
      minimums: minimums({ minimum: 'usd', value: '8.75' }),
    },
    {
      earned: {
        grace: { until: '2026-01-31', tier: 'silver' },
        inForce: [
          { from: '2026-03-01', until: '2026-03-31', tier: 'gold' },
          { from: '2026-04-01', tier: 'silver' },
        ],
      },
    },
  );

  test.each([
    ['2026-01-31', 2, '07030', '11.00 - 1.10 - 0.55', 935],
    ['2026-01-31', 1, '07030', '10.00 - 1.00 - 0.50, but 8.75 at least', 875],
    ['2026-02-01', 1, '07030', '10.00 - 1.00', 900],
    ['2026-02-28', 4, '90210', '26.00 - 2.60', 2_340],
    ['2026-03-01', 2, '07030', '11.00 - 1.10', 990],
    ['2026-03-01', 3, '07030', '12.00 - 1.20 - 1.50', 930],
    ['2026-03-31', 4, '90210', '26.00 - 2.60 - 3.25', 2_015],
    ['2026-04-01', 4, '90210', '26.00 - 2.60 - 1.30', 2_210],
  ])('on %s, %d lb to %s cost %s', (day, lb, to, _, netCents) => {
    const price = priceWith(smallTariff(), document, { packages: [{ lb }], to, day });
    expect([price.netCents, warningTypes(price.warnings)]).toEqual([netCents, []]);
  });
});
