import { expect, test } from 'vitest';
import { compileTariff } from '../../src/tariff/compile.ts';
import { chartedTariff, smallTariff, TEN_POUNDS } from './small-tariff.ts';

test.each([
  ['no rate table', { rates: {} }, 'rates/GROUND.csv is missing'],
  [
    'a rate row with a cell too few',
    { rates: { GROUND: { ...TEN_POUNDS, cents: [[1_000, 2_000], [1_100]] } } },
    'rates/GROUND.csv row 3 has 1 cells for 2 columns',
  ],
  [
    'a row above the top with a cell too few',
    { rates: { GROUND: { ...TEN_POUNDS, centsPerLbAboveTop: [90] } } },
    'rates/GROUND.csv row per_lb has 1 cells for 2 columns',
  ],
])('a damaged tariff with %s does not compile: its weights do not read as not served', (_what, document, message) => {
  expect(() => compileTariff(smallTariff({ document }))).toThrow(message);
});

test('a chart without the service’s column does not compile', () => {
  const charts = { small: { columns: ['other'], rows: [] } };
  expect(() => compileTariff(chartedTariff({ document: { charts } }))).toThrow('zones/small.csv has no column zone');
});
