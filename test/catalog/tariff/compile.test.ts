import { expect, test } from 'vitest';
import { compileTariff } from '../../../src/catalog/tariff/compile.ts';
import { chartedTariff, smallTariff, TEN_POUNDS } from './small-tariff.ts';

test.each([
  ['no rate table', { rates: {} }, 'rates/GROUND.csv is missing'],
  [
    'a rate row that lacks a cell',
    { rates: { GROUND: { ...TEN_POUNDS, cents: [[1_000, 2_000], [1_100]] } } },
    'rates/GROUND.csv row 3 has 1 cells for 2 columns',
  ],
  [
    'a per_lb row that lacks a cell',
    { rates: { GROUND: { ...TEN_POUNDS, centsPerLbAboveTop: [90] } } },
    'rates/GROUND.csv row per_lb has 1 cells for 2 columns',
  ],
])('does not compile a damaged tariff with %s', (_what, document, message) => {
  expect(() => compileTariff(smallTariff({ document }))).toThrow(message);
});

test('does not compile a chart without the service’s column', () => {
  const charts = { small: { columns: ['other'], rows: [] } };
  expect(() => compileTariff(chartedTariff({ document: { charts } }))).toThrow('zones/small.csv has no column zone');
});
