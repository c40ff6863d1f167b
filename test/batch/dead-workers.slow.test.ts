import { Worker } from 'bullmq';
import { afterEach, expect, test } from 'vitest';
import { PREFIX } from '../../src/batch/queue/jobs.ts';
import { aliveWorkers, createWindow, signSlots, unsignSlots } from '../../src/batch/workers.ts';
import { type BatchApi, listOf } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';
import { openRedis, type TestRedis } from '../redis.ts';

const LIFE_SIGNS = { everyMs: 100, deadAfterMs: 1_000 };

let redis: TestRedis;
let api: BatchApi;
let signing: NodeJS.Timeout | undefined;
const { work } = batchApiForEachTest((started) => ({ redis, api } = started), { lifeSigns: LIFE_SIGNS });
afterEach(() => clearInterval(signing));

/** Takes a chunk's job as the worker of another machine would, for longer than a test may take, and never does it. */
const takeJob = async (name: string): Promise<void> => {
  const connection = await openRedis(redis.url);
  const worker = new Worker('chunk', null, { connection, prefix: PREFIX, name, lockDuration: 600_000 });
  expect((await worker.getNextJob('a token'))?.processedBy).toBe(name);
  await worker.close();
  connection.disconnect();
};

test('the job of a worker on a dead machine is done by another, long before its lock expires', async () => {
  await signSlots(api.redis, 'gone', 2);
  const id = await api.upload(listOf(60));
  await takeJob('gone');
  await work('here');
  expect((await api.ended(id)).status).toBe('completed');
});

test('a worker that gives signs of life keeps its job when the job of a dead one is freed', async () => {
  const sign = (name: string): Promise<void> => signSlots(api.redis, name, 2);
  await Promise.all([sign('gone'), sign('elsewhere')]);
  signing = setInterval(() => void sign('elsewhere'), LIFE_SIGNS.everyMs);
  const id = await api.upload(listOf(60));
  await takeJob('gone');
  await takeJob('elsewhere');
  await work('here');
  await api.until(id, ({ rows }) => rows.processed === 57);
  // The last job of 'here' can still be active for a moment after its rows are counted.
  await expect
    .poll(async () => (await api.queues.chunk.getActive()).map(({ processedBy }) => processedBy))
    .toEqual(['elsewhere']);
  clearInterval(signing);
  expect((await api.ended(id)).status).toBe('completed');
});

test('the queue holds twice as many chunks of one batch as there are live slots, and at least 4', async () => {
  const windowNow = () => createWindow(api.redis)();
  expect(await windowNow()).toBe(4);
  await signSlots(api.redis, 'one', 2);
  expect(await windowNow()).toBe(4);
  for (const name of ['two', 'three', 'four', 'five']) await signSlots(api.redis, name, 2);
  expect(await windowNow()).toBe(20);
  const id = await api.upload(listOf(90));
  // The API's own count is at most a second old.
  await expect
    .poll(async () => {
      await api.scheduler.reconcile(id);
      return await api.queues.chunk.count();
    })
    .toBe(20);
  await unsignSlots(api.redis, 'five', 2);
  expect(await windowNow()).toBe(16);
});

test('a worker is alive by the clock of Redis, from its first sign until it withdraws it', async () => {
  await signSlots(api.redis, 'host/with-slash-7', 2);
  await signSlots(api.redis, 'other-8', 2);
  expect(await aliveWorkers(api.redis)).toEqual(new Set(['host/with-slash-7', 'other-8']));
  await unsignSlots(api.redis, 'other-8', 2);
  expect(await aliveWorkers(api.redis)).toEqual(new Set(['host/with-slash-7']));
});

test('a worker that stops removes its slots, so that no window counts them', async () => {
  const before = await aliveWorkers(api.redis);
  const stop = await api.work();
  await expect.poll(async () => (await aliveWorkers(api.redis)).size).toBe(before.size + 1);
  await stop();
  expect(await aliveWorkers(api.redis)).toEqual(before);
});
