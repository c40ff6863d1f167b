/** Surcharges by kind of address, weight and tier, and caps on what they rise in a year. */
import { expect, test } from 'vitest';
import { diffAgreements, effectOf } from '../../../../src/catalog/agreement/diff/diff.ts';
import { FORMS } from '../../../../src/catalog/agreement/tables.ts';
import type { Asked } from '../../../rating/priced.ts';
import { bookOf, DAY } from '../fixtures.ts';
import { smallAgreement } from '../small-agreement.ts';
import { checked, explained, HOME, net, shown, TARIFF } from './clause.ts';

const lines = (text: string, inForce?: string) =>
  smallAgreement(
    { surcharges: text },
    inForce === undefined ? {} : { file: { earned: { inForce: [{ from: '2026-01-05', tier: inForce }] } } },
  );

const BY_ADDRESS = lines(`surcharge,address,change,value
HANDLING,commercial,percent off,30
HANDLING,residential,fixed,2.00
FUEL,residential,points off,5
RESIDENTIAL,residential,amount off,1.50
`);
const BY_WEIGHT = lines(`surcharge,from_lb,to_lb,change,value
HANDLING,,2,waived,
HANDLING,3,5,fixed,1.00
HANDLING,9,,amount off,0.25
`);
const BY_TIER = `surcharge,tier,change,value
HANDLING,A,percent off,10
HANDLING,B,percent off,40
`;
const CAPPED = lines(`surcharge,change,value,last_year
HANDLING,at most,3,4.50
HANDLING,percent off,2,
FUEL,at most,5,18.00
`);

const lb = (...weights: readonly number[]): Asked => ({ packages: weights.map((one) => ({ lb: one })) });

test.each([
  // The list: 10.00 + 5.00 + 2.00 + 20% of 15.00; a home 10.00 + 5.00 + 6.00 + 2.00 + 20% of 21.00.
  ['the list', smallAgreement(), {}, 2_000],
  ['the list of a home', smallAgreement(), HOME, 2_720],
  // 5.00 - 1.50 = 3.50; 10.00 + 3.50 + 2.00 + 20% of 13.50 (2.70).
  ['a business', BY_ADDRESS, {}, 1_820],
  // 10.00 + 2.00 + 4.50 + 2.00 + 15% of 16.50 (2.475, so 2.48).
  ['a home', BY_ADDRESS, HOME, 2_098],
  // 11.00 + 0.00 + 2.00 + 20% of 11.00 (2.20).
  ['2 lb', BY_WEIGHT, lb(2), 1_520],
  // 12.00 + 1.00 + 2.00 + 20% of 13.00 (2.60).
  ['3 lb', BY_WEIGHT, lb(3), 1_760],
  // 14.00 + 1.00 + 2.00 + 20% of 15.00.
  ['5 lb', BY_WEIGHT, lb(5), 2_000],
  // 15.00 + 5.00 + 2.00 + 20% of 20.00: no line is for 6 lb.
  ['6 lb', BY_WEIGHT, lb(6), 2_600],
  // 18.00 + 4.75 + 2.00 + 20% of 22.75 (4.55).
  ['9 lb', BY_WEIGHT, lb(9), 2_930],
  // 2 lb 11.00 + 0.00 + 2.20, 9 lb 18.00 + 4.75 + 4.55, and 2.00 once.
  ['two packages, each by its own weight', BY_WEIGHT, lb(2, 9), 4_250],
  // 139 x 2 cubic inches are 2 lb by volume, 9 x 8 x 8 = 576 are 5 lb: 14.00 + 1.00 + 2.00 + 3.00.
  ['the billing weight, which volume makes', BY_WEIGHT, { packages: [{ lb: 1, inches: [9, 8, 8] }] }, 2_000],
  // 5.00 less 10% is 4.50: 10.00 + 4.50 + 2.00 + 20% of 14.50 (2.90).
  ['tier A', lines(BY_TIER, 'A'), {}, 1_940],
  // 5.00 less 40% is 3.00: 10.00 + 3.00 + 2.00 + 2.60.
  ['tier B', lines(BY_TIER, 'B'), {}, 1_760],
  // 4.50 x 1.03 is 4.635, so 4.64, less than 5.00 x 0.98 = 4.90. 18.00 x 1.05 = 18.90%.
  // 10.00 + 4.64 + 2.00 + 18.90% of 14.64 (2.76696).
  ['a cap on the rise', CAPPED, {}, 1_941],
])('%s', (_, document, asked: Asked, cents) => {
  expect(net(document, asked)).toBe(cents);
});

test('the explanation names the line of the address, the weight and the cap', () => {
  expect(explained(BY_ADDRESS, HOME)).toEqual([
    'HANDLING 2.00 = 5.00 per package, fixed at 2.00 (acme/surcharges.csv row 3) = 2.00',
    'RESIDENTIAL 4.50 = 6.00 per package, less 1.50 (acme/surcharges.csv row 5) = 4.50',
    'FUEL 2.48 = 15.00% of 16.50 (base 10.00, HANDLING 2.00, RESIDENTIAL 4.50): 20.00% in the list, less 5.00 points (acme/surcharges.csv row 4)',
    'PICKUP 2.00 = 2.00 per shipment',
  ]);
  expect(explained(BY_WEIGHT, lb(2))[0]).toBe(
    'HANDLING 0.00 = 5.00 per package, waived (acme/surcharges.csv row 2) = 0.00',
  );
  expect(explained(CAPPED)[0]).toBe(
    'HANDLING 4.64 = 5.00 per package, less 2.00% (acme/surcharges.csv row 3), at most 4.64 (3.00% above 4.50, acme/surcharges.csv row 2) = 4.64',
  );
});

test('its client sees who pays what', () => {
  const rows = (document: typeof BY_ADDRESS) =>
    shown(document).surcharges.map(({ type, because, billed, changes }) => [type, because, billed?.least, changes]);
  expect(rows(BY_ADDRESS)).toEqual([
    ['HANDLING', ['commercial address'], 3.5, ['30.00% off']],
    ['HANDLING', ['residential address'], 2, ['fixed at $2.00']],
    ['RESIDENTIAL', ['residential address'], 4.5, ['$1.50 off']],
    ['FUEL', ['residential address'], 15, ['5.00 points off']],
  ]);
  expect(rows(BY_WEIGHT)).toEqual([
    ['HANDLING', ['1 to 2 lb'], 0, ['waived']],
    ['HANDLING', ['3 to 5 lb'], 1, ['fixed at $1.00']],
    ['HANDLING', ['from 9 lb'], 4.75, ['$0.25 off']],
  ]);
  expect(rows(CAPPED)[0]?.[3]).toEqual(['2.00% off', 'at most $4.64 (3.00% above 4.50)']);
});

test('a difference names the address and the weights', () => {
  const [before, after] = [BY_ADDRESS, BY_WEIGHT].map((document) => ({ document, day: DAY }));
  if (before === undefined || after === undefined) throw new Error('no agreements');
  const { charges } = effectOf(before, after, bookOf(TARIFF).cards);
  expect(charges.map((one) => [one.description, one.before, one.after])).toEqual([
    ['Handling, commercial address, from 1 lb', 350, 0],
    ['Handling, commercial address, from 3 lb', 350, 100],
    ['Handling, commercial address, from 6 lb', 350, 500],
    ['Handling, commercial address, from 9 lb', 350, 475],
    ['Handling, residential address, from 1 lb', 200, 0],
    ['Handling, residential address, from 3 lb', 200, 100],
    ['Handling, residential address, from 6 lb', 200, 500],
    ['Handling, residential address, from 9 lb', 200, 475],
    ['Home', 450, 600],
    ['Fuel, residential address', 1_500, 2_000],
  ]);
  const added = diffAgreements({ document: smallAgreement(), day: DAY }, { document: lines(BY_TIER), day: DAY });
  expect(JSON.stringify(added)).toContain('HANDLING, all services, all zones, tier B');
});

test('the checks name the cell', () => {
  expect(
    checked(
      lines(`surcharge,address,from_lb,to_lb,change,value
HANDLING,any,1,5,waived,
HANDLING,commercial,5,9,fixed,1.00
`),
    ),
  ).toEqual([
    'error surcharges.csv row 3: changes HANDLING for the same packages as row 2: keep one of them. Only a line with "at most" can go with fixed',
  ]);
  expect(
    checked(
      lines(`surcharge,address,from_lb,change,value
FUEL,any,3,waived,
PICKUP,any,3,waived,
RESIDENTIAL,commercial,,waived,
`),
    ),
  ).toEqual([
    'error surcharges.csv row 2 column from_lb: FUEL is not charged by package: leave from_lb and to_lb empty',
    'error surcharges.csv row 3 column from_lb: PICKUP is not charged by package: leave from_lb and to_lb empty',
    'error surcharges.csv row 4 column address: RESIDENTIAL is never charged to a commercial address: correct it',
  ]);
  expect(checked(lines(BY_TIER, 'C'))).toContain(
    'error agreement.json earned.inForce[0].tier: "C" is not a tier of discounts.csv, it has A, B: correct the name, or add the tier',
  );
  expect([BY_ADDRESS, BY_WEIGHT, CAPPED, lines(BY_TIER, 'A')].flatMap((document) => checked(document))).toEqual([]);
});

test('the reader names the cell', () => {
  const text = `surcharge,address,from_lb,to_lb,change,value,last_year
HANDLING,homes,5,4,fixed,1.00,4.50
`;
  expect(FORMS.surcharges.read('surcharges.csv', text)).toMatchObject({
    findings: [
      { at: 'surcharges.csv row 2 column address', message: 'must be one of: any, residential, commercial' },
      { at: 'surcharges.csv row 2 column to_lb', message: 'must be at least 5, the value of from_lb' },
      { at: 'surcharges.csv row 2 column last_year', message: 'must be empty unless the change is at most' },
    ],
  });
});
