import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { must } from '../../src/base/must.ts';
import { PREFIX } from '../../src/batch/queue/jobs.ts';
import { aliveWorkers, createWindow, SIGN_MS, signSlots, unsignSlots } from '../../src/batch/workers.ts';
import { LOCK } from '../../workers/worker.ts';
import { type BatchApi, listOf } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';
import { openRedis, type TestRedis } from '../redis.ts';

let redis: TestRedis;
let api: BatchApi;
const { work } = batchApiForEachTest((started) => ({ redis, api } = started));

/** Takes a chunk's job as a worker would that dies at once: nobody renews the lock. */
const takeJob = async (name: string, lockDuration: number): Promise<void> => {
  const connection = await openRedis(redis.url);
  const worker = new Worker('chunk', null, { connection, prefix: PREFIX, name, lockDuration });
  expect((await worker.getNextJob('a token'))?.processedBy).toBe(name);
  await worker.close();
  connection.disconnect();
};

test('another worker does the job of a dead one when its lock has expired, but no job with a lock', async () => {
  const id = await api.upload(listOf(60));
  await takeJob('gone', 1_000);
  await takeJob('elsewhere', 600_000);
  await work('here');
  await api.until(id, ({ rows }) => rows.processed === 57);
  // The last job of 'here' can still be active for a moment after its rows are counted.
  await expect
    .poll(async () => (await api.queues.chunk.getActive()).map(({ processedBy }) => processedBy))
    .toEqual(['elsewhere']);
});

test('a lock ends soon enough for the chunk of a killed worker to continue within 15 s', () => {
  // BullMQ notes the active jobs at one check, and moves those without a lock at the next.
  expect(LOCK.lockDuration + 2 * LOCK.stalledInterval).toBeLessThan(15_000);
});

test('a process whose queues wait for jobs on dead connections is stuck, and not while nothing waits', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = must(silent.address() as AddressInfo | null, 'an address');
  const connection = await openRedis(redis.url);
  // BullMQ waits for jobs on a duplicate.
  connection.duplicate = () => new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null });
  const whys: string[] = [];
  await api.work('wedged', undefined, { redis: connection, onStandstill: (why) => whys.push(why) });
  try {
    await sleep(2 * SIGN_MS);
    expect(whys).toEqual([]);
    await api.upload(listOf(3));
    await expect.poll(() => whys[0], { timeout: 60_000 }).toBe('it takes no jobs from the queue chunk, where 1 wait');
  } finally {
    // Its workers cannot stop: they wait for the connections.
    connection.disconnect();
    silent.close();
  }
}, 90_000);

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
