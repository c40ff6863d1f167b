import { Worker } from 'bullmq';
import { afterEach, expect, test } from 'vitest';
import { aliveWorkers, createWindow, signSlots, unsignSlots } from '../../src/batch/workers.ts';
import { PREFIX } from '../../src/queue/jobs.ts';
import { type BatchApi, listOf } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';
import { openRedis, type TestRedis } from '../redis.ts';

let redis: TestRedis;
let api: BatchApi;
let signing: NodeJS.Timeout | undefined;
const { work } = batchApiForEachTest((started) => ({ redis, api } = started));
afterEach(() => clearInterval(signing));

/** Takes the first chunk's job for a minute, as the worker of another machine would, and never does it. */
const takeAway = async (name: string): Promise<void> => {
  const connection = await openRedis(redis.url);
  const worker = new Worker('chunk', null, { connection, prefix: PREFIX, name, lockDuration: 60_000 });
  expect((await worker.getNextJob('a token'))?.processedBy).toBe(name);
  await worker.close();
  connection.disconnect();
};

test('what a worker had in hand whose machine is gone is done by another, long before its lock ends', async () => {
  await signSlots(api.redis, 'gone', 2);
  const id = await api.upload(listOf(60));
  await takeAway('gone');
  const began = performance.now();
  await work('here');
  await api.until(id, ({ rows }) => rows.processed === 57);
  expect((await api.call('GET', `/${id}`)).body.rows.processed).toBe(57);
  await expect.poll(async () => (await api.call('GET', `/${id}`)).body.status, { timeout: 40_000 }).toBe('completed');
  expect(performance.now() - began).toBeLessThan(40_000);
}, 60_000);

test('what a worker has in hand that gives signs of life is left to it', async () => {
  const id = await api.upload(listOf(60));
  await takeAway('elsewhere');
  signing = setInterval(() => void signSlots(api.redis, 'elsewhere', 2), 1_000);
  await signSlots(api.redis, 'elsewhere', 2);
  await work('here');
  await api.until(id, ({ rows }) => rows.processed === 57);
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  expect((await api.call('GET', `/${id}`)).body.rows.processed).toBe(57);
}, 60_000);

test('of one batch twice as many chunks are in the queue as there are live slots, and at least 4', async () => {
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

test('a worker is alive by the clock of Redis, from its first sign until it takes that back', async () => {
  await signSlots(api.redis, 'host/with-slash-7', 2);
  await signSlots(api.redis, 'other-8', 2);
  expect(await aliveWorkers(api.redis)).toEqual(new Set(['host/with-slash-7', 'other-8']));
  await unsignSlots(api.redis, 'other-8', 2);
  expect(await aliveWorkers(api.redis)).toEqual(new Set(['host/with-slash-7']));
});

test('a worker that stops takes its slots back, so that no window counts them', async () => {
  const before = await aliveWorkers(api.redis);
  const stop = await api.work();
  await expect.poll(async () => (await aliveWorkers(api.redis)).size).toBe(before.size + 1);
  await stop();
  expect(await aliveWorkers(api.redis)).toEqual(before);
});
