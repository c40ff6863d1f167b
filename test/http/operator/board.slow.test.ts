import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startLocalRedis } from '../../../src/base/redis/local-redis.ts';
import { type BatchApi, listOf, startBatchApi } from '../batch-api.ts';
import { batchApiForFile } from '../batch-suite.ts';
import { type OperatorApi, operatorApiOf, OPERATOR_TOKEN as TOKEN } from './operator-api.ts';

const BOARD = '/ops/queues';

let batchApi: BatchApi;
let api: OperatorApi;
batchApiForFile(async (started) => {
  batchApi = started.api;
  api = await operatorApiOf(batchApi);
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${path}`, { headers, redirect: 'manual' });
const bearer = { Authorization: `Bearer ${TOKEN}` };
const BROWSER = { Accept: 'text/html,*/*' };

test.each([
  ['no token', {}],
  ['a wrong token', { Authorization: 'Bearer wrong' }],
  ['the token with one more character', { Authorization: `Bearer ${TOKEN}x` }],
  ['a wrong cookie', { Cookie: 'rates_operator=x' }],
  ['the token as the cookie', { Cookie: `rates_operator=${TOKEN}` }],
])('%s is refused on every path', async (_what, headers) => {
  const own = await operatorApiOf(batchApi);
  for (const path of [BOARD, `${BOARD}/api/queues`, `${BOARD}/static/css/x.css`]) {
    const answer = await fetch(`${own.url}${path}`, { headers });
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toMatch(/chunk|bull/i);
  }
  await own.close();
});

test('a client’s access token is not an operator token', async () => {
  const answer = await get(`${BOARD}/api/queues`, { Authorization: `Bearer ${api.token}` });
  expect(answer.status).toBe(401);
});

test('the board requires the token, and loads nothing from other hosts', async () => {
  const page = await get(BOARD, bearer);
  expect(page.status).toBe(200);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none';script-src 'self';style-src 'self'");
  expect(policy).not.toMatch(/https?:|\*/);
  expect(page.headers.get('x-powered-by')).toBeNull();
  for (const path of [BOARD, `${BOARD}/api/queues`, `${BOARD}/static/none.css`])
    expect((await get(path, { ...bearer, 'X-Request-Id': 'on-board' })).headers.get('x-request-id')).toBe('on-board');
  await batchApi.upload(listOf(1));
  const { queues } = JSON.parse(await (await get(`${BOARD}/api/queues`, bearer)).text());
  expect(queues.map(({ name, readOnlyMode }: { name: string; readOnlyMode: boolean }) => [name, readOnlyMode])).toEqual(
    [
      ['chunk', true],
      ['assemble', true],
      ['webhook', true],
    ],
  );
});

test('a path of the board has one spelling', async () => {
  const others = [
    '/',
    '/API/queues',
    '/api/QUEUES',
    '/api/queues/',
    '/api/queues/chunk/METRICS',
    '/static/',
    '/STATIC/x',
  ];
  for (const path of others) expect([path, (await get(`${BOARD}${path}`, bearer)).status]).toEqual([path, 404]);
  expect((await get(`${BOARD}/queue/chunk`, bearer)).status).toBe(200);
  expect((await get(`${BOARD}/api/queues/chunk/metrics`, bearer)).status).toBe(200);
});

test('a job with colons in its id is found at the address that the board requests', async () => {
  await batchApi.queues.webhook.upsertJobScheduler(
    'tidy',
    { every: 60_000 },
    { name: 'tidy', data: { noticeId: 'n', batchId: 'b', revision: 1, clientId: 'demo' } },
  );
  const [job] = await batchApi.queues.webhook.getJobs(['delayed', 'waiting']);
  const id = encodeURIComponent(job?.id ?? '');
  expect(id).toMatch(/^repeat%3Atidy%3A\d+$/);
  expect((await get(`${BOARD}/api/queues/webhook/${id}`, bearer)).status).toBe(200);
  await batchApi.queues.webhook.removeJobScheduler('tidy');
});

test('a browser without a session is redirected to the console, where an operator signs in', async () => {
  for (const path of [BOARD, `${BOARD}/queue/chunk`]) {
    const answer = await get(path, BROWSER);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/#/operator']);
    expect(await answer.text()).not.toMatch(/chunk|bull/i);
  }
  const { Cookie = '' } = await api.signIn();
  const board = await get(BOARD, { ...BROWSER, Cookie });
  expect([board.status, board.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect((await get(`${BOARD}/api/queues`, { Cookie })).status).toBe(200);
});

test('a browser with a wrong token is refused, and not redirected', async () => {
  const own = await operatorApiOf(batchApi);
  const headers = { ...BROWSER, Authorization: 'Bearer wrong' };
  const answer = await fetch(`${own.url}${BOARD}`, { headers, redirect: 'manual' });
  await own.close();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
});

test.each(['PUT', 'POST', 'PATCH', 'DELETE'])('%s changes nothing, even with the token', async (method) => {
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

test('a caller with too many tries must wait, and a session continues', async () => {
  const { Cookie = '' } = await api.signIn();
  const tries = [];
  for (let i = 0; i < 12; i++) tries.push(await get(BOARD, { Authorization: `Bearer guess-${i}` }));
  const last = tries.at(-1);
  expect([last?.status, last?.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect((await get(`${BOARD}/api/queues`, { Cookie })).status).toBe(200);
});

test('the calls of the board are answered with 503 without Redis, without internal details', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'board-'));
  const own = await startLocalRedis({ dataDir, production: false, env: process.env, execArgv: ['--import', 'tsx'] });
  const alone = await startBatchApi({ redisUrl: own.url });
  const board = await operatorApiOf(alone);
  const ask = async (path: string) => {
    const answer = await fetch(`${board.url}${BOARD}/api${path}`, { headers: bearer });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  try {
    expect((await ask('/queues')).status).toBe(200);
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
      process.kill(own.pid, signal);
      if (signal === 'SIGKILL') await own.exited;
      for (const path of ['/queues', '/queues?activeQueue=chunk', '/queues/chunk/1', '/redis/stats']) {
        const { status, headers, body } = await ask(path);
        expect([path, status, body]).toEqual([
          path,
          503,
          {
            code: 503,
            fault: {
              type: 'service.unavailable',
              message: 'Something that this request needs is unavailable. Try again soon.',
              arguments: { dependency: 'redis' },
            },
          },
        ]);
        expect(headers.get('retry-after')).toBe('5');
      }
    }
    expect((await ask('/queues/%zz/1')).status).toBe(404);
  } finally {
    await board.close();
    await alone.close();
    await own.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 30_000);

test('there is no board if no operator token is set', async () => {
  const { status, body } = await batchApi.api.call(BOARD, { headers: bearer });
  expect([status, body.fault.type]).toEqual([404, 'request.notFound']);
});

test('the token is not logged', () => {
  expect(JSON.stringify(api.lines)).not.toContain(TOKEN);
});
