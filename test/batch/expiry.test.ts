/** Expired batches are removed only if two clocks agree, and many at once only if an operator allows it. */
import { expect, test } from 'vitest';
import { gatherDue } from '../../src/batch/expiry.ts';
import { surveys } from '../../src/batch/survey.ts';
import { createSweeper, type SweepDeps } from '../../src/batch/sweep.ts';
import { createWorkMetrics } from '../../src/http/work-metrics.ts';
import { type BatchApi, listOf } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';

const DAY_MS = 86_400_000;

let api: BatchApi;
batchApiForEachTest((started) => ({ api } = started));

const inDays = (days: number) => (): Date => new Date(Date.now() + days * DAY_MS);
const finished = async (count: number): Promise<readonly string[]> => {
  const stop = await api.work();
  const ids = await Promise.all(Array.from({ length: count }, () => api.upload(listOf(1))));
  await Promise.all(ids.map(api.ended));
  await stop();
  return ids;
};
const sweep = (deps: Pick<SweepDeps, 'now' | 'redisNow' | 'expiryShare'>) => createSweeper({ ...api, ...deps })();
const held = async (): Promise<unknown> => (await surveys.last(api.redis))?.held;

test('a clock of a worker that is eleven days ahead removes nothing, and is named', async () => {
  const [id = ''] = await finished(1);
  expect(await sweep({ now: inDays(11) })).toMatchObject({ expired: 0, removed: 0 });
  expect((await api.call('GET', `/${id}`)).body.status).toBe('completed');
  expect((await api.file(`/${id}/output`)).status).toBe(200);
  expect((await surveys.last(api.redis))?.clockAhead).toBeGreaterThan(10 * 86_400);
  expect(await sweep({ now: inDays(0), redisNow: async () => inDays(11)() })).toMatchObject({ expired: 0 });
  expect(await sweep({ now: inDays(11), redisNow: async () => inDays(11)() })).toMatchObject({ expired: 1 });
});

test('many batches that expired long ago stay until an operator allows their removal', async () => {
  const ids = await finished(11);
  const clocks = { now: inDays(11), redisNow: async () => inDays(11)() };
  expect(await sweep(clocks)).toMatchObject({ expired: 0, removed: 0 });
  expect(await held()).toBe(11);
  expect(await createWorkMetrics(api.redis, api.queues)()).toContain('\nrates_expiry_held 11\n');
  const now = { now: inDays(0), redisNow: async () => inDays(0)() };
  expect(await sweep(now)).toMatchObject({ expired: 0 });
  expect(await held()).toBe(0);
  for (const id of ids) expect((await api.file(`/${id}/output`)).status).toBe(200);
  expect(await sweep({ ...clocks, expiryShare: 100 })).toMatchObject({ expired: 11 });
  // The same holds for their places in the lists.
  const later = { now: inDays(50), redisNow: async () => inDays(50)() };
  expect(await sweep(later)).toMatchObject({ removed: 0 });
  expect(await sweep({ ...later, expiryShare: 100 })).toMatchObject({ removed: 11 });
});

test.each([
  ['all that have just come to their end', 100, 100, 60_000, 100, 0],
  ['ten that are over for long, whatever their share', 10, 10, DAY_MS, 10, 0],
  ['a quarter that is over for long', 100, 25, DAY_MS, 25, 0],
  ['none of more than a quarter', 100, 26, DAY_MS, 0, 26],
])('removes %s', (_what, all, over, overMs, due, kept) => {
  const gathered = gatherDue<undefined>(25);
  for (let i = 0; i < all; i += 1)
    gathered.look(i < over ? overMs : -1, { id: String(i), remove: async () => undefined });
  const found = gathered.found();
  expect([found.due.length, found.held]).toEqual([due, kept]);
});
