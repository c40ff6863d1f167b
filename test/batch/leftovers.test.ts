import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSweeper } from '../../src/batch/sweep.ts';
import type { BatchApi } from '../http/batch-api.ts';
import { batchApiForFile } from '../http/batch-suite.ts';

const HOUR_MS = 3_600_000;

let api: BatchApi;
batchApiForFile((started) => ({ api } = started));

test('leftovers of an unfinished write are swept twice an hour, when they are a day old', async () => {
  const { store, scheduler, batches, notifications } = api;
  let at = Date.now();
  const now = () => new Date(at);
  const clocks = { now, redisNow: async () => now() };
  const sweep = createSweeper({ store, redis: api.redis, scheduler, batches, notifications, ...clocks });
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
  at += HOUR_MS / 2;
  expect(await sweep()).toMatchObject({ removed: 1 });
  expect(await readdir(folder)).toEqual(['.4567']);
});
