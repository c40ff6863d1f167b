import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  basisPoints,
  billedPounds,
  billedPoundsTogether,
  dollarText,
  inches,
  type LengthUnit,
  lengthOf,
  massOf,
  percentOf,
  type Sides,
  volumeOver,
  wholeInches,
} from '../../src/rating/quantity.ts';

const POUND_IN_KILOGRAMS = '0.45359237';

const poundsByOracle = (value: number, units: 'KG' | 'LB'): number => {
  const exact = units === 'LB' ? new Big(value) : new Big(value).div(POUND_IN_KILOGRAMS);
  return Number(exact.round(0, Big.roundUp));
};

Big.DP = 60;

test.each([
  [0.45359237, 'KG', 1],
  [0.45359238, 'KG', 2],
  [2.1, 'LB', 3],
  [2, 'LB', 2],
  [2.0000001, 'LB', 3],
  [2.000000000000001, 'LB', 3],
  [3.4, 'KG', 8],
  [0.0000001, 'LB', 1],
  [5e-324, 'KG', 1],
  [99, 'KG', 219],
  [68.0388555, 'KG', 150],
] as const)('%d %s bills %d LB', (value, units, pounds) => {
  expect(billedPounds(massOf(value, units))).toBe(pounds);
});

test('billing weight is exact for every decimal weight', () => {
  const weight = fc.oneof(
    fc.double({ min: 1e-9, max: 99, noNaN: true }),
    fc.integer({ min: 1, max: 9_900_000 }).map((units) => units / 100_000),
    fc.integer({ min: 1, max: 218 }).map((pounds) => Number(new Big(POUND_IN_KILOGRAMS).times(pounds))),
  );
  fc.assert(
    fc.property(weight, fc.constantFrom('KG' as const, 'LB' as const), (value, units) => {
      expect(billedPounds(massOf(value, units))).toBe(poundsByOracle(value, units));
    }),
    { numRuns: 5_000 },
  );
});

test('a weight is rounded up to the next 10 µg, even if a double cannot represent the product', () => {
  // 2.1 × 45,359,237 is 95,254,397.7. 2.1234567 has seven decimals. The product of 98.765432 KG is no exact double.
  expect([2.1, 2.1234567, 2, 1e-7].map((value) => massOf(value, 'LB'))).toEqual([
    95_254_398, 96_318_376, 90_718_474, 5,
  ]);
  expect([98.765432, 98.7654321, 1e-9].map((value) => massOf(value, 'KG'))).toEqual([9_876_543_200, 9_876_543_210, 1]);
  expect(massOf(1e21, 'KG')).toBe(1e29);
});

test('masses are billed together by their exact sum', () => {
  const together = (...values: number[]) => billedPoundsTogether(values.map((value) => massOf(value, 'LB')));
  expect(together(49.5, 49.5, 49.5, 49.5)).toBe(198);
  expect(together(49.5, 49.5, 49.5, 49.500001)).toBe(199);
  expect(together(...Array.from({ length: 99 }, () => 0.1))).toBe(10);
  expect(together(1, 2)).toBe(3);
  expect(together()).toBe(0);
});

test('a percentage is exact and rounds half up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), fc.integer({ min: 0, max: 99_999 }), (amount, rate) => {
      const exact = new Big(amount).times(rate).div(10_000).round(0, Big.roundHalfUp);
      expect(percentOf(amount, basisPoints(rate))).toBe(Number(exact));
    }),
    { numRuns: 5_000 },
  );
});

describe('sides', () => {
  const rounded = (value: number, units: LengthUnit, rounding: 'nearest' | 'up') =>
    wholeInches(lengthOf(value, units), rounding);

  test('round up to whole inches exactly, centimeters too', () => {
    expect(rounded(2.54, 'CM', 'up')).toBe(1);
    expect(rounded(2.5400001, 'CM', 'up')).toBe(2);
    expect(rounded(25.4, 'CM', 'up')).toBe(10);
    expect(rounded(13.1, 'IN', 'up')).toBe(14);
    expect(rounded(13, 'IN', 'up')).toBe(13);
  });

  test('round to the nearest inch, half an inch up, and never to zero', () => {
    expect([12.49, 12.5, 12.51].map((side) => rounded(side, 'IN', 'nearest'))).toEqual([12, 13, 13]);
    expect([31.749, 31.75].map((side) => rounded(side, 'CM', 'nearest'))).toEqual([12, 13]);
    expect(rounded(0.2, 'IN', 'nearest')).toBe(1);
  });

  test('are exact to the thousandth of an inch', () => {
    expect(lengthOf(12.4, 'IN') / inches(1)).toBe(12.4);
    expect(lengthOf(0.001, 'IN')).toBe(254);
    expect(lengthOf(0.00001, 'CM')).toBe(1);
  });
});

describe('volumes', () => {
  const box = (...sides: readonly [number, number, number]): Sides => {
    const [a, b, c] = sides;
    return [lengthOf(a, 'IN'), lengthOf(b, 'IN'), lengthOf(c, 'IN')];
  };

  test('over a factor are exact if the result is whole, and otherwise round up', () => {
    expect(volumeOver([box(13.9, 10, 10)], 139)).toBe(10);
    expect(volumeOver([box(13.901, 10, 10)], 139)).toBe(11);
    expect(volumeOver([box(12.4, 12.4, 12.4)], 139)).toBe(14);
    expect(volumeOver([box(0.001, 0.001, 0.001)], 10_000)).toBe(1);
    // In doubles the quotient is 19.000000000000004.
    expect(volumeOver([box(15.625, 13.205, 12.8)], 139)).toBe(19);
  });

  test('of boxes are added up before they are divided', () => {
    expect(volumeOver([box(13.9, 10, 5), box(13.9, 10, 5)], 139)).toBe(10);
    expect(volumeOver([box(18, 15, 15), box(18, 15, 15)], 139)).toBe(59);
    expect(volumeOver([], 139)).toBe(0);
  });

  test('equal exact arithmetic, whatever the sides', () => {
    const side = fc.integer({ min: 1, max: 999_000 }).map((thousandths) => thousandths / 1_000);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(side, side, side), { maxLength: 5 }),
        fc.integer({ min: 1, max: 400 }),
        (all, factor) => {
          const exact = all
            .reduce((sum, [a, b, c]) => sum.plus(new Big(a).times(b).times(c)), new Big(0))
            .div(factor)
            .round(0, Big.roundUp);
          expect(
            volumeOver(
              all.map(([a, b, c]) => box(a, b, c)),
              factor,
            ),
          ).toBe(Number(exact));
        },
      ),
    );
  });
});

test('money has two decimals', () => {
  expect([0, 5, 10, 100, 1288, -5, 99_999_999].map(dollarText)).toEqual([
    '0.00',
    '0.05',
    '0.10',
    '1.00',
    '12.88',
    '-0.05',
    '999999.99',
  ]);
});
