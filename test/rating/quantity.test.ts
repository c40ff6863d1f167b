import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { basisPoints, billedPounds, dollarText, massOf, percentOf, wholeInches } from '../../src/rating/quantity.ts';

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

test('a percentage is exact and rounds half up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), fc.integer({ min: 0, max: 99_999 }), (amount, rate) => {
      const exact = new Big(amount).times(rate).div(10_000).round(0, Big.roundHalfUp);
      expect(percentOf(amount, basisPoints(rate))).toBe(Number(exact));
    }),
    { numRuns: 5_000 },
  );
});

test('centimetres round up to whole inches exactly', () => {
  expect(wholeInches(2.54, 'CM')).toBe(1);
  expect(wholeInches(2.5400001, 'CM')).toBe(2);
  expect(wholeInches(25.4, 'CM')).toBe(10);
  expect(wholeInches(13.1, 'IN')).toBe(14);
});

test('money has two decimals', () => {
  expect([0, 5, 100, 1288, -5, 99_999_999].map(dollarText)).toEqual([
    '0.00',
    '0.05',
    '1.00',
    '12.88',
    '-0.05',
    '999999.99',
  ]);
});
