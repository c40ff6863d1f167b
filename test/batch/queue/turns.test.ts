import { type Job, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Redis } from '../../../src/base/redis/connection.ts';
import {
  addAssemble,
  addChunks,
  addWebhook,
  dueJobs,
  keepTurn,
  openQueues,
  PREFIX,
  type Queues,
  takeTurns,
} from '../../../src/batch/queue/jobs.ts';
import { openRedis, type TestRedis, testRedis } from '../../redis.ts';

let server: TestRedis;
let redis: Redis;
let queues: Queues;
let worker: Worker;
beforeAll(async () => {
  server = await testRedis();
  redis = await openRedis(server.url);
  queues = openQueues(redis);
  worker = new Worker('chunk', null, { connection: redis, prefix: PREFIX });
});
afterEach(() => server.clear());
afterAll(async () => {
  await worker.close();
  await queues.close();
  redis.disconnect();
  await server.stop();
});

const add = (clientId: string, batchId: string, indexes: readonly number[]): Promise<void> =>
  addChunks(queues, batchId, { revision: 1, epoch: 'r', clientId }, indexes);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const take = async (): Promise<Job | undefined> => (await worker.getNextJob('a token')) ?? undefined;
const nameOf = (job: Job | undefined): string => (job === undefined ? 'none' : `${job.data.batchId}${job.data.index}`);
const taken = async (count: number): Promise<string> => {
  const names: string[] = [];
  for (let i = 0; i < count; i += 1) names.push(nameOf(await take()));
  return names.join(' ');
};

test('clients take turns, regardless of the order and number of their jobs', async () => {
  await add('crowd', 'a', upTo(6));
  await add('other', 'b', upTo(2));
  await add('third', 'c', upTo(1));
  expect(await taken(10)).toBe('a0 b0 c0 a1 b1 a2 a3 a4 a5 none');
});

test('the batches of a client share its turns', async () => {
  for (const index of upTo(4)) await add('crowd', `a${index}-`, [0]);
  await add('other', 'b', upTo(3));
  expect(await taken(7)).toBe('a0-0 b0 a1-0 b1 a2-0 b2 a3-0');
});

test('a late client begins at the current turn, so idle time earns nothing', async () => {
  await add('crowd', 'a', upTo(6));
  expect(await taken(3)).toBe('a0 a1 a2');
  await add('other', 'b', upTo(3));
  expect(await taken(6)).toBe('a3 b0 a4 b1 a5 b2');
});

test('a job that is in the queue is not added again and takes no turn', async () => {
  await add('crowd', 'a', upTo(2));
  for (let again = 0; again < 5; again += 1) await add('crowd', 'a', upTo(2));
  await add('crowd', 'a', [2]);
  await add('other', 'b', upTo(3));
  expect(await taken(7)).toBe('a0 b0 a1 b1 a2 b2 none');
});

test('a retried job goes first, because its turn has passed', async () => {
  await add('crowd', 'a', upTo(3));
  await add('other', 'b', upTo(1));
  const job = await take();
  if (job === undefined) throw new Error('there is no job');
  await keepTurn(job);
  await job.moveToDelayed(Date.now() - 1, 'a token');
  expect(await taken(4)).toBe('a0 b0 a1 a2');
});

test('high turns start at 1 again without changing the order', async () => {
  const far = 4;
  const turns = (clientId: string, ...ids: string[]) => takeTurns(redis, queues.chunk, clientId, ids, far);
  await add('crowd', 'a', upTo(8));
  await add('other', 'b', upTo(7));
  expect(await taken(10)).toBe('a0 b0 a1 b1 a2 b2 a3 b3 a4 b4');
  expect(await turns('third', 'x', 'y')).toEqual([1, 2]);
  expect(await turns('crowd', 'z')).toEqual([4]);
  await add('fourth', 'd', upTo(2));
  expect(await taken(7)).toBe('a5 b5 d0 a6 b6 d1 a7');
});

test('turns start at 1 if no job waits, and leave no keys', async () => {
  await add('crowd', 'a', upTo(3));
  await taken(3);
  expect(await takeTurns(redis, queues.chunk, 'other', ['x'])).toEqual([1]);
  expect(await redis.zrange(`rates:turns:${queues.chunk.toKey('')}`, '0', '-1')).toEqual(['', 'other']);
});

const JOB = { batchId: 'a', index: 9, revision: 1 };

test('the jobs that a free worker would take are those that wait and those whose delay is long over, unless the queue is paused', async () => {
  await add('crowd', 'a', upTo(2));
  await queues.chunk.add('chunk', JOB, { delay: 60_000 });
  expect(await dueJobs(queues, 'chunk')).toBe(2);
  await queues.chunk.add('chunk', JOB, { delay: 1, timestamp: Date.now() - 40_000 });
  expect(await dueJobs(queues, 'chunk')).toBe(3);
  await queues.chunk.pause();
  expect(await dueJobs(queues, 'chunk')).toBe(0);
});

test('assemblies and webhooks take turns like chunks', async () => {
  for (const id of ['a1', 'a2', 'a3']) {
    await addAssemble(queues, id, { revision: 1, clientId: 'crowd' });
    await addWebhook(queues, { id: `${id}-end`, batchId: id, revision: 1 }, 'crowd');
  }
  await addAssemble(queues, 'b1', { revision: 1, clientId: 'other' });
  await addWebhook(queues, { id: 'b1-end', batchId: 'b1', revision: 1 }, 'other');
  for (const queue of [queues.assemble, queues.webhook]) {
    const jobs = await queue.getJobs(['prioritized'], 0, -1, true);
    expect(jobs.map(({ data }) => data.batchId)).toEqual(['a1', 'b1', 'a2', 'a3']);
  }
});
