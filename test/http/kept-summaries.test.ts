/** What remains of batches and comparisons after their files have expired. */
import { expect, test } from 'vitest';
import { createSweeper } from '../../src/batch/sweep.ts';
import { type BatchApi, listOf } from './batch-api.ts';
import { batchApiForEachTest } from './batch-suite.ts';
import { comparisonsOf } from './comparison-api.ts';

const DAY_MS = 86_400_000;
let api: BatchApi;
const { work, rest } = batchApiForEachTest((started) => ({ api } = started));

const sweepAfter = (days: number) => {
  const now = () => new Date(Date.now() + days * DAY_MS);
  return createSweeper({ ...api, now, redisNow: async () => now() })(true);
};

/** A comparison that has expired together with its batch, 8 days later. */
const expired = async () => {
  const comparisons = comparisonsOf(api);
  await work();
  const batch = await api.upload(listOf(7));
  await api.ended(batch);
  const id = await comparisons.compare(batch, [{ service: 'cheapest' }]);
  await comparisons.ended(id);
  // Otherwise a message that nobody needs is still in its queue.
  await api.quiet();
  await rest();
  const summary = await comparisons.summary(id);
  const batchSummary = (await api.call('GET', `/${batch}/summary`)).body;
  expect(summary).toMatchObject({ base: { rows: 7 } });
  await sweepAfter(8);
  return { comparisons, batch, id, summary, batchSummary };
};

test('the summary remains after the files have expired, and after the lists have forgotten it, without anything in Redis', async () => {
  const { comparisons, batch, id, summary, batchSummary } = await expired();
  expect(await comparisons.summary(id)).toEqual(summary);
  expect((await api.call('GET', `/${batch}/summary`)).body).toEqual(batchSummary);
  expect(await comparisons.call('GET', `/${id}/output`)).toMatchObject({
    status: 410,
    body: { fault: { type: 'batches.expired' } },
  });
  expect(await comparisons.ask(batch, { scenarios: [{}] })).toMatchObject({
    status: 410,
    body: { fault: { type: 'batches.expired' } },
  });
  const files = (await api.store.list(`batches/${id}/`)).toSorted();
  expect(files).toEqual(['batch.json', 'final.json', 'sums.json']);

  await sweepAfter(40);
  expect((await comparisons.call('GET', '')).body.comparisons).toEqual([]);
  expect((await api.call('GET', '')).body.batches).toEqual([]);
  expect(await api.redis.keys(`*${id}*`)).toEqual([]);
  expect(await api.folders()).toEqual([]);
  expect(await comparisons.summary(id)).toEqual(summary);
  expect((await api.call('GET', `/${batch}/summary`)).body).toEqual(batchSummary);
  expect((await comparisons.call('GET', `/${id}`)).body).toMatchObject({ id, status: 'expired', batch: { id: batch } });
  expect(await comparisons.call('GET', `/${id}/output`)).toMatchObject({ status: 410 });
  expect(await comparisons.call('POST', `/${id}/cancel`)).toMatchObject({ status: 409 });
  expect(await comparisons.call('POST', `/${id}/retry`)).toMatchObject({ status: 409 });
  const token = await api.api.tokenOf('other', 'other-secret');
  expect(await comparisons.call('GET', `/${id}/summary`, token)).toMatchObject({ status: 404 });
  expect(await comparisons.call('DELETE', `/${id}`, token)).toMatchObject({ status: 404 });
  expect(await comparisons.call('DELETE', `/${id}`)).toMatchObject({ status: 204 });
  expect(await comparisons.call('GET', `/${id}/summary`)).toMatchObject({ status: 404 });
  await sweepAfter(400);
  expect(await api.call('GET', `/${batch}/summary`)).toMatchObject({ status: 200 });
  await sweepAfter(410);
  expect(await api.call('GET', `/${batch}/summary`)).toMatchObject({ status: 404 });
  expect(await api.call('GET', `/${batch}`)).toMatchObject({ status: 404 });
});
