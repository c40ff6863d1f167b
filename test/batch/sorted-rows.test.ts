/** Pages of a batch's output in the order of a result. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RowsWanted } from '../../src/batch/output/rows-page.ts';
import { type RowOrder, sortedPage } from '../../src/batch/output/sorted-rows.ts';
import { keys } from '../../src/batch/records.ts';
import { type Backend, redisAndStore, type StoredBatch, storeBatch } from './fixtures.ts';

/** Nine rows in chunks of two; rows 3 and 6 have no quote. */
const ROWS = [
  ['02139', 5],
  ['90001', 20],
  ['00000', 1],
  ['10001', 1],
  ['90001', 3],
  ['00000', 9],
  ['60601', 12],
  ['02139', 5],
  ['98101', 40],
] as const;
const listOf = (rows: readonly (readonly [zip: string, weight: number])[], note = ''): string =>
  [
    'note,warehouse_id,postalCode,weight_value,weight_units,shippingService',
    ...rows.map(([zip, weight]) => `${note},101,${zip},${weight},LB,C1-GROUND`),
    '',
  ].join('\n');

let backend: Backend;
let batch: StoredBatch;
redisAndStore((fresh) => {
  backend = fresh;
});
beforeEach(async () => {
  batch = await storeBatch(backend.store, listOf(ROWS), 2);
});

const pageOf = (order: RowOrder, wanted: Partial<RowsWanted> = {}) =>
  sortedPage(
    backend.store,
    batch.document,
    batch.output.parts,
    { from: 0, limit: 20, outcome: 'all', ...wanted },
    order,
  );
const numbersOf = async (...of: Parameters<typeof pageOf>) => {
  const { rows, next, sortedTo } = await pageOf(...of);
  return [rows.map(({ input_row }) => input_row), next, sortedTo];
};

describe('rows in the order of a result', () => {
  test('have the greatest or the least first, rows without a quote last, and equal rows in the order of the list', async () => {
    expect(await numbersOf('weight')).toEqual([[4, 5, 1, 8, 7, 2, 9, 3, 6], null, null]);
    expect(await numbersOf('-weight')).toEqual([[9, 2, 7, 1, 8, 5, 4, 3, 6], null, null]);
    const { header, rows } = await pageOf('-charge');
    const charges = rows.map(({ cells }) => cells[header.indexOf('quote_totalNetCharge')]);
    expect(charges.slice(7)).toEqual(['', '']);
    const priced = charges.slice(0, 7).map(Number);
    expect(priced).toEqual([...priced].sort((a, b) => b - a));
    const zones = await pageOf('zone', { outcome: 'quoted' });
    expect(zones.rows.map(({ cells }) => Number(cells[header.indexOf('quote_rateZone')]))).toEqual([
      1, 3, 3, 5, 8, 8, 8,
    ]);
  });

  test('come in pages, with their own cells', async () => {
    expect(await numbersOf('-weight', { limit: 4 })).toEqual([[9, 2, 7, 1], 4, null]);
    expect(await numbersOf('-weight', { limit: 4, from: 4 })).toEqual([[8, 5, 4, 3], 8, null]);
    expect(await numbersOf('-weight', { limit: 4, from: 8 })).toEqual([[6], null, null]);
    expect(await numbersOf('-weight', { from: 9 })).toEqual([[], null, null]);
    const { rows } = await pageOf('-weight', { limit: 2 });
    expect(rows.map(({ cells }) => cells.slice(1, 4))).toEqual([
      ['101', '98101', '40'],
      ['101', '90001', '20'],
    ]);
  });

  test('can be those of a filter alone', async () => {
    expect(await numbersOf('-weight', { search: '02139' })).toEqual([[1, 8], null, null]);
    expect(await numbersOf('weight', { outcome: 'faulted' })).toEqual([[3, 6], null, null]);
    expect(await numbersOf('weight', { service: 'C1-EXPRESS' })).toEqual([[], null, null]);
  });

  test('are fewer on a page if their text is long', async () => {
    batch = await storeBatch(backend.store, listOf(ROWS.slice(0, 3), 'x'.repeat(530_000)), 2);
    expect(await numbersOf('-weight')).toEqual([[2, 1], 2, null]);
    expect(await numbersOf('-weight', { from: 2 })).toEqual([[3], null, null]);
  });

  test('are the first ones of a large batch, and the page says up to where', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => ['02139', at + 1] as const);
    batch = await storeBatch(backend.store, listOf(rows), 2);
    // A part beyond those that are sorted is never read.
    await backend.store.remove(keys.part(batch.document.id, 20));
    expect(await numbersOf('-weight', { limit: 3 })).toEqual([[40, 39, 38], 3, 40]);
  });
});
