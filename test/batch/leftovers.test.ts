import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSweeper } from '../../src/batch/sweep.ts';
import { type BatchApi, startBatchApi } from '../http/batch-api.ts';
import { type TestRedis, testRedis } from '../redis.ts';

const HOUR_MS = 3_600_000;

let redis: TestRedis;
let api: BatchApi;
beforeAll(async () => {
  redis = await testRedis();
  api = await startBatchApi({ redisUrl: redis.url });
});
afterAll(async () => {
  await api.close();
  await redis.stop();
});

test('what a write that never ended has left in the store is swept when it is a day old, once an hour', async () => {
  const { store, intake, batches, notices } = api;
  let at = Date.now();
  const sweep = createSweeper({ store, redis: api.redis, intake, batches, notices, now: () => new Date(at) });
  const folder = join(api.root, 'tariffs');
  await mkdir(folder, { recursive: true });
  const leave = async (name: string): Promise<void> => {
    await writeFile(join(folder, name), 'half');
    await utimes(join(folder, name), new Date(), new Date(Date.now() - 25 * HOUR_MS));
  };
  await leave('.0123');
  await writeFile(join(folder, '.4567'), 'being written');
  expect(await sweep()).toMatchObject({ removed: 1 });
  expect(await readdir(folder)).toEqual(['.4567']);
  await leave('.89ab');
  expect(await sweep()).toMatchObject({ removed: 0 });
  at += HOUR_MS;
  expect(await sweep()).toMatchObject({ removed: 1 });
  expect(await readdir(folder)).toEqual(['.4567']);
});
