/** A comparison equals separate lists, field by field. */
import { expect, test } from 'vitest';
import { columnNames, compared, rowsOf, saidBy, WORLD } from './fixtures.ts';
import { listOf, madeRow, madeScenario, randomFrom } from './made.ts';
import { ratedAsItIs, ratedSeparately, type Said } from './separately.ts';

const SERVICES = ['ONE-GRND', 'ONE-AIR', 'ONE-SMALL', 'TWO-GRND', 'TWO-AIR', 'TWO-SMALL'];
const NAMED = {
  services: SERVICES,
  tariffs: ['one', 'two', 'new', ['one', 'two'], ['new', 'two']],
  agreements: ['own', 'draft', 'next', 'none'],
  carriers: ['ONE', 'TWO'],
};

const FIELDS = ['net', 'service', 'zone', 'carrierZone', 'weight', 'warnings', 'fault'] as const;

/** The first row that differs: one is readable, and thousands of expectations are slow. */
const firstOther = (said: readonly Said[], expected: readonly Said[]): number =>
  expected.findIndex((own, row) => FIELDS.some((field) => own[field] !== said[row]?.[field]));

test.each([1, 2, 3])('1,000 random rows in eight random scenarios equal separate lists: seed %i', (seed) => {
  const random = randomFrom(seed);
  const rows = Array.from({ length: 1_000 }, (_, at) => madeRow(random, SERVICES, at));
  const scenarios = Array.from({ length: 8 }, () => madeScenario(random, NAMED));
  const own = rowsOf(compared(listOf(rows), scenarios, 300).text);
  const base = ratedAsItIs(WORLD, rows);
  expect(base.filter(({ net }) => net !== '').length).toBeGreaterThan(300);
  expect(own.length).toBe(1_000);
  for (const [side, scenario] of [
    ['base', {}] as const,
    ...columnNames(scenarios).map((name, at) => [name, scenarios[at] ?? {}] as const),
  ]) {
    const expected = side === 'base' ? base : ratedSeparately(WORLD, scenario, rows);
    const said = saidBy(own, side);
    const other = firstOther(said, expected);
    expect({ scenario, row: rows[other], ...said[other] }).toMatchObject({ ...expected[other] });
  }
});
