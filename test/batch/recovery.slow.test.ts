import { mkdir, readFile, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { clientIndex } from '../../src/batch/client-index.ts';
import { stateKeys } from '../../src/batch/state.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import { chunkJob, PREFIX } from '../../src/queue/jobs.ts';
import { type BatchApi, listOf } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';
import { openRedis, type TestRedis } from '../redis.ts';

let redis: TestRedis;
let api: BatchApi;
const { work } = batchApiForEachTest((started) => ({ redis, api } = started));
let undisturbed: string;

const LIST = listOf(60).replaceAll(',02139,13', ',0213,13');
const CHUNKS = 20;

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });
const output = async (id: string): Promise<string> => (await api.file(`/${id}/output`)).text;
const sweep = (now = new Date()) => createSweeper({ ...api, now: () => now })();
const pathOf = (id: string, ...names: string[]): string => join(api.root, 'batches', id, ...names);

/** Takes the first chunk's job, as a worker of that name would, and keeps it. */
const takeJob = async (name: string) => {
  const connection = await openRedis(redis.url);
  const worker = new Worker('chunk', null, { connection, prefix: PREFIX, name, lockDuration: 60_000 });
  const job = await worker.getNextJob('a token');
  await worker.close();
  connection.disconnect();
  return job;
};

test('a batch that nothing disturbs', async () => {
  await work();
  const id = await api.upload(LIST);
  expect(await api.ended(id)).toMatchObject({ outcome: 'some_faults', rows: { processed: 60, faulted: 1 } });
  undisturbed = await output(id);
  expect(parse(undisturbed).length).toBe(61);
});

describe('gives the same bytes', () => {
  test('where Redis is emptied in the middle of it', async () => {
    await work();
    const id = await api.upload(LIST);
    await api.until(id, ({ rows }) => rows.processed > 0);
    await redis.clear();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('where Redis is emptied before any worker has begun, and found again without being asked for', async () => {
    const id = await api.upload(LIST);
    await api.rateChunk(id, 3);
    await redis.clear();
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('where its state alone is lost', async () => {
    const id = await api.upload(LIST);
    await api.rateChunk(id, 0);
    await api.redis.del(...Object.values(stateKeys(id)));
    expect(await sweep()).toMatchObject({ restored: 1 });
    expect((await api.call('GET', `/${id}`)).body.rows.processed).toBe(3);
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('where all its jobs are lost', async () => {
    const id = await api.upload(LIST);
    expect(await api.queues.chunk.count()).toBe(4);
    await api.queues.chunk.obliterate({ force: true });
    expect(await sweep()).toMatchObject({ reconciled: 1 });
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('where a part is lost before it is put together', async () => {
    const id = await api.upload(LIST);
    for (let index = 0; index < CHUNKS - 1; index += 1) await api.rateChunk(id, index);
    await rm(pathOf(id, 'parts', '00005.csv'));
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
    expect((await api.call('GET', `/${id}`)).body.rows).toEqual({ total: 60, processed: 60, quoted: 59, faulted: 1 });
  });

  test('where a chunk is rated by two at once, and once more when it is done', async () => {
    const id = await api.upload(LIST);
    await Promise.all([api.rateChunk(id, 1), api.rateChunk(id, 1), api.rateChunk(id, 1)]);
    await api.rateChunk(id, 1);
    expect((await api.call('GET', `/${id}`)).body.rows).toMatchObject({ processed: 3 });
    await Promise.all([work('one'), work('two')]);
    expect((await api.ended(id)).rows).toMatchObject({ processed: 60, quoted: 59, faulted: 1 });
    expect(await output(id)).toBe(undisturbed);
  });

  test('where its worker stops in the middle and another goes on', async () => {
    const stop = await work('first');
    const id = await api.upload(LIST);
    await api.until(id, ({ rows }) => rows.processed > 0);
    await stop();
    await work('second');
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('where a part was written and its worker died before it could say so', async () => {
    const id = await api.upload(LIST);
    await api.rateChunk(id, 0);
    const { done, open } = stateKeys(id);
    await api.redis.hdel(done, '0');
    await api.redis.sadd(open, '0');
    await api.redis.hset(stateKeys(id).state, { processed: 0, quoted: 0 });
    await sweep();
    expect((await api.call('GET', `/${id}`)).body.rows.processed).toBe(3);
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('where Redis gave a job to a worker that never learnt of it', async () => {
    const id = await api.upload(LIST);
    expect((await takeJob('deaf'))?.processedBy).toBe('deaf');
    await work('deaf');
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('where it had ended and Redis has forgotten it', async () => {
    const stop = await work();
    const id = await api.upload(LIST);
    const ended = await api.ended(id);
    await stop();
    await redis.clear();
    expect((await api.call('GET', `/${id}`)).body).toEqual(ended);
    expect(await output(id)).toBe(undisturbed);
    expect((await api.call('GET', '')).body.batches).toEqual([ended]);
  });

  test('where it was cancelled, Redis was emptied, and the cancelling is not forgotten', async () => {
    const id = await api.upload(LIST);
    await api.rateChunk(id, 0);
    await api.call('POST', `/${id}/cancel`);
    await redis.clear();
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'cancelled', rows: { processed: 3 } });
    expect(await output(id)).toBe(`${undisturbed.split('\n').slice(0, 4).join('\n')}\n`);
  });
});

describe('a batch that fails for good', () => {
  /** Has every try that waits made at once, until the batch has ended. */
  const exhaust = async (id: string): Promise<void> => {
    for (let tries = 0; tries < 500; tries += 1) {
      if ((await api.call('GET', `/${id}`)).body.status === 'failed') return;
      for (const job of await api.queues.chunk.getDelayed()) await job.promote().catch(() => undefined);
      await sleep(10);
    }
    throw new Error('it did not fail');
  };

  test('says which rows, gives out the others, and a retry does what is missing and nothing twice', async () => {
    const id = await api.upload(LIST);
    // A folder where the part of chunk 2 (rows 7 to 9) should be: it cannot be written.
    await mkdir(pathOf(id, 'parts', '00002.csv'), { recursive: true });
    await work();
    await exhaust(id);
    const { body } = await api.call('GET', `/${id}`);
    expect(body).toMatchObject({ status: 'failed', outcome: null });
    expect(body.failure).toEqual({
      message: 'Rows 7 to 9 could not be processed: an internal error.',
      rows: { from: 7, to: 9 },
    });
    const partial = await api.file(`/${id}/output`);
    expect(partial.headers.get('batch-complete')).toBe('false');
    const lines = undisturbed.split('\n');
    const done = partial.text.split('\n');
    expect(lines).toEqual(expect.arrayContaining(done));
    const orders = (csv: string) => rowsOf(csv).map((row) => row['order']);
    const left = orders((await api.file(`/${id}/unprocessed`)).text);
    expect(left).toEqual(expect.arrayContaining(['A7', 'A8', 'A9']));
    expect([...orders(partial.text), ...left].toSorted()).toEqual(orders(LIST).toSorted());

    await rmdir(pathOf(id, 'parts', '00002.csv'));
    const long = new Date('2020-01-01');
    await utimes(pathOf(id, 'parts', '00000.csv'), long, long);
    const retried = await api.call('POST', `/${id}/retry`);
    expect([retried.status, retried.body.failure]).toEqual([202, null]);
    expect(await api.ended(id)).toMatchObject({ status: 'completed', rows: { processed: 60 } });
    expect(await output(id)).toBe(undisturbed);
    expect((await stat(pathOf(id, 'parts', '00000.csv'))).mtimeMs).toBe(long.getTime());
    const again = await api.call('POST', `/${id}/retry`);
    expect([again.status, again.body.fault.type]).toEqual([409, 'batches.notFinal']);
  });

  test('where nothing can be written to its folder of parts, all rows are given back', async () => {
    const id = await api.upload(LIST);
    await writeFile(pathOf(id, 'parts'), 'in the way');
    await work();
    await exhaust(id);
    expect((await api.file(`/${id}/unprocessed`)).text).toBe(LIST);
    expect(parse(await output(id)).length).toBe(1);
    // The other chunks of its window do not wait for a next try: a retry begins them anew.
    await expect.poll(() => api.queues.chunk.getJobCountByTypes('active', 'wait', 'prioritized', 'delayed')).toBe(0);
    await rm(pathOf(id, 'parts'));
    await api.call('POST', `/${id}/retry`);
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('and whose end cannot be written is ended by the next of its chunks that fails', async () => {
    const id = await api.upload(LIST);
    await mkdir(pathOf(id, 'final.json'));
    for (const index of [0, 1]) await expect(api.failChunk(id, { index, revision: 1 })).rejects.toThrow();
    expect((await api.call('GET', `/${id}`)).body.status).toBe('in_progress');
    await rmdir(pathOf(id, 'final.json'));
    expect(await api.queues.chunk.count()).toBe(4);
    await api.failChunk(id, { index: 2, revision: 1 });
    expect((await api.call('GET', `/${id}`)).body.failure.rows).toEqual({ from: 7, to: 9 });
    expect(await api.queues.chunk.count()).toBe(0);
  });

  describe('while another of its chunks is being rated', () => {
    let id: string;
    let underWay: z.output<typeof chunkJob>;
    const statusNow = async (): Promise<string> => (await api.call('GET', `/${id}`)).body.status;

    beforeEach(async () => {
      id = await api.upload(LIST);
      underWay = chunkJob.parse((await takeJob('slow'))?.data);
      await api.failChunk(id, { ...underWay, index: 1 });
      expect(await statusNow()).toBe('failed');
      expect((await api.call('POST', `/${id}/retry`)).status).toBe(202);
    });

    test('a retry does not wait for that one', async () => {
      await work();
      expect(await api.ended(id)).toMatchObject({ status: 'completed', rows: { processed: 60 } });
      expect(await output(id)).toBe(undisturbed);
    });

    test('a retry does not fail with that one', async () => {
      await api.failChunk(id, underWay);
      expect(await statusNow()).toBe('in_progress');
      expect(await api.rateChunk(id, underWay.index, 1, underWay.epoch)).toBe(undefined);
      expect(await api.rateChunk(id, underWay.index)).toMatchObject({ rows: 3 });
    });
  });
});

describe('the sweeper', () => {
  const orphan = async (at: number): Promise<string> => {
    const id = `b${at.toString(36).padStart(9, '0')}0123456789abcdef`;
    await mkdir(pathOf(id), { recursive: true });
    await writeFile(pathOf(id, 'input.csv'), LIST);
    return id;
  };

  test('removes what a killed upload left after a quarter of an hour, and leaves what may still be arriving', async () => {
    const now = Date.parse('2026-06-02T12:00:00Z');
    const old = await orphan(now - 900_001);
    const young = await orphan(now - 899_000);
    expect(await sweep(new Date(now))).toEqual({ restored: 0, reconciled: 0, expired: 0, removed: 1 });
    expect(await api.folders()).toEqual([young]);
    expect(old).not.toBe(young);
  });

  test('forgets a batch that Redis lists and the store does not have, which no client is shown', async () => {
    const id = await api.upload(LIST);
    await rm(pathOf(id), { recursive: true });
    expect((await api.call('GET', '')).body.batches).toEqual([]);
    expect((await clientIndex.all(api.redis, 'demo')).length).toBe(1);
    expect(await sweep()).toEqual({ restored: 0, reconciled: 0, expired: 0, removed: 1 });
    expect((await clientIndex.all(api.redis, 'demo')).length).toBe(0);
  });

  test('cancels a batch whose wish to be cancelled reached the store alone', async () => {
    const id = await api.upload(LIST);
    await api.rateChunk(id, 0);
    await writeFile(pathOf(id, 'cancel.json'), '{}');
    await sweep();
    expect((await api.call('GET', `/${id}`)).body.status).toBe('cancelling');
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'cancelled', rows: { processed: 3 } });
  });

  test('takes up again what Redis has as ended and the store, since a retry, has not, where it is thorough', async () => {
    const stop = await work();
    const id = await api.upload(LIST);
    await api.ended(id);
    await stop();
    await rm(pathOf(id, 'final.json'));
    expect(await sweep()).toMatchObject({ restored: 0 });
    expect(await createSweeper({ ...api, now: () => new Date() })(true)).toMatchObject({ restored: 1 });
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('leaves folders alone that are no batches', async () => {
    await mkdir(pathOf('lost+found'), { recursive: true });
    expect(await sweep(new Date('2030-01-01'))).toMatchObject({ removed: 0 });
    expect(await api.folders()).toEqual(['lost+found']);
  });

  test('removes the files of a batch 7 days after its end, those of it that a kill has left too, and all 30 days later', async () => {
    await work();
    const id = await api.upload(LIST);
    const { expiresAt } = await api.ended(id);
    const expiry = Date.parse(expiresAt ?? '');
    const input = await readFile(pathOf(id, 'input.csv'));
    expect(await sweep(new Date(expiry + 1))).toMatchObject({ expired: 1 });
    expect((await api.store.list(`batches/${id}/`)).toSorted()).toEqual(['batch.json', 'final.json']);
    await writeFile(pathOf(id, 'input.csv'), input);
    await writeFile(pathOf(id, 'plan.json'), '{}');
    await sweep(new Date(expiry + 60_000));
    expect((await api.store.list(`batches/${id}/`)).toSorted()).toEqual(['batch.json', 'final.json']);
    expect(await sweep(new Date(expiry + 31 * 86_400_000))).toMatchObject({ removed: 1 });
    expect(await api.folders()).toEqual([]);
  });
});
