/** How a comparison names surcharges and their members. */
import { expect, test } from 'vitest';
import { diffTariffs } from '../../../src/catalog/tariff/diff/diff.ts';
import { summaryText } from '../../../src/catalog/tariff/diff/diff-summary.ts';
import type { TariffFileInput } from '../../../src/catalog/tariff/document.ts';
import { smallTariff, TEN_POUNDS } from './small-tariff.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const fee = (usd: string, more: Partial<Surcharge> = {}): Surcharge => ({
  type: 'FEE',
  description: 'Fee',
  amount: { per: 'package', usd },
  ...more,
});
const weekly = (...rate: { from: string; until?: string; rate: string; source?: string }[]): Surcharge => ({
  type: 'FUEL',
  description: 'Fuel',
  amount: { per: 'percent', rate, of: ['BASE'] },
});
const withFees = (...surcharges: Surcharge[]) => smallTariff({ file: { surcharges } });
const changes = (before: readonly Surcharge[], after: readonly Surcharge[]) =>
  diffTariffs(withFees(...before), withFees(...after)).map(
    ({ change, at, before: old = '', after: now = '' }) => `${change} ${at}: ${old} > ${now}`,
  );

test('surcharges with the same type and description are distinguished by their services', () => {
  const [ground, air] = [fee('1.00', { services: ['GROUND'] }), fee('2.00', { services: ['AIR'] })];
  expect(changes([ground, air], [fee('1.50', { services: ['GROUND'] }), air])).toEqual([
    'changed tariff.json surcharge FEE "Fee" (GROUND).amount.usd: 1.00 > 1.50',
  ]);
  expect(changes([fee('1.00'), air], [fee('1.00'), fee('3.00', { services: ['AIR'] })])).toEqual([
    'changed tariff.json surcharge FEE "Fee" (AIR).amount.usd: 2.00 > 3.00',
  ]);
});

test('and by their periods, if either tariff has several', () => {
  const [autumn, peak] = [
    fee('1.00', { from: '2026-09-28', until: '2026-11-22' }),
    fee('2.00', { from: '2026-11-23', until: '2027-01-17' }),
  ];
  expect(changes([autumn], [autumn, peak]).slice(0, 2)).toEqual([
    'added tariff.json surcharge FEE "Fee" (all services) from 2026-11-23 to 2027-01-17.type:  > FEE',
    'added tariff.json surcharge FEE "Fee" (all services) from 2026-11-23 to 2027-01-17.description:  > Fee',
  ]);
  expect(
    summaryText(withFees(autumn), withFees(autumn, peak), diffTariffs(withFees(autumn), withFees(autumn, peak))),
  ).toEqual([
    'small from 2026-01-01 → small from 2026-01-01',
    '',
    'Services and surcharges:',
    '  surcharge FEE "Fee" (all services) from 2026-11-23 to 2027-01-17: added',
  ]);
});

test('a surcharge alone keeps its name if its services or its period change', () => {
  expect(
    changes([fee('1.00', { services: ['GROUND'] })], [fee('1.00', { services: ['GROUND'], until: '2026-06-30' })]),
  ).toEqual(['added tariff.json surcharge FEE "Fee".until:  > 2026-06-30']);
});

test('two surcharges with one name are numbered', () => {
  expect(changes([fee('1.00'), fee('2.00')], [fee('1.00'), fee('3.00')])).toEqual([
    'changed tariff.json surcharge FEE "Fee" (all services) #2.amount.usd: 2.00 > 3.00',
  ]);
});

test('one week of fuel more or less is one difference', () => {
  const [one, two, three] = [
    { from: '2026-06-01', rate: '26' },
    { from: '2026-06-08', rate: '25.5' },
    { from: '2026-06-15', until: '2026-06-21', rate: '25', source: 'fuel.csv, line 4' },
  ];
  expect(changes([weekly(one, two)], [weekly(two, three)])).toEqual([
    'removed tariff.json surcharge FUEL "Fuel".amount.rate from 2026-06-01: 26 > ',
    'added tariff.json surcharge FUEL "Fuel".amount.rate from 2026-06-15:  > 25 to 2026-06-21 (fuel.csv, line 4)',
  ]);
});

test('alternative measures are one difference', () => {
  const handling = (lengthOverIn: number) =>
    fee('1.00', { when: { anyOf: [{ lengthOverIn, actualWeightOverLb: 10 }, { actualWeightOverLb: 50 }] } });
  const text = (length: number) => `actualWeightOverLb 10 and lengthOverIn ${length} or actualWeightOverLb 50`;
  expect(changes([handling(48)], [handling(60)])).toEqual([
    `changed tariff.json surcharge FEE "Fee".when.anyOf: ${text(48)} > ${text(60)}`,
  ]);
});

test('the summary counts rows below 1 lb, prices per pound, and cubic prices', () => {
  const tariff = (cents: number) =>
    smallTariff({
      service: { cubic: { maximumActualLb: 20, maximumLengthIn: 18 } },
      document: {
        rates: {
          GROUND: { ...TEN_POUNDS, ounces: [{ upToOz: 8, cents: [cents, 600] }], centsPerLbAboveTop: [cents, 90] },
        },
        cubic: { GROUND: { columns: ['2', '8'], tiers: [{ hundredths: 10, cents: [cents, cents] }] } },
      },
    });
  const [before, after] = [tariff(500), tariff(550)];
  const differences = diffTariffs(before, after);
  expect(differences.map(({ at }) => at)).toEqual([
    'rates/GROUND.csv row 8 oz column 2',
    'rates/GROUND.csv row per_lb column 2',
    'cubic/GROUND.csv row 0.10 column 2',
    'cubic/GROUND.csv row 0.10 column 8',
  ]);
  expect(summaryText(before, after, differences).slice(1)).toEqual([
    '',
    'Rates below 1 lb, and per pound:',
    '  rates/GROUND.csv: 2 changed',
    '',
    'Cubic prices:',
    '  cubic/GROUND.csv: 2 changed',
  ]);
});
