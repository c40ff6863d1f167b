import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorRoutes } from '../../src/http/operators.ts';
import { type TestRedis, testRedis } from '../redis.ts';
import { startApi } from './api.ts';
import { type BatchApi, listOf, startBatchApi } from './batch-api.ts';

const TOKEN = 'the-operators-own-token-0123456789';
const BOARD = '/ops/queues';

let redis: TestRedis;
let batchApi: BatchApi;
let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  redis = await testRedis();
  batchApi = await startBatchApi({ redisUrl: redis.url });
  api = await startApi({ operatorRouter: operatorRoutes({ queues: batchApi.queues, operatorToken: TOKEN }) });
});
afterAll(async () => {
  await api.close();
  await batchApi.close();
  await redis.stop();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${path}`, { headers, redirect: 'manual' });
const bearer = { Authorization: `Bearer ${TOKEN}` };
const enter = (token: string) =>
  fetch(`${api.url}${BOARD}/session`, { method: 'POST', body: new URLSearchParams({ token }), redirect: 'manual' });

test.each([
  ['no token', {}],
  ['a wrong token', { Authorization: 'Bearer wrong' }],
  ['the token with one more character', { Authorization: `Bearer ${TOKEN}x` }],
  ['a wrong cookie', { Cookie: 'rates_operator=x' }],
  ['the token as the cookie', { Cookie: `rates_operator=${TOKEN}` }],
])('%s is refused on every path', async (_what, headers) => {
  for (const path of [BOARD, `${BOARD}/api/queues`, `${BOARD}/static/css/x.css`]) {
    const answer = await get(path, headers);
    expect([401, 429]).toContain(answer.status);
    expect(await answer.text()).not.toMatch(/chunk|bull/i);
  }
});

test('a client’s access token is no operator token', async () => {
  const answer = await get(`${BOARD}/api/queues`, { Authorization: `Bearer ${api.token}` });
  expect([401, 429]).toContain(answer.status);
});

test('a board is behind the token, without hosts of others', async () => {
  const page = await get(BOARD, bearer);
  expect(page.status).toBe(200);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none';script-src 'self';style-src 'self'");
  expect(policy).not.toMatch(/https?:|\*/);
  expect(page.headers.get('x-powered-by')).toBeNull();
  await batchApi.upload(listOf(1));
  const { queues } = JSON.parse(await (await get(`${BOARD}/api/queues`, bearer)).text());
  expect(queues.map(({ name, readOnlyMode }: { name: string; readOnlyMode: boolean }) => [name, readOnlyMode])).toEqual(
    [
      ['chunk', true],
      ['assemble', true],
      ['sweep', true],
      ['webhook', true],
    ],
  );
});

test('a browser is asked for the token, and gets a cookie that is not it and that scripts cannot read', async () => {
  const asked = await get(BOARD, { Accept: 'text/html,*/*' });
  expect([asked.status, asked.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
  const entered = await enter(TOKEN);
  expect([entered.status, entered.headers.get('location')]).toEqual([303, BOARD]);
  const cookie = entered.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^rates_operator=[\w-]{43}; Max-Age=28800; Path=\/ops\/queues; .*HttpOnly; SameSite=Strict$/);
  expect(cookie).not.toContain(TOKEN);
  expect((await get(`${BOARD}/api/queues`, { Cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
});

test.each(['PUT', 'POST', 'PATCH', 'DELETE'])('%s changes nothing, with the token', async (method) => {
  for (const path of [
    '/api/queues/pause',
    '/api/queues/chunk/pause',
    '/api/queues/chunk/obliterate',
    '/api/queues/chunk/add',
  ]) {
    const answer = await fetch(`${api.url}${BOARD}${path}`, { method, headers: bearer });
    expect([path, answer.status]).toEqual([path, 405]);
  }
  expect(await batchApi.queues.chunk.isPaused()).toBe(false);
});

test('who goes on trying is told to wait', async () => {
  const answers = [];
  for (let i = 0; i < 12; i++) answers.push((await enter(`guess ${i} of a token`)).status);
  expect(answers.at(-1)).toBe(429);
  expect((await get(`${BOARD}/api/queues`, bearer)).status).toBe(200);
});

test('without an operator token there is no board', async () => {
  const { status, body } = await batchApi.api.call(BOARD, { headers: bearer });
  expect([status, body.fault.type]).toEqual([404, 'request.notFound']);
});

test('the token is not logged', () => {
  expect(JSON.stringify(api.lines)).not.toContain(TOKEN);
});
