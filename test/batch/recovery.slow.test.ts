import { mkdir, readFile, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { clientIndex } from '../../src/batch/client-index.ts';
import { chunkJob, PREFIX } from '../../src/batch/queue/jobs.ts';
import { stateKeys } from '../../src/batch/state.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
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
const sweep = (now = new Date()) => createSweeper({ ...api, now: () => now, redisNow: async () => now })();
const pathOf = (id: string, ...names: string[]): string => join(api.root, 'batches', id, ...names);

/** Takes the first chunk's job as a worker of that name would, and keeps it. */
const takeJob = async (name: string) => {
  const connection = await openRedis(redis.url);
  const worker = new Worker('chunk', null, { connection, prefix: PREFIX, name, lockDuration: 1_000 });
  const job = await worker.getNextJob('a token');
  await worker.close();
  connection.disconnect();
  return job;
};

test('an undisturbed batch completes', async () => {
  await work();
  const id = await api.upload(LIST);
  expect(await api.ended(id)).toMatchObject({ outcome: 'some_faults', rows: { processed: 60, faulted: 1 } });
  undisturbed = await output(id);
  expect(parse(undisturbed).length).toBe(61);
});

describe('a batch gives the same bytes', () => {
  test('if Redis is emptied while it runs', async () => {
    await work();
    const id = await api.upload(LIST);
    await api.until(id, ({ rows }) => rows.processed > 0);
    await redis.clear();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('if Redis is emptied before any worker has begun: it is found without a request', async () => {
    const id = await api.upload(LIST);
    await api.rateChunk(id, 3);
    await redis.clear();
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('if only its state is lost', async () => {
    const id = await api.upload(LIST);
    await api.rateChunk(id, 0);
    await api.redis.del(...Object.values(stateKeys(id)));
    expect(await sweep()).toMatchObject({ restored: 1 });
    expect((await api.call('GET', `/${id}`)).body.rows.processed).toBe(3);
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('if all its jobs are lost', async () => {
    const id = await api.upload(LIST);
    expect(await api.queues.chunk.count()).toBe(4);
    await api.queues.chunk.obliterate({ force: true });
    expect(await sweep()).toMatchObject({ reconciled: 1 });
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('if a part is lost before the output is assembled', async () => {
    const id = await api.upload(LIST);
    for (let index = 0; index < CHUNKS - 1; index += 1) await api.rateChunk(id, index);
    await rm(pathOf(id, 'parts', '00005.csv'));
    await work();
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
    expect((await api.call('GET', `/${id}`)).body.rows).toEqual({ total: 60, processed: 60, quoted: 59, faulted: 1 });
  });

  test('if two workers rate a chunk at once, and again when it is done', async () => {
    const id = await api.upload(LIST);
    await Promise.all([api.rateChunk(id, 1), api.rateChunk(id, 1), api.rateChunk(id, 1)]);
    await api.rateChunk(id, 1);
    expect((await api.call('GET', `/${id}`)).body.rows).toMatchObject({ processed: 3 });
    await Promise.all([work('one'), work('two')]);
    expect((await api.ended(id)).rows).toMatchObject({ processed: 60, quoted: 59, faulted: 1 });
    expect(await output(id)).toBe(undisturbed);
  });

  test('if its worker stops in the middle and another continues', async () => {
    const stop = await work('first');
    const id = await api.upload(LIST);
    await api.until(id, ({ rows }) => rows.processed > 0);
    await stop();
    await work('second');
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('if a worker died after it wrote a part, before it could report it', async () => {
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

  test('if Redis gave a job to a worker that never received it', async () => {
    const id = await api.upload(LIST);
    expect((await takeJob('deaf'))?.processedBy).toBe('deaf');
    await work('deaf');
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('if it had ended and Redis has lost it', async () => {
    const stop = await work();
    const id = await api.upload(LIST);
    const ended = await api.ended(id);
    await stop();
    await redis.clear();
    expect((await api.call('GET', `/${id}`)).body).toEqual(ended);
    expect(await output(id)).toBe(undisturbed);
    expect((await api.call('GET', '')).body.batches).toEqual([ended]);
  });

  test('if Redis was emptied after a cancellation, which is kept', async () => {
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
  /** Makes waiting tries due at once, until the batch has ended. */
  const exhaust = async (id: string): Promise<void> => {
    for (let tries = 0; tries < 500; tries += 1) {
      if ((await api.call('GET', `/${id}`)).body.status === 'failed') return;
      for (const job of await api.queues.chunk.getDelayed()) await job.promote().catch(() => undefined);
      await sleep(10);
    }
    throw new Error('it did not fail');
  };

  test('names the rows, serves the others, and a retry does what is missing and nothing twice', async () => {
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

  test('returns all rows if nothing can be written to its folder of parts', async () => {
    const id = await api.upload(LIST);
    await writeFile(pathOf(id, 'parts'), 'in the way');
    await work();
    await exhaust(id);
    expect((await api.file(`/${id}/unprocessed`)).text).toBe(LIST);
    expect(parse(await output(id)).length).toBe(1);
    // The other chunks of its window do not wait for their next try: a retry starts them again.
    await expect.poll(() => api.queues.chunk.getJobCountByTypes('active', 'wait', 'prioritized', 'delayed')).toBe(0);
    await rm(pathOf(id, 'parts'));
    await api.call('POST', `/${id}/retry`);
    await api.ended(id);
    expect(await output(id)).toBe(undisturbed);
  });

  test('is ended by the next chunk that fails if its end cannot be written', async () => {
    const id = await api.upload(LIST);
    await mkdir(pathOf(id, 'final.json'));
    for (const index of [0, 1]) await expect(api.failChunk(id, { index, revision: 1 })).rejects.toThrow('EISDIR');
    expect((await api.call('GET', `/${id}`)).body.status).toBe('in_progress');
    await rmdir(pathOf(id, 'final.json'));
    expect(await api.queues.chunk.count()).toBe(4);
    await api.failChunk(id, { index: 2, revision: 1 });
    expect((await api.call('GET', `/${id}`)).body.failure.rows).toEqual({ from: 7, to: 9 });
    expect(await api.queues.chunk.count()).toBe(0);
  });

  describe('while another chunk is being rated', () => {
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

    test('a retry does not wait for that chunk', async () => {
      await work();
      expect(await api.ended(id)).toMatchObject({ status: 'completed', rows: { processed: 60 } });
      expect(await output(id)).toBe(undisturbed);
    });

    test('a retry does not fail with that chunk', async () => {
      await api.failChunk(id, underWay);
      expect(await statusNow()).toBe('in_progress');
      expect(await api.rateChunk(id, underWay.index, { revision: 1, epoch: underWay.epoch })).toBe(undefined);
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

  test('removes the leftovers of a killed upload after 15 minutes, and keeps uploads that may still be arriving', async () => {
    const now = Date.parse('2026-06-02T12:00:00Z');
    const old = await orphan(now - 900_001);
    const young = await orphan(now - 899_000);
    expect(await sweep(new Date(now))).toEqual({ restored: 0, reconciled: 0, expired: 0, removed: 1 });
    expect(await api.folders()).toEqual([young]);
    expect(old).not.toBe(young);
  });

  test('forgets a batch that Redis lists and the store does not have; no client sees it', async () => {
    const id = await api.upload(LIST);
    await rm(pathOf(id), { recursive: true });
    expect((await api.call('GET', '')).body.batches).toEqual([]);
    expect((await clientIndex.all(api.redis, 'demo')).length).toBe(1);
    expect(await sweep()).toEqual({ restored: 0, reconciled: 0, expired: 0, removed: 1 });
    expect((await clientIndex.all(api.redis, 'demo')).length).toBe(0);
  });

  test('cancels a batch if its cancellation reached only the store', async () => {
    const id = await api.upload(LIST);
    await api.rateChunk(id, 0);
    await writeFile(pathOf(id, 'cancel.json'), '{}');
    await sweep();
    expect((await api.call('GET', `/${id}`)).body.status).toBe('cancelling');
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'cancelled', rows: { processed: 3 } });
  });

  test('resumes a batch that Redis has as ended and the store, after a retry, has not, in a thorough sweep', async () => {
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

  test('leaves folders alone that are not batches', async () => {
    await mkdir(pathOf('lost+found'), { recursive: true });
    expect(await sweep(new Date('2030-01-01'))).toMatchObject({ removed: 0 });
    expect(await api.folders()).toEqual(['lost+found']);
  });

  test('removes the files of a batch 7 days after its end, also those that a kill left, and all records 30 days later', async () => {
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
