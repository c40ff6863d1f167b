/** Lists whose rows choose among warehouses: uploaded, previewed and corrected. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { previewBody } from '../../src/lists/preview/preview-body.ts';
import { BATCHES, type BatchApi, HEADER } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true });

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });
const listOf = (...warehouses: readonly string[]): string =>
  [HEADER, ...warehouses.map((warehouse, at) => `A${at},${warehouse},${at % 2 ? '90210' : '02139'},5,LB,,`), ''].join(
    '\n',
  );
const rate = async (list: string, query = ''): Promise<string> => {
  const id = await api.upload(list, query);
  expect((await api.ended(id)).status).toBe('completed');
  return id;
};
const outputOf = async (id: string): Promise<Record<string, string>[]> =>
  rowsOf((await api.file(`/${id}/output`)).text);

/** The cells of the row's single call. */
const called = async (warehouse: string, at: number): Promise<Record<string, string>> => {
  const id = /^\d+$/.test(warehouse) ? Number(warehouse) : warehouse;
  const { body } = await api.api.quote({
    rates: {
      shipper: { warehouse_id: id },
      recipient: { address: { postalCode: at % 2 ? '90210' : '02139' } },
      packageItems: [{ weight: { units: 'LB', value: 5 } }],
    },
  });
  if (body.fault !== undefined) return { quote_status: '422', fault_type: body.fault.type, ship_from: '' };
  const from: { warehouse_id: number; totalNetCharge: number }[] = body.warehouses ?? [
    { warehouse_id: id, totalNetCharge: body.totalNetCharge },
  ];
  return {
    quote_status: '200',
    quote_totalNetCharge: body.totalNetCharge.toFixed(2),
    ship_from: String(body.warehouse_id ?? id),
    ...Object.fromEntries(from.map((one) => [`net_from_${one.warehouse_id}`, one.totalNetCharge.toFixed(2)])),
  };
};

test('each row has the warehouse and the prices of its single call', async () => {
  const warehouses = ['101', '101', '101', '102', 'any', 'ANY', '103|102', '102|101|103', '101|999', '104|101'];
  const rows = await outputOf(await rate(listOf(...warehouses)));
  const singles = await Promise.all(warehouses.map(called));
  for (const [at, single] of singles.entries()) expect(rows[at]).toMatchObject(single);
  expect(Object.keys(rows[0] ?? {}).slice(-5)).toEqual([
    ...['ship_from', 'net_from_101', 'net_from_102', 'net_from_103', 'quote_warnings'],
  ]);
  expect(rows.map((row) => row['quote_status']).join()).toBe('200,200,200,200,200,200,200,200,422,422');
});

test('a parameter sets it for all rows of a list without the column', async () => {
  const list = 'postalCode,weight_value,weight_units\n02139,5,LB\n90210,5,LB\n';
  const rows = await outputOf(await rate(list, '?warehouse_id=103%7C101'));
  expect(rows.map((row) => row['ship_from'])).toEqual(['101', '103']);
  expect(rows[0]).toMatchObject(await called('103|101', 0));
  expect(Object.keys(rows[0] ?? {})).not.toContain('net_from_102');
  const { status, body } = await api.post(list, '?warehouse_id=101%7C');
  expect(status).toBe(422);
  expect(body.fault.arguments).toEqual({
    warehouse_id: 'must be a warehouse id (a whole number of at most 10 digits), any, or several such as 101|103',
  });
});

test('a preview shows the quotes of such rows', async () => {
  const { status, body } = await api.post(listOf('any', '101'), '?preview=true');
  expect(status).toBe(200);
  const { rows, faulted } = previewBody.parse(body);
  expect(faulted).toBe(0);
  expect(rows[0]?.quote).toMatchObject({ warehouse_id: 101, warehouses: [{}, {}, {}] });
});

test('a list that names more than fifty warehouses in such cells is refused, and none of it is stored', async () => {
  const before = await api.folders();
  const pairs = Array.from({ length: 26 }, (_, at) => `${2 * at + 1}|${2 * at + 2}`);
  const { status, body } = await api.post(listOf('101', ...pairs));
  expect(status).toBe(422);
  expect(body.fault).toMatchObject({
    type: 'createBatch.invalidFile',
    arguments: {
      warehouse_id: 'up to row 27, the cells with several warehouses name more than 50 of them: split the list',
    },
  });
  expect(await api.folders()).toEqual(before);
});

const correct = async (id: string, from: string, to: string): Promise<Record<string, string>[]> => {
  const faults = (await api.file(`/${id}/faults`)).text.replace(from, to);
  const { status, body } = await api.api.call(`${BATCHES}/${id}/corrections`, {
    method: 'POST',
    headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
    body: faults,
  });
  expect([status, body.fault]).toEqual([202, undefined]);
  expect((await api.ended(id)).status).toBe('completed');
  return await outputOf(id);
};

test('a correction may choose too: its charges are written, and the batch’s columns do not change', async () => {
  const plain = await correct(await rate(listOf('101', '999')), ',999,', ',any,');
  const net = (await called('any', 1))['quote_totalNetCharge'];
  expect(plain[1]).toMatchObject({ quote_status: '200', quote_totalNetCharge: net });
  expect(Object.keys(plain[1] ?? {}).filter((name) => /ship_from|net_from/.test(name))).toEqual([]);
  const choosing = await correct(await rate(listOf('101|102', '999')), ',999,', ',any,');
  expect(choosing[1]).toMatchObject({ quote_totalNetCharge: net, ship_from: '103' });
  expect(Object.keys(choosing[1] ?? {})).not.toContain('net_from_103');
});
