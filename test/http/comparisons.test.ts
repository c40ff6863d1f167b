import { expect, test } from 'vitest';
import { ANSWERS } from '../../src/http/schemas.ts';
import { type BatchApi, listOf } from './batch-api.ts';
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

const SCENARIOS = [{ name: 'cheapest', service: 'cheapest' }, { service: 'C1-EXPRESS' }];

const completedBatch = async (list = listOf(7)): Promise<string> => {
  const id = await api.upload(list, '?filename=orders.csv');
  await api.ended(id);
  return id;
};

test('a finished batch is compared: state, output and summary', async () => {
  const batch = await completedBatch();
  const answer = await comparisons.ask(batch, { scenarios: SCENARIOS });
  expect([answer.status, answer.body]).toMatchObject([
    202,
    {
      batch: { id: batch, revision: 1, filename: 'orders.csv' },
      scenarios: [
        { name: 'cheapest', changes: 'each to its cheapest service', column: 'cheapest', scenario: SCENARIOS[0] },
        { name: 'all to C1-EXPRESS', column: 'all_to_c1_express' },
      ],
      rows: { total: 7 },
    },
  ]);
  const { id } = answer.body;
  expect(answer.headers.get('Location')).toBe(`/v1/client/shipment/rates/comparisons/${id}`);
  const ended = await comparisons.ended(id);
  expect(ANSWERS.getComparison.safeParse(ended).error).toBeUndefined();
  expect(ended).toMatchObject({ status: 'completed', outcome: 'all_quoted', rows: { processed: 7, quoted: 7 } });
  const output = await comparisons.file(`/${id}/output`);
  const lines = output.text.split('\n');
  expect(output.status).toBe(200);
  expect(lines[0]).toBe(
    'order,warehouse_id,postalCode,weight_value,weight_units,shippingService,addressLine,input_row,' +
      'net_base,service_base,zone_base,billing_weight_base,warnings_base,fault_base,' +
      'net_cheapest,service_cheapest,zone_cheapest,billing_weight_cheapest,difference_cheapest,warnings_cheapest,fault_cheapest,' +
      'net_all_to_c1_express,service_all_to_c1_express,zone_all_to_c1_express,billing_weight_all_to_c1_express,difference_all_to_c1_express,' +
      'warnings_all_to_c1_express,fault_all_to_c1_express',
  );
  expect(lines.length).toBe(9);
  const plain = (await api.file(`/${batch}/output`)).text.split('\n');
  const netOf = (text: string, header: string, name: string) => text.split(',')[header.split(',').indexOf(name)];
  for (let row = 1; row <= 7; row++)
    expect(netOf(lines[row] ?? '', lines[0] ?? '', 'net_base')).toBe(
      netOf(plain[row] ?? '', plain[0] ?? '', 'quote_totalNetCharge'),
    );
  const summary = await comparisons.summary(id);
  expect(ANSWERS.getComparisonSummary.safeParse(summary).error).toBeUndefined();
  expect(summary).toMatchObject({
    status: 200,
    id,
    base: { rows: 7, priced: 7 },
    scenarios: [{ name: 'cheapest', shipments: 7 }, { shipments: 7 }],
  });
  const sum = lines.slice(1, 8).reduce((total, line) => total + Number(netOf(line, lines[0] ?? '', 'net_base')), 0);
  expect(summary.base.totalNetCharge).toBeCloseTo(sum, 6);
});
