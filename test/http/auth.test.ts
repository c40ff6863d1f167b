import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashSecret, readClients } from '../../src/catalog/clients/clients.ts';
import { createTokens, tokenKeys } from '../../src/http/tokens.ts';
import { RATES, rateRequest, SAMPLE_SECRET_NAME, SECRET, sampleClients, startApi, withDemo } from './api.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const warehousesWith = (authorization: string | undefined) =>
  api.call('/v1/client/warehouses', authorization === undefined ? {} : { headers: { Authorization: authorization } });

const CLAIMS = {
  ...{ iss: 'shipping-rates', aud: 'shipping-rates', sub: 'demo' },
  ...{ scope: 'quote batch', secret: SAMPLE_SECRET_NAME },
};
const KID = tokenKeys(SECRET).signing;

/** A token like ours, except for the given parts. */
const forged = (options: { claims?: object; header?: object; secret?: string; expiresInS?: number } = {}) => {
  const nowS = Math.floor(Date.now() / 1_000);
  return new SignJWT({ ...CLAIMS, iat: nowS - 10, exp: nowS + (options.expiresInS ?? 3_600), ...options.claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: KID, ...options.header })
    .sign(new TextEncoder().encode(options.secret ?? SECRET));
};

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const flipped = (token: string, part: number) => {
  const parts = token.split('.');
  const text = parts[part] ?? '';
  parts[part] = (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
  return parts.join('.');
};

const invalid = {
  code: 401,
  fault: {
    type: 'InvalidAuthorizationException',
    message: 'The request is unauthorized because the access token is invalid.',
    arguments: { Authorization: expect.stringMatching(/^invalid/) },
  },
};

test('a token of the service is accepted, whatever the case of its scheme', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    expect((await warehousesWith(`${scheme} ${api.token}`)).status).toBe(200);
    expect((await warehousesWith(`${scheme} ${await forged()}`)).status).toBe(200);
  }
});

describe('401 for', () => {
  test.each([
    ['no header', () => undefined],
    ['another scheme', () => 'Basic ZGVtbzpkZW1vLXNlY3JldA=='],
    ['a token without a scheme', () => api.token],
  ])('%s, asking for a token without an error code', async (_what, authorization) => {
    const answer = await warehousesWith(authorization());
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(invalid);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="shipping-rates"');
  });

  const nowS = Math.floor(Date.now() / 1_000);
  test.each<[string, () => string | Promise<string>]>([
    ['an empty token', () => ''],
    ['a token of spaces and words', () => 'not a token'],
    ['a token of nonsense', () => 'x.y.z'],
    ['a very long token', () => 'x'.repeat(8_000)],
    ['an expired token', () => forged({ expiresInS: -1 })],
    ['a token signed with a foreign key', () => forged({ secret: 'some-other-secret-0123456789-0123456789' })],
    ['a foreign key under an unknown id', () => forged({ header: { kid: 'elsewhere' } })],
    ['a token without a key id', () => forged({ header: { kid: undefined } })],
    ['another algorithm with the same key', () => forged({ header: { alg: 'HS512' }, secret: SECRET.repeat(2) })],
    ['another type of token', () => forged({ header: { typ: 'JWT' } })],
    ['another issuer', () => forged({ claims: { iss: 'elsewhere' } })],
    ['another audience', () => forged({ claims: { aud: 'elsewhere' } })],
    ['a token without an expiry', () => forged({ claims: { exp: undefined } })],
    ['a token without a client', () => forged({ claims: { sub: undefined } })],
    ['a token without the name of its secret', () => forged({ claims: { secret: undefined } })],
    ['a token of an unknown client', () => forged({ claims: { sub: 'gone' } })],
    ['a token of a prototype key', () => forged({ claims: { sub: '__proto__' } })],
    ['a token that becomes valid tomorrow', () => forged({ claims: { nbf: nowS + 86_400 } })],
    ['a tampered header', () => flipped(api.token, 0)],
    ['a tampered payload', () => flipped(api.token, 1)],
    ['a tampered signature', () => flipped(api.token, 2)],
    [
      'another payload under our signature',
      () => {
        const [header, , signature] = api.token.split('.');
        return `${header}.${encoded({ ...CLAIMS, sub: 'other', iat: nowS, exp: nowS + 3_600 })}.${signature}`;
      },
    ],
    [
      'the algorithm none',
      () =>
        `${encoded({ alg: 'none', typ: 'at+jwt', kid: KID })}.${encoded({ ...CLAIMS, iat: nowS, exp: nowS + 3_600 })}.`,
    ],
    [
      'the algorithm none under our signature',
      () => `${encoded({ alg: 'none', typ: 'at+jwt', kid: KID })}.${api.token.split('.').slice(1).join('.')}`,
    ],
  ])('%s', async (_what, token) => {
    const answer = await warehousesWith(`Bearer ${await token()}`);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(invalid);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="shipping-rates", error="invalid_token"/);
  });
});

test('the quote route checks the token before anything else', async () => {
  const answer = await api.call(RATES, { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } });
  expect(answer.status).toBe(401);
});

test('each client sees its own warehouses', async () => {
  const { body } = await warehousesWith(`Bearer ${await api.tokenOf('other', 'other-secret')}`);
  expect(body).toEqual({
    status: 200,
    warehouses: [
      {
        warehouse_id: 201,
        name: 'Addison',
        address: { postalCode: '75001', stateOrProvinceCode: 'TX', countryCode: 'US' },
      },
    ],
  });
});

test('a token ends with its client, and loses a scope with it', async () => {
  let clients = new Map(await sampleClients());
  const own = await startApi({ clients: { current: () => clients } });
  try {
    expect((await own.quote(rateRequest())).status).toBe(200);
    clients = withDemo(clients, { scopes: new Set(['batch'] as const) });
    expect((await own.quote(rateRequest())).status).toBe(403);
    clients.delete('demo');
    expect((await own.quote(rateRequest())).body).toEqual(invalid);
  } finally {
    await own.close();
  }
});

describe('a token ends with the secret that it was issued for', () => {
  /** A client with secrets that expire at the given times. */
  const withSecrets = (ends: Readonly<Record<string, string | undefined>>) => {
    const salt = '5'.repeat(32);
    const createdAt = '2026-03-01T00:00:00Z';
    const secrets = Object.entries(ends).map(([text, expiresAt]) => ({
      ...{ salt, hash: hashSecret(text, salt), createdAt },
      ...(expiresAt !== undefined && { expiresAt }),
    }));
    const scopes = ['quote', 'batch'];
    const warehouses = [
      {
        warehouse_id: 101,
        name: 'Newark',
        address: { postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' },
      },
    ];
    return readClients(
      JSON.stringify({ clients: [{ id: 'demo', name: 'Demo', secrets, scopes, warehouses }] }),
      'clients',
    );
  };
  const start = async () => {
    const state = { now: new Date('2026-03-01T12:00:00Z'), clients: withSecrets({ 'demo-secret': undefined }) };
    const own = await startApi({ now: () => state.now, clients: { current: () => state.clients } });
    const statusOf = async (token: string) =>
      (await own.quote(rateRequest(), '', { Authorization: `Bearer ${token}` })).status;
    return { own, state, statusOf };
  };

  test('if the secret is revoked; tokens of other secrets stay valid', async () => {
    const { own, state, statusOf } = await start();
    const first = own.token;
    state.clients = withSecrets({ 'demo-secret': undefined, next: undefined });
    const second = await own.tokenOf('demo', 'next');
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
    state.clients = withSecrets({ next: undefined });
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    expect((await own.quote(rateRequest())).body).toEqual(invalid);
    await own.close();
  });

  test('if the secret expires, and the answer says so', async () => {
    const { own, state, statusOf } = await start();
    const first = own.token;
    state.clients = withSecrets({ 'demo-secret': '2026-03-01T12:20:00Z', next: undefined });
    expect(await statusOf(first)).toBe(200);
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo',
      client_secret: 'demo-secret',
    });
    const late = await own.call('/token/generate', { method: 'POST', body });
    expect(late.body.expires_in).toBe(1_200);
    state.now = new Date('2026-03-01T12:20:00Z');
    expect([await statusOf(first), await statusOf(late.body.access_token)]).toEqual([401, 401]);
    await own.close();
  });
});

test('an accepted token is refused after an hour', async () => {
  let now = new Date('2026-03-01T12:00:00Z');
  const own = await startApi({ now: () => now });
  try {
    expect((await own.quote(rateRequest())).status).toBe(200);
    now = new Date('2026-03-01T12:59:59Z');
    expect((await own.quote(rateRequest())).status).toBe(200);
    now = new Date('2026-03-01T13:00:00Z');
    expect((await own.quote(rateRequest())).body).toEqual(invalid);
  } finally {
    await own.close();
  }
});

test('while one secret replaces another, tokens of both are accepted, and the first signs', async () => {
  const next = 'the-token-secret-that-takes-over-0123456789';
  const own = await startApi({ tokens: createTokens(tokenKeys(`${next}, ${SECRET}`), () => new Date()) });
  try {
    const signedNow = await own.quote(rateRequest());
    const signedBefore = await own.quote(rateRequest(), '', { Authorization: `Bearer ${api.token}` });
    const elsewhere = await api.quote(rateRequest(), '', { Authorization: `Bearer ${own.token}` });
    expect([signedNow.status, signedBefore.status, elsewhere.status]).toEqual([200, 200, 401]);
  } finally {
    await own.close();
  }
});

test('a client over its limit of quotes is told when to try again', async () => {
  const clients = withDemo(await sampleClients(), { limits: { quotesPerMinute: 2 } });
  const own = await startApi({ clients: { current: () => clients } });
  try {
    const statuses = [await own.quote(rateRequest()), await own.quote(rateRequest())].map(({ status }) => status);
    const third = await own.quote(rateRequest());
    expect([...statuses, third.status]).toEqual([200, 200, 429]);
    expect(third.body).toEqual({
      code: 429,
      fault: { type: 'request.rateLimited', message: expect.any(String), arguments: { limit: 'quotes' } },
    });
    expect(third.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(third.headers.get('ratelimit-policy')).toBe('"quotes";q=2;w=60');
    expect(third.headers.get('ratelimit')).toMatch(/^"quotes";r=0;t=\d+$/);
  } finally {
    await own.close();
  }
});
