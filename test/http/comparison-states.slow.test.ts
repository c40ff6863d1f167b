/** The life cycle of a comparison, and how its batch affects it. */
import { beforeEach, expect, test } from 'vitest';
import { createSweeper } from '../../src/batch/sweep.ts';
import { comparisonEnded } from '../../src/http/schemas.ts';
import { type BatchApi, listOf } from './batch-api.ts';
import { batchApiForEachTest } from './batch-suite.ts';
import { type ComparisonApi, comparisonsOf } from './comparison-api.ts';

const SCENARIOS = [{ service: 'cheapest' }, { fuel: 20 }];
const DAY_MS = 86_400_000;

let api: BatchApi;
let comparisons: ComparisonApi;
let batch = '';
const { work, rest } = batchApiForEachTest((started) => ({ api } = started));
beforeEach(async () => {
  comparisons = comparisonsOf(api);
  await work();
  batch = await api.upload(listOf(10));
  await api.ended(batch);
});

const outputOf = async (id: string) => (await comparisons.file(`/${id}/output`)).text;

test('it ends the same way if its batch is deleted or expires before a worker begins', async () => {
  const first = await comparisons.compare(batch, SCENARIOS);
  await comparisons.ended(first);
  await rest();
  const [one, two] = [await comparisons.compare(batch, SCENARIOS), await comparisons.compare(batch, SCENARIOS)];
  const later = () => new Date(Date.now() + 8 * DAY_MS);
  await createSweeper({ ...api, now: later, redisNow: async () => later() })();
  expect((await api.call('GET', `/${batch}`)).body.status).toBe('expired');
  await work();
  expect((await comparisons.ended(one)).status).toBe('completed');
  await api.call('DELETE', `/${batch}`);
  expect((await comparisons.ended(two)).status).toBe('completed');
  expect(await outputOf(one)).toBe(await outputOf(two));
  expect((await outputOf(one)).split('\n').length).toBe(12);
});

test('it is cancelled, and the rated rows can be read', async () => {
  await rest();
  const id = await comparisons.compare(batch, SCENARIOS);
  expect(await comparisons.call('DELETE', `/${id}`)).toMatchObject({
    status: 409,
    body: { fault: { type: 'batches.notFinal' } },
  });
  expect(await comparisons.call('GET', `/${id}/summary`)).toMatchObject({
    status: 409,
    body: { fault: { type: 'batches.notReady' } },
  });
  await api.rateChunk(id, 0);
  expect(await comparisons.call('POST', `/${id}/cancel`)).toMatchObject({
    status: 202,
    body: { status: 'cancelling' },
  });
  await work();
  expect(await comparisons.ended(id)).toMatchObject({ status: 'cancelled', rows: { processed: 3 } });
  expect((await outputOf(id)).split('\n').length).toBe(5);
  expect((await comparisons.summary(id)).base.rows).toBe(3);
});

test('it fails and is retried without its batch, with the same bytes', async () => {
  const whole = await comparisons.compare(batch, SCENARIOS);
  await comparisons.ended(whole);
  await rest();
  const id = await comparisons.compare(batch, SCENARIOS);
  await api.rateChunk(id, 0);
  await api.failChunk(id, { index: 1, revision: 1 });
  expect((await comparisons.call('GET', `/${id}`)).body).toMatchObject({
    status: 'failed',
    failure: { rows: { from: 4, to: 6 } },
  });
  expect((await comparisons.summary(id)).base.rows).toBe(3);
  await api.call('DELETE', `/${batch}`);
  expect(await comparisons.call('POST', `/${id}/retry`)).toMatchObject({ status: 202 });
  await work();
  expect((await comparisons.ended(id)).status).toBe('completed');
  expect(await outputOf(id)).toBe(await outputOf(whole));
  expect(await api.store.get(`batches/${id}/sums.json`)).toEqual(await api.store.get(`batches/${whole}/sums.json`));
});

test('a lost part, or lost sums of a part, are rebuilt before it ends', async () => {
  const whole = await comparisons.compare(batch, SCENARIOS);
  await comparisons.ended(whole);
  await rest();
  const id = await comparisons.compare(batch, SCENARIOS);
  for (const index of [0, 1, 2]) await api.rateChunk(id, index);
  await api.store.remove(`batches/${id}/parts/00001.sums.json`);
  await work();
  expect((await comparisons.ended(id)).status).toBe('completed');
  expect(await api.store.get(`batches/${id}/sums.json`)).toEqual(await api.store.get(`batches/${whole}/sums.json`));
});

test('it is restored from the store when Redis has lost it', async () => {
  const id = await comparisons.compare(batch, SCENARIOS);
  const before = await comparisons.ended(id);
  await rest();
  await api.redis.flushall();
  await createSweeper({ ...api, now: () => new Date() })();
  expect((await comparisons.call('GET', `/${id}`)).body).toEqual(before);
  expect((await comparisons.call('GET', `?batch=${batch}`)).body.comparisons).toEqual([before]);
});

test('the message of its end', async () => {
  const id = await comparisons.compare(batch, SCENARIOS);
  await comparisons.ended(id);
  await rest();
  await api.store.remove(`batches/${id}/told.json`);
  const message = await api.notifications.messageOf({ id: `${id}-r1-completed`, batchId: id, revision: 1 });
  expect(message?.event).toBe('comparison.completed');
  expect(comparisonEnded.parse(JSON.parse(message?.body ?? ''))).toMatchObject({
    type: 'comparison.completed',
    data: { id, status: 'completed', batch: { id: batch } },
  });
});
