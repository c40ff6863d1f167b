import { expect, test } from 'vitest';
import { createPlanner } from '../../src/rows/chunk-plan.ts';
import { readHead } from '../../src/rows/header.ts';
import { withoutPause } from '../../src/time-slices.ts';
import { planList } from './fixtures.ts';

const HEADER = 'order,warehouse_id,postalCode,weight_value,weight_units\n';
const rowOf = (bytes: number): string => {
  const end = ',101,02139,2,LB\n';
  return `${'x'.repeat(bytes - end.length)}${end}`;
};
const chunksOf = (list: string) => {
  const planned = planList(Buffer.from(list));
  if (!('plan' in planned)) throw new Error('the list was refused');
  return planned.plan.chunks.map(({ firstRow, rows, from, to }) => ({ firstRow, rows, bytes: to - from }));
};

test('a chunk ends with the row that makes it 4 MiB, however few rows it has', () => {
  expect(chunksOf(HEADER + rowOf(1_000_000).repeat(7))).toEqual([
    { firstRow: 1, rows: 5, bytes: 5_000_000 },
    { firstRow: 6, rows: 2, bytes: 2_000_000 },
  ]);
});

test('rows of exactly 4 MiB in all are one chunk, and the next row begins another', () => {
  const quarter = rowOf(1_048_576);
  expect(chunksOf(HEADER + quarter.repeat(4) + rowOf(20))).toEqual([
    { firstRow: 1, rows: 4, bytes: 4_194_304 },
    { firstRow: 5, rows: 1, bytes: 20 },
  ]);
});

test('a long row is planned in slices', () => {
  const head = readHead(Buffer.from(`${HEADER}a,101,02139,2,LB\n`), true, {}, 1_048_576);
  if (head === 'more' || 'problems' in head) throw new Error('the header was refused');
  const limits = { chunkRows: 10, maximumRows: 10, maximumRowBytes: 1_048_576 };
  const planner = createPlanner(head.columns, head.bodyStart, head.headerLines, limits);
  const row = Buffer.from(`${','.repeat(1_048_570)}\n`);
  let yields = 0;
  for (let at = 0; at < row.length; at += 65_536)
    for (const _ of planner.push(row.subarray(at, at + 65_536))) yields += 1;
  // Each slice is 16 KiB; the row is scanned whenever it has doubled.
  expect(yields).toBeGreaterThanOrEqual(48);
  expect(withoutPause(planner.finish())).toMatchObject({ rows: 0, chunks: [] });
});
