import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL } from '../../../src/http/operations.ts';
import { startApi } from '../api.ts';
import type { BatchApi } from '../batch-api.ts';
import { batchApiForFile } from '../batch-suite.ts';
import { OPERATOR_TOKEN, type OperatorApi, operatorApiOf } from './operator-api.ts';

const HOURS_8 = 8 * 3_600_000;

let batchApi: BatchApi;
batchApiForFile((started) => {
  batchApi = started.api;
});
let now = new Date('2026-11-23T12:00:00Z');
let ops: OperatorApi;
beforeAll(async () => {
  ops = await operatorApiOf(batchApi, { now: () => now });
});
afterAll(() => ops.close());

const typed = (over: Record<string, unknown> = {}) => ({ token: OPERATOR_TOKEN, name: 'Ada', ...over });

test('an operator signs in with the token and a name, reads the audit log, and signs out', async () => {
  const answer = await ops.send('POST', '/ops/session', typed({ name: '  Ada Lovelace ' }));
  expect(answer.status).toBe(200);
  const cookie = answer.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^rates_operator=[\w.-]+; Max-Age=28800; Path=\/ops; .*HttpOnly; SameSite=Strict$/);
  expect(cookie).not.toContain(OPERATOR_TOKEN);
  const { body } = answer;
  expect(body.operator).toEqual({ name: 'Ada Lovelace', endsAt: new Date(now.getTime() + HOURS_8).toISOString() });
  const headers = { Cookie: cookie.split(';')[0] ?? '', 'X-CSRF-Token': body.csrf ?? '' };

  const again = await ops.call('/ops/session', { headers });
  expect([again.headers.get('cache-control'), again.body]).toEqual(['no-store', answer.body]);
  const log = await ops.call('/ops/audit', { headers });
  const [entry] = log.body.entries;
  expect(entry).toMatchObject({ at: now.toISOString(), by: 'Ada Lovelace', address: '127.0.0.1', action: 'Signed in' });

  const out = await ops.call('/ops/session', { method: 'DELETE', headers });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('rates_operator=;')]);
});

test('an operator searches the audit log, and downloads what is found as CSV', async () => {
  const grace = { name: 'Grace', address: '192.0.2.1' };
  const changes = [
    { what: 'name', before: null, after: '=HYPERLINK("x")' },
    { what: 'discount on C1-GROUND', before: '30%', after: 'a, b' },
  ];
  await ops.audit.record(grace, { action: 'Changed a client', object: 'demo', client: 'demo', changes });
  await ops.audit.record(grace, { action: 'Went back to the version', object: '7-0123456789abcdef' });
  const headers = await ops.signIn();
  const found = await ops.call('/ops/audit?by=grace&client=demo+outf', { headers });
  expect(found.body).toMatchObject({ entries: [{ action: 'Changed a client' }], names: { demo: 'Demo Outfitters' } });
  const at = now.toISOString();
  const file = await fetch(`${ops.url}/ops/audit/entries?by=grace&from=${at.slice(0, 19)}Z`, { headers });
  expect(file.headers.get('content-disposition')).toBe('attachment; filename=audit-2026-11-23.csv');
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect((await file.text()).split('\n').toSorted()).toEqual([
    '',
    `${at},Grace,192.0.2.1,Changed a client,demo,demo,discount on C1-GROUND,30%,"a, b"`,
    `${at},Grace,192.0.2.1,Changed a client,demo,demo,name,,"'=HYPERLINK(""x"")"`,
    `${at},Grace,192.0.2.1,Went back to the version,7-0123456789abcdef,,,,`,
    'at,by,address,action,object,client,what,before,after',
  ]);
  for (const query of ['text=', 'from=2026-11-23', `client=${'a'.repeat(201)}`, 'before=x', 'else=1'])
    expect([query, (await ops.call(`/ops/audit?${query}`, { headers })).status]).toEqual([query, 422]);
});

test('neither a client’s session nor its token nor the operator token opens an operator’s call', async () => {
  const client = await ops.send('POST', '/console/session', { client_id: 'demo', client_secret: 'demo-secret' });
  const value = (client.headers.get('set-cookie') ?? '').split(';')[0]?.split('=')[1] ?? '';
  expect(value).not.toBe('');
  for (const headers of [
    { Cookie: `rates_session=${value}` },
    { Cookie: `rates_operator=${value}` },
    { Cookie: `rates_operator=${OPERATOR_TOKEN}` },
    { Authorization: `Bearer ${ops.token}` },
  ] as Record<string, string>[])
    expect((await ops.call('/ops/audit', { headers })).status).toBe(401);
});

test('an operator’s session opens nothing that belongs to a client', async () => {
  const { Cookie = '' } = await ops.signIn();
  const value = Cookie.split('=')[1] ?? '';
  for (const headers of [
    { Cookie },
    { Cookie: `rates_session=${value}` },
    { Authorization: `Bearer ${value}` },
  ] as Record<string, string>[]) {
    expect((await ops.call('/console/session', { headers })).body.client).toBeNull();
    expect((await ops.call('/console/v1/client/warehouses', { headers })).status).toBe(401);
    expect((await ops.call('/v1/client/warehouses', { headers })).status).toBe(401);
  }
});

test('another site’s page cannot sign anybody in', async () => {
  const answer = await ops.send('POST', '/ops/session', typed(), { 'Sec-Fetch-Site': 'cross-site' });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
});

test.each([
  ['no name', { name: undefined }, 'name', 'is required'],
  ['an empty name', { name: '  ' }, 'name', 'must have at least 1 character'],
  ['a long name', { name: 'x'.repeat(81) }, 'name', 'must have at most 80 characters'],
  ['a name with a line break', { name: 'Ada\nEve' }, 'name', 'must have no control characters'],
  ['no token', { token: undefined }, 'token', 'is required'],
  ['an unknown member', { role: 'root' }, 'role', 'is not a member that this call knows'],
])('%s is refused by its name', async (_what, over, field, problem) => {
  const { status, body } = await ops.send('POST', '/ops/session', typed(over));
  expect([status, body.fault.type, body.fault.arguments]).toEqual([
    422,
    'getRates.invalidRequest',
    { [field]: problem },
  ]);
});

test('the session ends after eight hours, and when the token changes', async () => {
  const headers = await ops.signIn();
  const began = now;
  now = new Date(began.getTime() + HOURS_8 - 1_000);
  expect((await ops.call('/ops/audit', { headers })).status).toBe(200);
  now = new Date(began.getTime() + HOURS_8 + 1_000);
  const ended = await ops.call('/ops/audit', { headers });
  expect([ended.status, ended.body.fault.arguments]).toEqual([
    401,
    { Authorization: 'invalid: the session has ended' },
  ]);
  now = began;
  const changed = await operatorApiOf(batchApi, { now: () => now, operatorToken: `${OPERATOR_TOKEN}-next` });
  expect((await changed.call('/ops/audit', { headers })).status).toBe(401);
  await changed.close();
});

test('after ten wrong tokens in a minute, others must wait, but the right one passes and a session continues', async () => {
  const own = await operatorApiOf(batchApi);
  const headers = await own.signIn();
  const answers = [];
  for (let i = 0; i < 11; i++) answers.push(await own.send('POST', '/ops/session', typed({ token: `guess ${i}` })));
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  expect(answers[0]?.body.fault).toEqual({
    type: 'InvalidCredentialsException',
    message: 'This is not the operator token.',
    arguments: { token: 'invalid: another text' },
  });
  expect(answers[10]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(answers[10]?.body.fault).toEqual({
    type: 'credentials.tooManyWrong',
    message: expect.stringMatching(/^Too many wrong tokens came from your address: 10 a minute are allowed/),
    arguments: { token: 'limited: too many wrong attempts' },
  });
  expect((await own.send('POST', '/ops/session', typed())).status).toBe(200);
  const bearer = await own.call('/ops/queues/api/queues', { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } });
  expect(bearer.status).toBe(200);
  expect((await own.call('/ops/audit', { headers })).status).toBe(200);
  const { entries } = await own.audit.page(100);
  expect(JSON.stringify(entries)).not.toContain('guess');
  await own.close();
});

test('a session opens the queue board too', async () => {
  const headers = await ops.signIn();
  expect((await ops.call('/ops/queues/api/queues', { headers })).status).toBe(200);
});

test('without an operator token there is nothing below /ops', async () => {
  const bare = await startApi();
  for (const { method, path } of Object.values(ALL).filter((one) => one.path.startsWith('/ops/'))) {
    const { status, body } = await bare.call(path, { method: method.toUpperCase() });
    expect([path, status, body.fault.type]).toEqual([path, 404, 'request.notFound']);
  }
  await bare.close();
});

test('the document of the API does not have the operator’s calls', async () => {
  const { body } = await ops.call('/openapi.json');
  expect(Object.keys(body.paths).filter((path) => path.startsWith('/ops'))).toEqual([]);
});

test('neither the token nor a session is logged', () => {
  const logged = JSON.stringify([ops.lines, ops.auditLines]);
  expect(logged).toContain('Signed in');
  expect(logged).not.toContain(OPERATOR_TOKEN);
  expect(logged).not.toMatch(/eyJ/);
});
