/** Which agreement a price follows, by client, warehouse and day. */
import { expect, test } from 'vitest';
import { type Assigned, accountOf } from '../../../src/catalog/agreement/account.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { basisPoints } from '../../../src/rating/quantity.ts';
import { LIST_PRICES, type Terms } from '../../../src/rating/terms.ts';
import { smallTariff, TEN_POUNDS } from '../tariff/small-tariff.ts';
import { agreement, bookOf, DAY, discounts } from './fixtures.ts';

const service = (code: string) => ({
  ...{ code, carrier: 'Small', description: code, dimensionalFactor: 139, zones: { distanceMiles: [500] } },
});
const TARIFF = smallTariff({
  file: {
    services: [service('GROUND'), service('AIR')],
    surcharges: [
      {
        ...{ type: 'FUEL', description: 'Fuel' },
        amount: {
          per: 'percent',
          rate: [
            { from: '2026-06-01', rate: '20' },
            { from: '2026-06-08', rate: '21' },
          ],
          of: ['BASE'],
        },
      },
    ],
  },
  document: { rates: { GROUND: TEN_POUNDS, AIR: TEN_POUNDS } },
});

const named = (name: string, services: '*' | string[] = '*', file = {}) =>
  agreement({ discounts: discounts({ services, percent: '10' }) }, { name, ...file });

const FLAT = new Map([
  ['GROUND', basisPoints(500)],
  ['AIR', basisPoints(700)],
]);

/** The agreement of each service: an empty name is the flat discount. */
const agreementsOf = (
  agreements: Assigned[],
  discounted = new Map<string, ReturnType<typeof basisPoints>>(),
  warehouse = 1,
  day = DAY,
) => {
  const book = bookOf(TARIFF, day);
  const terms = accountOf({ discounts: discounted, agreements }).termsOn(book, warehouse);
  const nameOf = (own: Terms | undefined) =>
    own === undefined ? 'list' : `${own.agreement}${own.endedOn === undefined ? '' : ' ended'}`;
  return book.cards.map((_, at) => nameOf(terms[at]));
};

test('a client without discounts and agreements pays the list price', () => {
  expect(accountOf({ discounts: new Map(), agreements: [] })).toBe(LIST_PRICES);
  expect(LIST_PRICES.termsOn(bookOf(TARIFF), 1)).toEqual([]);
});

test('an agreement takes precedence over a flat discount for the services that it covers', () => {
  expect(agreementsOf([], FLAT)).toEqual(['', '']);
  expect(agreementsOf([{ document: named('air', ['AIR']) }], FLAT)).toEqual(['', 'air']);
});

test('an agreement for one warehouse takes precedence over one for all, and does not apply to others', () => {
  const assigned = [
    { document: named('east', ['AIR']), warehouses: new Set([1, 2]) },
    { document: named('all') },
    { document: named('west', ['GROUND']), warehouses: new Set([3]) },
  ];
  const at = (warehouse: number) => agreementsOf(assigned, FLAT, warehouse);
  expect([at(1), at(2), at(3), at(4)]).toEqual([
    ['all', 'east'],
    ['all', 'east'],
    ['west', 'all'],
    ['all', 'all'],
  ]);
});

test('an agreement in force replaces one that has ended, whichever is named first', () => {
  const old = { document: named('old', '*', { until: '2026-05-31' }) };
  const young = { document: named('young', ['AIR'], { effective: '2026-06-01' }) };
  expect([agreementsOf([old, young]), agreementsOf([young, old])]).toEqual([
    ['old ended', 'young'],
    ['old ended', 'young'],
  ]);
  expect(agreementsOf([young, old], undefined, 1, '2026-05-31')).toEqual(['old', 'old']);
});

test('terms are compiled once for the days on which cards and agreement are the same', () => {
  const schedule = scheduleOf([TARIFF]);
  const assigned = [{ document: named('acme', '*', { until: '2026-06-12' }) }];
  const parts = { discounts: new Map(), agreements: assigned };
  const [one, other] = [accountOf(parts), accountOf(parts)];
  const on = (day: string, account = one) => account.termsOn(schedule.bookOn(day), 1);
  const first = on('2026-06-02');
  expect(on('2026-06-02')).toBe(first);
  expect(on('2026-06-03')).toBe(first);
  expect(on('2026-06-03', other)).toBe(first);
  // Fuel changes on June 8, and the agreement ends on June 12.
  expect(on('2026-06-09')).not.toBe(first);
  expect(on('2026-06-12')[0]?.endedOn).toBeUndefined();
  expect(on('2026-06-13')[0]?.endedOn).toBe('2026-06-12');
  expect(on('2026-06-04')).toBe(first);
});

test('many days in any order compile each change once', () => {
  const schedule = scheduleOf([TARIFF]);
  const weeks = Array.from(
    { length: 60 },
    (_, at) => `2026-${`${1 + (at % 12)}`.padStart(2, '0')}-${`${10 + Math.floor(at / 12)}`}`,
  );
  const document = agreement(
    { discounts: discounts({ percent: '10' }) },
    { name: 'acme' },
    weeks.toSorted().map((from, at) => ({ from, discounts: discounts({ percent: `${at}` }) })),
  );
  const account = accountOf({ discounts: new Map(), agreements: [{ document }] });
  const once = weeks.map((day) => account.termsOn(schedule.bookOn(day), 1));
  const again = weeks.map((day) => account.termsOn(schedule.bookOn(day), 1));
  expect(new Set(once).size).toBe(60);
  expect(again.every((terms, at) => terms === once[at])).toBe(true);
});
