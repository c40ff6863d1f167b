import { describe, expect, test } from 'vitest';
import {
  beforeVerdict,
  bothLack,
  doubtsOfLists,
  type ScenarioSummary,
  sidesOf,
} from '../../src/console/comparison/words.ts';
import { doubtsOf, doubtsOfAll, lackOf } from '../../src/console/ui/doubts.ts';
import { about, aboutMoney, percent } from '../../src/console/ui/format.ts';
import { comparisonSummaryOf } from '../../src/lists/comparison/summary.ts';
import { emptySums } from '../../src/lists/comparison/sums.ts';

describe('what makes a total doubtful', () => {
  test('is said without a number if it holds of all prices, and with one otherwise', () => {
    const warnings = { 'price.incomplete': 12, 'fuel.stale': 3 };
    expect(doubtsOf({ warnings, missing: { fuel: 12, residential: 1 } }, 12)).toEqual([
      'All prices are without the fuel surcharge',
      '1 price is without the residential charge',
      '3 prices are based on the last known fuel rate',
    ]);
  });

  test('does not include the size limit, which is not part of a price', () => {
    expect(doubtsOf({ warnings: { 'price.incomplete': 2 }, missing: { limits: 2 } }, 2)).toEqual([]);
  });

  test('is said of a single price', () => {
    const price = { type: 'price.incomplete', message: '', arguments: { missing: ['fuel', 'limits'] } };
    const ended = { type: 'agreement.ended', message: '', arguments: {} };
    expect(doubtsOfAll([[price, ended]])).toEqual([
      'This price is without the fuel surcharge and at the list price, because the agreement ended',
    ]);
    const stale = { type: 'fuel.stale', message: '', arguments: {} };
    const estimated = { type: 'zone.estimated', message: '', arguments: {} };
    expect(doubtsOfAll([[stale, estimated]])).toEqual([
      'This price is based on the last known fuel rate and an estimated zone',
    ]);
    expect(doubtsOfAll([[]])).toEqual([]);
    expect([lackOf([stale]), lackOf([stale, price])]).toEqual(['', 'without the fuel surcharge']);
  });
});

describe('a comparison of sides that lack different parts', () => {
  const scenario = (
    missing: Record<string, number>,
    baseMissing: Record<string, number>,
    warnings: Record<string, number> = {},
  ): ScenarioSummary => {
    const [summary] = comparisonSummaryOf(emptySums(1), [{ name: 'Next year', service: 'C1-GROUND' }]).scenarios;
    if (summary === undefined) throw new Error('there is no scenario');
    const moved = (type: string, difference: number) => ({ ...summary.dearer, type, difference });
    const byCharge = [moved('BASE', 30), moved('DISCOUNT', -10.5), moved('DELIVERY_AREA', -200)];
    return { ...summary, shipments: 5, missing, baseMissing, warnings, byCharge };
  };

  test('says so first, with what rates and discounts come to', () => {
    expect(beforeVerdict(scenario({ deliveryArea: 5, fuel: 2 }, { fuel: 1 }))).toBe(
      ': this is not a like-for-like comparison. Prices without the fuel surcharge: 2 in the scenario, 1 now. ' +
        'Prices without delivery area surcharges: 5 in the scenario, 0 now. ' +
        'Base rates and discounts by themselves cost $19.50 more. Overall, it',
    );
  });

  test('says nothing if as many prices lack the same on both sides, or nothing is compared', () => {
    expect(beforeVerdict(scenario({ fuel: 3 }, { fuel: 3 }))).toBe('');
    expect(beforeVerdict({ ...scenario({ fuel: 3 }, {}), shipments: 0 })).toBe('');
  });

  test('names what neither total includes, and what prices of either side estimate or lack', () => {
    const said = (
      missing: Record<string, number>,
      baseMissing: Record<string, number>,
      warnings: Record<string, number> = {},
      base: Record<string, number> = {},
    ) => bothLack(scenario(missing, baseMissing, warnings), { warnings: base });
    expect(said({ fuel: 5, residential: 5 }, { fuel: 5, residential: 5 })).toEqual([
      'Neither total includes the fuel surcharge or the residential charge',
    ]);
    expect(said({ fuel: 4 }, { fuel: 4 })).toEqual([]);
    expect(said({}, {}, { 'fuel.stale': 1 })).toEqual(['Some prices use the last known fuel rate']);
    expect(said({}, {}, { 'fuel.stale': 1 }, { 'zone.estimated': 1 })).toEqual([
      'Some prices use the last known fuel rate or an estimated zone',
    ]);
  });
});

describe('two lists', () => {
  const joined = (filename: string, other: string) =>
    sidesOf({ filename, with: { batch: 'b', revision: 1, filename: other, key: 'order' } });

  test('have the names of their files, unless these are equal', () => {
    expect(joined('may.csv', 'june.csv')).toEqual({
      ...{ noun: 'List', base: 'may.csv', scenario: 'june.csv', inBase: 'in may.csv', inScenario: 'in june.csv' },
    });
    expect(joined('may.csv', 'may.csv')).toMatchObject({ base: 'This list', scenario: 'Other list' });
  });

  test('say what the warnings of their outputs name, each with its number of prices', () => {
    const may = { priced: 3, warnings: { 'price.incomplete': 3 } };
    const june = { priced: 5, warnings: { 'fuel.stale': 2, 'price.incomplete': 1 } };
    expect(doubtsOfLists(may, june, joined('may.csv', 'june.csv'))).toEqual([
      'may.csv: All prices are incomplete',
      'june.csv: 1 price is incomplete, 2 prices are based on the last known fuel rate',
    ]);
    expect(doubtsOfLists({ priced: 3, warnings: {} }, june, joined('may.csv', 'june.csv'))).toHaveLength(1);
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

test('an estimate has no false precision', () => {
  expect([about(5_015), about(23), aboutMoney(171_248.11), aboutMoney(12.34)]).toEqual([
    'about 5,000',
    'about 23',
    'about $171,000',
    'about $12',
  ]);
});
