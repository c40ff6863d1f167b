/** Lists with one row per line of an order, in a batch with chunks of three rows: corrected, compared and joined. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { previewBody } from '../../src/lists/preview/preview-body.ts';
import { BATCHES, type BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { type ComparisonApi, comparisonsOf } from './comparison-api.ts';

let api: BatchApi;
let comparisons: ComparisonApi;
batchApiForFile(
  (started) => {
    api = started.api;
    comparisons = comparisonsOf(api);
  },
  { worker: true },
);

const HEADER = 'Name,Lineitem quantity,Shipping Zip,Shipping Country,Lineitem weight (lb),warehouse_id';
const LINES = [
  ...['#1,2,02139,US,1.5,101', '#1,1,,,0.25,'],
  ...['#2,1,02139,US,1,101', '#2,1,,,,', '#2,1,,,2,', '#2,1,,,3,'],
  ...['#3,1,60601,US,2,101'],
];
const LIST = [HEADER, ...LINES, ''].join('\n');

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });
const completed = async (list = LIST, query = ''): Promise<string> => {
  const id = await api.upload(list, query);
  expect((await api.ended(id)).status).toBe('completed');
  return id;
};
const outputOf = async (id: string): Promise<Record<string, string>[]> =>
  rowsOf((await api.file(`/${id}/output`)).text);

const netOf = async (postalCode: string, value: number): Promise<string> => {
  const { body } = await api.api.quote({
    rates: {
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode } },
      packageItems: [{ weight: { units: 'LB', value } }],
    },
  });
  return body.totalNetCharge.toFixed(2);
};

const correct = async (id: string, from: string, to: string): Promise<void> => {
  const faults = (await api.file(`/${id}/faults`)).text;
  expect(faults).toContain(from);
  const { status } = await api.api.call(`${BATCHES}/${id}/corrections`, {
    method: 'POST',
    headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
    body: faults.replace(from, to),
  });
  expect(status).toBe(202);
  expect((await api.ended(id)).status).toBe('completed');
};

test('an order has one price, also after one of its rows was corrected', async () => {
  const id = await completed();
  const [first, third] = [await netOf('02139', 3.25), await netOf('60601', 2)];
  const summed = async (): Promise<readonly (readonly (string | undefined)[])[]> =>
    (await outputOf(id)).map((row) => [row['quote_status'], row['quote_totalNetCharge'], row['order_row']]);
  expect(await summed()).toEqual([
    ...[
      ['200', first, '1'],
      ['joined', '', '1'],
    ],
    ...[
      ['joined', '', '4'],
      ['422', '', '4'],
      ['joined', '', '4'],
      ['joined', '', '4'],
    ],
    ['200', third, '7'],
  ]);
  const batch = await api.ended(id);
  expect(batch.rows).toEqual({ total: 7, processed: 7, quoted: 2, faulted: 1, joined: 4 });
  expect(batch.totalNetCharge).toBeCloseTo(Number(first) + Number(third));

  await correct(id, '#2,1,,,,', '#2,1,,,1.5,');
  const second = await netOf('02139', 7.5);
  expect((await summed()).slice(2, 6)).toEqual([
    ['200', second, '3'],
    ['joined', '', '3'],
    ['joined', '', '3'],
    ['joined', '', '3'],
  ]);
  const { body } = await api.call('GET', `/${id}/summary`);
  expect(body.rows).toEqual({ processed: 7, quoted: 3, faulted: 0, joined: 4 });
  expect(body.totalNetCharge).toBeCloseTo(Number(first) + Number(second) + Number(third));
});

test('a preview reports orders, and shows the request of each order', async () => {
  const { body } = await api.post(LIST, '?preview=true');
  const { orders, rows, quoted, faulted, joined } = previewBody.parse(body);
  expect(orders).toEqual({ column: 'Name', quantity: 'Lineitem quantity', isJoined: true, rows: 7, orders: 3 });
  expect([quoted, faulted, joined]).toEqual([2, 1, 4]);
  expect(rows[0]?.request).toMatchObject({ rates: { packageItems: [{ weight: { value: 3.25 } }] } });
  expect(rows[1]).toEqual({ input_row: 2, request: null, repairs: [], quote: null, fault: null, order_row: 1 });
  const off = previewBody.parse((await api.post(LIST, '?preview=true&orders=none')).body);
  expect([off.orders, off.joined, off.faulted]).toEqual([null, 0, 4]);
});

test('a comparison counts an order once, and prices it like the batch', async () => {
  const id = await comparisons.compare(await completed(), [{ service: 'C1-EXPRESS' }]);
  expect(await comparisons.ended(id)).toMatchObject({
    status: 'completed',
    rows: { processed: 7, quoted: 2, joined: 4 },
  });
  const rows = rowsOf((await comparisons.file(`/${id}/output`)).text);
  expect(rows.map((row) => [row['net_base'], row['fault_base']])).toEqual([
    ...[
      [await netOf('02139', 3.25), ''],
      ['', ''],
    ],
    ...[
      ['', ''],
      ['', 'getRates.invalidRequest'],
      ['', ''],
      ['', ''],
    ],
    [await netOf('60601', 2), ''],
  ]);
  expect(await comparisons.summary(id)).toMatchObject({ base: { rows: 3, priced: 2 }, scenarios: [{ shipments: 2 }] });
});

test('rows of an order that are apart have a fault in every chunk, and the list is the same in one chunk', async () => {
  const lines = [...LINES.slice(0, 3), '#4,1,02139,US,1,101', '#5,1,02139,US,1,101', '#2,1,02139,US,1,101'];
  const rows = await outputOf(await completed([HEADER, ...lines, ''].join('\n')));
  expect(rows.map((row) => row['fault_type'])).toEqual(['', '', 'row.order', '', '', 'row.order']);
});

test('a workbook and Excel’s CSV have the joined rows too', async () => {
  const id = await completed();
  expect((await api.file(`/${id}/output?format=xlsx`)).status).toBe(200);
  expect((await api.file(`/${id}/output?output=excel`)).text).toContain('joined');
});

test('a column that the list does not have is refused', async () => {
  const { status, body } = await api.post(LIST, '?orders=Nummer');
  expect([status, body.fault.arguments]).toEqual([422, { orders: 'names "Nummer", which is not in the header' }]);
});
