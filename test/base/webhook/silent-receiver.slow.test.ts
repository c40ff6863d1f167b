import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sampleClients } from '../../http/api.ts';
import { type BatchApi, HEADER, listOf, startBatchApi } from '../../http/batch-api.ts';
import { type TestRedis, testRedis } from '../../redis.ts';
import { soon } from '../../soon.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

let redis: TestRedis;
let silent: Receiver;
let quick: Receiver;
let api: BatchApi;
beforeAll(async () => {
  redis = await testRedis();
  silent = await startReceiver();
  silent.answer(() => undefined);
  quick = await startReceiver();
  const sample = await sampleClients();
  const withWebhook = (id: string, { url }: Receiver) => {
    const client = sample.get(id);
    if (client === undefined) throw new Error(`there is no sample client ${id}`);
    return [id, { ...client, webhook: { url, signingSecret: SECRET } }] as const;
  };
  const clients = new Map([...sample, withWebhook('demo', silent), withWebhook('other', quick)]);
  api = await startBatchApi({ redisUrl: redis.url, clients });
});
afterAll(async () => {
  await api.close();
  await silent.close();
  await quick.close();
  await redis.stop();
});

test('a silent receiver gets two messages at a time and delays no other client', async () => {
  const count = 20;
  for (let sent = 0; sent < count; sent += 1) await api.upload(listOf(1));
  const stop = await api.work();
  // All its messages were tried; those without a free slot come back later.
  const { webhook } = api.queues;
  await vi.waitFor(async () => expect(await webhook.getDelayedCount()).toBeGreaterThan(count / 2), 30_000);
  const headers = { ...api.bearer(await api.api.tokenOf('other', 'other-secret')), 'Content-Type': 'text/csv' };
  const { status } = await api.post(`${HEADER}\nA1,201,02139,1.5,LB,C1-GROUND,\n`, '', headers);
  expect(status).toBe(202);
  await soon(() => expect(quick.received).toHaveLength(1));
  // No delivery to the silent receiver has ended yet.
  const { body } = await api.api.call('/v1/client/webhooks/deliveries', { headers: api.bearer() });
  expect(body.deliveries).toEqual([]);
  expect(silent.received).toHaveLength(2);
  await stop();
});
