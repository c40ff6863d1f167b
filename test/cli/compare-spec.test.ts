/** `--against SPEC` as scenarios, and what is wrong with bad ones. */
import { expect, test } from 'vitest';
import { readSpec } from '../../src/cli/compare/compare-scenarios.ts';
import { processorMs } from '../processor-time.ts';

test.each([
  ['service=C1-GROUND', { service: 'C1-GROUND' }],
  ['2026 rates: tariff=ups-2026; service=cheapest', { name: '2026 rates', tariff: 'ups-2026', service: 'cheapest' }],
  ['  Tariff = ups-2026 , fedex-2026 ;', { tariff: ['ups-2026', 'fedex-2026'] }],
  ['tariff=./2026', { tariff: './2026' }],
  ['tariff=C:/rates', { tariff: 'C:/rates' }],
  ['agreement=none', { agreement: 'none' }],
  ['discounts=C1-GROUND 35, C2-GROUND  20.5 %', { discounts: { 'C1-GROUND': 35, 'C2-GROUND': 20.5 } }],
  [
    'map=C2-GROUND>C1-GROUND, C1-EXPRESS > C1-GROUND',
    {
      serviceMap: { 'C2-GROUND': 'C1-GROUND', 'C1-EXPRESS': 'C1-GROUND' },
    },
  ],
  ['carrier=C1; warehouse=103', { carrier: 'C1', warehouse: 103 }],
  ['warehouse=any', { warehouse: 'any' }],
  ['warehouse=101 | 103', { warehouse: [101, 103] }],
  ['ship-date=2027-01-15', { shipDate: '2027-01-15' }],
  ['divisor=166', { dimensionalFactor: 166 }],
  ['divisor=C1-GROUND 166', { dimensionalFactor: { 'C1-GROUND': 166 } }],
  ['fuel=18.5', { fuel: 18.5 }],
  ['fuel=18.5 %', { fuel: 18.5 }],
  ['fuel=18.5%; service=C1-GROUND', { fuel: 18.5, service: 'C1-GROUND' }],
  ['fuel=2DAY 18.5, GROUND 20', { fuel: { '2DAY': 18.5, GROUND: 20 } }],
  ['nothing:', { name: 'nothing' }],
])('%s', (spec, scenario) => {
  expect(readSpec(spec)).toEqual(scenario);
});

test.each([
  ['', '', 'is empty: write key=value. The keys are tariff, agreement,'],
  ['all to ground', '', 'has no key "all to ground": the keys are tariff, agreement, discounts, service, map,'],
  ['servise=C1-GROUND', '', 'has no key "servise"'],
  [`${'x'.repeat(100)}=1`, '', `has no key "${'x'.repeat(40)}…"`],
  ['__proto__=1', '', 'has no key "__proto__"'],
  ['constructor=1', '', 'has no key "constructor"'],
  ['service=', 'service', 'needs a value, such as service=C1-GROUND or cheapest'],
  ['service', 'service', 'needs a value'],
  ['service=A; service=B', 'service', 'occurs twice: remove one'],
  ['discounts=35', 'discounts', 'cannot be read: "35" must be a service, a space and a number'],
  ['discounts=C1-GROUND x', 'discounts', 'cannot be read: "x" is not a number. Write it as discounts=C1-GROUND 35'],
  ['discounts=C1-GROUND 1, C1-GROUND 2', 'discounts', 'cannot be read: C1-GROUND comes twice'],
  ['discounts=C1-GROUND -5', 'discounts', 'cannot be read: "-5" is not a number'],
  ['discounts=C1-GROUND 1e1', 'discounts', 'cannot be read: "1e1" is not a number'],
  ['map=C1-GROUND', 'map', 'cannot be read: "C1-GROUND" must be two services with > between'],
  ['map=A>B>C', 'map', 'cannot be read: "A>B>C" must be two services'],
  ['warehouse=Newark', 'warehouse', 'cannot be read: "Newark" is not the id of a warehouse'],
  ['warehouse=101|', 'warehouse', 'cannot be read: "" is not the id of a warehouse'],
  ['fuel=1.2.3', 'fuel', 'cannot be read: "1.2.3" is not a number'],
  ['fuel=high', 'fuel', 'cannot be read: "high" must be a service, a space and a number'],
])('%s is refused', (spec, key, message) => {
  expect(readSpec(spec)).toEqual([{ key, message: expect.stringContaining(message) }]);
});

test('names all problems', () => {
  expect(readSpec('x: tarif=a; fuel=; warehouse=b')).toEqual([
    { key: '', message: expect.stringContaining('"tarif"') },
    { key: 'fuel', message: expect.stringContaining('needs a value') },
    { key: 'warehouse', message: expect.stringContaining('"b"') },
  ]);
});

test.each([
  ['spaces', ' '.repeat(1e6), '', 'is empty'],
  ['digits', `fuel=${'1'.repeat(1e6)}`, 'fuel', 'cannot be read'],
  ['commas', 'a,'.repeat(5e5), '', 'has no key'],
  ['arrows', `map=${'>'.repeat(1e6)}`, 'map', 'cannot be read'],
])('a million %s are refused in time that grows with their number', (_what, text, key, message) => {
  const cost = processorMs();
  const problems = readSpec(text);
  expect(processorMs() - cost).toBeLessThan(1_000);
  expect(problems).toEqual([{ key, message: expect.stringContaining(message) }]);
});
