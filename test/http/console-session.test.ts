import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clients } from '../../src/catalog/clients/clients.ts';
import { SESSION } from '../../src/http/console/session.ts';
import { createTokens, tokenKeys } from '../../src/http/tokens.ts';
import { folderForFile } from '../folder.ts';
import { RATES, rateRequest, SAMPLE_SECRET_NAME, SECRET, sampleClients, startApi, withDemo } from './api.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let dir: string;
let nowMs = Date.now();
let clients: Clients;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  await mkdir(join(dir, 'built', 'assets'), { recursive: true });
  await writeFile(join(dir, 'secret.txt'), 'kept');
  await writeFile(join(dir, 'built', 'index.html'), '<!doctype html><title>Rates</title>');
  await writeFile(join(dir, 'built', 'assets', 'index-Ab3_x-9.js'), 'export {};');
  clients = await sampleClients();
  api = await startApi({
    consoleDir: join(dir, 'built'),
    now: () => new Date(nowMs),
    clients: { current: () => clients },
  });
});
afterAll(() => api.close());

const json = { 'Content-Type': 'application/json' };
const signIn = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('/console/session', { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

/** Signs in. @returns the headers that the page then sends */
const signedIn = async (id = 'demo', secret = 'demo-secret') => {
  const { headers, body } = await signIn({ client_id: id, client_secret: secret });
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  return { Cookie: cookie, 'X-CSRF-Token': String(body.csrf) };
};
const quote = (headers: Record<string, string>) =>
  api.call(`/console${RATES}`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(rateRequest()),
  });

describe('the page', () => {
  test('has a policy that allows no other host, and is revalidated each time', async () => {
    const page = await fetch(`${api.url}/`);
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none';script-src 'self';style-src 'self';font-src 'self';img-src 'self' data:;connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    expect(await page.text()).toBe('<!doctype html><title>Rates</title>');
  });

  test.each([1, 255, 256, 1_000])('has nothing under a name of %i letters', async (length) => {
    const { status, body } = await api.call(`/console/assets/${'a'.repeat(length)}`);
    expect([status, body.fault.type]).toEqual([404, 'request.notFound']);
  });

  test('loads files that are cached for a year, because their names change with their content', async () => {
    const file = await fetch(`${api.url}/console/assets/index-Ab3_x-9.js`);
    expect([file.status, file.headers.get('content-type'), file.headers.get('cache-control')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    // With this header, fetch would bypass caches.
    const status = await new Promise((resolve, reject) => {
      const headers = { 'If-None-Match': file.headers.get('etag') ?? '' };
      const sent = request(file.url, { headers }, (answer) => resolve(answer.resume().statusCode));
      sent.once('error', reject).end();
    });
    expect(status).toBe(304);
  });

  test.each([
    '/console/assets/',
    '/console/assets/none.js',
    '/console/assets/..%2findex.html',
    '/console/assets/..%2f..%2fsecret.txt',
    '/console/assets/../../secret.txt',
    '/console/assets/%2e%2e/%2e%2e/secret.txt',
    '/console/assets/..%5c..%5csecret.txt',
    '/console/assets/%00',
    '/console/assets/%c0%ae%c0%ae%2fsecret.txt',
    '/console/index.html',
    '/console/secret.txt',
    '/index.html',
  ])('%s is not found', async (path) => {
    // Avoids the path normalization of fetch.
    const status = await new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: api.port, path }, (answer) =>
        resolve(answer.resume().statusCode),
      );
      sent.once('error', reject).end();
    });
    expect(status).toBe(404);
  });

  test('says what to do if it was not built', async () => {
    const bare = await startApi({ consoleDir: join(dir, 'nowhere') });
    const page = await fetch(bare.url);
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8']);
    expect(await page.text()).toContain('npm run build');
    await bare.close();
  });
});

describe('signing in', () => {
  test('is offered with the sample credentials if nobody is signed in', async () => {
    const { status, headers, body } = await api.call('/console/session');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      client: null,
      csrf: null,
      samples: [
        { client_id: 'demo', client_secret: 'demo-secret' },
        { client_id: 'other', client_secret: 'other-secret' },
      ],
    });
  });

  test('sets a cookie that scripts cannot read, other sites cannot send, and only the console gets', async () => {
    const { status, headers, body } = await signIn({ client_id: 'demo', client_secret: 'demo-secret' });
    expect(status).toBe(200);
    expect(body.client).toEqual({ id: 'demo', name: 'Demo Outfitters', scopes: ['quote', 'batch'] });
    expect(headers.get('set-cookie')).toMatch(
      /^rates_session=[\w.-]+; Max-Age=28800; Path=\/console; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('over TLS sets a cookie for TLS only', async () => {
    const { headers } = await signIn(
      { client_id: 'demo', client_secret: 'demo-secret' },
      { 'X-Forwarded-Proto': 'https' },
    );
    expect(headers.get('set-cookie')).toContain('; Secure');
  });

  test.each([
    ['a wrong secret', { client_id: 'demo', client_secret: 'wrong' }, 401, 'InvalidCredentialsException'],
    ['an unknown id', { client_id: 'nobody', client_secret: 'demo-secret' }, 401, 'InvalidCredentialsException'],
    ['no secret', { client_id: 'demo' }, 400, 'request.malformedBody'],
    ['a list', [], 400, 'request.malformedBody'],
  ])('%s is refused, and sets no cookie', async (_what, body, code, type) => {
    const answer = await signIn(body);
    expect([answer.status, answer.body.fault.type, answer.headers.get('set-cookie')]).toEqual([code, type, null]);
  });

  test('with wrong credentials does not open the browser’s own sign-in form', async () => {
    const { headers } = await signIn({ client_id: 'demo', client_secret: 'wrong' });
    expect(headers.get('www-authenticate')).toBe('Session realm="shipping-rates"');
  });

  test('with another media type is refused, because a form of another page could send it', async () => {
    const body = 'client_id=demo&client_secret=demo-secret';
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await api.call('/console/session', { method: 'POST', headers: type, body })).status).toBe(415);
  });

  test('counts towards the limit of tokens', async () => {
    const limited = withDemo(clients, { limits: { tokensPerMinute: 3 } });
    // Starting the API has already taken a token.
    const own = await startApi({ clients: { current: () => limited } });
    const statuses: number[] = [];
    for (const secret of ['wrong', 'demo-secret', 'demo-secret', 'demo-secret']) {
      const body = JSON.stringify({ client_id: 'demo', client_secret: secret });
      statuses.push((await own.call('/console/session', { method: 'POST', headers: json, body })).status);
    }
    expect(statuses).toEqual([401, 200, 200, 429]);
    await own.close();
  });
});

describe('a session', () => {
  test('allows the calls of the API below /console, and names the client', async () => {
    const own = await signedIn();
    const { body } = await api.call('/console/session', { headers: own });
    expect([body.client.id, body.csrf]).toEqual(['demo', own['X-CSRF-Token']]);
    const answer = await quote(own);
    expect([answer.status, answer.body.totalNetCharge]).toEqual([
      200,
      (await api.quote(rateRequest())).body.totalNetCharge,
    ]);
    const { body: list } = await api.call('/console/v1/client/warehouses', { headers: own });
    expect(list.warehouses.map(({ warehouse_id }: { warehouse_id: number }) => warehouse_id)).toEqual([101, 102, 103]);
    expect((await api.call('/console/v1/client/services', { headers: own })).body.services).toHaveLength(3);
  });

  test('does not open /v1, and a token does not open /console', async () => {
    const own = await signedIn();
    const token = own.Cookie.replace('rates_session=', '');
    for (const headers of [own, { Authorization: `Bearer ${token}` }] as Record<string, string>[])
      expect((await api.call('/v1/client/warehouses', { headers })).status).toBe(401);
    const bearers = [{ Authorization: `Bearer ${api.token}` }, { Cookie: `rates_session=${api.token}` }];
    for (const headers of bearers as Record<string, string>[]) {
      const { status, body } = await api.call('/console/v1/client/warehouses', { headers });
      expect([status, body.fault.type]).toEqual([401, 'InvalidAuthorizationException']);
      expect((await api.call('/console/session', { headers })).body.client).toBeNull();
    }
  });

  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = (claims: object, header: object = {}, secret = SECRET) =>
    new SignJWT({
      iss: 'shipping-rates',
      aud: SESSION.audience,
      sub: 'demo',
      scope: '',
      secret: SAMPLE_SECRET_NAME,
      ...claims,
    })
      .setProtectedHeader({ alg: 'HS256', typ: SESSION.type, kid: tokenKeys(SECRET).signing, ...header })
      .setIssuedAt(Math.floor(nowMs / 1_000))
      .setExpirationTime(Math.floor(nowMs / 1_000) + 60)
      .sign(new TextEncoder().encode(secret));

  test('is accepted if it is forged exactly like ours, so the next tests fail only for their difference', async () => {
    const headers = { Cookie: `rates_session=${await signed({})}` };
    expect((await api.call('/console/v1/client/warehouses', { headers })).status).toBe(200);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['for another audience', () => signed({ aud: 'shipping-rates' })],
    ['of another type', () => signed({}, { typ: 'at+jwt' })],
    ['of another issuer', () => signed({ iss: 'elsewhere' })],
    ['of an unknown client', () => signed({ sub: 'nobody' })],
    ['signed with another secret', () => signed({}, {}, SECRET.toUpperCase())],
    [
      'that claims to need no signature',
      async () => `${encoded({ alg: 'none', typ: SESSION.type })}.${(await signed({})).split('.')[1]}.`,
    ],
    ['without its signature', async () => (await signed({})).replace(/[^.]+$/, '')],
    [
      'with its claims changed',
      async () => (await signed({})).replace(/\.[^.]+\./, `.${encoded({ sub: 'other', aud: SESSION.audience })}.`),
    ],
    ['of nonsense', () => 'a.b.c'],
    ['of 12 KiB', () => 'x'.repeat(12_000)],
    ['that is empty', () => ''],
  ])('%s is refused', async (_what, make) => {
    const headers = { Cookie: `rates_session=${await make()}` };
    const { status, body } = await api.call('/console/v1/client/warehouses', { headers });
    expect([status, body.fault.type]).toEqual([401, 'InvalidAuthorizationException']);
    expect((await api.call('/console/session', { headers })).body.client).toBeNull();
  });

  test('ends after eight hours', async () => {
    const own = await signedIn();
    nowMs += 8 * 3_600_000 - 1_000;
    expect((await quote(own)).status).toBe(200);
    nowMs += 2_000;
    const { status, body } = await quote(own);
    expect([status, body.fault.arguments]).toEqual([401, { Authorization: 'invalid: the session has ended' }]);
  });

  test('ends with its client, and loses a scope with it', async () => {
    const all = clients;
    const own = await signedIn();
    clients = withDemo(all, { scopes: new Set(['batch'] as const) });
    const forbidden = await quote(own);
    expect([forbidden.status, forbidden.body.fault.arguments]).toEqual([403, { scope: 'quote' }]);
    clients = new Map();
    expect((await quote(own)).status).toBe(401);
    clients = all;
  });

  test('ends with the secret that it was started with', async () => {
    const all = clients;
    const own = await signedIn();
    const [demo, other] = [all.get('demo'), all.get('other')];
    if (demo === undefined || other === undefined) throw new Error('there are no sample clients');
    clients = new Map([['demo', { ...demo, secrets: [...demo.secrets, ...other.secrets] }]]);
    expect((await quote(own)).status).toBe(200);
    clients = new Map([['demo', { ...demo, secrets: other.secrets }]]);
    const { status, body } = await quote(own);
    expect([status, body.fault.arguments]).toEqual([
      401,
      { Authorization: 'invalid: the client, or its secret, was revoked' },
    ]);
    expect((await api.call('/console/session', { headers: own })).body.client).toBeNull();
    clients = all;
  });

  test('survives a change of the signing secret while both are valid', async () => {
    const own = await signedIn();
    const keys = tokenKeys(`${SECRET.split('').reverse().join('')},${SECRET}`);
    const next = await startApi({ sessions: createTokens(keys, () => new Date(nowMs), SESSION) });
    const { body } = await next.call('/console/session', { headers: own });
    expect([body.client.id, body.csrf]).toEqual(['demo', own['X-CSRF-Token']]);
    await next.close();
  });
});

describe('a call that changes something', () => {
  test.each<[string, (own: Record<string, string>) => Record<string, string>]>([
    ['without the CSRF token', ({ Cookie = '' }) => ({ Cookie })],
    ['with an empty CSRF token', (own) => ({ ...own, 'X-CSRF-Token': '' })],
    ['with a truncated CSRF token', (own) => ({ ...own, 'X-CSRF-Token': own['X-CSRF-Token']?.slice(0, -1) ?? '' })],
    ['from another site', (own) => ({ ...own, 'Sec-Fetch-Site': 'cross-site' })],
    ['from another port of this host', (own) => ({ ...own, 'Sec-Fetch-Site': 'same-site' })],
    ['from a page of another host', (own) => ({ ...own, Origin: 'https://elsewhere.example' })],
    ['from a page that hides its origin', (own) => ({ ...own, Origin: 'null' })],
  ])('%s is refused', async (_what, headersOf) => {
    const own = await signedIn();
    const { status, body } = await quote(headersOf(own));
    expect([status, body.fault.type, body.fault.arguments]).toEqual([403, 'request.forbidden', { scope: 'csrf' }]);
    const out = await api.call('/console/session', { method: 'DELETE', headers: headersOf(own) });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([403, null]);
  });

  test('with the CSRF token of another session is refused', async () => {
    const other = await signedIn('other', 'other-secret');
    const { Cookie } = await signedIn();
    expect((await quote({ ...other, Cookie })).status).toBe(403);
  });

  test('is answered from a page of the console', async () => {
    const own = await signedIn();
    expect((await quote({ ...own, 'Sec-Fetch-Site': 'same-origin', Origin: api.url })).status).toBe(200);
    expect((await quote({ ...own, Origin: api.url })).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of another host', { Origin: 'https://elsewhere.example' }],
  ])('signing in from %s is refused', async (_what, headers) => {
    const answer = await signIn({ client_id: 'demo', client_secret: 'demo-secret' }, headers);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
  });
});

test('signing out removes the cookie, also a second time', async () => {
  const own = await signedIn();
  for (const headers of [own, {}] as Record<string, string>[]) {
    const { status, headers: answered } = await api.call('/console/session', { method: 'DELETE', headers });
    expect(status).toBe(204);
    expect(answered.get('set-cookie')).toMatch(/^rates_session=; Path=\/console; Expires=Thu, 01 Jan 1970/);
  }
});

test('console calls are counted and logged by route, without cookie, token or secret', async () => {
  const own = await signedIn();
  await quote(own);
  await signIn({ client_id: 'demo', client_secret: 'not-the-secret' });
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  expect(metrics).toMatch(
    /http_request_duration_seconds_count\{method="POST",route="\/console\/v1\/client\/shipment\/rates",code="200"\} \d/,
  );
  expect(metrics).toMatch(/rates_quotes_total\{outcome="quoted",fault=""\} \d/);
  expect(api.lines).toContainEqual(
    expect.objectContaining({ route: '/console/session', method: 'POST', status: 200, client: 'demo' }),
  );
  const logged = JSON.stringify(api.lines);
  for (const secret of [
    own.Cookie.split('.').at(-1) ?? '',
    own['X-CSRF-Token'],
    'demo-secret',
    'not-the-secret',
    'eyJ',
  ])
    expect(logged).not.toContain(secret);
});
