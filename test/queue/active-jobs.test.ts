import { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Redis } from '../../src/base/redis/connection.ts';
import { type ActiveJob, freeJobs } from '../../src/batch/queue/active-jobs.ts';
import { openQueues, PREFIX, type Queues } from '../../src/batch/queue/jobs.ts';
import { openRedis, type TestRedis, testRedis } from '../redis.ts';

let server: TestRedis;
let redis: Redis;
let queues: Queues;
beforeAll(async () => {
  server = await testRedis();
  redis = await openRedis(server.url);
  queues = openQueues(redis);
});
afterEach(() => server.clear());
afterAll(async () => {
  await queues.close();
  redis.disconnect();
  await server.stop();
});

/** Takes waiting chunks under a worker's name, without working on them. */
const take = async (count: number, name?: string): Promise<void> => {
  const worker = new Worker('chunk', null, { connection: redis, prefix: PREFIX, ...(name !== undefined && { name }) });
  for (let i = 0; i < count; i += 1) await worker.getNextJob(`token ${i}`);
  await worker.close();
};
const add = (ids: readonly string[]) =>
  queues.chunk.addBulk(
    ids.map((jobId) => ({ name: 'chunk', data: { batchId: 'b', index: 0, revision: 1 }, opts: { jobId } })),
  );
const found = async (): Promise<readonly ActiveJob[]> => {
  const jobs: ActiveJob[] = [];
  await freeJobs(redis, queues, (job) => {
    jobs.push(job);
    return false;
  });
  return jobs;
};

test('finds active jobs with their workers, and frees the lost ones', async () => {
  await add(['b-1', 'b-2', 'b-3', 'b-4']);
  await take(2, 'one');
  await take(1);
  const jobs = await found();
  expect(jobs.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
    { queueName: 'chunk', id: 'b-1', worker: 'one' },
    { queueName: 'chunk', id: 'b-2', worker: 'one' },
    { queueName: 'chunk', id: 'b-3', worker: '' },
  ]);
  expect(await freeJobs(redis, queues, ({ id }) => id === 'b-2')).toBe(1);
  expect(await redis.smembers(queues.chunk.toKey('stalled'))).toEqual(['b-2']);
  expect(await redis.exists(queues.chunk.toKey('b-2:lock'))).toBe(0);
  expect(await redis.exists(queues.chunk.toKey('b-1:lock'))).toBe(1);
});

test('ignores a job that no longer exists', async () => {
  await add(['b-1', 'b-2']);
  await take(2, 'one');
  await redis.del(queues.chunk.toKey('b-1'));
  expect((await found()).map(({ id }) => id)).toEqual(['b-2']);
});

test('makes one call for each queue, regardless of the number of active jobs', async () => {
  await add(Array.from({ length: 50 }, (_, i) => `b-${i}`));
  await take(50, 'one');
  await found();
  const sent = vi.spyOn(redis, 'sendCommand');
  expect((await found()).length).toBe(50);
  expect(sent.mock.calls.map(([{ name }]) => name)).toEqual(queues.all.map(() => 'evalsha'));
  sent.mockRestore();
});

test('finds all of thousands of active jobs', async () => {
  const ids = Array.from({ length: 2_500 }, (_, i) => `b-${i}`);
  const list = queues.assemble.toKey('active');
  for (const id of ids) void redis.rpush(list, id);
  for (const id of ids) void redis.hset(queues.assemble.toKey(id), 'pb', 'one');
  expect((await found()).map(({ id }) => id)).toEqual(ids);
});
