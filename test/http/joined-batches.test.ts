import { expect, test } from 'vitest';
import { comparisonSchema } from '../../src/batch/view.ts';
import { comparisonSummaryBody } from '../../src/http/batches/batches.ts';
import type { BatchApi } from './batch-api.ts';
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

const HEADER = 'Order Number,note,warehouse_id,postalCode,weight_value,weight_units,shippingService\n';
/** Columns of each row: key, ZIP code, weight. */
const listed = (rows: readonly (readonly [string, string, number])[]): string =>
  HEADER + rows.map(([key, zip, weight]) => `${key},"a, b",101,${zip},${weight},LB,C1-GROUND\n`).join('');

const JANUARY = listed([
  ['A1', '60601', 5],
  ['A2', '60601', 6],
  ['A3', '90001', 7],
  ['A4', '00000', 7],
  ['two', '60601', 1],
  ['two', '60601', 2],
]);
const FEBRUARY = listed([
  ['A3', '60601', 7],
  ['A1', '60601', 5],
  ['A5', '60601', 9],
  ['A4', '60601', 7],
]);

const batchOf = async (list: string, filename: string): Promise<string> => {
  const id = await api.upload(list, `?filename=${filename}`);
  await api.ended(id);
  return id;
};

test('two finished batches are joined by a key column, and outlive their batches', async () => {
  const [january, february] = [await batchOf(JANUARY, 'january.csv'), await batchOf(FEBRUARY, 'february.csv')];
  const answer = await comparisons.ask(january, { with: { batch: february, key: 'order_number' } });
  expect([answer.status, answer.body]).toMatchObject([
    202,
    {
      batch: { id: january, filename: 'january.csv' },
      with: { batch: february, revision: 1, filename: 'february.csv', key: 'order_number' },
      scenarios: [
        { name: 'february.csv', changes: 'the same shipments in the other batch', column: 'with', result: null },
      ],
      rows: { total: 10 },
    },
  ]);
  const { id } = answer.body;
  const ended = await comparisons.ended(id);
  expect(comparisonSchema.safeParse(ended).error).toBeUndefined();
  expect(ended).toMatchObject({ status: 'completed', rows: { processed: 10, quoted: 9, faulted: 1 } });
  for (const batch of [january, february]) expect((await api.call('DELETE', `/${batch}`)).status).toBe(204);
  const { text } = await comparisons.file(`/${id}/output`);
  const rows = text.trimEnd().split('\n').slice(1);
  expect(rows.map((row) => row.split(',').slice(0, 4).join(','))).toEqual([
    'two,duplicate,5,',
    'two,duplicate,6,',
    'A1,same,1,2',
    'A2,gone,2,',
    'A3,changed,3,1',
    'A4,unpriced,4,4',
    'A5,new,,3',
  ]);
  const summary = await comparisons.summary(id);
  expect(comparisonSummaryBody.safeParse(summary).error).toBeUndefined();
  expect(summary).toMatchObject({
    scenarios: [{ name: 'february.csv', shipments: 2, onlyScenario: { shipments: 1 } }],
    join: { gone: { shipments: 1 }, new: { shipments: 1 }, duplicates: { base: 2, with: 0 } },
  });
  const [{ attribution, difference, shipments, baseTotal, total, percent, missing, baseMissing }] = summary.scenarios;
  const { body: list } = await comparisons.call('GET', '?limit=1');
  expect(list.comparisons[0].scenarios[0].result).toEqual({
    ...{ shipments, baseTotal, total, difference, percent, missing, baseMissing },
  });
  expect(attribution.reduce((sum: number, part: { difference: number }) => sum + part.difference, 0)).toBeCloseTo(
    difference,
    6,
  );
  const json = JSON.parse((await comparisons.file(`/${id}/output?format=json`)).text);
  expect(json[4]).toMatchObject({ key: 'A3', status: 'changed', row_base: 3, row_with: 1, service_with: 'C1-GROUND' });
  expect((await comparisons.file(`/${id}/output?format=xlsx`)).status).toBe(200);
});

test('batches that cannot be joined are refused with the field and the way out, and nothing is started', async () => {
  const [january, february] = [await batchOf(JANUARY, 'january.csv'), await batchOf(FEBRUARY, 'february.csv')];
  const own = { batch: february, key: 'order_number' };
  const { body: before } = await comparisons.call('GET', `?batch=${january}`);
  const refused = async (body: object) => {
    const answer = await comparisons.ask(january, body);
    return [answer.status, answer.body.fault.type, answer.body.fault.arguments];
  };
  const invalid = (args: object) => [422, 'getRates.invalidRequest', args];
  expect(await refused({ with: { ...own, key: 'nothing' } })).toEqual(
    invalid({
      'with.key':
        'must be a column of both lists; they share Order Number, note, warehouse_id, postalCode, weight_value, weight_units, shippingService',
    }),
  );
  const lower = await batchOf(FEBRUARY.replace('Order Number', 'order_number'), 'lower.csv');
  expect(await refused({ with: { batch: lower, key: 'nothing' } })).toEqual(
    invalid({ 'with.key': expect.stringContaining('they share Order Number, note,') }),
  );
  expect(await refused({ with: { ...own, batch: january } })).toEqual(
    invalid({ 'with.batch': 'must be another batch' }),
  );
  expect(await refused({ with: { ...own, batch: `b${'0'.repeat(25)}` } })).toEqual(
    invalid({ 'with.batch': 'must be a completed batch of yours' }),
  );
  expect(await refused({})).toEqual(invalid({ scenarios: 'is required, or `with`, but not both' }));
  expect(await refused({ with: own, scenarios: [{ service: 'cheapest' }] })).toEqual(
    invalid({ scenarios: 'is required, or `with`, but not both' }),
  );
  expect((await comparisons.call('GET', `?batch=${january}`)).body).toEqual(before);
});

test('a comparison is not a batch: it cannot be compared or joined', async () => {
  const [january, february] = [await batchOf(JANUARY, 'january.csv'), await batchOf(FEBRUARY, 'february.csv')];
  const comparison = await comparisons.compare(january, [{ service: 'cheapest' }]);
  await comparisons.ended(comparison);
  const answers = await Promise.all([
    comparisons.ask(comparison, { scenarios: [{ service: 'cheapest' }] }),
    comparisons.ask(comparison, { with: { batch: february, key: 'order_number' } }),
    comparisons.ask(january, { with: { batch: comparison, key: 'order_number' } }),
  ]);
  expect(answers.map(({ status, body }) => [status, body.fault.arguments])).toEqual([
    [404, { path: expect.stringContaining(comparison) }],
    [404, { path: expect.stringContaining(comparison) }],
    [422, { 'with.batch': 'must be a completed batch of yours' }],
  ]);
});

test('a batch is joined whatever its file name is', async () => {
  const [january, february] = [await batchOf(JANUARY, 'january.csv'), await batchOf(FEBRUARY, '%20')];
  const { body } = await comparisons.ask(january, { with: { batch: february, key: 'order_number' } });
  expect(await comparisons.ended(body.id)).toMatchObject({ status: 'completed', scenarios: [{ name: february }] });
});
