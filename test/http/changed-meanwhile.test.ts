/** Calls with slow bodies. An operator changes something before the body is complete. */
import { once } from 'node:events';
import { request as requestByHttp } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../src/base/must.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import type { TestRedis } from '../redis.ts';
import { soon } from '../soon.ts';
import { RATES, rateRequest, referenceSchedule, sampleClients, startApi } from './api.ts';
import { BATCHES, type BatchApi, HEADER, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

const clients = new Map(await sampleClients());
const demo = must(clients.get('demo'), 'the client demo');
afterEach(() => void clients.set('demo', demo));
const revoke = (): void => void clients.delete('demo');

interface Target {
  readonly url: string;
  readonly token: string;
}

/** Posts a body in two halves, with a change in between. */
const postSlowly = async (
  { url, token }: Target,
  path: string,
  type: string,
  body: string,
  change: () => unknown,
  more: Readonly<Record<string, string>> = {},
) => {
  const own = { Authorization: `Bearer ${token}`, 'Content-Type': type, 'Content-Length': body.length };
  const headers = { ...own, ...more };
  const sending = requestByHttp(`${url}${path}`, { method: 'POST', headers });
  const answered = once(sending, 'response');
  sending.write(body.slice(0, body.length / 2));
  // Once a later call is answered, the service has authenticated the caller.
  for (let calls = 1; calls <= 5; calls += 1) await fetch(`${url}/livez`);
  await change();
  sending.end(body.slice(body.length / 2));
  const [answer] = await answered;
  return { status: answer.statusCode, body: JSON.parse(await text(answer)) };
};

const REVOKED = { status: 401, body: { fault: { type: 'InvalidAuthorizationException' } } };

describe('a slow quote', () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  let schedule: Awaited<ReturnType<typeof referenceSchedule>>;
  beforeEach(async () => {
    schedule = await referenceSchedule();
    api = await startApi({
      clients: { current: () => clients },
      tariffs: { current: () => schedule, findings: () => [] },
    });
  });
  afterEach(() => api.close());
  const quoteSlowly = (change: () => void) =>
    postSlowly(api, RATES, 'application/json', JSON.stringify(rateRequest()), change);

  test('of a client that is revoked meanwhile is refused', async () => {
    expect(await quoteSlowly(revoke)).toMatchObject(REVOKED);
  });

  test('is priced with the tariffs and the client from its start', async () => {
    const quoted = await quoteSlowly(() => undefined);
    const changed = await quoteSlowly(() => {
      schedule = scheduleOf([]);
      clients.set('demo', { ...demo, warehouses: new Map() });
    });
    expect(changed).toEqual(quoted);
    expect(quoted.status).toBe(200);
    expect((await api.quote(rateRequest())).status).toBe(422);
  });
});

describe('a slow upload', () => {
  let api: BatchApi;
  let redis: TestRedis;
  batchApiForFile((started) => ({ api, redis } = started), { clients });

  test.each(['', '?preview=true'])('of a client that is revoked meanwhile is refused: %s', async (query) => {
    const before = await api.store.list('batches/');
    const path = `${BATCHES}${query}`;
    expect(await postSlowly(api.api, path, 'text/csv', listOf(50), revoke)).toMatchObject(REVOKED);
    expect(await api.store.list('batches/')).toEqual(before);
  });

  test('of a client that stays is accepted', async () => {
    expect((await postSlowly(api.api, BATCHES, 'text/csv', listOf(50), () => undefined)).status).toBe(202);
  });

  test('whose key Redis loses is refused with what to do, and that works', async () => {
    const key = { 'Idempotency-Key': 'lost' };
    const lose = async () => {
      await soon(async () => expect(await api.redis.keys('rates:idempotency:*')).not.toEqual([]));
      await redis.clear();
    };
    const { status, body } = await postSlowly(api.api, BATCHES, 'text/csv', listOf(50), lose, key);
    expect([status, body.fault]).toEqual([
      409,
      {
        type: 'idempotency.inProgress',
        message:
          'Another request with this Idempotency-Key may still be running. Wait a few seconds, then send the request again with the same key.',
        arguments: key,
      },
    ]);
    const again = await postSlowly(api.api, BATCHES, 'text/csv', listOf(50), () => undefined, key);
    expect(again.status).toBe(202);
  });
});

describe('a slow correction', () => {
  let api: BatchApi;
  let redis: TestRedis;
  batchApiForFile((started) => ({ api, redis } = started), { worker: true });

  test('is accepted although Redis is emptied meanwhile', async () => {
    const { id } = await api.ended(await api.upload(`${HEADER}\nA1,101,213,2,LB,,\n`));
    const corrected = (await api.file(`/${id}/faults`)).text.replace(',213,', ',02139,');
    const { status, body } = await postSlowly(
      api.api,
      `${BATCHES}/${id}/corrections`,
      'text/csv',
      corrected,
      redis.clear,
    );
    expect([status, body.fault]).toEqual([202, undefined]);
    expect(await api.ended(id)).toMatchObject({ status: 'completed', revision: 2, outcome: 'all_quoted' });
  });
});

describe('a slow download', () => {
  let api: BatchApi;
  batchApiForFile(({ api: started }) => (api = started), { worker: true, limits: { chunkRows: 1_000 } });

  const ended = async () => await api.ended(await api.upload(listOf(9_000).replaceAll('\n', `,${'x'.repeat(700)}\n`)));
  /** Changes something while its output is sent. It must be cut off, and be no error in the log. @param after the later status */
  const cutOff = async (id: string, change: () => Promise<unknown>, after: number): Promise<void> => {
    const headers = { Authorization: `Bearer ${api.api.token}` };
    const asking = requestByHttp(`${api.api.url}${BATCHES}/${id}/output`, { headers }).end();
    const [answer] = await once(asking, 'response');
    await change();
    await expect(text(answer)).rejects.toThrow('aborted');
    const { status } = await api.call('GET', `/${id}/output`);
    expect(status).toBe(after);
    expect(api.api.lines.filter(({ level }) => level === 50)).toEqual([]);
  };

  test('of a batch that is deleted meanwhile is cut off, and is no error in the log', async () => {
    const { id } = await ended();
    await cutOff(id, async () => expect((await api.call('DELETE', `/${id}`)).status).toBe(204), 404);
  });

  test('of a batch that expires meanwhile is cut off, and is no error in the log', async () => {
    const { id, expiresAt } = await ended();
    const late = new Date(Date.parse(expiresAt ?? '') + 1);
    await cutOff(id, createSweeper({ ...api, now: () => late, redisNow: async () => late }), 410);
  });
});
