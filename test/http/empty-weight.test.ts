/** `?empty_weight=` in the preview, the output and corrections. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { BATCHES, type BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started));

const LIST = 'warehouse_id,zip,Weight (lb)\n101,02139,\n101,10001,4\n101,213,\n';
const ASKED = '?empty_weight=2.5LB';

const rowsOf = async (id: string) =>
  parse<Record<string, string>>((await api.file(`/${id}/output`)).text, { columns: true });

test('the preview counts the rows that use it, and shows them like the single call', async () => {
  const { body } = await api.post(LIST, `${ASKED}&preview=true`);
  expect(body).toMatchObject({ quoted: 2, faulted: 1, repairs: { asked: [], rows: 0, kinds: [], emptyWeights: 2 } });
  expect(body.rows[0]).toMatchObject({
    repairs: ['weight_value (empty) read as 2.5 LB'],
    request: { rates: { packageItems: [{ weight: { value: 2.5, units: 'LB' } }] } },
    fault: null,
  });
  const without = await api.post(LIST, '?preview=true');
  expect(without.body).toMatchObject({ quoted: 1, faulted: 2, repairs: { emptyWeights: 0 } });
  expect(body.repairAll.rows).toBe(without.body.repairAll.rows);
});

test('rows that use it equal single calls with that weight and say so, also when corrected', async () => {
  const id = await api.upload(LIST, ASKED);
  const stop = await api.work();
  await api.ended(id);
  const call = (postalCode: string) =>
    api.api.quote({
      rates: {
        shipper: { warehouse_id: 101 },
        recipient: { address: { postalCode } },
        packageItems: [{ weight: { units: 'LB', value: 2.5 } }],
      },
    });
  const [filled, own, faulted] = await rowsOf(id);
  expect(Number(filled?.['quote_totalNetCharge'])).toBe((await call('02139')).body.totalNetCharge);
  expect(JSON.parse(faulted?.['fault_arguments'] ?? '')).toEqual((await call('213')).body.fault.arguments);
  const note = 'weight_value (empty) read as 2.5 LB';
  expect([filled, own, faulted].map((row) => row?.['quote_repairs'])).toEqual([note, '', note]);
  const mended = (await api.file(`/${id}/faults`)).text.replace('101,213,', '101,10001,');
  const correct = (query: string) =>
    api.api.call(`${BATCHES}/${id}/corrections${query}`, {
      method: 'POST',
      headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
      body: mended,
    });
  expect((await correct('?empty_weight=3LB')).body.fault.arguments).toEqual({
    empty_weight: 'must be "2.5LB", as the batch was created with, or left out',
  });
  expect((await correct('')).status).toBe(202);
  await api.ended(id);
  const [, , corrected] = await rowsOf(id);
  await stop();
  expect(Number(corrected?.['quote_totalNetCharge'])).toBe((await call('10001')).body.totalNetCharge);
  expect(corrected?.['quote_repairs']).toBe(note);
});

test.each(['2.5', '0LB', '-1LB', '2,5LB', '1e2LB', '123456LB', 'LB', '2.5lbs', '2LB|3LB', ''])(
  '%j is refused',
  async (weight) => {
    const { status, body } = await api.post(LIST, `?empty_weight=${encodeURIComponent(weight)}`);
    const rule = 'must be a number above 0 with its unit, such as 2.5LB; the units are LB, KG, OZ and G';
    expect([status, body.fault.arguments]).toEqual([422, { empty_weight: rule }]);
  },
);
