/** What an agreement says that changes no price: fees that the tariff does not have, and notes. */
import { expect, test } from 'vitest';
import { amendedFrom } from '../../../../src/catalog/agreement/amend.ts';
import { diffAgreements } from '../../../../src/catalog/agreement/diff/diff.ts';
import { FORMS } from '../../../../src/catalog/agreement/tables.ts';
import { agreementId } from '../../../../src/catalog/agreement/versions.ts';
import { uploadedAgreement } from '../../../../src/import/agreement/uploaded-agreement.ts';
import { smallTariff } from '../../tariff/small-tariff.ts';
import { DAY } from '../fixtures.ts';
import { smallAgreement } from '../small-agreement.ts';
import { checked, net, shown } from './clause.ts';

const PLAIN = smallAgreement();
const FEES = smallAgreement({
  surcharges: `surcharge,services,change,value,last_year
ADDRESS_CORRECTION,*,percent off,50,
DELIVERY_CONFIRMATION,GROUND,waived,,
HANDLIN,*,fixed,1.00,
LATE_FEE,*,at most,3,10.00
HANDLING,*,amount off,1.00,
`,
});
const NOTES = smallAgreement({
  notes: `topic,text
Early termination,"Half of the incentives of twelve months, if it ends before the second year"
Service guarantee,Waived
`,
});

test.each([
  // 10.00 + 5.00 + 2.00 + 20% of 15.00.
  ['without an agreement', PLAIN, 2_000],
  // 5.00 - 1.00 = 4.00: 10.00 + 4.00 + 2.00 + 20% of 14.00 (2.80). Only the line on handling counts.
  ['with fees', FEES, 1_880],
  ['with notes', NOTES, 2_000],
])('a price %s', (_, document, cents) => {
  expect(net(document)).toBe(cents);
});

test('a fee applies once a tariff has it', () => {
  const tariff = smallTariff({
    file: {
      surcharges: [{ type: 'ADDRESS_CORRECTION', description: 'Correction', amount: { per: 'package', usd: '21.00' } }],
    },
  });
  // 10.00 + 21.00 less 50%.
  expect(net(FEES, {}, tariff)).toBe(2_050);
  expect(shown(FEES, tariff).fees.map(({ fee }) => fee)).not.toContain('ADDRESS_CORRECTION');
});

test('the check asks about each fee by its cell, and refuses none', () => {
  const asks = (row: number, fee: string, ask: string) =>
    `warning surcharges.csv row ${row} column surcharge: the services of this row have no surcharge ${fee}, so the row changes no price. ${ask}`;
  const types = 'They have FUEL, HANDLING, PICKUP, RESIDENTIAL';
  expect(checked(FEES)).toEqual([
    asks(2, 'ADDRESS_CORRECTION', types),
    asks(3, 'DELIVERY_CONFIRMATION', types),
    asks(4, 'HANDLIN', 'Did you mean HANDLING?'),
    asks(5, 'LATE_FEE', types),
  ]);
  expect(checked(NOTES)).toEqual([]);
});

test('its client sees fees and notes', () => {
  expect(shown(FEES).fees).toEqual([
    { fee: 'ADDRESS_CORRECTION', services: null, change: '50.00% off' },
    { fee: 'DELIVERY_CONFIRMATION', services: ['GROUND'], change: 'waived' },
    { fee: 'HANDLIN', services: null, change: 'fixed at $1.00' },
    { fee: 'LATE_FEE', services: null, change: 'at most 3.00% above 10.00' },
  ]);
  expect(shown(NOTES).notes).toEqual([
    { topic: 'Early termination', text: 'Half of the incentives of twelve months, if it ends before the second year' },
    { topic: 'Service guarantee', text: 'Waived' },
  ]);
});

test('notes are read and written, compared, uploaded and amended as other lines', () => {
  const { notes = [] } = NOTES.tables;
  expect(FORMS.notes.read('notes.csv', FORMS.notes.write(notes))).toEqual({ lines: notes });
  expect(FORMS.notes.read('notes.csv', `topic,text\nRebate,${'x'.repeat(401)}\n`)).toMatchObject({
    findings: [{ at: 'notes.csv row 2 column text', message: 'must have at most 400 characters' }],
  });
  const states = [PLAIN, NOTES].map((document) => ({ document, day: DAY }));
  const [before, after] = states;
  if (before === undefined || after === undefined) throw new Error('no states');
  expect(JSON.stringify(diffAgreements(before, after))).toContain('Service guarantee');
  const file = { path: 'amendments/2026-07-01/notes.csv', text: 'topic,text\n' };
  expect(uploadedAgreement.safeParse({ name: 'acme', from: DAY, files: [file] }).success).toBe(true);
  expect(amendedFrom(PLAIN, NOTES, DAY).amendments).toEqual([{ from: DAY, notes }]);
  expect(amendedFrom(NOTES, PLAIN, DAY).amendments).toEqual([{ from: DAY, notes: [] }]);
});

test('an agreement without notes keeps the id that it had', () => {
  expect(agreementId(PLAIN)).toBe('acme@2026-01-05-3505056d');
  const full = smallAgreement({
    surcharges: 'surcharge,change,value\nHANDLING,fixed,1.00\n',
    discounts: 'discount,percent\nA,10\n',
    minimums: 'minimum,value\nusd,1.00\n',
    tiers: 'tier,from_usd\nA,0.00\n',
    fuel: 'from,percent\n2026-01-05,10\n',
  });
  expect(agreementId(full)).toBe('acme@2026-01-05-48e9eaec');
});
