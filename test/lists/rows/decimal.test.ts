/** Decimal numbers: reading, and exact sums and conversions. */
import { describe, expect, test } from 'vitest';
import { type Decimal, decimalText, PLAIN, readDecimal, scaled, sum } from '../../../src/lists/rows/decimal.ts';

const decimal = (digits: bigint, places: number): Decimal => ({ digits, places });

describe('reading', () => {
  test.each<[string, bigint, number]>([
    ['0', 0n, 0],
    ['2', 2n, 0],
    ['2.5', 25n, 1],
    ['2.', 2n, 0],
    ['.5', 5n, 1],
    ['2,5', 25n, 1],
    ['2,25', 225n, 2],
    ['2,2500', 22_500n, 4],
    ['0,125', 125n, 3],
    ['1.200', 1_200n, 3],
    ['007', 7n, 0],
    ['123456789012345', 123_456_789_012_345n, 0],
    ['1234567890.12345', 123_456_789_012_345n, 5],
  ])('%s', (text, digits, places) => {
    expect(readDecimal(text)).toEqual(decimal(digits, places));
  });

  // A comma before three digits may separate thousands. A decimal comma needs digits on both sides.
  test.each([
    '',
    '.',
    ',',
    '1,200',
    '12,345',
    ',5',
    '2,',
    '-1',
    '+1',
    '1e3',
    '1.2.3',
    'x1',
    '1x',
    ' 1',
    '1234567890123456',
    '1.234567890123456',
  ])('not %j', (text) => {
    expect(readDecimal(text)).toBeUndefined();
  });

  test.each(['0', '12', '1.', '1.5', '.5'])('%s has the form of a request’s numbers', (text) => {
    expect(PLAIN.test(text)).toBe(true);
  });
  test.each(['', '.', '1,5', '-1', '+1', '1e3', '1.2.3', ' 1', '1 '])('%j is not', (text) => {
    expect(PLAIN.test(text)).toBe(false);
  });
});

describe('writing', () => {
  test.each<[bigint, number, string | undefined]>([
    [0n, 0, '0'],
    [0n, 3, '0'],
    [5n, 0, '5'],
    [50n, 0, '50'],
    [50n, 1, '5'],
    [25n, 1, '2.5'],
    [2_500n, 3, '2.5'],
    [25n, 2, '0.25'],
    [25n, 4, '0.0025'],
    [1_005n, 3, '1.005'],
    [100_000_000_000_000n, 0, '100000000000000'],
    // A double holds fifteen digits, not counting leading zeros.
    [123_456_789_012_345n, 20, '0.00000123456789012345'],
    [1_234_567_890_123_450n, 5, '12345678901.2345'],
    [1_234_567_890_123_456n, 5, undefined],
    [1_000_000_000_000_000n, 0, undefined],
  ])('%d with %d places is %s', (digits, places, text) => {
    expect(decimalText(decimal(digits, places))).toBe(text);
  });
});

test('scales a number by a factor and by places', () => {
  expect(scaled(decimal(12n, 0), 625n, 4)).toEqual(decimal(7_500n, 4));
  expect(scaled(decimal(15n, 1), 1n, 3)).toEqual(decimal(15n, 4));
});

test('adds numbers with different places', () => {
  expect(sum(decimal(25n, 1), decimal(125n, 2))).toEqual(decimal(375n, 2));
  expect(sum(decimal(125n, 2), decimal(25n, 1))).toEqual(decimal(375n, 2));
  expect(sum(decimal(1n, 0), decimal(2n, 0))).toEqual(decimal(3n, 0));
});
