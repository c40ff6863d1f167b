/** Prices that an operator changed, when the files are imported again. */
import { expect, test } from 'vitest';
import type { CubicTable, RateTable } from '../../src/catalog/tariff/document.ts';
import { mergeCubic, mergeRates } from '../../src/import/decisions.ts';

const rates = (pound: number, ...ounces: readonly (readonly [number, number])[]): RateTable => ({
  columns: ['2'],
  cents: [[pound]],
  ...(ounces.length === 0 ? {} : { ounces: ounces.map(([upToOz, cents]) => ({ upToOz, cents: [cents] })) }),
});

test.each<[string, RateTable, RateTable, RateTable, RateTable]>([
  ['a new price of the files', rates(900, [8, 500]), rates(900, [8, 500]), rates(910, [8, 510]), rates(910, [8, 510])],
  ['a changed price of ounces', rates(900, [8, 500]), rates(900, [8, 444]), rates(910, [8, 510]), rates(910, [8, 444])],
  ['added rows of ounces', rates(900), rates(900, [8, 500]), rates(910), rates(910, [8, 500])],
  ['removed rows of ounces', rates(900, [8, 500]), rates(900), rates(910, [8, 510]), rates(910)],
  ['rows of ounces in a file for the first time', rates(900), rates(900), rates(900, [8, 500]), rates(900, [8, 500])],
])('rates: %s', (_name, base, current, fresh, merged) => {
  expect(mergeRates(base, current, fresh)).toEqual(merged);
});

const cubic = (...tiers: readonly (readonly [number, number])[]): CubicTable => ({
  columns: ['2'],
  tiers: tiers.map(([hundredths, cents]) => ({ hundredths, cents: [cents] })),
});

test.each<[string, CubicTable, CubicTable, CubicTable, CubicTable]>([
  [
    'a changed price',
    cubic([10, 700], [20, 800]),
    cubic([10, 700], [20, 777]),
    cubic([10, 710], [20, 810]),
    cubic([10, 710], [20, 777]),
  ],
  ['other tiers of the operator', cubic([10, 700]), cubic([15, 750]), cubic([10, 710]), cubic([15, 750])],
  ['other tiers of the files', cubic([10, 700]), cubic([10, 700]), cubic([20, 800]), cubic([20, 800])],
])('cubic prices: %s', (_name, base, current, fresh, merged) => {
  expect(mergeCubic(base, current, fresh)).toEqual(merged);
});
