import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RATES, rateRequest, startApi } from './api.ts';
import { DOCUMENT, resolved } from './conformance.ts';

const SHOP = 'https://shop.example.com';
const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
  },
});
const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('pages of other hosts', () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  test('may not read any answer', async () => {
    const asked = await api.call(RATES, preflight(SHOP));
    expect(asked.status).toBe(405);
    expect(corsHeaders(asked.headers)).toEqual([]);
    const quoted = await api.quote(rateRequest(), '', { Origin: SHOP });
    expect(quoted.status).toBe(200);
    expect(corsHeaders(quoted.headers)).toEqual([]);
  });
});

describe('if CORS_ORIGINS names a host', () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  beforeAll(async () => {
    api = await startApi({ corsOrigins: [SHOP] });
  });
  afterAll(() => api.close());

  test('its pages may request quotes and read the answers', async () => {
    const asked = await api.call(RATES, preflight(SHOP));
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    const quoted = await api.quote(rateRequest(), '', { Origin: SHOP });
    expect(quoted.status).toBe(200);
    expect(quoted.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(quoted.headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  const namesIn = (headers: Headers, name: string) => (headers.get(name) ?? '').toLowerCase().split(',');

  test('its pages may send every documented request header, and read every documented response header', async () => {
    const sent = new Set<string>();
    const seen = new Set<string>();
    for (const [path, item] of Object.entries<object>(DOCUMENT.paths))
      for (const { parameters, responses } of Object.values(item)) {
        if (!path.startsWith('/v1') && !path.startsWith('/token')) continue;
        const known: { in: string; name: string }[] = parameters.map(resolved);
        for (const { name } of known.filter((parameter) => parameter.in === 'header')) sent.add(name.toLowerCase());
        for (const { headers } of Object.values<{ headers: object }>(responses))
          for (const name of Object.keys(headers)) seen.add(name.toLowerCase());
      }
    expect([...sent]).toContain('last-event-id');
    expect([...seen]).toContain('idempotent-replayed');
    const asked = (await api.call(RATES, preflight(SHOP))).headers;
    const quoted = (await api.quote(rateRequest(), '', { Origin: SHOP })).headers;
    expect(namesIn(asked, 'access-control-allow-headers')).toEqual(expect.arrayContaining([...sent]));
    const unneeded = ['cache-control', 'pragma', 'allow', 'accept-encoding', 'x-accel-buffering'];
    const needed = [...seen].filter((name) => !unneeded.includes(name));
    expect(namesIn(quoted, 'access-control-expose-headers')).toEqual(expect.arrayContaining(needed));
  });

  test.each(['https://shop.example.com.evil.example', 'http://shop.example.com', 'null'])(
    'pages of %s may not',
    async (origin) => {
      const { headers } = await api.call(RATES, preflight(origin));
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test('no page may use the session of the console', async () => {
    const { headers } = await api.call('/console/session', preflight(SHOP));
    expect(corsHeaders(headers)).toEqual([]);
  });
});
