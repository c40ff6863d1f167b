/** The client against the whole service: real HTTP, a real Redis and a worker. */
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import {
  ApiFault,
  asFault,
  type ClientOptions,
  createClient,
  type RateRequest,
} from '../../../src/http/client/client.ts';
import { type Receiver, startReceiver } from '../../base/webhook/receiver.ts';
import { BATCHES, type BatchApi, HEADER, listOf } from '../batch-api.ts';
import { batchApiForFile } from '../batch-suite.ts';
import { breakingOnce } from './breaking-once.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true });

const DEMO = { clientId: 'demo', clientSecret: 'demo-secret' };
const clientOf = (options: Partial<ClientOptions> = {}) => createClient({ server: api.api.url, ...DEMO, ...options });

/** One package from New Jersey to Massachusetts. */
const weighing = (value: number): RateRequest => ({
  rates: {
    shippingService: 'C1-GROUND',
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139' } },
    packageItems: [{ weight: { units: 'LB', value } }],
  },
});

/** A service of the test's own, which answers whatever the test says. */
let stand: Receiver | undefined;
const standIn = async (answer: Parameters<Receiver['answer']>[0]) => {
  stand = await startReceiver();
  stand.answer((res, req) =>
    req.url === '/token/generate' ? res.end('{"access_token":"a","expires_in":3600}') : answer(res, req),
  );
  return { stand, server: new URL(stand.url).origin };
};
afterEach(async () => {
  await stand?.close();
  stand = undefined;
});

test('quotes, with an explanation if it is asked for, and names warehouses and services', async () => {
  const client = clientOf();
  const plain = await client.quote(weighing(2.1));
  expect([plain.shippingService, plain.totalNetCharge, 'explanation' in plain]).toEqual(['C1-GROUND', 11.99, false]);
  const explained = await client.quote(weighing(2.1), { explain: true });
  expect(JSON.stringify(explained)).toContain('"explanation"');
  expect((await client.warehouses()).warehouses[0]?.warehouse_id).toBe(101);
  expect((await client.services()).services[0]?.shippingService).toBe('C1-GROUND');
});

test('an address may end with a slash, and needs its scheme', async () => {
  expect((await clientOf({ server: `${api.api.url}/` }).warehouses()).warehouses).not.toEqual([]);
  expect(() => clientOf({ server: 'localhost:3000' })).toThrow(
    'server must be an address such as https://rates.example.com, not localhost:3000',
  );
});

const HEAVY =
  'must be at most 99 LB, whatever the shipping service; give a heavier package in KG, up to 99 KG, which is about 218.3 LB';

test('a fault is a value with its type, its message, its input and its status', async () => {
  const client = clientOf();
  const fault = await client.quote(weighing(200)).catch(asFault);
  if (!(fault instanceof ApiFault)) throw new Error('the shipment got a quote');
  expect([fault.type, fault.status, fault.isPassing, fault.retryAfterMs]).toEqual([
    'getRates.invalidRequest',
    422,
    false,
    0,
  ]);
  expect(fault.message).toBe(`Weight ${HEAVY}.`);
  expect(fault.arguments).toEqual({ 'rates.packageItems[0].weight.value': HEAVY });
  await expect(client.batch('b0000000000000000000000000')).rejects.toMatchObject({
    ...{ name: 'ApiFault', type: 'request.notFound', status: 404 },
  });
});

test('a list is uploaded as a stream with progress, watched until it has ended, and its output is a stream', async () => {
  const client = clientOf();
  const list = new TextEncoder().encode(listOf(20));
  const sent: number[] = [];
  async function* pieces() {
    yield list.subarray(0, 100);
    yield list.subarray(100);
  }
  const { id, filename } = await client.upload(pieces(), {
    query: { filename: 'twenty.csv', explain: 'true' },
    onSent: (bytes) => sent.push(bytes),
  });
  expect([filename, sent]).toEqual(['twenty.csv', [100, list.length]]);

  const seen = [];
  for await (const batch of client.events(id)) seen.push(batch);
  expect(seen.at(-1)).toMatchObject({ id, status: 'completed', filename: 'twenty.csv', rows: { quoted: 20 } });
  expect(await client.ended(id)).toEqual(seen.at(-1));

  const output = await client.download(id);
  const rows = await new Response(output.body?.pipeThrough(new TransformStream())).text();
  expect(rows).toBe((await api.file(`/${id}/output`)).text);
  expect(rows.split('\n')).toHaveLength(22);
  const excel = await (await client.download(id, 'output', { output: 'excel' })).arrayBuffer();
  expect([...new Uint8Array(excel).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect((await client.summary(id)).totalNetCharge).toBeGreaterThan(0);
  expect((await client.batches({ limit: '1' })).batches[0]?.id).toBe(id);
});

test('a list is previewed, and nothing is made of it', async () => {
  const client = clientOf();
  const before = await client.batches();
  const seen = await client.preview(listOf(3));
  expect([seen.rowsRead, seen.quoted]).toEqual([3, 3]);
  expect((await client.batches()).batches[0]?.id).toBe(before.batches[0]?.id);
});

test('a completed batch is compared', async () => {
  const client = clientOf();
  const { id } = await client.upload(listOf(5));
  await client.ended(id);
  const made = await client.compare(id, { scenarios: [{ service: 'cheapest' }] });
  let last = made;
  for await (const comparison of client.comparisonEvents(made.id)) last = comparison;
  expect(last.status).toBe('completed');
  expect((await client.comparison(made.id)).status).toBe('completed');
  expect((await client.comparisonSummary(made.id)).scenarios).toHaveLength(1);
  expect(await (await client.comparisonOutput(made.id)).text()).toContain(HEADER);
});

test.each([
  ['while it is sent', (sent: number) => sent > 100_000],
  ['when the batch was made, before that was told', (_: number, received: string) => received.includes(' 202 ')],
])('an upload whose connection breaks %s is sent again, and makes one batch', async (when, breaks) => {
  const proxy = await breakingOnce(api.api.url, breaks);
  const filename = `${when}.csv`;
  const faults: string[] = [];
  try {
    const client = clientOf({ server: proxy.url, onRetry: ({ type }) => faults.push(type) });
    const { id } = await client.upload(new Blob([listOf(4_000)]), { query: { filename } });
    const { batches } = await client.batches();
    expect(batches.filter((batch) => batch.filename === filename).map((batch) => batch.id)).toEqual([id]);
    expect([proxy.broken(), faults]).toEqual([1, ['network']]);
    await client.cancel(id);
  } finally {
    proxy.close();
  }
});

test('a stream cannot be sent again, so a broken connection is its fault', async () => {
  const proxy = await breakingOnce(api.api.url, (sent) => sent > 100_000);
  try {
    const client = clientOf({ server: proxy.url });
    await expect(client.upload(new Blob([listOf(4_000)]).stream())).rejects.toMatchObject({
      ...{ type: 'network', status: 0, isPassing: true, arguments: { server: proxy.url } },
    });
  } finally {
    proxy.close();
  }
});

test('events survive a lost connection, and none comes twice', async () => {
  const proxy = await breakingOnce(api.api.url, (_, received) => received.includes('event: batch'));
  const client = clientOf({ server: proxy.url });
  try {
    const { id } = await client.upload(listOf(9));
    await client.ended(id);
    const faults: string[] = [];
    const seen = [];
    for await (const batch of client.events(id, { onRetry: ({ type }) => faults.push(type) })) seen.push(batch.status);
    expect([proxy.broken(), seen.at(-1), new Set(seen).size]).toEqual([1, 'completed', seen.length]);
  } finally {
    proxy.close();
  }
});

describe('tokens', () => {
  const answers = async (refused: (token: string) => boolean, lifetime = 3600) => {
    let issued = 0;
    const server = createServer((req, res) => {
      if (req.url === '/token/generate') {
        issued += 1;
        res.end(JSON.stringify({ access_token: `token-${issued}`, expires_in: lifetime }));
      } else if (refused(req.headers.authorization ?? '')) {
        const fault = { type: 'InvalidAuthorizationException', message: 'It has expired.', arguments: {} };
        res.writeHead(401).end(JSON.stringify({ code: 401, fault }));
      } else res.end('{"status":200,"warehouses":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const close = () => new Promise((resolve) => server.close(resolve));
    return { server: `http://127.0.0.1:${port}`, issued: () => issued, close };
  };

  test('one serves concurrent calls, and is replaced when it is refused', async () => {
    let refusing = false;
    const service = await answers((token) => refusing && token === 'Bearer token-1');
    const client = createClient({ server: service.server, ...DEMO });
    const several = () => Promise.all([client.warehouses(), client.warehouses(), client.warehouses()]);
    await several();
    expect(service.issued()).toBe(1);
    refusing = true;
    await several();
    expect(service.issued()).toBe(2);
    await service.close();
  });

  test('one is renewed before its end', async () => {
    const service = await answers(() => false, 0);
    const client = createClient({ server: service.server, ...DEMO });
    await client.warehouses();
    expect(service.issued()).toBe(2);
    await client.warehouses();
    expect(service.issued()).toBe(3);
    await service.close();
  });

  test('new ones that are refused too end the call', async () => {
    const service = await answers(() => true);
    const client = createClient({ server: service.server, ...DEMO });
    await expect(client.warehouses()).rejects.toMatchObject({ status: 401 });
    expect(service.issued()).toBe(3);
    await service.close();
  });

  test('one that is given is used as it is', async () => {
    const client = createClient({ server: api.api.url, token: api.api.token });
    expect((await client.warehouses()).status).toBe(200);
    const wrong = createClient({ server: api.api.url, token: 'x' });
    await expect(wrong.warehouses()).rejects.toMatchObject({ type: 'InvalidAuthorizationException' });
  });

  test('a wrong secret is a fault at once', async () => {
    const client = createClient({ server: api.api.url, clientId: 'demo', clientSecret: 'wrong' });
    await expect(client.signIn()).rejects.toMatchObject({ type: 'InvalidCredentialsException', status: 401 });
  });
});

describe('calls that are refused for now', () => {
  const LIMITED = {
    code: 429,
    fault: { type: 'request.rateLimited', message: 'Too many.', arguments: { limit: 'x' } },
  };

  test('are made again after the time that the service names', async () => {
    let calls = 0;
    const { server } = await standIn((res) => {
      calls += 1;
      if (calls < 3) res.writeHead(calls === 1 ? 429 : 503, { 'Retry-After': '0.3' }).end(JSON.stringify(LIMITED));
      else res.end('{"status":200,"warehouses":[]}');
    });
    const retried: number[] = [];
    const begun = performance.now();
    await clientOf({ server, onRetry: ({ status, retryAfterMs }) => retried.push(status, retryAfterMs) }).warehouses();
    expect(retried).toEqual([429, 300, 503, 300]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(600);
  });

  test('are faults when that takes longer than the patience', async () => {
    const { server, stand: other } = await standIn((res) =>
      res.writeHead(429, { 'Retry-After': '60' }).end(JSON.stringify(LIMITED)),
    );
    const fault = await clientOf({ server, patienceMs: 5_000 }).warehouses().catch(asFault);
    expect(fault).toMatchObject({ type: 'request.rateLimited', isPassing: true, retryAfterMs: 60_000 });
    expect(other.received).toHaveLength(2);
  });

  test('a change is not made twice after an answer that was lost', async () => {
    const { server, stand: other } = await standIn((res) => res.destroy());
    await expect(clientOf({ server }).cancel('b1')).rejects.toMatchObject({ type: 'network' });
    expect(other.received.map(({ path }) => path)).toEqual(['/token/generate', `${BATCHES}/b1/cancel`]);
  });
});

test('an answer of another program is a fault', async () => {
  const { server } = await standIn((res) => res.end('<html>hello</html>'));
  const client = clientOf({ server });
  await expect(client.warehouses()).rejects.toMatchObject({ type: 'unknown', status: 200 });
});

test('a signal ends a call, and a wait between two tries, with its reason', async () => {
  const { server } = await standIn((res) => res.writeHead(503, { 'Retry-After': '30' }).end());
  const leaving = new AbortController();
  const client = clientOf({ server, onRetry: () => leaving.abort(new Error('left')) });
  await expect(client.warehouses({ signal: leaving.signal })).rejects.toThrow('left');
});
