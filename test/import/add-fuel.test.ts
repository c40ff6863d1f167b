import { expect, test } from 'vitest';
import type { TariffFileInput } from '../../src/catalog/tariff/document.ts';
import { addFuel } from '../../src/import/add-fuel.ts';
import { smallTariff } from '../catalog/tariff/small-tariff.ts';

type Rates = string | { from: string; until?: string; rate: string }[];
type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const tariff = (...surcharges: Surcharge[]) => smallTariff({ file: { surcharges } });
const fuel = (rate: Rates): Surcharge => ({
  type: 'FUEL',
  description: 'Fuel',
  amount: { per: 'percent', rate, of: ['BASE'] },
});
const added = (document: ReturnType<typeof tariff>, ...days: [from: string, percent: string][]) => {
  const additions = days.map(([from, percent]) => ({
    carrier: 'Small',
    services: ['GROUND'],
    from,
    percent,
    source: 'here',
  }));
  return addFuel(document, additions, false);
};
const ratesAfter = (rates: Rates, ...days: [from: string, percent: string][]) => {
  const outcome = added(tariff(fuel(rates)), ...days);
  if ('problem' in outcome) return outcome.problem;
  const amount = outcome.document.file.surcharges[0]?.amount;
  return amount?.per === 'percent' ? amount.rate : undefined;
};

test('one rate for all days becomes the first of two', () => {
  expect(ratesAfter('18.5', ['2026-03-02', '20'])).toEqual([
    { from: '2026-01-01', rate: '18.5' },
    { from: '2026-03-02', rate: '20', source: 'here' },
  ]);
});

test('a rate of a fuel surcharge with a longer type is added to it, not beside it', () => {
  const outcome = added(tariff({ ...fuel('18.5'), type: 'FUEL_GROUND' }), ['2026-03-02', '20']);
  expect('problem' in outcome ? outcome.problem : outcome.document.file.surcharges).toMatchObject([
    { type: 'FUEL_GROUND', amount: { rate: [{ rate: '18.5' }, { from: '2026-03-02', rate: '20' }] } },
  ]);
});

test('a table that is not weekly stays open at its end', () => {
  const monthly = [
    { from: '2026-01-01', rate: '18' },
    { from: '2026-02-01', rate: '19' },
  ];
  expect(ratesAfter(monthly, ['2026-03-01', '20'])).toEqual([
    ...monthly,
    { from: '2026-03-01', rate: '20', source: 'here' },
  ]);
  expect(ratesAfter(monthly, ['2026-01-15', '20'])).toBe(
    'here: GROUND already has 18% from 2026-01-01: change it in tariff.json',
  );
});

test('a weekly table has weeks: an open last one ends, and a missed one finds its place', () => {
  const weekly = [
    { from: '2026-01-05', rate: '18' },
    { from: '2026-01-12', rate: '19' },
  ];
  const after = ratesAfter(weekly, ['2026-02-02', '21'], ['2026-01-26', '20']);
  expect(after).toEqual([
    { from: '2026-01-05', rate: '18' },
    { from: '2026-01-12', until: '2026-01-18', rate: '19' },
    { from: '2026-01-26', until: '2026-02-01', rate: '20', source: 'here' },
    { from: '2026-02-02', until: '2026-02-08', rate: '21', source: 'here' },
  ]);
});

test('a first rate may come before the others', () => {
  const weekly = [
    { from: '2026-01-12', rate: '18' },
    { from: '2026-01-19', rate: '19' },
  ];
  expect(ratesAfter(weekly, ['2026-01-05', '17'])).toEqual([
    { from: '2026-01-05', rate: '17', source: 'here' },
    ...weekly,
  ]);
});

test('two rates for one day in one file are refused', () => {
  expect(ratesAfter('18', ['2026-03-02', '20'], ['2026-03-02', '21'])).toBe(
    'here: GROUND already has 20% from 2026-03-02 (here): change it in tariff.json',
  );
});

test('a new surcharge does not apply to charges on fuel', () => {
  const demand: Surcharge = {
    type: 'DEMAND_RESIDENTIAL',
    description: 'Demand',
    amount: { per: 'package', usd: '1.00' },
  };
  const onFuel: Surcharge = {
    type: 'LEVY',
    description: 'Levy',
    amount: { per: 'percent', rate: '1', of: ['BASE', 'FUEL'] },
  };
  const outcome = added(tariff(demand, onFuel), ['2026-03-02', '20']);
  const entry = 'document' in outcome ? outcome.document.file.surcharges.at(-1) : undefined;
  expect(entry).toMatchObject({ type: 'FUEL', services: ['GROUND'], amount: { of: ['BASE', 'DEMAND_RESIDENTIAL'] } });
});

test.each<[string, Surcharge[], string]>([
  ['ends before', [{ ...fuel('18'), until: '2026-02-01' }], 'here: the fuel surcharge of GROUND ends on 2026-02-01'],
  [
    'is no percentage',
    [{ ...fuel('18'), amount: { per: 'package', usd: '1.00' } }],
    'here: the fuel surcharge of GROUND is not a percentage: change it in tariff.json',
  ],
  [
    'is one of two',
    [fuel('18'), { ...fuel('19'), description: 'More' }],
    'here: GROUND has 2 fuel surcharges: change the one you mean in tariff.json',
  ],
])('refuses a surcharge that %s', (_what, surcharges, problem) => {
  expect(added(tariff(...surcharges), ['2026-03-02', '20'])).toEqual({ problem });
});

test('a surcharge on services of two carriers is to be split', () => {
  const document = tariff(fuel('18'));
  const [ground] = document.file.services;
  if (ground === undefined) throw new Error('no service');
  const services = [ground, { ...ground, code: 'OTHER', carrier: 'Other' }];
  expect(added({ ...document, file: { ...document.file, services } }, ['2026-03-02', '20'])).toEqual({
    problem: 'here: the fuel surcharge of GROUND also applies to OTHER: split it by carrier in tariff.json',
  });
});
