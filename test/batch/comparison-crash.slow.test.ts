/** A comparison whose worker process is killed several times has the same bytes as one that nothing disturbs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type BatchApi, listOf } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';
import { comparisonsOf } from '../http/comparison-api.ts';
import type { TestRedis } from '../redis.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ROWS = 900;

let redis: TestRedis;
let api: BatchApi;
const { work, rest } = batchApiForEachTest((started) => ({ redis, api } = started));

test('kill -9 in the middle, three times', { timeout: 240_000 }, async () => {
  const comparisons = comparisonsOf(api);
  const scenarios = [{ service: 'cheapest' }, { fuel: 20 }, { service: 'C1-EXPRESS' }];
  await work();
  const batch = await api.upload(listOf(ROWS));
  await api.ended(batch);
  const whole = await comparisons.compare(batch, scenarios);
  await comparisons.ended(whole);
  await rest();

  const dir = await mkdtemp(join(tmpdir(), 'crash-'));
  const id = await comparisons.compare(batch, scenarios);
  const start = () =>
    spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'src', 'cli', 'main.ts'), 'worker', '--no-restart'], {
      cwd: ROOT,
      env: {
        ...process.env,
        ...{ DATA_DIR: dir, STORE_URL: pathToFileURL(api.root).href, REDIS_URL: redis.url, LOG_LEVEL: 'silent' },
      },
      stdio: 'ignore',
    });
  const processed = async (): Promise<number> => (await comparisons.call('GET', `/${id}`)).body.rows.processed;
  for (const kill of [1, 2, 3]) {
    const worker = start();
    const exited = once(worker, 'exit');
    await expect.poll(processed, { timeout: 60_000, interval: 5 }).toBeGreaterThan((kill * ROWS) / 5);
    worker.kill('SIGKILL');
    await exited;
    expect(await processed()).toBeLessThan(ROWS);
  }
  await work();
  await expect
    .poll(async () => (await comparisons.call('GET', `/${id}`)).body.status, { timeout: 90_000, interval: 100 })
    .toBe('completed');
  await rest();
  expect((await comparisons.file(`/${id}/output`)).text).toBe((await comparisons.file(`/${whole}/output`)).text);
  expect(await api.store.get(`batches/${id}/sums.json`)).toEqual(await api.store.get(`batches/${whole}/sums.json`));
  expect((await comparisons.summary(id)).base.rows).toBe(ROWS);
  await rm(dir, { recursive: true, force: true });
});
