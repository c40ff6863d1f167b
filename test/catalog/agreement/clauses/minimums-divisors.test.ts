/** Minimums by zone, one pound of each zone, and two divisors. */
import { expect, test } from 'vitest';
import { agreementFile } from '../../../../src/catalog/agreement/document.ts';
import { FORMS } from '../../../../src/catalog/agreement/tables.ts';
import { explainPrice } from '../../../../src/rating/explain.ts';
import { type Asked, shipmentOf } from '../../../rating/priced.ts';
import { smallTariff } from '../../tariff/small-tariff.ts';
import { priceWith, WAREHOUSE } from '../fixtures.ts';
import { smallAgreement } from '../small-agreement.ts';
import { checked, explained, HOME, net, shown, TARIFF } from './clause.ts';

const HALF = 'discount,percent\nHalf,50\n';
const limited = (minimums: string) => smallAgreement({ discounts: HALF, minimums });

/** 10.00 to zone 2 and 20.00 to zone 8, for 1 lb. */
const BY_ZONE = limited(`services,zones,address,minimum,value
GROUND,2,any,usd,7.00
GROUND,8,commercial,usd,15.50
GROUND,8,any,usd,16.25
`);
const OWN = limited(`services,minimum,value,zone,weight_lb
*,less usd,0.00,own,1
`);
const REST = limited(`services,zones,minimum,value,zone,weight_lb
*,8,less percent,25,own,1
*,*,usd,6.00,,
`);
const SIZED = smallAgreement(
  {},
  {
    file: {
      services: { GROUND: { dimensionalFactor: 200, secondDivisor: { overCubicIn: 600, dimensionalFactor: 100 } } },
    },
  },
);
const HEAVY = smallAgreement(
  {},
  { file: { services: { GROUND: { secondDivisor: { overLb: 3, dimensionalFactor: 100 } } } } },
);

const WEST = { to: '90001' };
const box = (lb: number, ...inches: readonly number[]): Asked => ({ packages: [{ lb, inches }] });

test.each([
  // 7.00 is more than 10.00 less 50%: + 5.00 + 2.00 + 20% of 12.00.
  ['zone 2', BY_ZONE, {}, 1_640],
  // 15.50 + 5.00 + 2.00 + 20% of 20.50.
  ['zone 8, a business', BY_ZONE, WEST, 2_660],
  // 16.25 + 5.00 + 6.00 + 2.00 + 20% of 27.25.
  ['zone 8, a home', BY_ZONE, { ...WEST, ...HOME }, 3_470],
  // A pound to zone 2 is 10.00, more than 14.00 less 50%: + 5.00 + 2.00 + 3.00.
  ['one pound of zone 2', OWN, { packages: [{ lb: 5 }] }, 2_000],
  // A pound to zone 8 is 20.00, more than 28.00 less 50%: + 5.00 + 2.00 + 20% of 25.00.
  ['one pound of zone 8', OWN, { ...WEST, packages: [{ lb: 5 }] }, 3_200],
  // 20.00 less 25% is 15.00, more than 10.00: + 5.00 + 2.00 + 4.00.
  ['a line for a zone', REST, WEST, 2_600],
  // 6.00: + 5.00 + 2.00 + 2.20.
  ['and a line for the rest', REST, {}, 1_520],
  // 10 x 10 x 6 = 600, over 200 are 3 lb: 12.00 + 5.00 + 2.00 + 3.40.
  ['the first divisor, to its limit', SIZED, box(1, 10, 10, 6), 2_240],
  // 10 x 10 x 6.1 = 610, over 100 are 7 lb: 16.00 + 5.00 + 2.00 + 4.20.
  ['the second divisor above it', SIZED, box(1, 10, 10, 6.1), 2_720],
  // 500 over 139 are 4 lb: 13.00 + 5.00 + 2.00 + 3.60.
  ['the list divisor of a light package', HEAVY, box(3, 10, 10, 5), 2_360],
  // 500 over 100 are 5 lb: 14.00 + 5.00 + 2.00 + 3.80.
  ['the second divisor of a heavier package', HEAVY, box(3.01, 10, 10, 5), 2_480],
])('%s', (_, document, asked: Asked, cents) => {
  expect(net(document, asked)).toBe(cents);
});

test('the explanation names the line of the zone, and the divisor of the package', () => {
  expect(explained(BY_ZONE, WEST).slice(0, 2)).toEqual([
    'Half -10.00 = 50.00% of 20.00 (acme/discounts.csv row 2)',
    'Minimum charge 5.50 = 10.00 raised to 15.50 (acme/minimums.csv row 3)',
  ]);
  const asked = { packages: [{ lb: 1, inches: [10, 10, 6] }, { lb: 1, inches: [10, 10, 7] }, { lb: 1 }] };
  const { packages } = explainPrice(priceWith(TARIFF, SIZED, asked), shipmentOf(asked), {
    warehouse: WAREHOUSE,
    departure: undefined,
  });
  expect(packages.map((one) => [one.dimensionalFactor, one.dimensionalWeight.value])).toEqual([
    [200, 3],
    [100, 7],
    [undefined, 0],
  ]);
});

test('its client sees the lowest minimum, how it is set, and both divisors', () => {
  const [service] = shown(REST).services;
  expect(service?.minimumCharge).toEqual({ residential: 6, commercial: 6 });
  expect(service?.minimumAs.map(({ zones, zone }) => [zones, zone])).toEqual([
    [['8'], 'own'],
    [null, null],
  ]);
  expect(shown(SIZED).services[0]?.secondDivisor).toEqual({ dimensionalFactor: 100, over: 'over 600 cubic in' });
  expect(shown(HEAVY).services[0]?.secondDivisor).toEqual({ dimensionalFactor: 100, over: 'over 3 LB actual weight' });
});

test('the checks name the cell', () => {
  expect(checked(limited('services,zones,minimum,value\n*,44,usd,1.00\n'))).toEqual([
    'error minimums.csv row 2 column zones: no service of this row has the zone 44: correct the cell. GROUND has 2, 8',
  ]);
  expect(checked(limited('services,zones,minimum,value\n*,2,usd,1.00\n*,2-8,usd,2.00\n'))).toEqual([
    'error minimums.csv row 3: row 2 already gives a minimum to a service of this line: remove it from one of them',
  ]);
  expect(checked(limited('services,minimum,value,zone,weight_lb\n*,less usd,0.00,own,11\n'))).toEqual([
    'error minimums.csv row 2 column weight_lb: GROUND has no rate of 11 lb: its rates end at 10 lb',
  ]);
  const same = { dimensionalFactor: 100, secondDivisor: { overLb: 3, dimensionalFactor: 100 } };
  expect(checked(smallAgreement({}, { file: { services: { GROUND: same } } }))).toEqual([
    'warning agreement.json services.GROUND.secondDivisor: is 100 for all packages of GROUND: correct one of the two, or remove this member',
  ]);
  expect(
    [SIZED, HEAVY, BY_ZONE, REST].flatMap((document) => checked(document).filter((one) => /^error/.test(one))),
  ).toEqual([]);
  const read = (secondDivisor: object) =>
    agreementFile.safeParse({
      ...{ name: 'acme', carrier: 'Small', effective: '2026-01-05' },
      services: { GROUND: { secondDivisor } },
    }).success;
  expect([read({ dimensionalFactor: 100 }), read({ overLb: 1, overCubicIn: 1, dimensionalFactor: 1 })]).toEqual([
    false,
    false,
  ]);
});

test('files keep the zones of minimums', () => {
  for (const { tables } of [BY_ZONE, OWN, REST])
    expect(FORMS.minimums.read('minimums.csv', FORMS.minimums.write(tables.minimums))).toEqual({
      lines: tables.minimums,
    });
});

test('a shipment that is rated as a whole adds up the packages of each divisor', () => {
  const tariff = smallTariff({
    service: { multiweight: { minimumTotalLb: 5, minimumAverageLb: 1 } },
    document: { multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 5, centsPerLb: [100] }] } } },
  });
  const inches = (height: number) => ({ lb: 1, inches: [10, 10, height] });
  // 220 + 220 over 200 are 3 lb, and 650 over 100 are 7 lb: 10 lb at 1.00.
  expect(net(SIZED, { packages: [inches(2.2), inches(2.2), inches(6.5)] }, tariff)).toBe(1_000);
});
