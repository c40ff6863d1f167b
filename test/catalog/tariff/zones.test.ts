import { expect, test } from 'vitest';
import type { ZoneChart } from '../../../src/catalog/tariff/document.ts';
import { compileZones, groupsOf } from '../../../src/catalog/tariff/zones.ts';
import { NO_COLUMN } from '../../../src/rating/card.ts';

type Lane = ZoneChart['rows'][number];

/** A row of a chart. Its zone is an index of the card's columns. */
const lane = (origin: string, destination: string, column: number): Lane => ({
  origin,
  destination,
  zones: [String(column)],
});
const named = (name: string, ...rows: Lane[]) => ({
  name,
  groups: groupsOf({ columns: ['zone'], rows }),
  columnOf: ([zone]: readonly string[]) => Number(zone),
});
const chart = (...lanes: Lane[]) => ({ chart: named('small', ...lanes), notServed: [] });

test('the most specific destination wins, in any order of the rows', () => {
  const lanes = [lane('070-076', '02139', 4), lane('070-076', '020-029', 2), lane('070-076', '021', 3)];
  for (const rows of [lanes, lanes.toReversed()]) {
    const { columnOf } = compileZones(chart(...rows));
    expect([2000, 2138, 2139, 2140, 3000].map((zip) => columnOf(7001, zip))).toEqual([2, 3, 4, 3, NO_COLUMN]);
  }
});

test('a narrower origin wins over a narrower destination; other destinations come from the wider origin', () => {
  const { columnOf } = compileZones(
    chart(lane('070-076', '02139', 1), lane('070-076', '900', 2), lane('07012', '020-029', 5)),
  );
  expect(columnOf(7012, 2139)).toBe(5);
  expect(columnOf(7011, 2139)).toBe(1);
  expect(columnOf(7012, 90_000)).toBe(2);
});

test('an origin range of ZIP5s splits its ZIP3', () => {
  const { columnOf } = compileZones(chart(lane('070', '100', 1), lane('07050-07099', '100', 2)));
  expect([7000, 7049, 7050, 7099, 7100].map((zip) => columnOf(zip, 10_001))).toEqual([1, 1, 2, 2, NO_COLUMN]);
});

test('a destination beyond all ZIP codes is an error, not no service', () => {
  const whole = compileZones(chart(lane('070', '100', 1)));
  const split = compileZones(chart(lane('070', '100', 1), lane('070', '99999', 2)));
  expect(() => whole.columnOf(7000, 100_000)).toThrow('the zone of a ZIP3 is missing');
  expect(() => split.columnOf(7000, 100_000)).toThrow('the split of a ZIP3 is missing');
});

test('an empty zone within a served range is no service', () => {
  const { columnOf } = compileZones(chart(lane('070', '967-968', 3), lane('070', '96799', NO_COLUMN)));
  expect([96_798, 96_799, 96_800].map((zip) => columnOf(7000, zip))).toEqual([3, NO_COLUMN, 3]);
});

test('notServed wins over the chart', () => {
  const { columnOf } = compileZones({ ...chart(lane('070', '000-999', 1)), notServed: ['340', '96799'] });
  expect([33_999, 34_000, 34_099, 34_100, 96_799].map((zip) => columnOf(7000, zip))).toEqual([
    1,
    NO_COLUMN,
    NO_COLUMN,
    1,
    NO_COLUMN,
  ]);
});

test('zones by distance change at each bound', () => {
  const { columnOf, sourceOf } = compileZones({
    distances: { boundsMiles: [50, 150, 300], columns: [0, 1, 2, 3] },
    notServed: [],
  });
  // New York, Hartford (about 105 miles), Boston (about 190), Los Angeles from New Jersey's 070
  expect([10_001, 6_103, 2_139, 90_001].map((zip) => columnOf(7001, zip))).toEqual([0, 1, 2, 3]);
  expect(columnOf(7001, 0)).toBe(NO_COLUMN);
  expect(sourceOf(7001, 2139)).toEqual({ chart: 'distance', origin: '070', destination: '021', estimated: false });
});

test('an origin without a chart gets zones by distance, marked as estimated', () => {
  const { columnOf, sourceOf } = compileZones({
    chart: named('carrier', lane('070', '021', 7), lane('000-999', '995-999', 9)),
    distances: { boundsMiles: [300], columns: [0, 1] },
    notServed: [],
  });
  expect(columnOf(7001, 2139)).toBe(7);
  // The origin has a chart, so destinations that it does not list are not covered.
  expect(columnOf(7001, 10_001)).toBe(NO_COLUMN);
  expect(columnOf(7001, 99_501)).toBe(9);
  expect(columnOf(60_601, 2139)).toBe(1);
  expect(columnOf(60_601, 99_501)).toBe(9);
  expect(sourceOf(7001, 2139)).toEqual({ chart: 'carrier', origin: '070', destination: '021', estimated: false });
  expect(sourceOf(60_601, 99_501)).toMatchObject({ chart: 'carrier', origin: '000-999', destination: '995-999' });
  expect(sourceOf(60_601, 2139)).toEqual({ chart: 'distance', origin: '606', destination: '021', estimated: true });
});
