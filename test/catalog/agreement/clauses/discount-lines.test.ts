/** Dollars off a package, negative discounts, and surcharges above the list. */
import { expect, test } from 'vitest';
import { termsOf } from '../../../../src/catalog/agreement/compile.ts';
import { rateCardOf } from '../../../../src/catalog/agreement/overview.ts';
import { FORMS } from '../../../../src/catalog/agreement/tables.ts';
import type { Asked } from '../../../rating/priced.ts';
import { smallTariff } from '../../tariff/small-tariff.ts';
import { bookOf, DAY } from '../fixtures.ts';
import { smallAgreement, type Texts } from '../small-agreement.ts';
import { checked, explained, net, shown, TARIFF } from './clause.ts';

const lines = (text: string, more: Texts = {}) =>
  smallAgreement({ discounts: text, minimums: 'services,minimum,value\n*,usd,8.00\n', ...more });

const DOLLARS = lines(`discount,percent,usd,from_lb,address
Base,10,,,any
Light,,0.75,,any
Heavy,,1.00,5,commercial
`);
const RAISED = lines('discount,percent\nBase,10\nAdjustment,-12.5\n');
const HALF = lines('discount,percent\nAdjustment,-0.5%\n');
const ABOVE = smallAgreement({ surcharges: 'surcharge,change,value\nHANDLING,exactly,7.50\nFUEL,exactly,22%\n' });

const lb = (...weights: readonly number[]): Asked => ({ packages: weights.map((one) => ({ lb: one })) });

test.each([
  // 10.00 less 1.00 less 0.75 is 8.25: 8.25 + 5.00 + 2.00 + 20% of 13.25 (2.65).
  ['dollars off after a percentage', DOLLARS, {}, 1_790],
  // 14.00 less 1.40 less 0.75 less 1.00 is 10.85: 10.85 + 5.00 + 2.00 + 20% of 15.85 (3.17).
  ['dollars off a heavy package to a business', DOLLARS, lb(5), 2_102],
  // 11.85 + 5.00 + 6.00 + 2.00 + 20% of 22.85 (4.57).
  ['and not to a home', DOLLARS, { ...lb(5), residential: true }, 2_942],
  // 8.25 and 10.85, twice 5.00, 2.00 once, 2.65 and 3.17.
  ['dollars off each of two packages', DOLLARS, lb(1, 5), 3_692],
  // The minimum keeps 8.00 of 10.00 less 2.50: 8.00 + 5.00 + 2.00 + 20% of 13.00.
  ['a minimum limits dollars off', lines('discount,percent,usd\nA,,2.50\n'), {}, 1_760],
  // 100% and 5.00 more take off everything and no more: 0.00 + 5.00 + 2.00 + 1.00, because the minimum is 0.00.
  [
    'no more than the whole base',
    lines('discount,percent,usd\nA,100,\nB,,5.00\n', { minimums: 'services,minimum,value\n*,usd,0.00\n' }),
    {},
    800,
  ],
  // 10% - 12.5% is -2.5%: 10.00 + 0.25 = 10.25; + 5.00 + 2.00 + 20% of 15.25 (3.05).
  ['a negative discount', RAISED, {}, 2_030],
  // 0.5% of 11.00 is 0.055, so 0.06: 11.06 + 5.00 + 2.00 + 20% of 16.06 (3.212).
  ['half a cent away from zero', HALF, lb(2), 2_127],
  // 10.00 + 7.50 + 2.00 + 22% of 17.50 (3.85).
  ['surcharges above the list', ABOVE, {}, 2_335],
])('%s', (_, document, asked: Asked, cents) => {
  expect(net(document, asked)).toBe(cents);
});

test('a cap limits what a negative discount raises, and a minimum does not', () => {
  const capped = smallAgreement(
    { discounts: 'discount,percent\nA,-10\n' },
    {
      file: { services: { GROUND: { rateCapPercent: '0' } } },
      tables: { caps: { GROUND: { columns: ['2'], cents: [[1_050]] } } },
    },
  );
  // 10.00 + 1.00 limited to 10.50: + 5.00 + 2.00 + 20% of 15.50 (3.10).
  expect(net(capped)).toBe(2_060);
});

test('a surcharge that the list does not charge is not charged', () => {
  const tariff = smallTariff({
    file: {
      surcharges: [
        { type: 'ZONED', description: 'Zoned', amount: { per: 'package', usd: { '2': '0.00', '8': '3.00' } } },
      ],
    },
  });
  const document = smallAgreement({ surcharges: 'surcharge,change,value\nZONED,exactly,4.00\n' });
  // 10.00 to zone 2; 20.00 + 4.00 to zone 8.
  expect([net(document, {}, tariff), net(document, { to: '90001' }, tariff)]).toEqual([1_000, 2_400]);
});

test('the explanation adds up line by line', () => {
  expect(explained(DOLLARS, lb(5)).slice(0, 3)).toEqual([
    'Base -1.40 = 10.00% of 14.00 (acme/discounts.csv row 2)',
    'Light -0.75 = 0.75 off 12.60 (acme/discounts.csv row 3)',
    'Heavy -1.00 = 1.00 off 11.85 (acme/discounts.csv row 4)',
  ]);
  expect(explained(RAISED).slice(0, 2)).toEqual([
    'Base -1.00 = 10.00% of 10.00 (acme/discounts.csv row 2)',
    'Adjustment 1.25 = -12.50% of 10.00 (acme/discounts.csv row 3)',
  ]);
  expect(explained(ABOVE)[0]).toBe('HANDLING 7.50 = 5.00 per package, exactly 7.50 (acme/surcharges.csv row 2) = 7.50');
});

test('the checks ask, and name the cell', () => {
  expect(checked(RAISED)).toEqual([
    'warning discounts.csv row 3 column percent: raises the base by 12.50%: is this what the contract says?',
  ]);
  expect(checked(ABOVE)).toEqual([
    'warning surcharges.csv row 2 column value: the value is above 5.00, the list price of HANDLING for GROUND: 7.50 is charged. Is this what the contract says?',
    'warning surcharges.csv row 3 column value: the value is above 20.00, the list price of FUEL for GROUND: 22.00 is charged. Is this what the contract says?',
  ]);
  const text =
    'discount,applies_to,better_of,percent,usd\nA,both,,5,1.00\nB,multiweight,,,1.00\nC,both,X,,1.00\nD,both,,,\n';
  expect(FORMS.discounts.read('discounts.csv', text)).toMatchObject({
    findings: [
      { at: 'discounts.csv row 2 column usd', message: 'must be empty if percent is given: use a row for each' },
      { at: 'discounts.csv row 3 column usd', message: 'is off each package: write packages in applies_to' },
      {
        at: 'discounts.csv row 4 column usd',
        message: 'must be empty if better_of is given, which compares percentages',
      },
      { at: 'discounts.csv row 5 column percent' },
    ],
  });
});

test('its client sees them, and files keep them', () => {
  expect(shown(DOLLARS).discounts.map(({ percent, usd }) => [percent, usd])).toEqual([
    [10, null],
    [0, 0.75],
    [0, 1],
  ]);
  expect(shown(RAISED).discounts.map(({ percent }) => percent)).toEqual([10, -12.5]);
  for (const { tables } of [DOLLARS, RAISED, HALF])
    expect(FORMS.discounts.read('discounts.csv', FORMS.discounts.write(tables.discounts))).toEqual({
      lines: tables.discounts,
    });
  const [card] = bookOf(TARIFF).cards;
  if (card === undefined) throw new Error('no card');
  // 10.00 less 10% less 0.75; 14.00 less 10% less 0.75 less 1.00.
  const { rows } = rateCardOf(card, termsOf(DOLLARS, card, DAY), false);
  expect([rows[0]?.net[0], rows[4]?.net[0]]).toEqual([825, 1_085]);
});
