/** What a comparison adds up equals what its output says, row by row. */
import { expect, test } from 'vitest';
import { STATES, stateOf } from '../../../src/catalog/tariff/zones-by-zip3.ts';
import type { Scenario } from '../../../src/lists/comparison/scenario.ts';
import { addSums, type Both, byDifference, type ExtremeRow, emptySums } from '../../../src/lists/comparison/sums.ts';
import { weightBand } from '../../../src/lists/output/tally.ts';
import { columnNames, compared, rowsOf, saidBy } from './fixtures.ts';
import { listOf, madeRow, randomFrom } from './made.ts';

const SERVICES = ['ONE-GRND', 'ONE-AIR', 'ONE-SMALL', 'TWO-GRND', 'TWO-AIR', 'TWO-SMALL'];
const SCENARIOS: readonly Scenario[] = [
  { name: 'next', tariff: ['one', 'two'], shipDate: '2027-02-02' },
  { name: 'cheapest', service: 'cheapest' },
  { name: 'ground', service: 'ONE-GRND' },
  { name: 'from', warehouse: 'any', agreement: 'next' },
  { name: 'divisor', dimensionalFactor: 90, fuel: 25 },
  { name: 'one', carrier: 'ONE' },
  { name: 'as it is' },
];

const random = randomFrom(9);
const ROWS = Array.from({ length: 700 }, (_, at) => madeRow(random, SERVICES, at));
const LIST = listOf(ROWS);
const WHOLE = compared(LIST, SCENARIOS);

const centsOf = (dollars: string): number => Math.round(Number(dollars) * 100);

const book = (ledger: Record<string, Both>, key: string, baseCents: number, netCents: number): void => {
  const { rows = 0, baseCents: before = 0, netCents: after = 0 } = ledger[key] ?? {};
  ledger[key] = { rows: rows + 1, baseCents: before + baseCents, netCents: after + netCents };
};

test('the sums equal those of the output', () => {
  const { text, sums, tally } = WHOLE;
  const rows = rowsOf(text);
  const base = saidBy(rows, 'base');
  const priced = base.filter(({ net }) => net !== '');
  expect(sums.base).toMatchObject({
    ...{ rows: 700, priced: priced.length, cents: priced.reduce((sum, { net }) => sum + centsOf(net), 0) },
  });
  const names = columnNames(SCENARIOS);
  for (const [at, name] of names.entries()) {
    const by: Record<string, Record<string, Both>> = {};
    const add = (ledger: string, key: string, before: number, after: number): void => {
      const own = by[ledger] ?? {};
      by[ledger] = own;
      book(own, key, before, after);
    };
    const alone = { onlyBase: { rows: 0, cents: 0 }, onlyScenario: { rows: 0, cents: 0 }, neither: 0 };
    const extremes: ExtremeRow[] = [];
    for (const [index, own] of saidBy(rows, name).entries()) {
      const was = base[index];
      if (was === undefined) continue;
      const [before, after] = [centsOf(was.net), centsOf(own.net)];
      if (was.net !== '' && own.net !== '') {
        add('all', 'compared', before, after);
        add('all', after > before ? 'dearer' : after < before ? 'cheaper' : 'same', before, after);
        add('byService', was.service, before, after);
        add('byZone', was.zone, before, after);
        add('byWeight', weightBand(Number(was.weight)), before, after);
        add('byState', stateOf(Number(ROWS[index]?.postalCode.slice(0, 5))), before, after);
        add('moves', `${was.service}>${own.service}`, before, after);
        if (own.from !== '') add('byWarehouse', own.from, before, after);
        expect(centsOf(own.difference)).toBe(after - before);
        const services = { baseService: was.service, service: own.service };
        extremes.push({ row: index + 1, ...services, baseCents: before, netCents: after });
      } else if (was.net !== '') {
        alone.onlyBase.rows += 1;
        alone.onlyBase.cents += before;
      } else if (own.net !== '') {
        alone.onlyScenario.rows += 1;
        alone.onlyScenario.cents += after;
      } else alone.neither += 1;
    }
    const { all = {}, ...ledgers } = by;
    const most = (sign: number) =>
      extremes
        .filter(({ baseCents, netCents }) => (netCents - baseCents) * sign > 0)
        .toSorted(byDifference)
        .slice(0, 20);
    expect(sums.scenarios[at]).toMatchObject({
      ...{ byWarehouse: {}, ...all, ...ledgers, ...alone, mostDearer: most(1), mostCheaper: most(-1) },
    });
  }
  const quoted = rows.filter((row) => ['base', ...names].every((side) => row[`net_${side}`] !== '')).length;
  expect(tally).toMatchObject({ processed: 700, quoted, faulted: 700 - quoted });
});

test('the causes and the charges of each scenario add up to its difference', () => {
  const { sums } = WHOLE;
  for (const { compared: both, attribution, byCharge } of sums.scenarios) {
    const difference = both.netCents - both.baseCents;
    expect(Object.values(attribution).reduce((sum, cents) => sum + cents, 0)).toBe(difference);
    const charges = Object.values(byCharge);
    expect(charges.reduce((sum, { baseCents }) => sum + baseCents, 0)).toBe(both.baseCents);
    expect(charges.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(both.netCents);
    expect(byCharge['BASE']?.rows).toBe(both.rows);
  }
  expect(sums.scenarios[6]?.attribution).toEqual(
    Object.fromEntries(Object.keys(sums.scenarios[6]?.attribution ?? {}).map((part) => [part, 0])),
  );
});

test('the borders of chunks change neither rows nor sums', () => {
  const parts = compared(LIST, SCENARIOS, 97);
  expect(parts.text).toBe(WHOLE.text);
  expect(parts.sums).toEqual(WHOLE.sums);
  expect(parts.tally).toEqual(WHOLE.tally);
});

test('sums add up in any grouping', () => {
  const [a, b, c] = [0, 100, 200].map((from) => compared(listOf(ROWS.slice(from, from + 100)), SCENARIOS).sums);
  if (a === undefined || b === undefined || c === undefined) throw new Error('parts are missing');
  expect(addSums(addSums(a, b), c)).toEqual(addSums(a, addSums(b, c)));
  expect(addSums(emptySums(SCENARIOS.length), a)).toEqual(a);
});

test.each([
  ...([
    [501, 'NY'],
    [901, 'PR'],
    [802, 'VI'],
    [6_390, 'NY'],
    [9_012, 'AE'],
    [34_002, 'AA'],
    [96_201, 'AP'],
  ] as const),
  ...([
    [20_301, 'DC'],
    [20_598, 'VA'],
    [83_414, 'WY'],
    [88_510, 'TX'],
    [96_799, 'AS'],
    [96_813, 'HI'],
  ] as const),
  ...([
    [96_910, 'GU'],
    [96_950, 'MP'],
    [96_940, 'PW'],
    [96_941, 'FM'],
    [96_960, 'MH'],
    [99_501, 'AK'],
  ] as const),
  ...([
    [0, 'unknown'],
    [21_300, 'unknown'],
    [99_999, 'AK'],
  ] as const),
])('the state of %i is %s', (zip, state) => {
  expect(stateOf(zip)).toBe(state);
});

test('there are 50 states, the District of Columbia, eight territories and free states, and three military regions', () => {
  expect(STATES.length - 1).toBe(50 + 1 + 8 + 3);
});
