import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { previewBody } from '../../src/lists/preview/preview-body.ts';
import { type BatchApi, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { limits: { maximumBytes: 64 * 1024 * 1024 } });

/** A preview leaves no file, and nothing in the list. */
afterEach(async () => {
  expect(await api.folders()).toEqual([]);
  expect((await api.call('GET', '')).body).toEqual({ batches: [], next: null });
});

const preview = async (list: NonNullable<RequestInit['body']>, query = '', headers: Record<string, string> = {}) => {
  const { status, body } = await api.post(list, `?preview=true${query}`, headers);
  expect(status).toBe(200);
  return previewBody.parse(body);
};

const LIST = [
  'Order;Warehouse;Ship To Zip;Package Weight (lbs);Notes',
  'A1;101;2139;2.1;x',
  'A2;101;90001;5 lb 3 oz;',
  'A3;101;02139;2.1;y',
  '',
].join('\r\n');

test('reports how a list is written and what its columns mean', async () => {
  const seen = await preview(LIST);
  expect(seen.dialect).toEqual({ encoding: 'utf-8', delimiter: ';', lineBreak: 'crlf' });
  expect(seen.columns).toEqual([
    { field: 'warehouse_id', column: 'Warehouse', position: 2 },
    { field: 'postalCode', column: 'Ship To Zip', position: 3 },
    { field: 'weight_value', column: 'Package Weight (lbs)', position: 4 },
  ]);
  expect(seen.defaults).toEqual({ weight_units: 'LB' });
  expect(seen.unknownColumns).toEqual({ count: 2, names: ['Order', 'Notes'] });
});

test('has the first rows with their quotes or faults, and counts them', async () => {
  const seen = await preview(LIST);
  expect([seen.rowsRead, seen.quoted, seen.faulted]).toEqual([3, 1, 2]);
  expect(seen.faults).toEqual({ 'getRates.invalidRequest': 2 });
  expect(seen.rows.map(({ input_row: row, quote, fault }) => [row, quote === null, fault?.type])).toEqual([
    [1, true, 'getRates.invalidRequest'],
    [2, true, 'getRates.invalidRequest'],
    [3, false, undefined],
  ]);
  expect(seen.rows[0]?.fault?.arguments).toEqual({
    'rates.recipient.address.postalCode':
      'must have the form 12345 or 12345-6789; 2139 looks like 02139 without its leading zero',
  });
  const single = await api.api.quote(seen.rows[2]?.request);
  expect(seen.rows[2]?.quote).toEqual(single.body);
});

test('proposes a repair, and shows it on request', async () => {
  const { repairs, repairAll } = await preview(LIST);
  expect(repairs).toEqual({ asked: [], rows: 0, kinds: [], emptyWeights: 0 });
  expect(repairAll).toMatchObject({ rows: 2, quoted: 3, faulted: 0 });
  expect(repairAll.examples).toEqual([
    { input_row: 1, repairs: ['postalCode 2139 read as 02139'] },
    { input_row: 2, repairs: ['weight_value 5 lb 3 oz read as 5.1875 LB'] },
  ]);
  const repaired = await preview(LIST, '&repair=zip');
  expect(repaired).toMatchObject({ quoted: 2, faulted: 1, repairs: { asked: ['zip'], rows: 1 } });
  expect(repaired.rows[0]?.repairs).toEqual(['postalCode 2139 read as 02139']);
});

test('proposes no repair for cells that are read without one', async () => {
  const { repairAll, quoted } = await preview(
    'warehouse,zip,Weight (oz),Country\n101,02139,35,United States\n101,2139,35,USA\n',
  );
  expect([quoted, repairAll.rows, repairAll.quoted]).toEqual([1, 1, 2]);
  expect(repairAll.examples.map(({ input_row: row }) => row)).toEqual([2]);
});

test('counts a short list exactly', async () => {
  const { estimate } = await preview(listOf(10));
  expect(estimate).toMatchObject({ exact: true, rows: 10, currency: 'USD' });
  expect(estimate.totalNetCharge).toBeGreaterThan(100);
});

test('reads a thousand rows of a long list, and estimates the rest by its length', async () => {
  const list = listOf(20_000);
  const seen = await preview(list);
  expect([seen.rowsRead, seen.rows.length, seen.estimate.exact]).toEqual([1_000, 20, false]);
  expect(seen.estimate.rows).toBeGreaterThan(18_000);
  expect(seen.estimate.rows).toBeLessThan(24_000);
  const beginning = await preview(list.slice(0, 300_000), `&bytes=${list.length}`);
  expect(beginning.estimate.rows).toBe(seen.estimate.rows);
  const zipped = await preview(gzipSync(list), '', { 'Content-Encoding': 'gzip', 'Content-Type': 'text/csv' });
  expect(zipped.estimate).toMatchObject({ exact: false, rows: null, totalNetCharge: null });
});

test('reads the beginning of a list that is cut within a row', async () => {
  const list = listOf(5);
  expect(await preview(list.slice(0, -8), `&bytes=${list.length}`)).toMatchObject({
    rowsRead: 4,
    estimate: { exact: false, rows: 5 },
  });
});

test('accepts a form, and lets a long one be sent to its end', async () => {
  const form = new FormData();
  form.set('file', new Blob([listOf(100_000)]), 'june.csv');
  expect((await preview(form)).rowsRead).toBe(1_000);
});

test('is refused for the same reasons as the upload', async () => {
  const refused = async (list: string): Promise<unknown> => {
    const { status, body } = await api.post(list, '?preview=true');
    return [status, body.fault.type, Object.keys(body.fault.arguments)];
  };
  expect(await refused('')).toEqual([422, 'createBatch.invalidFile', ['file']]);
  expect(await refused('zip,weight\n02139,2\n')).toEqual([
    422,
    'createBatch.invalidFile',
    ['warehouse_id', 'weight_units'],
  ]);
  expect(await refused(`${listOf(2)}${'x'.repeat(2_000_000)}`)).toEqual([413, 'request.tooLarge', ['row']]);
});

test('lists the columns if it is refused for their meaning', async () => {
  const header = async (list: string, query = '?preview=true'): Promise<unknown> =>
    (await api.post(list, query)).body.header;
  expect(await header('Ship date,Zip,Wt net\n1,02139,2\n')).toEqual(['Ship date', 'Zip', 'Wt net']);
  expect(await header('zip,postcode,weight\n02139,02139,2\n')).toEqual(['zip', 'postcode', 'weight']);
  expect(await header('')).toBeUndefined();
  expect(await header('Ship date,Zip,Wt net\n1,02139,2\n', '')).toBeUndefined();
});
