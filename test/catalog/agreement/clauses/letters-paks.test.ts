/** Terms for letters and paks, which a tariff has as separate services. */
import { expect, test } from 'vitest';
import { diffAgreements } from '../../../../src/catalog/agreement/diff/diff.ts';
import { tariffFile } from '../../../../src/catalog/tariff/document.ts';
import type { Asked } from '../../../rating/priced.ts';
import { smallTariff, TEN_POUNDS } from '../../tariff/small-tariff.ts';
import { DAY } from '../fixtures.ts';
import { smallAgreement } from '../small-agreement.ts';
import { checked, explained, HOME, net, shown, TARIFF } from './clause.ts';

/** The tariff of the clauses with letters of 9.00 and 9.50, and paks of 12.00 and 15.00 for up to 3 lb. */
const PACKAGING = smallTariff({
  file: tariffFile.parse({
    ...TARIFF.file,
    services: ['GROUND', 'LETTER', 'PAK'].map((code) => ({
      ...TARIFF.file.services[0],
      ...{ code, description: `Small ${code}` },
      ...(code === 'GROUND' ? {} : { maximumActualLb: code === 'PAK' ? 3 : 1 }),
    })),
  }),
  document: {
    rates: {
      GROUND: TEN_POUNDS,
      LETTER: { columns: ['2', '8'], cents: [[900, 950]] },
      PAK: { columns: ['2', '8'], cents: Array.from({ length: 3 }, () => [1_200, 1_500]) },
    },
  },
});

const TEXTS = {
  discounts: `discount,services,tier,percent
Ground,GROUND,,10
Letters,LETTER,,40
Paks,PAK,,25
Volume,LETTER|PAK,A,5
`,
  minimums: 'services,minimum,value\nLETTER,usd,5.00\nPAK,usd,9.50\n',
  surcharges: `surcharge,services,change,value
HANDLING,LETTER,waived,
HANDLING,PAK,amount off,2.00
RESIDENTIAL,LETTER,fixed,1.00
FUEL,LETTER|PAK,percent off,50
`,
};
const TERMS = smallAgreement(TEXTS);
const TIER_A = smallAgreement(TEXTS, { file: { earned: { inForce: [{ from: '2026-01-05', tier: 'A' }] } } });
const OWN = smallAgreement(
  {},
  { tables: { rates: { PAK: { columns: ['2', '8'], cents: Array.from({ length: 3 }, () => [800, 1_000]) } } } },
);
const ALL = smallAgreement({ discounts: 'discount,percent\nAll,10\n' });

const LETTER: Asked = { service: 'LETTER', packages: [{ lb: 0.5 }] };
const PAK: Asked = { service: 'PAK', packages: [{ lb: 3 }] };
const WEST = { to: '90001' };

test.each([
  // 9.00 + 5.00 + 2.00 + 20% of 14.00.
  ['a letter at the list', smallAgreement(), LETTER, 1_880],
  // 9.00 less 40% is 5.40: + 0.00 + 2.00 + 10% of 5.40.
  ['a letter', TERMS, LETTER, 794],
  // 9.50 less 40% is 5.70: + 0.00 + 2.00 + 10% of 5.70.
  ['a letter to zone 8', TERMS, { ...LETTER, ...WEST }, 827],
  // 5.40 + 0.00 + 1.00 + 2.00 + 10% of 6.40.
  ['a letter to a home', TERMS, { ...LETTER, ...HOME }, 904],
  // 9.00 less 45% is 4.95, raised to 5.00: + 0.00 + 2.00 + 10% of 5.00.
  ['a letter with a tier, at its minimum', TIER_A, LETTER, 750],
  // 12.00 less 25% is 9.00, raised to 9.50: + 3.00 + 2.00 + 10% of 12.50.
  ['a pak at its minimum', TERMS, PAK, 1_575],
  // 15.00 less 25% is 11.25: + 3.00 + 2.00 + 10% of 14.25 (1.425).
  ['a pak to zone 8', TERMS, { ...PAK, ...WEST }, 1_768],
  // 11.25 + 3.00 + 6.00 + 2.00 + 10% of 20.25 (2.025).
  ['a pak to a home', TERMS, { ...PAK, ...WEST, ...HOME }, 2_428],
  // Twice 11.25, 3.00 and 1.43, and 2.00 once.
  ['two paks', TERMS, { ...PAK, ...WEST, packages: [{ lb: 1 }, { lb: 3 }] }, 3_336],
  // 10.00 + 5.00 + 2.00 + 20% of 15.00.
  ['a pak at rates of its own', OWN, { ...PAK, ...WEST }, 2_000],
  // The tariff's minimum is the 9.00 of a letter: 9.00 + 5.00 + 2.00 + 2.80.
  ['a letter without a minimum of its own', ALL, LETTER, 1_880],
  // 14.00 less 10% is 12.60: + 5.00 + 2.00 + 20% of 17.60.
  ['a package beside them', TERMS, { packages: [{ lb: 5 }] }, 2_312],
])('%s', (_, document, asked: Asked, cents) => {
  expect(net(document, asked, PACKAGING)).toBe(cents);
});

test('the explanation names their lines', () => {
  expect(explained(TIER_A, LETTER, PACKAGING).slice(0, 3)).toEqual([
    'Letters -3.60 = 40.00% of 9.00 (acme/discounts.csv row 3)',
    'Volume -0.45 = 5.00% of 9.00 (acme/discounts.csv row 5)',
    'Minimum charge 0.05 = 4.95 raised to 5.00 (acme/minimums.csv row 2)',
  ]);
});

test('the check names the cell of packaging that the tariff does not have, and a minimum that cancels the discount', () => {
  const wrong = { discounts: 'discount,services,percent\nLetters,LETTERS,40\n' };
  expect(checked(smallAgreement(wrong), PACKAGING)).toEqual([
    'error discounts.csv row 2 column services: no tariff has the service LETTERS: correct it, or add the tariff. Small has GROUND, LETTER, PAK',
  ]);
  expect(checked(ALL, PACKAGING)).toContainEqual(
    expect.stringMatching(/^warning discounts.csv: minimum charges limit/),
  );
  expect(checked(TIER_A, PACKAGING).filter((one) => one.startsWith('error'))).toEqual([]);
});

test('its client sees them as services, and a comparison of agreements names them', () => {
  const { services } = shown(TERMS, PACKAGING);
  expect(services.map(({ shippingService, minimumCharge }) => [shippingService, minimumCharge.commercial])).toEqual([
    ['GROUND', 10],
    ['LETTER', 5],
    ['PAK', 9.5],
  ]);
  const [before, after] = [smallAgreement(), TERMS].map((document) => ({ document, day: DAY }));
  if (before === undefined || after === undefined) throw new Error('no states');
  expect(diffAgreements(before, after)).toContainEqual({
    ...{ change: 'added', at: 'discounts.csv Letters, LETTER, all zones, from 1 lb', after: '40.00%' },
  });
});
