import { expect, test } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { termsOf } from '../../../src/catalog/agreement/compile.ts';
import { compileTariff } from '../../../src/catalog/tariff/compile.ts';
import { smallTariff, TEN_POUNDS } from '../tariff/small-tariff.ts';
import { smallAgreement } from './small-agreement.ts';

const [CARD] = compileTariff(smallTariff());

const termsWith = (document: ReturnType<typeof smallAgreement>) =>
  must(termsOf(document, must(CARD, 'the card of GROUND'), '2026-06-01'), 'terms');

test('own rates may have rows below one pound, with columns in another order', () => {
  const ounces = [{ upToOz: 8, cents: [1_500, 700] }];
  const table = { columns: ['8', '2'], cents: [[1_800, 900]], ounces };
  const { card } = termsWith(smallAgreement({}, { tables: { rates: { GROUND: table } } }));
  expect(card.ounces).toMatchObject({ labels: ['8 oz'], centsByColumn: [[700, 1_500]] });
  // 2 lb are not in the agreement's table: the list's 11.00 and 22.00.
  const rows = card.topLb + 1;
  expect([1, 2, rows + 1, rows + 2].map((at) => card.rates[at])).toEqual([900, 1_100, 1_800, 2_200]);
});

test('own rates with a row that lacks a cell are an error, not a column without service', () => {
  const table = { columns: ['8', '2'], cents: [[1_800]] };
  const document = smallAgreement({}, { tables: { rates: { GROUND: table } } });
  expect(() => termsWith(document)).toThrow('a cell of a rate table is missing');
});

test('own rates without such rows do not keep those of the list', () => {
  const [card] = compileTariff(
    smallTariff({ document: { rates: { GROUND: { ...TEN_POUNDS, ounces: [{ upToOz: 8, cents: [700, 800] }] } } } }),
  );
  const own = smallAgreement({}, { tables: { rates: { GROUND: TEN_POUNDS } } });
  expect(termsOf(own, must(card, 'the card of GROUND'), '2026-06-01')?.card.ounces).toBeUndefined();
});

test("a minimum of a weight above the table is not the next column's rate", () => {
  const minimums = 'services,minimum,value,zone,weight_lb\nGROUND,less usd,0.00,2,12\n';
  const terms = termsWith(smallAgreement({ discounts: 'discount,percent\nA,5\n', minimums }));
  expect(terms.minimum.commercial.cents).toBe(0);
});
