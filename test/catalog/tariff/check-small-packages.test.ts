/** Checks of rows of ounces and of cubic prices. */
import { expect, test } from 'vitest';
import { checkTariff } from '../../../src/catalog/tariff/check/check.ts';
import { smallTariff, TEN_POUNDS } from './small-tariff.ts';

type Prices = readonly (number | null)[];

const findings = (parts: Parameters<typeof smallTariff>[0]) =>
  checkTariff(smallTariff(parts)).map(({ severity, at, message }) => `${severity} ${at}: ${message}`);

/** 1 lb costs 10.00 to zone 2 and 20.00 to zone 8. */
const withOunces = (...rows: readonly Prices[]) =>
  findings({
    service: { maximumActualLb: 10 },
    document: {
      rates: {
        GROUND: { ...TEN_POUNDS, ounces: rows.map((cents, at) => ({ upToOz: [4, 8, 15.999][at] ?? 0, cents })) },
      },
    },
  });

test.each<[string, readonly Prices[], readonly string[]]>([
  [
    'prices that rise to the pound',
    [
      [500, 1_000],
      [600, 1_100],
      [700, 1_200],
    ],
    [],
  ],
  [
    'the price of the pound',
    [
      [500, 1_000],
      [600, 1_100],
      [1_000, 2_000],
    ],
    [],
  ],
  [
    'a price that falls',
    [
      [500, 1_000],
      [499, 1_100],
      [700, 1_200],
    ],
    ['warning rates/GROUND.csv row 3 column 2: 8 oz costs less than 4 oz'],
  ],
  [
    'a price that does not rise',
    [
      [500, 1_000],
      [500, 1_100],
      [700, 1_200],
    ],
    ['warning rates/GROUND.csv row 3 column 2: 8 oz costs the same as 4 oz'],
  ],
  [
    'ounces dearer than the pound',
    [
      [500, 1_000],
      [600, 1_100],
      [1_001, 1_200],
    ],
    ['warning rates/GROUND.csv row 4 column 2: 15.999 oz cost 10.01, but 1 lb costs 10.00'],
  ],
  [
    'a gap',
    [
      [500, 1_000],
      [null, 1_100],
      [700, 1_200],
    ],
    ['error rates/GROUND.csv row 3 column 2: is empty, but there are prices for more than 8 oz'],
  ],
  [
    'a price of nothing',
    [
      [500, 0],
      [600, 1_100],
      [700, 1_200],
    ],
    ['error rates/GROUND.csv row 2 column 8: 0.00 is not a price; leave the cell empty if there is no rate'],
  ],
  [
    'a column without ounces',
    [
      [500, null],
      [600, null],
      [700, null],
    ],
    ['error rates/GROUND.csv row 4 column 8: is empty, but there is a rate for 1 lb: state the price of 15.999 oz'],
  ],
])('ounces: %s', (_name, rows, expected) => {
  expect(withOunces(...rows)).toEqual(expected);
});

test('a problem of a pound names its row below the rows of ounces', () => {
  const cents = TEN_POUNDS.cents.map((row, at) => (at === 2 ? [1_050, 2_400] : row));
  const ounces = [{ upToOz: 8, cents: [600, 700] }];
  expect(
    findings({ service: { maximumActualLb: 10 }, document: { rates: { GROUND: { ...TEN_POUNDS, cents, ounces } } } }),
  ).toEqual(['warning rates/GROUND.csv row 5 column 2: 3 lb costs less than 2 lb']);
});

test('one price for all weights is a flat rate, not a mistake', () => {
  const flat = { columns: ['2', '8'], cents: TEN_POUNDS.cents.map(() => [1_000, 2_000]) };
  expect(findings({ service: { maximumActualLb: 10 }, document: { rates: { GROUND: flat } } })).toEqual([]);
});

const withTiers = (columns: readonly string[], ...rows: readonly Prices[]) =>
  findings({
    service: { maximumActualLb: 10, cubic: { maximumActualLb: 20, maximumLengthIn: 18 } },
    document: {
      cubic: { GROUND: { columns, tiers: rows.map((cents, at) => ({ hundredths: 10 * (at + 1), cents })) } },
    },
  });

test.each<[string, readonly string[], readonly Prices[], readonly string[]]>([
  [
    'prices that rise',
    ['2', '8'],
    [
      [800, 900],
      [810, 910],
    ],
    [],
  ],
  ['a zone without cubic prices', ['2'], [[800], [810]], []],
  [
    'a column that the rates do not have',
    ['2', '3'],
    [
      [800, 900],
      [810, 910],
    ],
    ['error cubic/GROUND.csv column 3: is not a column of the rate table'],
  ],
  ['a column twice', ['2', '2'], [[800, 900]], ['error cubic/GROUND.csv: has a column twice']],
  ['an empty column', ['2', '8'], [[800, null]], ['error cubic/GROUND.csv column 8: has no prices']],
  [
    'a price that falls',
    ['2'],
    [[800], [799]],
    ['warning cubic/GROUND.csv row 3 column 2: 0.20 cubic feet costs less than 0.10 cubic feet'],
  ],
  [
    'a gap',
    ['2'],
    [[800], [null], [820]],
    ['error cubic/GROUND.csv row 3 column 2: is empty, but there are prices for more than 0.20 cubic feet'],
  ],
])('volume: %s', (_name, columns, rows, expected) => {
  expect(withTiers(columns, ...rows)).toEqual(expected);
});
