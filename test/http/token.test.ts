import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProxies } from '../../src/base/config/trusted-proxies.ts';
import { startApi } from './api.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const form = 'application/x-www-form-urlencoded';
const ask = (body: string | undefined, headers: Record<string, string> = {}) =>
  api.call('/token/generate', { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const GRANT = 'grant_type=client_credentials';
const DEMO = 'client_id=demo&client_secret=demo-secret';

describe('a token is issued for', () => {
  test.each([
    ['a form', `${GRANT}&${DEMO}`, { 'Content-Type': form }],
    ['a form with a charset', `${GRANT}&${DEMO}`, { 'Content-Type': `${form}; charset=UTF-8` }],
    ['JSON', '{"client_id":"demo","client_secret":"demo-secret"}', { 'Content-Type': 'application/json' }],
    [
      'JSON with the grant type',
      '{"grant_type":"client_credentials","client_id":"demo","client_secret":"demo-secret"}',
      { 'Content-Type': 'application/json' },
    ],
    ['HTTP Basic and a form', GRANT, { 'Content-Type': form, ...basic('demo', 'demo-secret') }],
    ['HTTP Basic alone', undefined, basic('demo', 'demo-secret')],
    ['HTTP Basic, percent-encoded', GRANT, { 'Content-Type': form, ...basic('%64emo', 'demo%2Dsecret') }],
    [
      'HTTP Basic with the same id in the form',
      `${GRANT}&client_id=demo`,
      { 'Content-Type': form, ...basic('demo', 'demo-secret') },
    ],
    [
      'HTTP Basic with an empty id and secret in the form',
      `${GRANT}&client_id=&client_secret=&scope=`,
      { 'Content-Type': form, ...basic('demo', 'demo-secret') },
    ],
    [
      'HTTP Basic with an empty secret in JSON',
      '{"grant_type":"","client_secret":""}',
      { 'Content-Type': 'application/json', ...basic('demo', 'demo-secret') },
    ],
  ])('%s', async (_what, body, headers) => {
    const answer = await ask(body, headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'quote batch',
    });
    expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
  });
});

test('a token states issuer, client, audience, times, scopes and key', async () => {
  const claims = decodeJwt(api.token);
  expect(claims).toMatchObject({ iss: 'shipping-rates', aud: 'shipping-rates', sub: 'demo', scope: 'quote batch' });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
  expect(decodeProtectedHeader(api.token)).toEqual({
    alg: 'HS256',
    typ: 'at+jwt',
    kid: expect.stringMatching(/^.{8}$/),
  });
});

test('a token has only the requested scope', async () => {
  expect(decodeJwt(await api.tokenOf('demo', 'demo-secret', 'batch'))['scope']).toBe('batch');
});

describe('refused', () => {
  const wrong = { status: 401, type: 'InvalidCredentialsException', error: 'invalid_client' };
  const invalid = { status: 400, type: 'request.malformedBody', error: 'invalid_request' };
  const inForm = { 'Content-Type': form };
  const inJson = { 'Content-Type': 'application/json' };
  const cases: [string, string | undefined, Record<string, string>, { status: number; type: string; error: string }][] =
    [
      ['a wrong secret', `${GRANT}&client_id=demo&client_secret=wrong`, inForm, wrong],
      ['an unknown client', `${GRANT}&client_id=nobody&client_secret=demo-secret`, inForm, wrong],
      ['the secret of another', `${GRANT}&client_id=demo&client_secret=other-secret`, inForm, wrong],
      ['a prototype key as the client', `${GRANT}&client_id=__proto__&client_secret=x`, inForm, wrong],
      ['no secret', `${GRANT}&client_id=demo`, inForm, wrong],
      ['nothing at all', undefined, {}, wrong],
      ['an empty form', '', inForm, wrong],
      ['an empty object', '{}', inJson, wrong],
      ['Basic with a wrong secret', GRANT, { ...inForm, ...basic('demo', 'wrong') }, wrong],
      ['Basic without a colon', GRANT, { ...inForm, Authorization: 'Basic ZGVtbw==' }, wrong],
      ['Basic with a bad percent code', GRANT, { ...inForm, ...basic('demo', '%zz') }, wrong],
      ['a bearer token in place of Basic', GRANT, { ...inForm, Authorization: 'Bearer x' }, wrong],
      ['a form without the grant type', DEMO, inForm, invalid],
      ['a form with an empty grant type', `grant_type=&${DEMO}`, inForm, invalid],
      ['an empty grant type alone', 'grant_type=', inForm, invalid],
      ['an empty secret', `${GRANT}&client_id=demo&client_secret=`, inForm, wrong],
      ['an empty parameter given twice', `${GRANT}&${DEMO}&scope=&scope=`, inForm, invalid],
      ['a parameter given twice', `${GRANT}&${DEMO}&client_id=demo`, inForm, invalid],
      ['credentials given twice', `${GRANT}&${DEMO}`, { ...inForm, ...basic('demo', 'demo-secret') }, invalid],
      ['another grant type', `grant_type=password&${DEMO}`, inForm, { ...invalid, error: 'unsupported_grant_type' }],
      ['an unknown scope', `${GRANT}&${DEMO}&scope=quote%20root`, inForm, { ...invalid, error: 'invalid_scope' }],
      ['text that is not JSON', '{"client_id":', inJson, invalid],
      ['a JSON list', '["demo","demo-secret"]', inJson, invalid],
      ['a secret that is a number', '{"client_id":"demo","client_secret":7}', inJson, invalid],
      [
        'plain text',
        `${GRANT}&${DEMO}`,
        { 'Content-Type': 'text/plain' },
        { status: 415, type: 'request.unsupportedMediaType', error: 'invalid_request' },
      ],
      [
        'a huge form',
        `${GRANT}&${DEMO}&x=${'y'.repeat(262_144)}`,
        inForm,
        { status: 413, type: 'request.tooLarge', error: 'invalid_request' },
      ],
    ];

  test.each(cases)('%s', async (_what, body, headers, { status, type, error }) => {
    const answer = await ask(body, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code: status, fault: { type, arguments: expect.any(Object) }, error });
    expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    if (status === 401) {
      expect(Object.keys(answer.body.fault.arguments)).toEqual(['client_id']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    }
  });

  test('a scope that the client does not have is named', async () => {
    const { body } = await ask(`${GRANT}&${DEMO}&scope=root`, inForm);
    expect(body.error_description).toBe('The body cannot be used: scope names a scope that the client does not have.');
  });

  test('an unknown client and a wrong secret get the same answer', async () => {
    const [unknown, mismatch] = await Promise.all([
      ask(`${GRANT}&client_id=nobody&client_secret=x`, inForm),
      ask(`${GRANT}&client_id=demo&client_secret=x`, inForm),
    ]);
    expect(unknown.body).toEqual(mismatch.body);
  });

  test('more than 60 tries a minute of an unknown caller', async () => {
    const answers = [];
    for (let i = 0; i < 61; i++) answers.push(await ask(`${GRANT}&client_id=guess&client_secret=x`, inForm));
    const last = answers.at(-1);
    expect(last?.status).toBe(429);
    expect(last?.body.fault).toEqual({
      type: 'credentials.tooManyWrong',
      message: expect.stringMatching(/^Too many wrong secrets for this client id came from your address: 60 a minute/),
      arguments: { client_id: 'limited: too many wrong attempts' },
    });
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(`${GRANT}&${DEMO}`, inForm)).status).toBe(200);
  });

  test('more than 60 wrong secrets of a client, while the right one still gets a token', async () => {
    const own = await startApi();
    const tried = (secret: string) => own.call('/token/generate', { method: 'POST', headers: basic('demo', secret) });
    const answers = [];
    for (let i = 0; i < 62; i++) answers.push(await tried(`guess-${i}`));
    expect(answers.slice(59).map(({ status }) => status)).toEqual([401, 429, 429]);
    expect((await tried('demo-secret')).status).toBe(200);
    await own.close();
  });

  test.each([
    ['that a trusted proxy names', '127.0.0.0/8', ['198.51.100.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'], 429],
    [
      'before that of a trusted proxy, which callers write',
      '127.0.0.0/8',
      ['9.9.9.1, 8.8.8.8', '9.9.9.2, 8.8.8.8', '9.9.9.3, 8.8.8.8'],
      429,
    ],
    ['of others', '127.0.0.0/8', ['198.51.100.1', '198.51.100.1', '198.51.100.2'], 401],
    [
      'behind several trusted proxies',
      '127.0.0.0/8,10.0.0.0/8',
      ['1.1.1.1, 10.0.0.7', '1.1.1.1, 10.0.0.8', '1.1.1.1'],
      429,
    ],
    ['that nobody trusted names', '10.0.0.0/8', ['198.51.100.1', '198.51.100.2', '198.51.100.3'], 429],
    ['that is none', '127.0.0.0/8', ['unknown', '', '198.51.100.1:80'], 429],
  ])('are counted by the address %s', async (_, trusted, forwarded, last) => {
    const trustedProxies = readProxies(trusted);
    if (trustedProxies === undefined) throw new Error('these are no proxies');
    const own = await startApi({ trustedProxies });
    const tried = (from: string) =>
      own.call('/token/generate', { method: 'POST', headers: { ...basic('demo', 'x'), 'X-Forwarded-For': from } });
    const [first = '', second = '', third = ''] = forwarded;
    for (let i = 0; i < 30; i++) for (const from of [first, second]) expect((await tried(from)).status).toBe(401);
    expect((await tried(third)).status).toBe(last);
    await own.close();
  });
});

test('neither secrets nor tokens are logged', async () => {
  await ask(`${GRANT}&client_id=demo&client_secret=wrong-secret-of-a-test`, { 'Content-Type': form });
  const logged = JSON.stringify(api.lines);
  expect(logged).toContain('InvalidCredentialsException');
  for (const secret of ['demo-secret', 'wrong-secret-of-a-test', api.token]) expect(logged).not.toContain(secret);
});
