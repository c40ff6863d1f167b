import { expect, test } from 'vitest';
import { afterChanges } from '../../../src/rating/terms.ts';

const offBy = (value: number) => ({
  byColumn: new Int32Array(1),
  changes: [{ kind: 'percent off' as const, value, source: 'acme/surcharges.csv row 2' }],
});

test.each([
  { list: 2650, off: 2500, left: 1988, text: '25% off 26.50% is 19.875%' },
  { list: 2775, off: 2500, left: 2081, text: '25% off 27.75% is 20.8125%' },
  { list: 2650, off: 10_000, left: 0, text: '100% off is nothing' },
  { list: 2650, off: 0, left: 2650, text: '0% off changes nothing' },
])('a percentage after a percentage off is rounded half up: $text', ({ list, off, left }) => {
  expect(afterChanges(offBy(off), 0, list, true)).toBe(left);
});

test('what a percentage takes off an amount is rounded half up: 35% of 6.50 is 2.275', () => {
  expect(afterChanges(offBy(3500), 0, 650)).toBe(422);
});
