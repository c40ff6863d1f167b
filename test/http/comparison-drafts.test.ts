/** Comparisons with agreements: a client's own, its drafts, and those that it may not use. */
import { expect, test } from 'vitest';
import { onePercentage } from '../catalog/agreement/one-percentage.ts';
import { sampleClients } from './api.ts';
import { type BatchApi, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { type ComparisonApi, comparisonsOf } from './comparison-api.ts';

const clients = new Map(
  [...(await sampleClients())].map(([id, client]) => [
    id,
    id === 'demo' ? { ...client, drafts: ['next-year', 'broken', 'gone'] } : client,
  ]),
);
const draft = (name: string) => {
  if (name === 'broken') return 'is a draft with errors: broken/discounts.csv row 2: must be a percentage';
  return name === 'next-year' || name === 'others' ? onePercentage('30.00', { name }) : undefined;
};

let api: BatchApi;
let comparisons: ComparisonApi;
batchApiForFile(
  (started) => {
    api = started.api;
    comparisons = comparisonsOf(api);
  },
  { worker: true, clients, draft },
);

test('a draft is compared. A draft with errors or of another client is refused and named', async () => {
  const batch = await api.upload(listOf(3));
  await api.ended(batch);
  const id = await comparisons.compare(batch, [{ agreement: 'next-year' }, { agreement: 'none' }]);
  expect(await comparisons.ended(id)).toMatchObject({ status: 'completed', rows: { quoted: 3 } });
  const [own, list] = (await comparisons.summary(id)).scenarios;
  expect(own.total).toBeLessThan(list.total);
  expect(list.difference).toBeGreaterThanOrEqual(0);
  for (const [name, message] of [
    ['broken', 'is a draft with errors: broken/discounts.csv row 2: must be a percentage'],
    ['gone', 'is a draft that is not there any more'],
    ['others', 'must be one of none, next-year, broken, gone; there is no agreement others'],
  ])
    expect(await comparisons.ask(batch, { scenarios: [{ agreement: name }] })).toMatchObject({
      status: 422,
      body: { fault: { type: 'getRates.invalidRequest', arguments: { 'scenarios[0].agreement': message } } },
    });
});
