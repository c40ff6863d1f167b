import { describe, expect, test } from 'vitest';
import { diffTariffs, percentChange } from '../../../src/catalog/tariff/diff/diff.ts';
import type { RateTable, ZoneChart } from '../../../src/catalog/tariff/document.ts';
import { oneColumn, smallTariff, TEN_POUNDS } from './small-tariff.ts';

const withRates = (table: RateTable) => smallTariff({ document: { rates: { GROUND: table } } });

const withChart = (...rows: [origin: string, destination: string, zone: string][]) => {
  const chart: ZoneChart = {
    columns: ['ground'],
    rows: rows.map(([origin, destination, zone]) => ({ origin, destination, zones: [zone] })),
  };
  return smallTariff({ document: { charts: { own: chart } } });
};

test('finds no difference between a tariff and itself', () => {
  expect(diffTariffs(smallTariff(), smallTariff())).toEqual([]);
});

test('rounds a percentage half up to a hundredth, with a sign', () => {
  expect(percentChange(1_000, 1_059)).toBe('+5.90%');
  expect(percentChange(800, 801)).toBe('+0.13%');
  expect(percentChange(1_599, 1_500)).toBe('-6.19%');
});

describe('rates', () => {
  test('shows changed rates with both prices and the percentage', () => {
    expect(diffTariffs(withRates(oneColumn('2', 1_000, 1_250)), withRates(oneColumn('2', 1_000, 1_200)))).toEqual([
      { change: 'changed', at: 'rates/GROUND.csv row 2 column 2', before: '12.50', after: '12.00', percent: '-4.00%' },
    ]);
  });

  test('shows added and removed rates with one price', () => {
    expect(diffTariffs(withRates(oneColumn('2', 1_000)), withRates(oneColumn('3', 1_100)))).toEqual([
      { change: 'removed', at: 'rates/GROUND.csv row 1 column 2', before: '10.00' },
      { change: 'added', at: 'rates/GROUND.csv row 1 column 3', after: '11.00' },
    ]);
  });

  test('shows the prices per pound above the table as a separate row', () => {
    const above = { ...TEN_POUNDS, centsPerLbAboveTop: [80, 90] };
    const raised = { ...TEN_POUNDS, centsPerLbAboveTop: [80, 99] };
    expect(diffTariffs(withRates(above), withRates(raised))).toEqual([
      {
        change: 'changed',
        at: 'rates/GROUND.csv row per_lb column 8',
        before: '0.90',
        after: '0.99',
        percent: '+10.00%',
      },
    ]);
  });
});

test('shows changes of rows of ounces and of cubic prices', () => {
  const priced = (ounces: number, volume: number) =>
    smallTariff({
      document: {
        rates: { GROUND: { ...oneColumn('2', 1_000), ounces: [{ upToOz: 15.999, cents: [ounces] }] } },
        cubic: { GROUND: { columns: ['2'], tiers: [{ hundredths: 10, cents: [volume] }] } },
      },
    });
  const changes = diffTariffs(priced(800, 900), priced(880, 990));
  expect(changes.map(({ at, before, after, percent }) => [at, before, after, percent])).toEqual([
    ['rates/GROUND.csv row 15.999 oz column 2', '8.00', '8.80', '+10.00%'],
    ['cubic/GROUND.csv row 0.10 column 2', '9.00', '9.90', '+10.00%'],
  ]);
});

describe('zone charts', () => {
  test('finds no difference between charts that have the same zones in other rows', () => {
    const wide = withChart(['070', '100-102', '2']);
    const narrow = withChart(['070', '100', '2'], ['070', '10100-10299', '2']);
    expect(diffTariffs(wide, narrow)).toEqual([]);
  });

  test('compares ZIP code by ZIP code, and joins runs of the same change', () => {
    const before = withChart(['070', '100-102', '2']);
    const after = withChart(['070', '100-102', '2'], ['070', '10150-10299', '3'], ['070', '103', '']);
    expect(diffTariffs(before, after)).toEqual([
      {
        change: 'changed',
        at: 'zones/own.csv origin 070 destination 10150-10299 column ground',
        before: '2',
        after: '3',
      },
      { change: 'added', at: 'zones/own.csv origin 070 destination 103 column ground', after: 'none' },
    ]);
  });

  test('shows all zones of a removed origin', () => {
    expect(
      diffTariffs(withChart(['070', '100', '2'], ['850', '100-101', '5']), withChart(['070', '100', '2'])),
    ).toEqual([{ change: 'removed', at: 'zones/own.csv origin 850 destination 100-101 column ground', before: '5' }]);
  });
});

test('compares settings by service and surcharge, in any order of the list', () => {
  const fuel = (rate: string) => ({
    type: 'FUEL',
    description: 'Fuel',
    amount: { per: 'percent' as const, rate, of: ['BASE'] },
  });
  const handling = { type: 'HANDLING', description: 'Handling', amount: { per: 'package' as const, usd: '3.00' } };
  const before = smallTariff({ file: { surcharges: [fuel('18.50'), handling] }, service: { maximumActualLb: 150 } });
  const after = smallTariff({ file: { surcharges: [handling, fuel('19.00')] }, service: { maximumActualLb: 70 } });
  expect(diffTariffs(before, after)).toEqual([
    { change: 'changed', at: 'tariff.json service GROUND.maximumActualLb', before: '150', after: '70' },
    { change: 'changed', at: 'tariff.json surcharge FUEL "Fuel".amount.rate', before: '18.50', after: '19.00' },
  ]);
});

test('compares areas by ZIP code', () => {
  const withAreas = (tier: string) =>
    smallTariff({ document: { areas: { remote: { rows: [{ zip: '99501', tier }] } } } });
  expect(diffTariffs(withAreas('far'), withAreas('farther'))).toEqual([
    { change: 'changed', at: 'areas/remote.csv 99501', before: 'far', after: 'farther' },
  ]);
});
