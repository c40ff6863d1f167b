import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BATCHES, type BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { comparisonsOf } from './comparison-api.ts';

const DAY_MS = 86_400_000;
let passed = 0;

let api: BatchApi;
let root: string;
batchApiForFile((started) => ({ api, root } = { ...started, root: started.api.root }), {
  worker: true,
  now: () => new Date(Date.now() + passed),
});

const LIST = 'zip,Weight (lb)\n02139,2\n10001,3\n';
const batchOf = async (): Promise<string> => (await api.ended(await api.upload(LIST, '?warehouse_id=101'))).id;

const send = (method: string, path: string, json?: unknown, token = api.api.token) =>
  api.api.call(path, {
    method,
    headers: { ...api.bearer(token), ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
const shareOf = async (id: string, days = 7) => (await send('POST', `${BATCHES}/${id}/shares`, { days })).body;
const open = (path: string, token: string, method = 'GET') =>
  fetch(`${api.api.url}/shared${path}`, { method, headers: { 'Share-Token': token } });
const statusOf = async (path: string, token: string, method?: string) => (await open(path, token, method)).status;

test('a link opens the result, its summary, its rows and its output without a sign-in', async () => {
  const id = await batchOf();
  const made = await shareOf(id);
  expect(made).toMatchObject({ status: 200, link: `/#/shared/${made.token}` });
  expect(made.token).toMatch(new RegExp(`^${id}\\.[\\w-]{32}$`));
  expect(Date.parse(made.endsAt) - Date.parse(made.createdAt)).toBe(7 * DAY_MS);
  const own = await api.call('GET', `/${id}`);
  expect(await (await open(`${BATCHES}/${id}`, made.token)).json()).toEqual(own.body);
  expect(await (await open('/v1/client/services', made.token)).json()).toEqual(
    (await send('GET', '/v1/client/services')).body,
  );
  expect(await (await open('/link', made.token)).json()).toEqual({ owner: 'Demo Outfitters', endsAt: made.endsAt });
  expect(await (await open(`${BATCHES}/${id}/summary`, made.token)).json()).toMatchObject({ totalNetCharge: 22.12 });
  expect(await (await open(`${BATCHES}/${id}/rows`, made.token)).json()).toMatchObject({ total: 2 });
  const output = await open(`${BATCHES}/${id}/output`, made.token);
  expect(output.headers.get('cache-control')).toBe('no-store');
  expect(await output.text()).toBe((await api.file(`/${id}/output`)).text);
});

test('a link to a comparison opens that comparison, and not its batch', async () => {
  const batch = await batchOf();
  const comparisons = comparisonsOf(api);
  const id = await comparisons.compare(batch, [{ service: 'C1-EXPRESS' }]);
  await comparisons.ended(id);
  const path = `/v1/client/shipment/rates/comparisons/${id}`;
  const { token } = (await send('POST', `${path}/shares`, { days: 1 })).body;
  expect(await statusOf(path, token)).toBe(200);
  expect(await statusOf(`${path}/summary`, token)).toBe(200);
  expect(await statusOf(`${path}/rows`, token)).toBe(200);
  expect(await statusOf(`${BATCHES}/${batch}`, token)).toBe(404);
});

test('it opens nothing else: no other result, no call that changes or lists, no explanation, nothing with another header', async () => {
  const [id, other] = [await batchOf(), await batchOf()];
  const { token } = await shareOf(id);
  const secret = token.split('.')[1];
  for (const [method, path, as, status] of [
    ['GET', `${BATCHES}/${other}`, token, 404],
    ['GET', `${BATCHES}/${other}`, `${other}.${secret}`, 404],
    ['GET', `${BATCHES}/${id}`, `${id}.${secret}x`, 404],
    ['GET', `${BATCHES}/${id}`, `${id}.${'A'.repeat(32)}`, 404],
    ['GET', `${BATCHES}/${id}`, '', 404],
    ['GET', BATCHES, token, 404],
    ['GET', `${BATCHES}/${id}/faults`, token, 404],
    ['GET', `${BATCHES}/${id}/row?row=1`, token, 404],
    ['GET', `${BATCHES}/${id}/events`, token, 404],
    ['GET', `${BATCHES}/${id}/shares`, token, 404],
    ['GET', '/v1/client/warehouses', token, 404],
    ['GET', '/link', `${id}.${'A'.repeat(32)}`, 404],
    ['GET', '/v1/client/services', `${id}.${'A'.repeat(32)}`, 404],
    ['DELETE', `${BATCHES}/${id}`, token, 405],
    ['POST', `${BATCHES}/${id}/cancel`, token, 404],
    ['POST', `${BATCHES}/${id}/corrections`, token, 404],
    ['POST', `${BATCHES}/${id}/shares`, token, 404],
  ] as const)
    expect([method, path, as, await statusOf(path, as, method)]).toEqual([method, path, as, status]);
  for (const headers of [api.bearer(), await api.api.session()])
    expect((await api.api.call(`/shared${BATCHES}/${id}`, { headers })).status).toBe(404);
  expect((await send('GET', `${BATCHES}/${id}`, undefined, token)).status).toBe(401);
  expect(await statusOf(`${BATCHES}/${id}`, token)).toBe(200);
});

test('only the client makes, lists and revokes links to its results, and a revoked link opens nothing at once', async () => {
  const id = await batchOf();
  const other = await api.api.tokenOf('other', 'other-secret');
  const { token, ...made } = await shareOf(id, 30);
  for (const [method, query, json] of [
    ['POST', '', { days: 1 }],
    ['GET', '', undefined],
    ['DELETE', `?share=${made.id}`, undefined],
  ] as const)
    expect((await send(method, `${BATCHES}/${id}/shares${query}`, json, other)).status).toBe(404);
  const { createdAt, endsAt } = made;
  const listed = await send('GET', `${BATCHES}/${id}/shares`);
  expect(listed.body).toEqual({ status: 200, shares: [{ id: made.id, createdAt, endsAt }], most: 10 });
  expect(await statusOf(`${BATCHES}/${id}`, token)).toBe(200);
  expect((await send('DELETE', `${BATCHES}/${id}/shares?share=${made.id}`)).status).toBe(204);
  expect(await statusOf(`${BATCHES}/${id}`, token)).toBe(404);
  const again = await send('DELETE', `${BATCHES}/${id}/shares?share=${made.id}`);
  expect([again.status, again.body.fault.message]).toEqual([
    ...[404, `The batch has no link ${made.id}. It may be revoked already, or it has expired.`],
  ]);
  for (const days of [0, 2, 365, '7', undefined])
    expect((await send('POST', `${BATCHES}/${id}/shares`, { days })).status).toBe(422);
});

test('a link ends, and a result has at most ten', async () => {
  const id = await batchOf();
  const { token } = await shareOf(id, 1);
  for (let made = 1; made < 10; made++) await shareOf(id);
  expect(await shareOf(id)).toMatchObject({ code: 413, fault: { type: 'request.tooLarge' } });
  passed = DAY_MS + 1_000;
  try {
    expect(await statusOf(`${BATCHES}/${id}`, token)).toBe(404);
    const fresh = await api.api.tokenOf('demo', 'demo-secret');
    expect((await send('POST', `${BATCHES}/${id}/shares`, { days: 7 }, fresh)).status).toBe(200);
  } finally {
    passed = 0;
  }
});

test('a link ends with its batch, and the audit log has who made and who revoked it', async () => {
  const id = await batchOf();
  const { token, id: share } = await shareOf(id);
  await send('DELETE', `${BATCHES}/${id}/shares?share=${share}`);
  const last = await shareOf(id);
  expect((await send('DELETE', `${BATCHES}/${id}`)).status).toBe(204);
  expect(await statusOf(`${BATCHES}/${id}`, last.token)).toBe(404);
  const folder = join(root, 'audit');
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const entries = texts.map((text) => JSON.parse(text)).filter(({ object }) => object.endsWith(id));
  expect(entries.map(({ by, action, client }) => `${by}: ${action} (${client})`).toSorted()).toEqual([
    'Demo Outfitters: Revoked a link to the batch (demo)',
    'Demo Outfitters: Shared the batch (demo)',
    'Demo Outfitters: Shared the batch (demo)',
  ]);
  // Only a hash is stored.
  const kept = JSON.stringify([texts, api.api.lines, await api.redis.hgetall(`rates:{${id}}:shares`)]);
  for (const one of [token, last.token]) expect(kept).not.toContain(one.split('.')[1]);
});

test('guesses are limited, and the right link still works', async () => {
  const id = await batchOf();
  const { token } = await shareOf(id);
  const statuses = await Promise.all(
    Array.from({ length: 70 }, (_, at) => statusOf(`${BATCHES}/${id}`, `${id}.${String(at).padStart(32, 'x')}`)),
  );
  expect(new Set(statuses)).toEqual(new Set([404, 429]));
  expect(await statusOf(`${BATCHES}/${id}`, token)).toBe(200);
});

test('opening a link counts under the limits of its client', async () => {
  const id = await batchOf();
  const { token } = await shareOf(id);
  const opened = await open(`${BATCHES}/${id}`, token);
  expect(opened.headers.get('ratelimit-policy')).toContain('reads');
});
