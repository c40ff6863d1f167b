import { describe, expect, test } from 'vitest';
import { beforeVerdict, bothLackText, type ScenarioSummary } from '../../src/console/comparison/words.ts';
import { doubtsOf, doubtsOfPrice } from '../../src/console/doubts.ts';
import { about, aboutMoney, percent } from '../../src/console/ui/format.ts';
import { comparisonSummaryOf } from '../../src/lists/comparison/summary.ts';
import { emptySums } from '../../src/lists/comparison/sums.ts';

describe('what makes a total doubtful', () => {
  test('is said without a number if it holds of all prices, and with one otherwise', () => {
    const warnings = { 'price.incomplete': 12, 'fuel.stale': 3 };
    expect(doubtsOf({ warnings, missing: { fuel: 12, residential: 1 } }, 12)).toEqual([
      'without the fuel surcharge',
      '1 price without the residential charge',
      '3 prices with the last known fuel rate',
    ]);
  });

  test('is no limit of size, which is a part of no price', () => {
    expect(doubtsOf({ warnings: { 'price.incomplete': 2 }, missing: { limits: 2 } }, 2)).toEqual([]);
  });

  test('is said of a single price', () => {
    const price = { type: 'price.incomplete', message: '', arguments: { missing: ['fuel', 'limits'] } };
    const ended = { type: 'agreement.ended', message: '', arguments: {} };
    expect(doubtsOfPrice([price, ended])).toEqual([
      'without the fuel surcharge',
      'at the list price, because the agreement ended',
    ]);
    expect(doubtsOfPrice([])).toEqual([]);
  });
});

describe('a comparison of sides that hold different parts', () => {
  const none = { warnings: {}, missing: {} };
  const scenario = (missing: Record<string, number>): ScenarioSummary => {
    const [summary] = comparisonSummaryOf(emptySums(1), [{ name: 'Next year', service: 'C1-GROUND' }]).scenarios;
    if (summary === undefined) throw new Error('there is no scenario');
    const moved = (type: string, difference: number) => ({ ...summary.dearer, type, difference });
    return {
      ...summary,
      missing,
      byCharge: [moved('BASE', 30), moved('DISCOUNT', -10.5), moved('DELIVERY_AREA', -200)],
    };
  };

  test('says so first, and what the like parts come to', () => {
    expect(beforeVerdict(none, scenario({ deliveryArea: 5 }))).toBe(
      ': the two sides are not alike. Its prices lack delivery area surcharges, which today’s prices include. ' +
        'Rates and discounts alone cost $19.50 more. In all, it',
    );
  });

  test('says nothing if both lack the same, but names it after the verdict', () => {
    const base = { warnings: {}, missing: { fuel: 3 } };
    expect(beforeVerdict(base, scenario({ fuel: 5 }))).toBe('');
    expect(bothLackText(base, scenario({ fuel: 5 }))).toBe(' Both totals are without the fuel surcharge.');
    expect(bothLackText({ warnings: { 'fuel.stale': 1 }, missing: {} }, scenario({}))).toBe(
      ' Some prices have the last known fuel rate.',
    );
  });
});

test('a share that is not nothing and not all is never said to be', () => {
  expect([percent(76, 200_000), percent(199_999, 200_000), percent(0, 5), percent(5, 5), percent(1, 8)]).toEqual([
    'under 0.1%',
    'over 99.9%',
    '0%',
    '100%',
    '12.5%',
  ]);
});

test('an estimate has no digits that nobody knows', () => {
  expect([about(5_015), about(23), aboutMoney(171_248.11), aboutMoney(12.34)]).toEqual([
    'about 5,000',
    'about 23',
    'about $171,000',
    'about $12',
  ]);
});
