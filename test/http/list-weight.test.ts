import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { BATCHES, type BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started));

const rowsOf = async (id: string) =>
  parse<Record<string, string>>((await api.file(`/${id}/output`)).text, { columns: true });

test('rows without a weight equal single calls with the weight of the upload, also when corrected', async () => {
  const id = await api.upload('zip\n02139\n213\n', '?warehouse_id=101&weight=40&units=OZ&services=all');
  const stop = await api.work();
  await api.ended(id);
  const call = (postalCode: string, units: string, value: number) =>
    api.api.quote({
      rates: {
        shipper: { warehouse_id: 101 },
        recipient: { address: { postalCode } },
        packageItems: [{ weight: { units, value } }],
      },
    });
  const [quoted, faulted] = await rowsOf(id);
  expect(Number(quoted?.['quote_totalNetCharge'])).toBe((await call('02139', 'LB', 2.5)).body.totalNetCharge);
  expect(JSON.parse(faulted?.['fault_arguments'] ?? '')).toEqual((await call('213', 'LB', 2.5)).body.fault.arguments);
  const mended = (await api.file(`/${id}/faults`)).text.replace('\n213,', '\n10001,');
  const correct = (query: string) =>
    api.api.call(`${BATCHES}/${id}/corrections${query}`, {
      method: 'POST',
      headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
      body: mended,
    });
  const other = await correct('?weight=41');
  expect(other.body.fault.arguments).toEqual({ weight: 'must be "40", as the batch was created with, or left out' });
  expect((await correct('?weight=40')).status).toBe(202);
  await api.ended(id);
  const [, corrected] = await rowsOf(id);
  await stop();
  expect(Number(corrected?.['quote_totalNetCharge'])).toBe((await call('10001', 'LB', 2.5)).body.totalNetCharge);
});

test.each(['0', '-1', '2,5', '1e2', '123456', '', '2|3'])('a weight of %j is refused', async (weight) => {
  const { status, body } = await api.post('zip\n02139\n', `?weight=${encodeURIComponent(weight)}`);
  expect([status, body.fault.arguments]).toEqual([
    422,
    { weight: 'must be a number above 0 with at most 5 digits and 6 decimals' },
  ]);
});
