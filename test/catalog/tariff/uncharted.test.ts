import { expect, test } from 'vitest';
import { compileTariff } from '../../../src/catalog/tariff/compile.ts';
import { unchartedFor, unchartedText } from '../../../src/catalog/tariff/coverage.ts';
import { chartedTariff, smallTariff, TEN_POUNDS } from './small-tariff.ts';

const at = (postalCode: string, countryCode = 'US') => ({ postalCode, countryCode });

test('reports a warehouse that no chart of a carrier has, with the carrier and its services', () => {
  const cards = compileTariff(chartedTariff());
  expect(unchartedFor(cards, at('07001'))).toEqual([]);
  const [estimated, ...more] = unchartedFor(cards, at('60601'));
  expect(more).toEqual([]);
  expect(estimated).toEqual({ carrier: 'Small', services: ['GROUND'], allServices: true, zones: 'estimated' });
  expect(estimated && unchartedText(estimated)).toBe(
    'Small has no zone chart for this origin; zones are estimated from the distance',
  );
});

test('reports an origin without estimates as unreached', () => {
  const cards = compileTariff(chartedTariff());
  const [barred] = unchartedFor(cards, at('96701'));
  expect(barred).toEqual({ carrier: 'Small', services: ['GROUND'], allServices: true, zones: 'unreached' });
  expect(barred && unchartedText(barred)).toBe(
    'Small has no zone chart for this origin; nothing can be quoted from there',
  );
});

test('names the services if the carrier has others with a chart', () => {
  const { file, ...document } = chartedTariff();
  const [ground] = file.services;
  if (ground === undefined) throw new Error('no service');
  const air = { ...ground, code: 'AIR', zones: { distanceMiles: [500] } };
  const cards = compileTariff({
    ...document,
    file: { ...file, services: [ground, air] },
    rates: { GROUND: TEN_POUNDS, AIR: TEN_POUNDS },
  });
  const [estimated] = unchartedFor(cards, at('60601'));
  expect(estimated && unchartedText(estimated)).toMatch(/^Small \(GROUND\) has no zone chart/);
});

test('does not report services whose zones are defined by distance, or warehouses abroad', () => {
  expect(unchartedFor(compileTariff(smallTariff()), at('60601'))).toEqual([]);
  expect(unchartedFor(compileTariff(chartedTariff()), at('64000', 'MX'))).toEqual([]);
});
