import { createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { connect, waitUntilReady } from '../../src/base/redis/connection.ts';
import { inFlight } from '../../src/batch/client-index.ts';
import { createAllowance } from '../../src/http/server/limits.ts';
import { redisForFile, type TestRedis } from '../redis.ts';
import { soon } from '../soon.ts';
import { rateRequest, sampleClients, startApi, withDemo } from './api.ts';
import { type BatchApi, listOf, startBatchApi } from './batch-api.ts';

const log = pino({ level: 'silent' });

let redis: TestRedis;
redisForFile((made) => (redis = made));

const clientsWith = async (limits: Record<string, number>) => withDemo(await sampleClients(), { limits });

test('every answer of a limited route says how many calls are left, even a fault', async () => {
  const clients = await clientsWith({ quotesPerMinute: 9, tokensPerMinute: 8 });
  const api = await startApi({ clients: { current: () => clients } });
  try {
    const first = await api.quote(rateRequest());
    const second = await api.quote('{');
    expect([first.status, second.status]).toEqual([200, 400]);
    expect(first.headers.get('ratelimit-policy')).toBe('"quotes";q=9;w=60');
    expect(first.headers.get('ratelimit')).toBe('"quotes";r=8;t=60');
    expect(second.headers.get('ratelimit')).toMatch(/^"quotes";r=7;t=(?:60|59)$/);
    const ask = (secret: string) => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'demo', client_secret: secret });
      return api.call('/token/generate', { method: 'POST', body });
    };
    const refused = await ask('wrong');
    expect([refused.status, refused.headers.get('ratelimit-policy'), refused.headers.get('ratelimit')]).toEqual([
      401,
      '"wrongSecrets";q=60;w=60',
      '"wrongSecrets";r=59;t=60',
    ]);
    const given = await ask('demo-secret');
    expect([given.status, given.headers.get('ratelimit-policy'), given.headers.get('ratelimit')]).toEqual([
      200,
      '"tokens";q=8;w=60',
      expect.stringMatching(/^"tokens";r=6;t=(?:60|59)$/),
    ]);
  } finally {
    await api.close();
  }
});

const taker = (url: string) => {
  const connection = connect(url, 'producer', { log });
  const allowance = createAllowance('quotes', connection);
  const left = async (): Promise<string> => {
    const headers = new Map<string, string>();
    const answer = { locals: {}, setHeader: (name: string, value: string) => headers.set(name, value) };
    const fault = await allowance.take(answer, 'acme', 10);
    return `${fault?.type ?? 'taken'} ${/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]}`;
  };
  return { connection, left };
};

test('two processes share a client’s limit in the background', async () => {
  const [a, b] = [taker(redis.url), taker(redis.url)];
  await Promise.all([a, b].map(({ connection }) => waitUntilReady(connection, 5_000)));
  const settled = async (calls: number): Promise<void> => {
    await soon(async () => expect(await a.connection.get('rates:limit:quotes:acme')).toBe(String(calls)));
    await turn();
  };
  for (let i = 0; i < 6; i++) await a.left();
  await settled(6);
  expect(await b.left()).toBe('taken 9');
  await settled(7);
  // This call to b counts six calls of a and two of its own.
  expect(await b.left()).toBe('taken 2');
  expect(await a.left()).toBe('taken 3');
  await settled(9);
  // This call to a counts eight of its own, and one or two of b.
  expect(await a.left()).toMatch(/^taken [01]$/);
  for (let i = 0; i < 2; i++) await b.left();
  expect(await b.left()).toBe('request.rateLimited 0');
  for (const { connection } of [a, b]) connection.disconnect();
});

test('a process without Redis applies the limit alone, and does not wait', async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { connection, left } = taker(`redis://127.0.0.1:${port}`);
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  const answers = [];
  for (let i = 0; i < 12; i++) answers.push(await left());
  // Waiting for a connection would take at least one turn of the event loop.
  expect(turns).toBe(0);
  expect(answers.slice(8)).toEqual(['taken 1', 'taken 0', 'request.rateLimited 0', 'request.rateLimited 0']);
  connection.disconnect();
  silent.close();
});

describe('running work is limited', () => {
  const csv = { 'Content-Type': 'text/csv' };
  const refusedFor = (limit: string) => ({
    code: 429,
    fault: { type: 'request.rateLimited', message: expect.stringContaining(limit), arguments: { limit } },
  });
  const withLimits = async (limits: Record<string, number>, run: (api: BatchApi) => Promise<void>) => {
    await redis.clear();
    const api = await startBatchApi({ redisUrl: redis.url, clients: await clientsWith(limits) });
    try {
      await run(api);
    } finally {
      await api.close();
    }
  };
  const held = (api: BatchApi) => api.redis.hgetall('rates:inflight:{demo}');

  test('batches: a third over a limit of two is refused and leaves nothing, and accepted when one has ended', () =>
    withLimits({ batchesInFlight: 2 }, async (api) => {
      const [first, second] = [await api.upload(listOf(1)), await api.upload(listOf(2))];
      const third = await api.post(listOf(1), '', csv);
      expect([third.status, third.body]).toEqual([429, refusedFor('batchesInFlight')]);
      expect(third.headers.get('retry-after')).toBe('10');
      expect(await api.folders()).toEqual([first, second].toSorted());
      const stop = await api.work();
      await api.ended(first);
      await api.ended(second);
      await soon(async () => expect(await held(api)).toEqual({}));
      await api.upload(listOf(1));
      await stop();
    }));

  test('stored batches: a third over a limit of two is refused, however small, until one is deleted', () =>
    withLimits({ batchesStored: 2 }, async (api) => {
      const stop = await api.work();
      const [first] = [await api.upload(listOf(1)), await api.upload(listOf(1))];
      const third = await api.post(listOf(1), '', csv);
      expect([third.status, third.body]).toEqual([429, refusedFor('batchesStored')]);
      expect(third.body.fault.message).toBe(
        'Too much is stored: the limit is 2 (batchesStored); delete batches, or try again when old ones are gone.',
      );
      expect(third.headers.get('retry-after')).toBe('300');
      await api.ended(first);
      expect((await api.call('DELETE', `/${first}`)).status).toBe(204);
      await api.upload(listOf(1));
      await stop();
    }));

  test('rows: 10 are accepted, 11 never are; six uploads at once do not exceed the limit', () =>
    withLimits({ rowsInFlight: 10 }, async (api) => {
      const over = await api.post(listOf(11), '', csv);
      expect([over.status, over.body.fault.type, over.body.fault.arguments]).toEqual([
        413,
        'request.tooLarge',
        { rows: '10 rows' },
      ]);
      const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(listOf(4), '', csv)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 429, 429, 429, 429]);
      expect((await held(api))['sum']).toBe('8');
      await api.upload(listOf(2));
      expect((await api.post(listOf(1), '', csv)).status).toBe(429);
    }));

  test('it is counted again after Redis was emptied, without cancelled batches', () =>
    withLimits({ rowsInFlight: 10 }, async (api) => {
      const id = await api.upload(listOf(8));
      await redis.clear();
      expect((await api.call('GET', `/${id}`)).body.status).toBe('queued');
      expect((await api.post(listOf(3), '', csv)).body).toEqual(refusedFor('rowsInFlight'));
      const stop = await api.work();
      await api.call('POST', `/${id}/cancel`);
      await api.ended(id);
      await soon(async () => expect(await held(api)).toEqual({}));
      await stop();
      await api.upload(listOf(10));
    }));

  /** A two-minute-old entry whose batch was never created. */
  const left = `b${(Date.now() - 120_000).toString(36).padStart(9, '0')}${'0'.repeat(16)}`;

  test('leftovers of a dead process block nobody', () =>
    withLimits({ batchesInFlight: 1 }, async (api) => {
      await inFlight.restore(api.redis, 'demo', left, { rows: 5, bytes: 50 });
      const id = await api.upload(listOf(1));
      expect(await held(api)).toEqual({ [id]: '1', sum: '1' });
    }));

  test('repeated refusals check running work only once in five seconds', () =>
    withLimits({ batchesInFlight: 1 }, async (api) => {
      await api.upload(listOf(1));
      const refused = async () => expect((await api.post(listOf(1), '', csv)).status).toBe(429);
      await refused();
      await inFlight.restore(api.redis, 'demo', left, { rows: 5, bytes: 50 });
      await refused();
      expect(await held(api)).toHaveProperty(left);
      expect(await api.redis.pttl('rates:inflight:{demo}:looked')).toBeGreaterThan(0);
      await api.redis.del('rates:inflight:{demo}:looked');
      await refused();
      expect(await held(api)).not.toHaveProperty(left);
    }));
});
