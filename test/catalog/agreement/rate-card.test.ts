/** The effective rate card of an agreement. */
import { expect, test } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { termsOf } from '../../../src/catalog/agreement/compile.ts';
import {
  type AgreementDocument,
  type AgreementTables,
  agreementFile,
  NO_TABLES,
} from '../../../src/catalog/agreement/document.ts';
import { rangeText, rateCardOf, serviceTerms, totalsOf } from '../../../src/catalog/agreement/overview.ts';
import { compileTariff } from '../../../src/catalog/tariff/compile.ts';
import { smallTariff, TEN_POUNDS } from '../tariff/small-tariff.ts';

const DAY = '2026-06-10';
const LINE = { discount: 'Incentive', services: '*', zones: '*', address: 'any', appliesTo: 'both' } as const;

const agreement = (tables: Partial<AgreementTables>, file: object = {}): AgreementDocument => ({
  file: agreementFile.parse({ name: 'acme', carrier: 'Small', effective: '2026-01-01', ...file }),
  tables: { ...NO_TABLES, ...tables },
  amendments: [],
});

const cardOf = (document: AgreementDocument, residential = false, tariff = smallTariff()) => {
  const card = must(compileTariff(tariff)[0], 'a card');
  return rateCardOf(card, termsOf(document, card, DAY), residential);
};

test('shows list, discount and net, and what the minimum cancels', () => {
  const discounts = [
    { ...LINE, row: 2, fromLb: 1, toLb: 5, percent: '30' },
    { ...LINE, row: 3, fromLb: 6, percent: '10.5', address: 'residential' as const },
  ];
  const minimums = [{ row: 2, services: '*', address: 'any', minimum: 'usd', value: '8.00' } as const];
  const document = agreement({ discounts, minimums });
  const { rows, ...card } = cardOf(document);
  expect(card).toEqual({ code: 'GROUND', residential: false, columns: ['2', '8'], minimumCents: 800 });
  expect(rows).toHaveLength(10);
  expect(rows[0]).toEqual({
    weight: '1',
    billingLb: 1,
    list: [1_000, 2_000],
    discount: [200, 600],
    net: [800, 1_400],
    swallowed: [100, 0],
  });
  expect(rows[5]?.net).toEqual([1_500, 3_000]);
  // 10.5% of 15.00 is 1.575.
  expect(cardOf(document, true).rows[5]?.net).toEqual([1_342, 2_685]);
});

test("takes the agreement's own rates, and ounces of the list", () => {
  const own = { columns: ['2'], cents: [[900], [950]] };
  const discounts = [{ ...LINE, row: 2, fromLb: 1, percent: '10' }];
  const card = cardOf(agreement({ discounts, rates: { GROUND: own } }));
  expect(card.ratesSource).toBe('acme/rates/GROUND.csv');
  // The list has 10 rows, and column 8. 10% off leaves no less than the minimum of 9.00.
  expect(card.rows.map(({ weight, list, net }) => [weight, list, net]).slice(0, 3)).toEqual([
    ['1', [900, 2_000], [900, 1_800]],
    ['2', [950, 2_200], [900, 1_980]],
    ['3', [1_200, 2_400], [1_080, 2_160]],
  ]);
  const ounces = smallTariff({
    document: { rates: { GROUND: { ...TEN_POUNDS, ounces: [{ upToOz: 8, cents: [1_500, null] }] } } },
  });
  const [first, second] = cardOf(agreement({ discounts }), false, ounces).rows;
  expect([first?.weight, first?.list, first?.net]).toEqual(['8 oz', [1_500, null], [1_350, null]]);
  expect(second?.weight).toBe('1');
});

test('is the list without an agreement, and residential for a service to homes', () => {
  const tariff = smallTariff({ service: { deliversTo: 'homes' } });
  const [card] = compileTariff(tariff);
  const shown = rateCardOf(must(card, 'a card'), undefined, false);
  expect(shown.residential).toBe(true);
  expect(shown.rows[9]).toEqual({
    weight: '10',
    billingLb: 10,
    list: [1_900, 3_800],
    discount: [0, 0],
    net: [1_900, 3_800],
    swallowed: [0, 0],
  });
});

test('adds up the percentages of all discounts', () => {
  const discounts = [
    { ...LINE, row: 2, fromLb: 1, toLb: 5, percent: '30' },
    { ...LINE, row: 3, fromLb: 6, percent: '10.5', address: 'residential' as const },
    { ...LINE, row: 4, discount: 'Extra', fromLb: 1, percent: '5' },
  ];
  const card = must(compileTariff(smallTariff())[0], 'a card');
  const terms = serviceTerms(card, must(termsOf(agreement({ discounts }), card, DAY), 'terms'));
  const lines = totalsOf([terms, { ...terms, code: 'OTHER' }, { ...terms, code: 'LIST', discounts: [] }]);
  expect(
    lines.map(({ services, address, zones, fromLb, toLb, percent }) => [
      services?.join(),
      address,
      zones,
      fromLb,
      toLb,
      percent,
    ]),
  ).toEqual([
    ['GROUND,OTHER', 'commercial', null, 1, 5, 35],
    ['GROUND,OTHER', 'commercial', null, 6, null, 5],
    ['GROUND,OTHER', 'residential', null, 1, 5, 35],
    ['GROUND,OTHER', 'residential', null, 6, null, 15.5],
  ]);
  expect([rangeText([terms]), rangeText([])]).toEqual(['5% to 35%', null]);
});
