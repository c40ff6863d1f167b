import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { startLocalRedis } from '../../src/base/redis/local-redis.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import { type Refused, refuseConnections } from '../base/redis/refused.ts';
import type { TestRedis } from '../redis.ts';
import { soon } from '../soon.ts';
import { type BatchApi, HEADER, listOf, startBatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let redis: TestRedis;
let api: BatchApi;
batchApiForFile((started) => ({ redis, api } = started));

/** Runs a function while a worker runs. */
const withWorker = async <T>(run: () => Promise<T>): Promise<T> => {
  const stop = await api.work();
  try {
    return await run();
  } finally {
    await stop();
  }
};

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });
const ordersOf = (csv: string): (string | undefined)[] => rowsOf(csv).map((row) => row['order']);
const orders = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => `A${from + i}`);

describe('a batch that no worker has started', () => {
  let id: string;
  beforeAll(async () => {
    id = await api.upload(listOf(10));
  });

  test('is queued', async () => {
    const { status, body } = await api.call('GET', `/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'queued',
      outcome: null,
      startedAt: null,
      completedAt: null,
      expiresAt: null,
    });
    expect(body.rows).toEqual({ total: 10, processed: 0, quoted: 0, faulted: 0 });
  });

  test.each(['output', 'faults', 'unprocessed', 'summary'])('has no %s yet', async (what) => {
    const { status, body } = await api.call('GET', `/${id}/${what}`);
    expect([status, body.fault.type]).toEqual([409, 'batches.notReady']);
    expect(body.fault.arguments).toEqual({ status: 'queued' });
  });

  test.each([
    ['DELETE', ''],
    ['POST', '/retry'],
  ])('%s%s is too early', async (method, below) => {
    const { status, body } = await api.call(method, `/${id}${below}`);
    expect([status, body.fault.type]).toEqual([409, 'batches.notFinal']);
    expect(body.fault.arguments).toEqual({ status: 'queued' });
  });

  test('has only the header as its partial output', async () => {
    const { status, headers, text } = await api.file(`/${id}/output?partial=true`);
    expect([status, headers.get('batch-complete')]).toEqual([200, 'false']);
    expect(ordersOf(text)).toEqual([]);
  });

  test('is cancelled after its first and third chunk: it keeps their rows, returns all others, and can be deleted', async () => {
    await api.rateChunk(id, 2);
    await api.rateChunk(id, 0);
    const { body: begun } = await api.call('GET', `/${id}`);
    expect(begun).toMatchObject({ status: 'in_progress', rows: { processed: 6, quoted: 6 } });
    expect(Date.parse(begun.estimatedCompletionAt)).toBeGreaterThan(Date.parse(begun.startedAt));
    const partial = await api.file(`/${id}/output?partial=true`);
    expect(partial.headers.get('batch-complete')).toBe('false');
    expect(ordersOf(partial.text)).toEqual(orders(1, 3));
    const cancelling = await api.call('POST', `/${id}/cancel`);
    expect([cancelling.status, cancelling.body.status]).toEqual([202, 'cancelling']);
    expect(await withWorker(() => api.ended(id))).toMatchObject({
      status: 'cancelled',
      outcome: null,
      rows: { total: 10, processed: 6 },
    });
    const output = await api.file(`/${id}/output`);
    expect(output.headers.get('batch-complete')).toBe('false');
    expect(ordersOf(output.text)).toEqual([...orders(1, 3), ...orders(7, 9)]);
    const unprocessed = await api.file(`/${id}/unprocessed`);
    const lines = listOf(10).split('\n');
    expect(unprocessed.text).toBe([lines[0], ...lines.slice(4, 7), lines[10], ''].join('\n'));
    expect((await api.call('GET', `/${id}/summary`)).body.rows.processed).toBe(6);
    const cancelled = await api.call('POST', `/${id}/cancel`);
    expect([cancelled.status, cancelled.body.fault.type]).toEqual([409, 'batches.final']);
    expect(cancelled.body.fault.arguments).toEqual({ status: 'cancelled' });
    const retried = await api.call('POST', `/${id}/retry`);
    expect([retried.status, retried.body.fault.type]).toEqual([409, 'batches.notFinal']);
    expect(retried.body.fault.message).toBe('The status is cancelled; it must be failed.');
    expect((await api.call('DELETE', `/${id}`)).status).toBe(204);
  });
});

test('a batch that is cancelled while queued has no rows in its output', async () => {
  const id = await api.upload(listOf(10));
  expect((await api.call('POST', `/${id}/cancel`)).status).toBe(202);
  expect((await api.call('POST', `/${id}/cancel`)).status).toBe(202);
  expect(await withWorker(() => api.ended(id))).toMatchObject({ status: 'cancelled', rows: { processed: 0 } });
  expect(ordersOf((await api.file(`/${id}/output`)).text)).toEqual([]);
  expect((await api.file(`/${id}/unprocessed`)).text).toBe(listOf(10));
});

test('a batch that is cancelled while running has each row once, in its output or among the unprocessed rows', async () => {
  await withWorker(async () => {
    const id = await api.upload(listOf(600));
    await api.until(id, ({ rows }) => rows.processed > 0);
    expect((await api.call('POST', `/${id}/cancel`)).status).toBe(202);
    const { status, rows } = await api.ended(id);
    expect(status).toBe('cancelled');
    expect(rows.processed).toBeLessThan(600);
    const done = ordersOf((await api.file(`/${id}/output`)).text);
    const left = ordersOf((await api.file(`/${id}/unprocessed`)).text);
    expect(done.length).toBe(rows.processed);
    const number = (order = ''): number => Number(order.slice(1));
    expect(done.map(number)).toEqual(done.map(number).toSorted((a, b) => a - b));
    expect([...done, ...left].map(number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 600 }, (_, i) => i + 1),
    );
  });
});

test('a cancellation waits only for the two chunks that a worker has begun', async () => {
  const alone = await startBatchApi({ redisUrl: redis.url, limits: { chunkRows: 500 } });
  const stop = await alone.work();
  try {
    const list = listOf(10_000);
    const id = await alone.upload(list);
    await alone.until(id, ({ rows }) => rows.processed > 0);
    const { body } = await alone.call('POST', `/${id}/cancel`);
    const { status, rows } = await alone.ended(id);
    expect(status).toBe('cancelled');
    expect(rows.processed - body.rows.processed).toBeLessThanOrEqual(2 * 500);
    expect(rows.processed).toBeLessThan(10_000);
    const [output, unprocessed] = await Promise.all([alone.file(`/${id}/output`), alone.file(`/${id}/unprocessed`)]);
    const cells = list.split('\n', 1)[0]?.split(',').length;
    const asGiven = output.text
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(',').slice(0, cells).join(','));
    const rest = unprocessed.text.split('\n').slice(1, -1);
    expect([...asGiven, ...rest].toSorted()).toEqual(list.split('\n').slice(1, -1).toSorted());
  } finally {
    await stop();
    await alone.close();
  }
});

test('a small batch does not wait for an earlier large one', async () => {
  await withWorker(async () => {
    const big = await api.upload(listOf(900));
    const small = await api.upload(listOf(3));
    await api.ended(small);
    expect((await api.call('GET', `/${big}`)).body.status).toBe('in_progress');
    expect((await api.ended(big)).outcome).toBe('all_quoted');
  });
});

describe('next to a batch of many chunks', () => {
  const chunksOf = async (id: string): Promise<number> => (await api.call('GET', `/${id}`)).body.rows.processed / 3;

  test('forty small batches finish while it gets only a few chunks per small batch', async () => {
    await withWorker(async () => {
      const big = await api.upload(listOf(2_400));
      const small: string[] = [];
      for (let i = 0; i < 40; i += 1) small.push(await api.upload(listOf(3)));
      const before = await chunksOf(big);
      await Promise.all(small.map((id) => api.ended(id)));
      expect((await chunksOf(big)) - before).toBeLessThan(3 * 40);
      await api.call('POST', `/${big}/cancel`);
      await api.ended(big);
    });
  });

  test('a second large batch gets an equal share, and a small third one passes both', async () => {
    await withWorker(async () => {
      const [first, second] = [await api.upload(listOf(900)), await api.upload(listOf(900))];
      await api.until(second, ({ rows }) => rows.processed > 30);
      const before = [await chunksOf(first), await chunksOf(second)];
      await api.ended(await api.upload(listOf(3)));
      const after = [await chunksOf(first), await chunksOf(second)];
      expect(Math.max(...after) - Math.max(...before)).toBeLessThan(60);
      await api.until(first, ({ rows }) => rows.processed > 300);
      expect(await chunksOf(second)).toBeGreaterThan(50);
      for (const id of [first, second]) {
        await api.call('POST', `/${id}/cancel`);
        await api.ended(id);
      }
    });
  });
});

test('an expired batch answers every download with 410; its record stays, and its files are gone', async () => {
  const id = await api.upload(`${HEADER}\nA1,101,02139,2,LB,,\n`);
  const { expiresAt } = await withWorker(() => api.ended(id));
  const sweepAt = (time: number) =>
    createSweeper({ ...api, now: () => new Date(time), redisNow: async () => new Date(time) })();
  const end = Date.parse(expiresAt ?? '');
  await sweepAt(end - 1);
  expect((await api.file(`/${id}/output`)).status).toBe(200);
  await sweepAt(end + 1);
  for (const what of ['output', 'faults', 'unprocessed']) {
    const { status, body } = await api.call('GET', `/${id}/${what}`);
    expect([status, body.fault.type]).toEqual([410, 'batches.expired']);
    expect(body.fault.arguments).toEqual({ expiresAt });
  }
  const shared = await api.api.call(`/v1/client/shipment/rates/batches/${id}/shares`, {
    method: 'POST',
    headers: { ...api.bearer(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ days: 7 }),
  });
  expect([shared.status, shared.body.fault.type]).toEqual([410, 'batches.expired']);
  expect((await api.call('GET', `/${id}`)).body).toMatchObject({ status: 'expired', outcome: null, expiresAt });
  expect(await api.store.list(`batches/${id}/`)).toEqual(['batch.json', 'final.json']);
  const cancelled = await api.call('POST', `/${id}/cancel`);
  expect([cancelled.status, cancelled.body.fault.type]).toEqual([409, 'batches.final']);
  expect((await api.call('DELETE', `/${id}`)).status).toBe(204);
});

describe('without its store', () => {
  test('an upload is answered with 503, and accepted when the store is back', async () => {
    const alone = await startBatchApi({ redisUrl: redis.url });
    try {
      const inTheWay = join(alone.root, 'batches');
      await writeFile(inTheWay, '');
      const { status, body } = await alone.post(listOf(2));
      expect([status, body.fault.type]).toEqual([503, 'service.unavailable']);
      expect(body.fault.arguments).toEqual({ dependency: 'store' });
      await rm(inTheWay);
      expect((await alone.post(listOf(2))).status).toBe(202);
    } finally {
      await alone.close();
    }
  });

  test('an output with a lost part is cut off, so that it does not look complete', async () => {
    const id = await api.upload(listOf(10));
    await withWorker(() => api.ended(id));
    await rm(join(api.root, 'batches', id, 'parts', '00002.csv'));
    await expect(api.file(`/${id}/output`)).rejects.toThrow('terminated');
    await expect(api.file(`/${id}/output?format=xlsx`)).rejects.toThrow('terminated');
    expect((await api.call('GET', `/${id}`)).status).toBe(200);
  });

  test('a fault reports that the input with unprocessed rows is lost', async () => {
    const id = await api.upload(listOf(10));
    await api.call('POST', `/${id}/cancel`);
    await withWorker(() => api.ended(id));
    await rm(join(api.root, 'batches', id, 'input.csv'));
    const { status, body } = await api.call('GET', `/${id}/unprocessed`);
    expect([status, body.fault.type]).toEqual([503, 'service.unavailable']);
    expect(JSON.stringify(api.api.lines)).toContain(`there is no object batches/${id}/input.csv in the store`);
  });
});

describe('without its Redis', () => {
  const READS = ['', '/events', '/output', '/output?partial=true', '/faults', '/unprocessed', '/summary'];
  const CHANGES = ['DELETE ', 'POST /cancel', 'POST /retry'];

  test('every batch call is answered with 503 at once, and an upload leaves nothing', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gone-'));
    const own = await startLocalRedis({ dataDir, production: false, env: process.env, execArgv: ['--import', 'tsx'] });
    const alone = await startBatchApi({ redisUrl: own.url });
    let refused: Refused | undefined;
    try {
      const id = await alone.upload(listOf(1));
      process.kill(own.pid, 'SIGKILL');
      await own.exited;
      refused = await refuseConnections(own.url);
      // From then on, each connection is retried every 500 ms.
      await soon(() => expect(refused?.count()).toBeGreaterThan(12));
      const calls = [
        () => alone.post(listOf(2)),
        ...[...READS.map((below) => `GET ${below}`), ...CHANGES].map((call) => () => {
          const [method = '', below = ''] = call.split(' ');
          return alone.call(method, `/${id}${below}`);
        }),
      ];
      for (const call of [...calls, () => alone.call('GET', '')]) {
        const before = refused.count();
        const { status, headers, body } = await call();
        // Both connections of this process were retried at most three times.
        expect(refused.count() - before).toBeLessThanOrEqual(6);
        expect([status, body.fault.type]).toEqual([503, 'service.unavailable']);
        expect(body.fault.arguments).toEqual({ dependency: 'redis' });
        expect(headers.get('retry-after')).toBe('5');
      }
      expect(await alone.folders()).toEqual([id]);
      const quote = await alone.api.quote({ rates: {} });
      expect(quote.status).toBe(422);
    } finally {
      await alone.close();
      await refused?.stop();
      await own.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
