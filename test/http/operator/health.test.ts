import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { expect, test } from 'vitest';
import { createErrorLog } from '../../../src/base/error-log.ts';
import { startLocalRedis } from '../../../src/base/redis/local-redis.ts';
import { createSweeper } from '../../../src/batch/sweep.ts';
import { signSlots } from '../../../src/batch/workers.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import type { AnswerOf } from '../../../src/http/call.ts';
import { type healthCalls, showHealth } from '../../../src/http/operator/health.ts';
import { listen } from '../../../src/http/server/server.ts';
import { completeTariff } from '../../catalog/tariff/complete-tariff.ts';
import { soon } from '../../soon.ts';
import { fixedTariffs } from '../api.ts';
import { type BatchApi, listOf, startBatchApi } from '../batch-api.ts';
import { batchApiForEachTest } from '../batch-suite.ts';
import { type OperatorApiOptions, operatorApiOf } from './operator-api.ts';

let api: BatchApi;
batchApiForEachTest((started) => ({ api } = started));

/** The health as an operator sees it. */
const healthOf = async (
  options: OperatorApiOptions = {},
  of: BatchApi = api,
): Promise<AnswerOf<typeof healthCalls.getOperatorHealth>> => {
  const ops = await operatorApiOf(of, options);
  try {
    const { status, body } = await ops.call('/ops/health', { headers: await ops.signIn() });
    expect(status).toBe(200);
    return body;
  } finally {
    await ops.close();
  }
};

test('a new service has empty queues, no workers, no survey, no errors, and fuel that does not end', async () => {
  const { readiness, space, work, fuel } = await healthOf({ app: { checks: { redis: async () => undefined } } });
  expect(readiness).toEqual([{ part: 'redis', problem: null }]);
  expect(space).toEqual({ free: expect.any(Number), reserved: 2 ** 30 });
  const none = { waiting: 0, active: 0, delayed: 0, failed: 0 };
  expect(work).toEqual({
    queues: ['chunk', 'assemble', 'webhook'].map((queue) => ({ queue, ...none })),
    workers: { count: 0, names: [] },
    survey: null,
    errors: { entries: [], full: false },
    quotes: { quoted: 0, faulted: 0, refused: 0 },
  });
  expect(fuel).toEqual([]);
});

test('jobs, workers, unfinished batches, stored bytes and errors are shown', async () => {
  await api.upload(listOf(9));
  await signSlots(api.redis, 'host-1', 4);
  await createSweeper({ ...api, now: () => new Date() })();
  const errors = createErrorLog();
  errors.keepIn(api.redis);
  errors.take(
    JSON.stringify({ level: 'error', time: new Date().toISOString(), pid: 1, name: 'worker', msg: 'sweep failed' }),
  );
  await errors.close();
  const work = await soon(async () => {
    const health = await healthOf();
    expect(health.work?.queues[0]).toEqual({ queue: 'chunk', waiting: 3, active: 0, delayed: 0, failed: 0 });
    return health.work;
  });
  expect(work?.workers).toEqual({ count: 1, names: ['host-1'] });
  expect(work?.survey?.unfinished).toMatchObject([
    { clientId: 'demo', name: 'Demo Outfitters', counts: { queued: 1 } },
  ]);
  expect(work?.survey?.use).toMatchObject([{ clientId: 'demo', mostStored: 32 * 2 ** 30 }]);
  expect(work?.errors.entries).toMatchObject([{ message: 'sweep failed', count: 1 }]);
});

test('a part that fails is named with the reason', async () => {
  const store = async (): Promise<void> => {
    throw new Error('the disk is full');
  };
  const { readiness } = await healthOf({ app: { checks: { redis: async () => undefined, store } } });
  expect(readiness).toEqual([
    { part: 'redis', problem: null },
    { part: 'store', problem: 'the disk is full' },
  ]);
});

test('fuel rates that end within a week are shown with their last day', async () => {
  const tariffs = fixedTariffs(scheduleOf([completeTariff()]));
  const { fuel } = await healthOf({ app: { tariffs }, now: () => new Date('2026-06-12T12:00:00Z') });
  expect(fuel).toMatchObject([{ carrier: 'Small', services: ['GROUND'], hasEnded: false }]);
});

test('calls share one result while it is being made and shortly after', async () => {
  let looks = 0;
  const count = async (): Promise<void> => {
    looks += 1;
  };
  const { clients, tariffs, now } = api.api.deps;
  const deps = {
    ...{ store: api.store, reserveBytes: 0, redis: api.redis, queues: api.queues, now, checks: { count } },
    clients: { ...clients, agreements: () => new Map() },
    tariffs: { ...tariffs, refresh: async () => undefined },
  };
  for (const [freshMs, expected] of [
    [60_000, 1],
    [-1, 6],
  ] as const) {
    looks = 0;
    const { port, stop } = await listen(express().get('/', showHealth(deps, freshMs)), '127.0.0.1', 0);
    const ask = async () => await (await fetch(`http://127.0.0.1:${port}/`)).text();
    for (let i = 0; i < 6; i++) await ask();
    await stop(1_000);
    expect([freshMs, looks]).toEqual([freshMs, expected]);
  }
});

test('without Redis the rest is still shown, and quickly', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'health-'));
  const own = await startLocalRedis({ dataDir, production: false, env: process.env, execArgv: ['--import', 'tsx'] });
  const alone = await startBatchApi({ redisUrl: own.url });
  try {
    process.kill(own.pid, 'SIGSTOP');
    const redis = async (): Promise<void> => void (await alone.redis.ping());
    const { readiness, work, fuel } = await healthOf({ app: { checks: { redis } } }, alone);
    expect(readiness).toEqual([{ part: 'redis', problem: expect.any(String) }]);
    expect([work, fuel]).toEqual([null, []]);
  } finally {
    process.kill(own.pid, 'SIGKILL');
    await own.exited;
    await alone.close();
    await own.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 30_000);
