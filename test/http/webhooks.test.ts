import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSender } from '../../src/base/webhook/send.ts';
import { WEBHOOK_PAUSES_MS } from '../../src/batch/queue/jobs.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import type { Clients } from '../../src/catalog/clients/clients.ts';
import { type Receiver, startReceiver } from '../base/webhook/receiver.ts';
import { type TestRedis, testRedis } from '../redis.ts';
import { soon } from '../soon.ts';
import { sampleClients, withDemo } from './api.ts';
import { type BatchApi, listOf, startBatchApi } from './batch-api.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const DELIVERIES = '/v1/client/webhooks/deliveries';

let redis: TestRedis;
let receiver: Receiver;
let clients: Clients;
let api: BatchApi;
beforeAll(async () => {
  redis = await testRedis();
  receiver = await startReceiver();
  const webhook = { url: `${receiver.url}?key=of-the-client`, signingSecret: SECRET };
  clients = withDemo(await sampleClients(), { webhook });
  api = await startBatchApi({ redisUrl: redis.url, clients });
});
afterAll(async () => {
  await api.close();
  await receiver.close();
  await redis.stop();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer((res) => res.writeHead(204).end());
});

/** Runs a function while a worker runs, and waits until no message is left for the receiver of the next test. */
const withWorker = async <T>(work: () => Promise<T>): Promise<T> => {
  const stop = await api.work();
  try {
    const result = await work();
    await api.quiet();
    return result;
  } finally {
    await stop();
  }
};

const logOf = async (token?: string) =>
  (await api.api.call(DELIVERIES, { headers: api.bearer(token) })).body.deliveries;
const attemptsFor = async (id: string) =>
  (await logOf()).filter(({ batchId }: { batchId: string }) => batchId === id).toReversed();
const receivedFor = (id: string) =>
  receiver.received.filter(({ headers }) => `${headers['webhook-id']}`.startsWith(id));
const told = (id: string, times = 1) => soon(() => expect(receivedFor(id)).toHaveLength(times));

test('sends the batch when it completes, with a signature that the standard library verifies', async () => {
  const id = await api.upload(listOf(7));
  await withWorker(() => told(id));
  const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = receivedFor(id);
  expect(path).toBe('/hook?key=of-the-client');
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `${id}-r1-completed` });
  const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const batch = (await api.call('GET', `/${id}`)).body;
  expect(new Webhook(SECRET).verify(body, signed)).toEqual({
    type: 'batch.completed',
    timestamp: batch.completedAt,
    data: batch,
  });
  expect(() => new Webhook(SECRET).verify(`${body} `, signed)).toThrow('No matching signature found');
  expect(await attemptsFor(id)).toEqual([
    {
      id: `${id}-r1-completed`,
      event: 'batch.completed',
      batchId: id,
      revision: 1,
      attempt: 1,
      at: expect.any(String),
      url: receiver.url,
      outcome: 'delivered',
      status: 204,
      problem: null,
      body: '',
      ms: expect.any(Number),
      nextAttemptAt: null,
    },
  ]);
});

test('sends the message when the output is ready', async () => {
  let status = 0;
  receiver.answer(async (res) => {
    const { data } = JSON.parse(receiver.received.at(-1)?.body ?? '');
    status = (await api.file(`/${data.id}/output`)).status;
    res.end();
  });
  const id = await api.upload(listOf(4));
  await withWorker(() => told(id));
  await soon(() => expect(status).toBe(200));
});

test('sends a message for a cancelled batch, a failed batch, and a batch that fails again after a retry', async () => {
  const cancelled = await api.upload(listOf(4));
  await api.call('POST', `/${cancelled}/cancel`);
  await withWorker(() => told(cancelled));
  expect(JSON.parse(receivedFor(cancelled)[0]?.body ?? '')).toMatchObject({
    type: 'batch.cancelled',
    data: { id: cancelled, status: 'cancelled' },
  });

  const failed = await api.upload(listOf(4));
  await api.failChunk(failed, { index: 0, revision: 1 });
  await withWorker(() => told(failed));
  expect(JSON.parse(receivedFor(failed)[0]?.body ?? '')).toMatchObject({
    type: 'batch.failed',
    data: { status: 'failed', failure: { message: 'Rows 1 to 3 could not be processed: an internal error.' } },
  });
  await api.call('POST', `/${failed}/retry`);
  await api.failChunk(failed, { index: 0, revision: 1 });
  await withWorker(() => told(failed, 2));
  expect(new Set(receivedFor(failed).map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  await api.call('POST', `/${failed}/retry`);
  await withWorker(() => told(failed, 3));
  expect(JSON.parse(receivedFor(failed)[2]?.body ?? '')).toMatchObject({ type: 'batch.completed' });
});

test('sends the same message again until the receiver accepts it', async () => {
  const statuses = [500, 503, 302, 200];
  receiver.answer((res) =>
    res.writeHead(statuses[receiver.received.length - 1] ?? 200, { Location: '/x' }).end('busy'),
  );
  const id = await api.upload(listOf(1));
  await withWorker(() => told(id, 4));
  expect(new Set(receivedFor(id).map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  expect(receivedFor(id).map(({ path }) => path)).toEqual(Array(4).fill('/hook?key=of-the-client'));
  expect(await attemptsFor(id)).toMatchObject([
    { attempt: 1, outcome: 'failed', status: 500, body: 'busy', nextAttemptAt: expect.any(String) },
    { attempt: 2, outcome: 'failed', status: 503, problem: 'the response status was 503' },
    { attempt: 3, outcome: 'failed', status: 302, problem: 'redirects are not followed' },
    { attempt: 4, outcome: 'delivered', status: 200, nextAttemptAt: null },
  ]);
});

test('gives up after nine tries within a day', async () => {
  expect(WEBHOOK_PAUSES_MS.reduce((sum: number, pause) => sum + pause, 0) / 3_600_000).toBeCloseTo(23.6, 1);
  receiver.answer((res) => res.writeHead(500).end());
  const id = await api.upload(listOf(1));
  await withWorker(() => told(id, 9));
  expect((await attemptsFor(id)).at(-1)).toMatchObject({ attempt: 9, outcome: 'given_up', nextAttemptAt: null });
  await withWorker(() => createSweeper({ ...api, now: () => new Date() })());
  expect(receivedFor(id)).toHaveLength(9);
});

test('does not try again after 410', async () => {
  receiver.answer((res) => res.writeHead(410).end());
  const id = await api.upload(listOf(1));
  await withWorker(() => told(id));
  expect(await attemptsFor(id)).toMatchObject([{ attempt: 1, outcome: 'given_up', status: 410 }]);
});

test('the sweeper sends a message whose job was lost or never added, once', async () => {
  const id = await api.upload(listOf(4));
  await withWorker(() => told(id));
  const sweep = createSweeper({ ...api, now: () => new Date() });
  const sweepTwice = async (): Promise<void> => {
    await sweep();
    await sweep();
    await api.quiet();
  };
  await withWorker(sweepTwice);
  expect(receivedFor(id)).toHaveLength(1);

  // The state after a kill between the end of the batch and the job.
  await rm(join(api.root, 'batches', id, 'told.json'));
  await api.redis.hdel(`rates:{${id}}:state`, 'told');
  await withWorker(async () => {
    await sweepTwice();
    await told(id, 2);
  });

  // Redis was emptied. The store has the notification.
  await redis.clear();
  await withWorker(sweepTwice);
  expect(receivedFor(id)).toHaveLength(2);
});

test('sends a message for corrections as the next revision, also if they are cancelled', async () => {
  const id = await api.upload(`${listOf(3)}F1,101,0213,2,LB,,\n`);
  await withWorker(async () => {
    await api.ended(id);
    await told(id);
  });
  const correct = async (): Promise<void> => {
    const body = (await api.file(`/${id}/faults?revision=1`)).text.replace('0213,', '02139,');
    const headers = { ...api.bearer(), 'Content-Type': 'text/csv' };
    const { status } = await api.api.call(`/v1/client/shipment/rates/batches/${id}/corrections`, {
      ...{ method: 'POST', headers, body },
    });
    expect(status).toBe(202);
  };
  await correct();
  await api.call('POST', `/${id}/cancel`);
  await withWorker(() => told(id, 2));
  expect(JSON.parse(receivedFor(id)[1]?.body ?? '')).toMatchObject({ type: 'batch.cancelled', data: { revision: 2 } });
  await correct();
  await withWorker(() => told(id, 3));
  expect(JSON.parse(receivedFor(id)[2]?.body ?? '')).toMatchObject({
    type: 'batch.completed',
    data: { revision: 3, outcome: 'all_quoted' },
  });
});

test('a worker stops without waiting for a message, which the next worker sends', async () => {
  receiver.answer(() => undefined);
  const id = await api.upload(listOf(1));
  const stop = await api.work();
  await told(id);
  await stop();
  // A finished delivery would be in the log.
  expect(await attemptsFor(id)).toEqual([]);
  receiver.answer((res) => res.end());
  await withWorker(() => told(id, 2));
  await soon(async () =>
    expect(await attemptsFor(id)).toMatchObject([{ attempt: 1, outcome: 'delivered', status: 200 }]),
  );
});

test('sends nothing to a client without a webhook; each client sees only its own log', async () => {
  const token = await api.api.tokenOf('other', 'other-secret');
  const list = 'warehouse_id,postalCode,weight_value,weight_units\n201,02139,1,LB\n';
  const { body } = await api.post(list, '', { ...api.bearer(token), 'Content-Type': 'text/csv' });
  await withWorker(async () => {
    await soon(async () => expect((await api.call('GET', `/${body.id}`, token)).body.status).toBe('completed'));
  });
  expect(receivedFor(body.id)).toEqual([]);
  expect(await logOf(token)).toEqual([]);
  expect((await logOf()).length).toBeGreaterThan(3);
});

test('the log takes a limit, and refuses unknown parameters', async () => {
  const get = (query: string, token?: string) => api.api.call(`${DELIVERIES}${query}`, { headers: api.bearer(token) });
  expect((await get('?limit=2')).body.deliveries).toHaveLength(2);
  expect((await get('?limit=500')).status).toBe(200);
  for (const query of ['?limit=501', '?limit=0', '?limit=x', '?colour=red'])
    expect((await get(query)).body.fault.type).toBe('getRates.invalidRequest');
  const quoting = await api.api.tokenOf('demo', 'demo-secret', 'quote');
  expect((await get('', quoting)).body.fault.type).toBe('request.forbidden');
  expect((await get('', 'x')).status).toBe(401);
});

test('a webhook that was set after the rows were rated gets the message', async () => {
  let seen = await sampleClients();
  let looks = 0;
  const refresh = async (): Promise<void> => {
    looks += 1;
    // The first look belongs to the rows.
    if (looks > 1) seen = clients;
  };
  const own = await startBatchApi({
    redisUrl: redis.url,
    clients,
    webhooks: { clients: { current: () => seen, refresh } },
  });
  const id = await own.upload(listOf(1));
  const stop = await own.work();
  await told(id);
  await stop();
  await own.close();
});

test('messages of the service cannot reach private addresses, and the log says so', async () => {
  const own = await startBatchApi({
    redisUrl: redis.url,
    clients,
    webhooks: {
      send: createSender({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] }),
    },
  });
  const id = await own.upload(listOf(1));
  const stop = await own.work();
  await soon(async () => expect((await attemptsFor(id)).length).toBe(9));
  await stop();
  expect(receivedFor(id)).toEqual([]);
  expect((await attemptsFor(id)).at(-1)).toMatchObject({ status: null, problem: 'it is not an https URL' });
  await own.close();
});
