/** Pages of a batch's output, from parts in a store. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type RowsWanted, rowsPage } from '../../src/batch/output/rows-page.ts';
import { keys } from '../../src/batch/records.ts';
import { type Backend, redisAndStore, type StoredBatch, storeBatch } from './fixtures.ts';

/** 12 rows in chunks of three: rows 2, 5 and 6 have faults, of two types. */
const ZIPS = ['02139', '00000', '10001', '60601', 'no ZIP', '00000', ...Array(6).fill('30301')];
const LIST = [
  'order,warehouse_id,postalCode,weight_value,weight_units',
  ...ZIPS.map((zip, at) => `"A ""${at + 1}""",101,${zip},${at + 1}.5,LB`),
  '',
].join('\n');

let backend: Backend;
let batch: StoredBatch;
redisAndStore((fresh) => {
  backend = fresh;
});
beforeEach(async () => {
  batch = await storeBatch(backend.store, LIST, 3);
});

const pageOf = (wanted: Partial<RowsWanted>, parts = batch.output.parts) =>
  rowsPage(backend.store, batch.document, parts, { from: 0, limit: 5, outcome: 'all', ...wanted });
const numbersOf = async (wanted: Partial<RowsWanted>, parts = batch.output.parts) => {
  const { rows, next } = await pageOf(wanted, parts);
  return [rows.map(({ input_row }) => input_row), next];
};

test('a page of a batch whose plan is lost is an error, not an empty page', async () => {
  await backend.store.remove(keys.plan(batch.document.id));
  await expect(pageOf({})).rejects.toThrow('the plan of the batch is missing');
});

test('a page has the columns of the output, and the cell values of each row', async () => {
  const { header, rows } = await pageOf({ limit: 2 });
  expect(header.slice(0, 7)).toEqual([
    ...['order', 'warehouse_id', 'postalCode', 'weight_value', 'weight_units', 'input_row', 'quote_status'],
  ]);
  expect(rows[0]?.cells).toHaveLength(header.length);
  expect(rows.map(({ cells }) => cells.slice(0, 7))).toEqual([
    ['A "1"', '101', '02139', '1.5', 'LB', '1', '200'],
    ['A "2"', '101', '00000', '2.5', 'LB', '2', '422'],
  ]);
});

describe('pages', () => {
  test('continue across chunks until the end', async () => {
    expect(await numbersOf({ limit: 5 })).toEqual([[1, 2, 3, 4, 5], 5]);
    expect(await numbersOf({ limit: 5, from: 5 })).toEqual([[6, 7, 8, 9, 10], 10]);
    expect(await numbersOf({ limit: 5, from: 10 })).toEqual([[11, 12], null]);
    expect(await numbersOf({ limit: 12 })).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], null]);
    expect(await numbersOf({ from: 12 })).toEqual([[], null]);
  });

  test('can have only rows with a fault, or with one type of fault', async () => {
    expect(await numbersOf({ outcome: 'faulted' })).toEqual([[2, 5, 6], null]);
    expect(await numbersOf({ outcome: 'faulted', limit: 2 })).toEqual([[2, 5], 5]);
    expect(await numbersOf({ outcome: 'faulted', from: 2 })).toEqual([[5, 6], null]);
    expect(await numbersOf({ outcome: 'faulted', fault: 'getRates.invalidRequest' })).toEqual([[5], null]);
    expect(await numbersOf({ outcome: 'faulted', fault: 'getRates.noDeliveryCoverage' })).toEqual([[2, 6], null]);
    expect(await numbersOf({ outcome: 'faulted', fault: 'row.malformed' })).toEqual([[], null]);
  });

  test('can have only rows with a quote', async () => {
    expect(await numbersOf({ outcome: 'quoted' })).toEqual([[1, 3, 4, 7, 8], 8]);
    expect(await numbersOf({ outcome: 'quoted', from: 8 })).toEqual([[9, 10, 11, 12], null]);
  });

  test('can have only rows of a zone, from 1 to 8 or by the carrier’s own name', async () => {
    expect(await numbersOf({ zone: '3' })).toEqual(await numbersOf({ carrierZone: '3' }));
    expect((await numbersOf({ carrierZone: '3' }))[0]).not.toEqual([]);
    expect(await numbersOf({ carrierZone: '17' })).toEqual([[], null]);
  });

  test('have the rows of finished chunks if the batch has a gap', async () => {
    const done = batch.output.parts.filter(({ index }) => index !== 1);
    expect(await numbersOf({ limit: 6 }, done)).toEqual([[1, 2, 3, 7, 8, 9], 9]);
    expect(await numbersOf({ outcome: 'faulted' }, done)).toEqual([[2], null]);
  });

  test('skip parts whose counts show no matching row', async () => {
    // Chunks 2 and 3 have no fault, and chunk 0 no row beyond the third.
    for (const index of [0, 2, 3]) await backend.store.remove(keys.part(batch.document.id, index));
    for (const index of [0]) await backend.store.remove(keys.faults(batch.document.id, index));
    expect(await numbersOf({ outcome: 'faulted', from: 3 })).toEqual([[5, 6], null]);
    await expect(numbersOf({ outcome: 'all' })).rejects.toThrow('there is no object');
  });
});

test('a page ends early at one MiB of text, but never without a row', async () => {
  const long = 'x'.repeat(530_000);
  const list = [
    'note,warehouse_id,postalCode,weight_value,weight_units',
    ...[1, 2, 3].map((at) => `${long},101,02139,${at},LB`),
    '',
  ];
  batch = await storeBatch(backend.store, list.join('\n'), 2);
  expect(await numbersOf({ limit: 4 })).toEqual([[1, 2], 2]);
  expect(await numbersOf({ limit: 4, from: 2 })).toEqual([[3], null]);
});
