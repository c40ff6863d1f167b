import { expect, test } from 'vitest';
import { DEGREES } from '../../src/catalog/tariff/distance.ts';
import { zipText } from '../../src/catalog/tariff/zip.ts';
import { STATE_NAMES } from '../../src/console/tariffs/map.ts';
import { cellsOf, MAP_HEIGHT, MAP_WIDTH, nearestTo, placeOf } from '../../src/console/tariffs/map-geometry.ts';
import { zipRanges } from '../../src/console/ui/format.ts';

const sites = [...DEGREES].map(([number, [lat, lon]]) => {
  const zip3 = zipText(number, 3);
  return { zip3, ...placeOf(zip3, lat, lon) };
});
const at = (zip3: string) => {
  const site = sites.find((candidate) => candidate.zip3 === zip3);
  if (site === undefined) throw new Error(`no such ZIP3: ${zip3}`);
  return site;
};

test('every ZIP3 has its own cell within the map', () => {
  expect(sites).toHaveLength(916);
  for (const { zip3, x, y } of sites) {
    expect(x > 0 && x < MAP_WIDTH, zip3).toBe(true);
    expect(y > 0 && y < MAP_HEIGHT, zip3).toBe(true);
  }
  expect(cellsOf(sites).filter(({ path }) => path === '')).toEqual([]);
});

test('north is up and east is right: Seattle, Miami, Boston, San Diego', () => {
  expect(at('981').y).toBeLessThan(at('921').y);
  expect(at('331').y).toBeGreaterThan(at('021').y);
  expect(at('981').x).toBeLessThan(at('021').x);
});

test('distances are right within 4%: New York to Chicago is 711 miles, to Los Angeles 2445', () => {
  const far = (from: string, to: string): number => Math.hypot(at(from).x - at(to).x, at(from).y - at(to).y);
  const share = far('100', '900') / far('100', '606');
  expect(share).toBeGreaterThan((2445 / 711) * 0.96);
  expect(share).toBeLessThan((2445 / 711) * 1.04);
});

test('Alaska, Hawaii, Guam and Puerto Rico are below the mainland’s west and east', () => {
  for (const zip3 of ['995', '967', '969']) expect(at(zip3).x, zip3).toBeLessThan(at('750').x);
  expect(at('009').x).toBeGreaterThan(at('331').x);
  for (const zip3 of ['995', '967', '969', '009']) expect(at(zip3).y, zip3).toBeGreaterThan(4200);
});

test('between two sites a cell ends half-way, except for a gap', () => {
  const [left] = cellsOf([
    { zip3: '100', x: 1000, y: 1000 },
    { zip3: '101', x: 1100, y: 1000 },
  ]);
  let x = 0;
  const xs = [...(left?.path ?? '').matchAll(/(-?\d+),/g)].map(([, step]) => {
    x += Number(step);
    return x;
  });
  expect(Math.max(...xs)).toBe(1048);
});

test('two sites at the same place both keep a cell', () => {
  const cells = cellsOf([
    { zip3: '202', x: 1000, y: 1000 },
    { zip3: '203', x: 1000, y: 1000 },
  ]);
  expect(cells.map(({ path }) => path.length > 0)).toEqual([true, true]);
});

test('a pointer selects the nearest site, and none far out at sea', () => {
  const { x, y } = at('800');
  expect(nearestTo(sites, { x: x + 10, y })?.zip3).toBe('800');
  expect(nearestTo(sites, { x: 7000, y: 5900 })).toBeUndefined();
});

test('runs of ZIP3s are written as ranges', () => {
  expect(zipRanges(['012', '010', '011', '005', '089'])).toBe('005, 010–012, 089');
  expect(zipRanges([])).toBe('');
});

test('the names of states are in their states, and apart', () => {
  const nameOf = (state: string) => STATE_NAMES.find(([name]) => name === state);
  expect(STATE_NAMES.length).toBeGreaterThan(40);
  for (const [state, zip3] of [
    ['TX', '768'],
    ['WA', '988'],
    ['FL', '328'],
  ] as const) {
    const [, x = 0, y = 0] = nameOf(state) ?? [];
    expect(Math.hypot(x - at(zip3).x, y - at(zip3).y), state).toBeLessThan(500);
  }
  expect(nameOf('HI')).toBeUndefined();
});
