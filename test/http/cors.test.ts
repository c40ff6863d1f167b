import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RATES, rateRequest, startApi } from './api.ts';

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

  test('are let in nowhere', async () => {
    const asked = await api.call(RATES, preflight(SHOP));
    expect(asked.status).toBe(405);
    expect(corsHeaders(asked.headers)).toEqual([]);
    const quoted = await api.quote(rateRequest(), '', { Origin: SHOP });
    expect(quoted.status).toBe(200);
    expect(corsHeaders(quoted.headers)).toEqual([]);
  });
});

describe('where CORS_ORIGINS names a host', () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  beforeAll(async () => {
    api = await startApi({ corsOrigins: [SHOP] });
  });
  afterAll(() => api.close());

  test('its pages may ask for quotes and read what came back', async () => {
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

  test.each(['https://shop.example.com.evil.example', 'http://shop.example.com', 'null'])(
    'those of %s may not',
    async (origin) => {
      const { headers } = await api.call(RATES, preflight(origin));
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test('and no page may use the console’s session', async () => {
    const { headers } = await api.call('/console/session', preflight(SHOP));
    expect(corsHeaders(headers)).toEqual([]);
  });
});
