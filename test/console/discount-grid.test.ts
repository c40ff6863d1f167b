import { expect, test } from 'vitest';
import { type DiscountLine, gridsOf } from '../../src/console/agreements/discount-grid.ts';
import { changesText } from '../../src/console/agreements/words.ts';

const LINE: DiscountLine = {
  ...{ discount: 'Incentive', betterOf: null, services: ['GROUND'], zones: null, fromLb: 1, toLb: null },
  ...{ address: 'any', billing: null, appliesTo: 'both', tier: null, percent: 10, usd: null, counts: true },
};

test('bands of different columns are cut where any of them begins or ends', () => {
  const [grid, ...others] = gridsOf([
    { ...LINE, address: 'commercial', toLb: 5, percent: 4 },
    { ...LINE, address: 'commercial', fromLb: 8, percent: 9 },
    { ...LINE, address: 'residential', toLb: 10, percent: 2 },
  ]);
  expect(others).toEqual([]);
  expect(grid?.columns.map(({ address }) => address)).toEqual(['commercial', 'residential']);
  expect(grid?.rows.map(({ fromLb, toLb, offs }) => [fromLb, toLb, offs])).toEqual([
    [1, 5, ['4%', '2%']],
    [6, 7, [null, '2%']],
    [8, 10, ['9%', '2%']],
    [11, null, ['9%', null]],
  ]);
});

test('services with the same columns share a table, others have one of their own', () => {
  const grids = gridsOf([
    { ...LINE, zones: ['2-8'] },
    { ...LINE, services: ['2DAY'], zones: ['202-208'] },
    { ...LINE, services: ['SAVER'], zones: ['2-8'], percent: 0, usd: 0.5 },
    { ...LINE, discount: 'Other', services: null, percent: -1.25 },
  ]);
  expect(grids.map(({ discount, rows }) => [discount, rows.map(({ services, offs }) => [services, offs])])).toEqual([
    [
      'Incentive',
      [
        [['GROUND'], ['10%']],
        [['SAVER'], ['$0.50']],
      ],
    ],
    ['Incentive', [[['2DAY'], ['10%']]]],
    ['Other', [[null, ['1.25% more']]]],
  ]);
});

test('a grid of zones has each zone in one column, also where lines unite zones of one percentage', () => {
  const band = (fromLb: number, toLb: number, ...zones: readonly (readonly [readonly string[], number])[]) =>
    zones.map(([own, percent]) => ({ ...LINE, fromLb, toLb, zones: [...own], percent }));
  const grids = gridsOf([
    ...band(1, 5, [['2-8'], 20], [['44'], 10]),
    ...band(6, 10, [['2-4', '8'], 21], [['5-7'], 22], [['44'], 10]),
    ...band(11, 20, [['2-3'], 23], [['4-8', '44'], 24]),
    ...band(1, 20, [['2-8', '44'], 30]).map((line) => ({ ...line, services: ['SAVER'] })),
  ]);
  expect(grids).toHaveLength(1);
  expect(grids[0]?.columns.map(({ zones, isRest }) => [zones, isRest])).toEqual(
    [['2-3'], ['4'], ['5-7'], ['8'], ['44']].map((zones) => [zones, false]),
  );
  expect(grids[0]?.rows.map(({ services, fromLb, offs }) => [services?.[0], fromLb, ...offs])).toEqual([
    ['GROUND', 1, '20%', '20%', '20%', '20%', '10%'],
    ['GROUND', 6, '21%', '21%', '22%', '21%', '10%'],
    ['GROUND', 11, '23%', '24%', '24%', '24%', '24%'],
    ['SAVER', 1, '30%', '30%', '30%', '30%', '30%'],
  ]);
});

test('a line for all zones fills each column, and another column has the zones that no line names', () => {
  const [grid] = gridsOf([
    { ...LINE, toLb: 5, percent: 1 },
    { ...LINE, fromLb: 6, zones: ['2-4', 'Alaska'], percent: 2 },
    { ...LINE, fromLb: 6, zones: ['5'], percent: 3 },
  ]);
  expect(grid?.columns.map(({ zones, isRest }) => [zones, isRest])).toEqual([
    [['2-4'], false],
    [['5'], false],
    [['Alaska'], false],
    [null, true],
  ]);
  expect(grid?.rows.map(({ offs }) => offs)).toEqual([
    ['1%', '1%', '1%', '1%'],
    ['2%', '3%', '2%', null],
  ]);
});

test('changes that follow each other, and those for other zones, are told apart', () => {
  expect(changesText(['20.00% off', 'at most $210.00'])).toBe('20% off, then at most $210.00');
  expect(changesText(['12.50% off in zones 2-4', 'waived in zone 44'])).toBe(
    '12.5% off in zones 2-4; waived in zone 44',
  );
});
