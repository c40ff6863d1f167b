import { expect, test } from 'vitest';
import {
  fuelEndsNow,
  fuelEndText,
  fuelFindings,
  fuelSecondsLeft,
} from '../../../src/catalog/tariff/check/fuel-ends.ts';
import type { TariffFileInput } from '../../../src/catalog/tariff/document.ts';
import { fuelOn, recentFuel } from '../../../src/catalog/tariff/fuel.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { completeTariff } from './complete-tariff.ts';
import { smallTariff } from './small-tariff.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];
type Rate = Extract<Surcharge['amount'], { per: 'percent' }>['rate'];

const fuel = (rate: Rate, more: Partial<Surcharge> = {}): Surcharge => ({
  type: 'FUEL',
  description: 'Fuel',
  amount: { per: 'percent', rate, of: ['BASE'] },
  ...more,
});
const on = (day: string, ...surcharges: Surcharge[]) => fuelOn(smallTariff({ file: { surcharges } }), 'GROUND', day);

test('the last of several rates without a gap says until when fuel is known', () => {
  const rates = fuel([
    { from: '2026-06-08', until: '2026-06-14', rate: '25.5' },
    { from: '2026-06-01', rate: '26' },
  ]);
  expect(on('2026-05-31', rates)).toEqual({ isCharged: false, nextDay: '2026-06-01' });
  expect(on('2026-06-01', rates)).toEqual({ isCharged: true, percent: '26', lastDay: '2026-06-14' });
  expect(on('2026-06-14', rates)).toEqual({ isCharged: true, percent: '25.5', lastDay: '2026-06-14' });
  expect(on('2026-06-15', rates)).toEqual({ isCharged: false, lastDay: '2026-06-14' });
});

test('a gap ends fuel, and the next rate is known', () => {
  const [first, second] = [
    fuel('26', { from: '2026-06-01', until: '2026-06-07' }),
    fuel('25', { from: '2026-06-15', until: '2026-06-21' }),
  ];
  expect(on('2026-06-03', first, second)).toEqual({ isCharged: true, percent: '26', lastDay: '2026-06-07' });
  expect(on('2026-06-10', first, second)).toEqual({
    isCharged: false,
    lastDay: '2026-06-07',
    nextDay: '2026-06-15',
  });
});

test('periods of several surcharges continue each other', () => {
  const [first, second] = [fuel('26', { until: '2026-06-07' }), fuel('25', { from: '2026-06-08' })];
  expect(on('2026-06-03', first, second)).toEqual({ isCharged: true, percent: '26' });
});

test('a rate without an end has none, and fuel of other services does not count', () => {
  expect(on('2026-06-03', fuel('26'))).toEqual({ isCharged: true, percent: '26' });
  expect(on('2026-06-03', fuel([{ from: '2026-01-01', rate: '26' }]))).toEqual({ isCharged: true, percent: '26' });
  expect(on('2026-06-03', fuel('26', { services: ['AIR'] }))).toEqual({ isCharged: false });
  expect(on('2026-06-03')).toEqual({ isCharged: false });
});

test('fuel that ends is found a week before, and after it has ended', () => {
  const found = (day: string) => fuelFindings(completeTariff(), day);
  expect(found('2026-06-06')).toEqual([]);
  expect(found('2026-06-07')).toEqual([
    {
      severity: 'warning',
      at: 'tariff.json surcharges',
      message: 'fuel of Small has no rate after 2026-06-14. Add the next rates: rates tariff fuel add',
    },
  ]);
  expect(found('2026-06-15').map(({ message }) => message)).toEqual([
    'fuel of Small ended on 2026-06-14: prices for later ship dates use its last rate. Add the next rates: rates tariff fuel add',
  ]);
});

test('a gap is still reported if fuel begins again later', () => {
  expect(
    fuelEndText({
      carrier: 'A',
      services: ['B'],
      allServices: false,
      lastDay: '2026-06-14',
      hasEnded: true,
      carries: false,
      nextDay: '2026-06-22',
    }),
  ).toBe(
    'fuel of A (B) ended on 2026-06-14: prices for later ship dates before 2026-06-22 have no fuel. Add the next rates: rates tariff fuel add',
  );
});

test('a service that charges no fuel is not reported', () => {
  expect(fuelFindings(completeTariff({ service: { hasNo: ['fuel'] } }), '2026-06-15')).toEqual([]);
  expect(fuelFindings(smallTariff(), '2026-06-15')).toEqual([]);
});

test('the seconds that are left are counted from the beginning of the day, in the tariff’s time zone', () => {
  const schedule = scheduleOf([completeTariff()]);
  const left = (instant: string) => fuelSecondsLeft(schedule, new Date(instant)).map(({ seconds }) => seconds);
  expect(fuelSecondsLeft(schedule, new Date('2026-06-12T12:00:00Z'))).toEqual([
    { carrier: 'Small', service: 'GROUND', seconds: 3 * 86_400 },
  ]);
  expect(left('2026-06-15T03:59:59Z')).toEqual([86_400]);
  expect(left('2026-06-15T04:00:00Z')).toEqual([0]);
  expect(left('2026-06-17T04:00:00Z')).toEqual([-2 * 86_400]);
});

test('the last rates are listed newest first, and services with the same ones share them', () => {
  const rates = fuel([
    { from: '2026-06-01', rate: '26' },
    { from: '2026-06-15', rate: '24' },
    { from: '2026-06-08', rate: '25' },
  ]);
  const document = smallTariff({ file: { surcharges: [rates] } });
  expect(recentFuel(document, ['GROUND', 'OTHER'], 2)).toEqual([
    {
      services: ['GROUND', 'OTHER'],
      rates: [
        { from: '2026-06-15', until: '9999-12-31', percent: '24' },
        { from: '2026-06-08', until: '2026-06-14', percent: '25' },
      ],
    },
  ]);
  expect(recentFuel(smallTariff(), ['GROUND'], 8)).toEqual([{ services: ['GROUND'], rates: [] }]);
});

test('only services in force count', () => {
  const old = completeTariff();
  const next = completeTariff({ file: { effective: '2026-06-10', surcharges: [fuel('26')] } });
  const at = new Date('2026-06-12T12:00:00Z');
  expect(fuelEndsNow(scheduleOf([old]), at)).toEqual([
    {
      tariff: expect.stringMatching(/^small@2026-01-01-/),
      carrier: 'Small',
      services: ['GROUND'],
      allServices: true,
      lastDay: '2026-06-14',
      hasEnded: false,
      carries: true,
    },
  ]);
  expect(fuelEndsNow(scheduleOf([old, next]), at)).toEqual([]);
  expect(fuelSecondsLeft(scheduleOf([old, next]), at)).toEqual([]);
});
