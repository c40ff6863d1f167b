import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue, QueueEvents, Worker } from 'bullmq';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { checkRedis, isOlder } from '../../../src/base/redis/check-redis.ts';
import type { Redis } from '../../../src/base/redis/connection.ts';
import { type ConnectionRole, connect, isOutage, waitUntilReady } from '../../../src/base/redis/connection.ts';
import { findRedisServer, type RunningRedis, startPrivateRedis } from '../../../src/base/redis/private-redis.ts';
import { PREFIX } from '../../../src/batch/queue/jobs.ts';
import { ownClockMs } from '../../processor-time.ts';
import { type TestRedis, testRedis } from '../../redis.ts';

const log = createLog({ level: 'silent', name: 'test' });
const open: Redis[] = [];
const opened = (url: string, role: ConnectionRole): Redis => {
  const connection = connect(url, role, { log });
  open.push(connection);
  return connection;
};
const ready = async (url: string, role: ConnectionRole): Promise<Redis> => {
  const connection = opened(url, role);
  await waitUntilReady(connection, 5_000);
  return connection;
};

let redis: TestRedis;
beforeAll(async () => {
  redis = await testRedis();
});
afterAll(async () => {
  for (const connection of open) connection.disconnect();
  await redis.stop();
});

/** Simulates how the client itself reacts when Sentinels announce a new master, even while it connects. */
const breakOff = (connection: Redis): void => Reflect.get(connection, 'connector').disconnect();

test('reopens a connection that breaks while it opens, unless it was disconnected', async ({ skip }) => {
  skip(redis.url.startsWith('redis+cluster:'), 'a Cluster is connected to node by node');
  const ended = opened(redis.url, 'producer');
  breakOff(ended);
  ended.disconnect();
  await expect.poll(() => ended.status).toBe('end');
  // The end event comes later, and so would a reconnection.
  const connection = opened(redis.url, 'producer');
  breakOff(connection);
  await expect.poll(() => connection.status).toBe('end');
  await expect.poll(() => connection.status).toBe('ready');
  expect(await connection.ping()).toBe('PONG');
  expect(ended.status).toBe('end');
});

describe('jobs', () => {
  test('are processed, retried after failures, and delayed', async () => {
    const queue = new Queue('doubling', { prefix: PREFIX, connection: await ready(redis.url, 'producer') });
    const events = new QueueEvents('doubling', { prefix: PREFIX, connection: await ready(redis.url, 'events') });
    await events.waitUntilReady();
    const work = async (job: { name: string; data: { n: number }; attemptsMade: number }) => {
      if (job.name === 'shaky' && job.attemptsMade < 2) throw new Error('not yet');
      return job.data.n * 2;
    };
    const worker = new Worker('doubling', work, { prefix: PREFIX, connection: await ready(redis.url, 'worker') });

    const plain = await queue.add('plain', { n: 21 }, { jobId: 'job-a' });
    expect(await plain.waitUntilFinished(events, 5_000)).toBe(42);
    const shaky = await queue.add('shaky', { n: 4 }, { attempts: 3, backoff: { type: 'exponential', delay: 20 } });
    expect(await shaky.waitUntilFinished(events, 5_000)).toBe(8);
    const at = performance.now();
    const late = await queue.add('late', { n: 1 }, { delay: 300 });
    expect(await late.waitUntilFinished(events, 5_000)).toBe(2);
    expect(performance.now() - at).toBeGreaterThan(290);
    expect((await queue.add('plain', { n: 5 }, { jobId: 'job-a' })).id).toBe('job-a');
    expect((await queue.getJob('job-a'))?.data).toEqual({ n: 21 });

    await worker.close();
    await events.close();
    await queue.close();
  });

  test('are added by a scheduler at every interval', async () => {
    const queue = new Queue('ticks', { prefix: PREFIX, connection: await ready(redis.url, 'producer') });
    let ticks = 0;
    const count = async () => {
      ticks += 1;
    };
    const worker = new Worker('ticks', count, { prefix: PREFIX, connection: await ready(redis.url, 'worker') });
    await queue.upsertJobScheduler('sweep', { every: 200 });
    await queue.upsertJobScheduler('sweep', { every: 200 });
    await expect.poll(() => ticks, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
    expect(await queue.getJobSchedulersCount()).toBe(1);
    await queue.removeJobScheduler('sweep');
    await worker.close();
    await queue.close();
  });
});

describe('a check of Redis', () => {
  test('finds no problem with the test Redis', async () => {
    expect((await checkRedis(await ready(redis.url, 'producer'))).problems).toEqual([]);
  });

  test.each([
    ['6.2.0', false],
    ['6.2', false],
    ['6.1.99', true],
    ['6.10.0', false],
    ['5.9.9', true],
    ['7.0.0', false],
  ])('tells whether version %s is older than 6.2: %s', (version, isTooOld) => {
    expect(isOlder(version, '6.2')).toBe(isTooOld);
  });
});

const binary = findRedisServer(process.env['PATH']);

describe.skipIf(binary === undefined)('a private Redis (needs redis-server or valkey-server)', () => {
  let dir: string;
  let server: RunningRedis;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'rates-away-'));
    server = await startPrivateRedis({ binary: binary ?? '', dir });
  });
  afterAll(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  test('is rejected if it evicts keys', async () => {
    const connection = await ready(server.url, 'producer');
    await connection.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const { problems } = await checkRedis(connection);
    await connection.config('SET', 'maxmemory-policy', 'noeviction');
    expect(problems).toEqual([
      'Redis evicts keys when its memory is full (maxmemory-policy allkeys-lru): set it to noeviction.',
    ]);
  });

  test('causes a warning without an append-only file', async () => {
    const connection = await ready(server.url, 'producer');
    expect((await checkRedis(connection)).warnings).toEqual([]);
    await connection.config('SET', 'appendonly', 'no');
    const bare = (await checkRedis(connection)).warnings;
    await connection.config('SET', 'save', '60 1');
    const snapshots = (await checkRedis(connection)).warnings;
    await connection.config('SET', 'save', '');
    await connection.config('SET', 'appendonly', 'yes');
    expect(bare).toEqual([
      'Redis saves nothing to disk, so a restart of Redis delays queued work: set appendonly yes.',
    ]);
    expect(snapshots).toEqual([
      'Redis saves only snapshots, so a restart of Redis delays work queued since the last one: set appendonly yes.',
    ]);
  });

  /** The time in ms until a call failed. */
  const failureMs = async (call: Promise<unknown>): Promise<number> => {
    const at = ownClockMs();
    await expect(call).rejects.toSatisfy(isOutage);
    return ownClockMs() - at;
  };

  test('fails a producer’s call within a second while it is away or stuck, and serves the next when it is back', async () => {
    const queue = new Queue('away', { prefix: PREFIX, connection: await ready(server.url, 'producer') });
    queue.on('error', () => undefined);
    await queue.add('before', {});
    process.kill(server.pid, 'SIGSTOP');
    expect(await failureMs(queue.add('stuck', {}))).toBeLessThan(1_000);
    process.kill(server.pid, 'SIGCONT');
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    expect(await failureMs(queue.add('gone', {}))).toBeLessThan(1_000);
    await expect(waitUntilReady(opened(server.url, 'producer'), 200)).rejects.toThrow('Redis did not answer');

    server = await startPrivateRedis({ binary: binary ?? '', dir });
    await expect.poll(() => queue.add('after', {}).then(() => 'added', String), { timeout: 5_000 }).toBe('added');
    await queue.close();
  });

  test('accepts a write again when there is a new master', async () => {
    const writer = await ready(server.url, 'worker');
    const operator = await ready(server.url, 'worker');
    let connections = 0;
    writer.on('connect', () => {
      connections += 1;
    });
    await operator.call('REPLICAOF', '127.0.0.1', '1');
    const written = writer.set('demoted', 'written');
    await expect.poll(() => connections, { timeout: 5_000 }).toBeGreaterThan(0);
    await operator.call('REPLICAOF', 'NO', 'ONE');
    expect(await written).toBe('OK');
    expect(await operator.get('demoted')).toBe('written');
  });

  test('makes a worker wait while it is away, and continue when it is back', async () => {
    const producer = await ready(server.url, 'producer');
    const queue = new Queue('patient', { prefix: PREFIX, connection: producer });
    queue.on('error', () => undefined);
    const done: string[] = [];
    const worker = new Worker('patient', async ({ name }) => void done.push(name), {
      prefix: PREFIX,
      connection: await ready(server.url, 'worker'),
    });
    worker.on('error', () => undefined);
    await queue.add('first', {});
    await expect.poll(() => done).toEqual(['first']);
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    server = await startPrivateRedis({ binary: binary ?? '', dir });
    await waitUntilReady(producer, 5_000);
    await queue.add('second', {});
    await expect.poll(() => done, { timeout: 10_000 }).toEqual(['first', 'second']);
    await worker.close();
    await queue.close();
  });
});
