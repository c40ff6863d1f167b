/** The sweeper visits every batch even if one hangs, and reports batches that do not move. */
import { expect, test } from 'vitest';
import type { Store } from '../../src/base/store/store.ts';
import { createScheduler } from '../../src/batch/scheduler.ts';
import { stateKeys } from '../../src/batch/state.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import { EVERY_MS, sweepTurn } from '../../src/batch/workers.ts';
import { createWorkMetrics } from '../../src/http/work-metrics.ts';
import { startApi } from '../http/api.ts';
import { type BatchApi, listOf } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';

let api: BatchApi;
batchApiForEachTest((started) => ({ api } = started));

const now = () => new Date();
const sweep = () => createSweeper({ ...api, now, onStalled: (stalled) => sweepTurn.end(api.redis, stalled) })();
const age = async (id: string, seconds: number): Promise<void> => {
  const [time = 0] = await api.redis.time();
  await api.redis.hset(stateKeys(id).state, 'movedAt', Number(time) - seconds);
};

test('metrics and readiness report a batch that has not moved for a minute; the service stays ready', async () => {
  const outside = await startApi({
    checks: { redis: async () => undefined },
    workMetrics: createWorkMetrics(api.redis, api.queues),
    redis: api.redis,
  });
  const told = async () => {
    const text = await (await fetch(`${outside.url}/metrics`)).text();
    const { status, body } = await outside.call('/readyz');
    return [status, body.batches.stalled, text.match(/^rates_batches_stalled.*$/gm)];
  };
  try {
    expect((await outside.call('/readyz')).body.batches).toEqual({ stalled: {}, sweptSecondsAgo: null });
    const [moves, stands, waits] = [
      await api.upload(listOf(9)),
      await api.upload(listOf(9)),
      await api.upload(listOf(9)),
    ];
    for (const id of [moves, stands]) await api.rateChunk(id, 0);
    await age(moves, 55);
    for (const id of [stands, waits]) await age(id, 65);
    await sweep();
    expect(await told()).toEqual([
      200,
      { in_progress: 1, queued: 1 },
      [
        'rates_batches_stalled{status="queued"} 1',
        'rates_batches_stalled{status="in_progress"} 1',
        'rates_batches_stalled{status="finalizing"} 0',
        'rates_batches_stalled{status="cancelling"} 0',
      ],
    ]);
    expect((await sweepTurn.last(api.redis))?.stalled.oldest.map(({ id }) => id)).toEqual([stands, waits]);
    for (const id of [stands, waits]) await api.rateChunk(id, 1);
    await sweep();
    expect((await told())[1]).toEqual({});
    expect((await outside.call('/readyz')).body.batches.sweptSecondsAgo).toBeLessThan(5);
  } finally {
    await outside.close();
  }
});

test('a batch whose files do not answer does not stop the sweep of others', async () => {
  const ids = [await api.upload(listOf(9)), await api.upload(listOf(9))];
  const [hangs = '', other = ''] = ids.toSorted();
  await api.queues.chunk.obliterate({ force: true });
  const store: Store = {
    ...api.store,
    size: (key) => (key.includes(hangs) ? new Promise(() => undefined) : api.store.size(key)),
  };
  const scheduler = createScheduler({ ...api, store });
  await expect(createSweeper({ ...api, store, scheduler, now, stepMs: 100 })()).rejects.toThrow(
    'batches could not be swept',
  );
  const jobs = await api.queues.chunk.getPrioritized();
  expect(new Set(jobs.map(({ data }) => data.batchId))).toEqual(new Set([other]));
});

test('workers take turns to sweep: once a minute, and sooner if one asks', async () => {
  const { redis } = api;
  const take = (name: string) => sweepTurn.take(redis, name);
  const due = async (): Promise<number> => Number(await redis.hget('rates:sweep', 'due'));
  expect([await take('one'), await take('two'), await take('one')]).toEqual([true, false, false]);
  await redis.hset('rates:sweep', 'due', (await due()) - EVERY_MS);
  expect([await take('two'), await take('one')]).toEqual([true, false]);
  await sweepTurn.ask(redis);
  // One sweep serves all who ask at the same time.
  expect(await take('one')).toBe(false);
  await redis.hincrby('rates:sweep', 'began', -2_000);
  expect([await take('one'), await take('two')]).toEqual([true, false]);
});

test('a turn from a previous server whose clock was ahead ends at once', async () => {
  const { redis } = api;
  expect(await sweepTurn.take(redis, 'one')).toBe(true);
  for (const field of ['began', 'due']) await redis.hincrby('rates:sweep', field, 3_600_000);
  expect([await sweepTurn.take(redis, 'two'), await sweepTurn.take(redis, 'one')]).toEqual([true, false]);
});
