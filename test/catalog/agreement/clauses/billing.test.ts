/** Terms of returns, of collect and of third-party billing. */
import { expect, test } from 'vitest';
import { termsOf } from '../../../../src/catalog/agreement/compile.ts';
import { diffAgreements } from '../../../../src/catalog/agreement/diff/diff.ts';
import type { AgreementDocument } from '../../../../src/catalog/agreement/document.ts';
import { FORMS } from '../../../../src/catalog/agreement/tables.ts';
import { causesOf } from '../../../../src/rating/attribution.ts';
import { BILLINGS, type Billing } from '../../../../src/rating/fields.ts';
import { warningsOf } from '../../../../src/rating/warning.ts';
import { type Asked, shipmentOf } from '../../../rating/priced.ts';
import { smallTariff } from '../../tariff/small-tariff.ts';
import { bookOf, DAY, priceWith, WAREHOUSE } from '../fixtures.ts';
import { smallAgreement, type Texts, textOf } from '../small-agreement.ts';
import { checked, explained, net, shown, TARIFF } from './clause.ts';

const MINIMUMS = `services,billing,minimum,value
*,return,usd,5.00
*,*,usd,6.00
`;
const lines = (discounts: string, more: Texts = {}): AgreementDocument =>
  smallAgreement({ discounts: `discount,billing,percent,usd\n${discounts}`, minimums: MINIMUMS, ...more });

const SURCHARGES = `surcharge,billing,change,value
HANDLING,return,waived,
RESIDENTIAL,third_party,percent off,50
FUEL,recipient,points off,5
`;
const PAPER = lines('Base,shipper,20,\nBase,recipient|third_party,5,\nReturns,return,30,\nVolume,*,3,\n', {
  surcharges: SURCHARGES,
});
const STEEP = lines('Base,shipper|return,60,\n', { surcharges: SURCHARGES });
const DOLLAR = lines('A,return,,1.00\n');

const by = (billing: Billing, more: Asked = {}): Asked => ({ options: { billing }, ...more });
const lb = (...weights: readonly number[]): Asked => ({ packages: weights.map((one) => ({ lb: one })) });

test.each([
  // 10.00 less 23% is 7.70: 7.70 + 5.00 + 2.00 + 20% of 12.70 (2.54).
  ['the shipper pays', PAPER, by('shipper'), 1_724],
  ['nothing is said of who pays', PAPER, {}, 1_724],
  // 10.00 less 8% is 9.20: 9.20 + 5.00 + 2.00 + 15% of 14.20 (2.13).
  ['the recipient pays', PAPER, by('recipient'), 1_833],
  // 9.20 + 5.00 + 2.00 + 20% of 14.20 (2.84).
  ['a third party pays', PAPER, by('third_party'), 1_904],
  // 10.00 less 33% is 6.70: 6.70 + 0.00 + 2.00 + 20% of 6.70 (1.34).
  ['a return', PAPER, by('return'), 1_004],
  // 9.20 + 5.00 + half of 6.00 + 2.00 + 20% of 17.20 (3.44).
  ['a third party pays for a home', PAPER, by('third_party', { residential: true }), 2_264],
  // 7.70 + 5.00 + 6.00 + 2.00 + 20% of 18.70 (3.74).
  ['the shipper pays for a home', PAPER, { residential: true }, 2_444],
  // 14.00 less 8% is 12.88: 12.88 + 5.00 + 6.00 + 2.00 + 15% of 23.88 (3.582).
  ['the recipient pays for 5 lb to a home', PAPER, by('recipient', { ...lb(5), residential: true }), 2_946],
  // 6.70 and 14.00 less 33% (9.38), 2.00 once, 1.34 and 20% of 9.38 (1.876).
  ['a return of two packages', PAPER, by('return', lb(1, 5)), 2_130],
  // 10.00 less 60% is 4.00, raised to 5.00: 5.00 + 2.00 + 1.00.
  ['a minimum of returns', STEEP, by('return'), 800],
  // 4.00, raised to 6.00: 6.00 + 5.00 + 2.00 + 20% of 11.00 (2.20).
  ['the minimum of the shipper', STEEP, {}, 1_520],
  // 10.00 less 1.00: 9.00 + 5.00 + 2.00 + 20% of 14.00 (2.80).
  ['dollars off a return', DOLLAR, by('return'), 1_880],
  // 10.00 + 5.00 + 2.00 + 20% of 15.00 (3.00).
  ['and off nothing else', DOLLAR, by('third_party'), 2_000],
])('%s', (_, document, asked, cents) => {
  expect(net(document, asked)).toBe(cents);
});

test('the explanation names who pays, and the rows that count for it', () => {
  expect(explained(PAPER, by('return')).slice(0, 3)).toEqual([
    'Returns -3.00 = 30.00% of 10.00 (acme/discounts.csv row 4)',
    'Volume -0.30 = 3.00% of 10.00 (acme/discounts.csv row 5)',
    'HANDLING 0.00 = 5.00 per package, waived (acme/surcharges.csv row 2) = 0.00',
  ]);
});

test('an agreement that does not say who pays has the same terms for each payer', () => {
  const [card] = bookOf(TARIFF).cards;
  if (card === undefined) throw new Error('no card');
  const plain = smallAgreement({ discounts: 'discount,percent\nBase,10\n' });
  expect(termsOf(plain, card, DAY)?.byBilling).toBeUndefined();
  expect(BILLINGS.map((billing) => net(plain, by(billing)))).toEqual([2_000, 2_000, 2_000, 2_000]);
});

test('a price says that it lacks what the carrier charges for third-party billing, unless the tariff has it', () => {
  const said = (billing: Billing, tariff = TARIFF) =>
    warningsOf(priceWith(tariff, PAPER, by(billing)), '07001').map(({ arguments: { missing } }) => missing);
  expect(BILLINGS.map((billing) => said(billing))).toEqual([[], [], [['billing']], [['billing']]]);
  const billed = smallTariff({
    file: {
      surcharges: [
        {
          ...{ type: 'THIRD_PARTY_BILLING', description: 'Third-party billing', when: { billing: ['third_party'] } },
          amount: { per: 'percent', rate: '5', of: ['BASE'] },
        },
      ],
    },
  });
  expect(BILLINGS.map((billing) => said(billing, billed))).toEqual([[], [], [], [['billing']]]);
  // 9.20 + 5% of it (0.46), and 9.20 without.
  expect(net(PAPER, by('third_party'), billed)).toBe(966);
  expect(net(PAPER, by('recipient'), billed)).toBe(920);
});

test('a comparison says what the terms of a return save', () => {
  const shipment = shipmentOf(by('return'));
  const priceIn = (document: AgreementDocument) => ({
    price: priceWith(TARIFF, document, by('return')),
    originPostalCode: WAREHOUSE.postalCode,
  });
  // 30% and 3% of 10.00 are off; and of 60%, the minimum cancels 1.00.
  expect(causesOf(shipment, priceIn(smallAgreement()), priceIn(PAPER))).toMatchObject({ discountCents: -330 });
  expect(causesOf(shipment, priceIn(smallAgreement()), priceIn(STEEP))).toMatchObject({
    discountCents: -600,
    minimumCents: 100,
  });
});

test('the checks name the cell', () => {
  const faults = (table: 'discounts' | 'minimums' | 'surcharges', text: string) => {
    const read = FORMS[table].read(`${table}.csv`, text);
    return 'findings' in read ? read.findings.map(({ at, message }) => `${at}: ${message}`) : [];
  };
  const words = 'must be *, or shipper, recipient, third_party, return or several of these separated by |';
  expect(faults('discounts', 'discount,billing,percent\nA,collect,5\n')).toEqual([
    `discounts.csv row 2 column billing: ${words}`,
  ]);
  expect(faults('minimums', 'billing,minimum,value\nreturn|return,usd,5.00\n')).toEqual([
    'minimums.csv row 2 column billing: has the same entry twice: remove one',
  ]);
  expect(faults('surcharges', 'surcharge,billing,change\nHANDLING,,waived\n')).toEqual([
    'surcharges.csv row 2 column billing: is empty: write * for all',
  ]);
  expect(checked(lines('Base,*,20,\nBase,return,30,\n'))[0]).toContain('discounts.csv row 3: overlaps row 2');
  expect(
    checked(smallAgreement({ minimums: 'services,billing,minimum,value\n*,*,usd,6.00\n*,return,usd,5.00\n' }))[0],
  ).toBe(
    'error minimums.csv row 3: row 2 already gives a minimum to a service of this line: remove it from one of them',
  );
  const both = 'surcharge,billing,change\nHANDLING,return|recipient,waived\nHANDLING,return,waived\n';
  expect(checked(smallAgreement({ surcharges: both }))[0]).toContain(
    'surcharges.csv row 3: changes HANDLING for the same packages as row 2',
  );
});

test('its client sees them, files keep them, and differences name them', () => {
  expect(shown(PAPER).discounts.map(({ billing }) => billing)).toEqual([
    ['shipper'],
    ['recipient', 'third_party'],
    ['return'],
    null,
  ]);
  expect(shown(PAPER).services[0]?.minimumAs.map(({ billing }) => billing)).toEqual([['return'], null]);
  expect(shown(PAPER).surcharges.map(({ type, because }) => [type, because])).toEqual([
    ['FUEL', ['billing: recipient']],
    ['RESIDENTIAL', ['residential address', 'billing: third party']],
    ['HANDLING', ['billing: return']],
  ]);
  for (const table of ['discounts', 'minimums', 'surcharges'] as const)
    expect(FORMS[table].read(`${table}.csv`, textOf(table, PAPER.tables[table]))).toEqual({
      lines: PAPER.tables[table],
    });
  const before = { document: smallAgreement(), day: DAY };
  expect(diffAgreements(before, { document: PAPER, day: DAY }).map(({ at }) => at)).toContain(
    'discounts.csv Base, all services, all zones, from 1 lb, billing recipient|third_party',
  );
});
