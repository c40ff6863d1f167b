import { expect, test } from 'vitest';
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
