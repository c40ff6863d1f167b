import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { StoreFailure } from '../../src/base/store/store.ts';
import { processorMs } from '../processor-time.ts';
import { soon } from '../soon.ts';
import { fixedTariffs, RATES, rateRequest, referenceSchedule, startApi } from './api.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const bearer = () => ({ Authorization: `Bearer ${api.token}` });

/** Sends bytes unchanged. @returns everything received until the connection closes */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(api.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

describe('another spelling of a path', () => {
  test.each([
    ...['/TOKEN/generate', '/Token/generate', '/token/generate/', '//token/generate', '/token//generate'],
    ...['/token/./generate', '/livez/../token/generate', '/%74oken/generate', '/token%2Fgenerate', '/token%2fgenerate'],
    ...['/token/generate#x', '/token/generate%20', '/token\\generate', '/token\\generate#', '/token/generate;x'],
    ...['http://127.0.0.1/token/generate', 'http://elsewhere.example/token/generate'],
    ...['/livez/', '/LIVEZ', '/Metrics', '/docs/', '/Docs', '/openapi.JSON', '/docs/start.js/', '/DOCS/start.js'],
    ...['/console/session/', '/Console/session', '/Console/tariffs', '/CONSOLE/v1/client/warehouses'],
    ...[`${RATES}/`, RATES.toUpperCase(), '/v1/client/warehouses/', '/v1/Client/services', '/ops/Queues'],
  ])('%s is not found', async (path) => {
    for (const method of ['GET', 'POST']) {
      const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
      expect(await raw(head)).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  test('a query does not change the path', async () => {
    expect((await api.call('/livez?a=%2F../#b')).status).toBe(200);
    expect((await api.call('/livez?')).status).toBe(200);
  });
});

describe('the header Host', () => {
  const foreign = [
    'elsewhere.example',
    'elsewhere.example:80',
    '10.1.2.3',
    '0.0.0.0',
    '[::2]',
    'localhost.elsewhere.example',
  ];
  const wrong = ['', 'a b', 'x@localhost', 'localhost:x', 'localhost/x', '[::1', 'localhost, elsewhere.example'];
  const get = (path: string, hosts: readonly string[], version = '1.1'): Promise<string> =>
    raw(
      `GET ${path} HTTP/${version}\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}` +
        `Authorization: Bearer ${api.token}\r\nConnection: close\r\n\r\n`,
    );

  test.each([...foreign, ...wrong])('"%s" is refused, and a page of that host cannot sign in', async (host) => {
    for (const path of ['/', '/openapi.json', '/metrics', '/docs', '/console/session', '/v1/client/warehouses'])
      expect(await get(path, [host])).toMatch(/^HTTP\/1\.1 400 /);
    const body = '{"client_id":"demo","client_secret":"demo-secret"}';
    const answer = await raw(
      `POST /console/session HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"type":"request.invalidHost"');
    expect(answer).not.toMatch(/^set-cookie/im);
  });

  test.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.1.2.3:80', '[::1]:3000'])(
    '"%s" is served',
    async (host) => {
      expect(await get('/v1/client/warehouses', [host])).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  test('a probe with any one host, or by HTTP/1.0 without a host, is answered', async () => {
    for (const path of ['/livez', '/readyz']) {
      expect(await get(path, ['10.1.2.3:3000'])).toMatch(/^HTTP\/1\.1 200 /);
      expect(await get(path, [], '1.0')).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  test('a missing or repeated host is 400 with a fault', async () => {
    for (const path of ['/livez', '/v1/client/warehouses']) {
      expect(await get(path, [])).toMatch(/^HTTP\/1\.1 400 [\s\S]*"arguments":{"Host":"is missing"}/);
      for (const hosts of [
        ['localhost', 'elsewhere.example'],
        ['localhost', 'localhost'],
      ])
        expect(await get(path, hosts)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"arguments":{"Host":"appears twice"}/);
    }
    expect(await get('/v1/client/warehouses', [], '1.0')).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('the hosts of the setting are served too, in any case and with any port', async () => {
    const own = await startApi({ allowedHosts: ['Rates.example.com', '10.1.2.3'] });
    const ask = (host: string) =>
      new Promise((resolve, reject) => {
        const sent = request(`${own.url}/openapi.json`, { headers: { host } }, (res) =>
          resolve(res.resume().statusCode),
        );
        sent.once('error', reject).end();
      });
    expect(await Promise.all(['rates.EXAMPLE.com', '10.1.2.3:80', 'localhost', 'x.example.com'].map(ask))).toEqual([
      200, 200, 200, 400,
    ]);
    await own.close();
  });
});

describe('paths and methods', () => {
  test.each([
    '/console',
    '/console/v1',
    '/v1',
    '/v1/client',
    '/v2/client/shipment/rates',
    '/v1/client/warehouses/101',
    '/%E0%A4%A',
    '/__proto__',
    '/..%2f..%2fetc/passwd',
  ])('%s is not found', async (path) => {
    const { status, body, headers } = await api.call(path, { headers: bearer() });
    expect(status).toBe(404);
    expect(body).toEqual({
      code: 404,
      fault: { type: 'request.notFound', message: expect.any(String), arguments: { path } },
    });
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  test('the fault does not repeat the query', async () => {
    const { body } = await api.call('/nothing?access_token=secret');
    expect(body.fault.arguments).toEqual({ path: '/nothing' });
  });

  test('HEAD gets only the headers', async () => {
    const { status, body, headers } = await api.call('/livez', { method: 'HEAD' });
    expect([status, body]).toEqual([200, undefined]);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  test('the server software stays hidden', async () => {
    const { headers } = await api.quote(rateRequest());
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });
});

describe('bodies', () => {
  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/json-seq',
    'application/json; charset=latin1',
    '',
  ])('the media type "%s" is refused', async (type) => {
    const { status, body } = await api.quote(rateRequest(), '', { 'Content-Type': type });
    expect(status).toBe(415);
    expect(body.fault).toMatchObject({
      type: 'request.unsupportedMediaType',
      arguments: { 'Content-Type': expect.any(String) },
    });
  });

  test('the refusal of a charset names the charset', async () => {
    const { body } = await api.quote(rateRequest(), '', { 'Content-Type': 'application/json;charset=latin1' });
    expect(body.fault.message).toBe('The header Content-Type must be application/json; charset=utf-8.');
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
  ])('the media type %s is accepted', async (type) => {
    expect((await api.quote(rateRequest(), '', { 'Content-Type': type })).status).toBe(200);
  });

  test('a compressed body is refused', async () => {
    expect((await api.quote(rateRequest(), '', { 'Content-Encoding': 'Identity' })).status).toBe(200);
    const { status, body, headers } = await api.quote(rateRequest(), '', { 'Content-Encoding': 'gzip' });
    expect([status, Object.keys(body.fault.arguments)]).toEqual([415, ['Content-Encoding']]);
    expect(headers.get('accept-encoding')).toBe('identity');
  });

  test('a byte-order mark is ignored', async () => {
    expect((await api.quote(`\uFEFF${JSON.stringify(rateRequest())}`)).status).toBe(200);
  });

  const padded = (bytes: number) => {
    const text = JSON.stringify(rateRequest());
    return text + ' '.repeat(bytes - text.length);
  };

  test('accepts 262144 bytes, and rejects one more', async () => {
    expect((await api.quote(padded(262_144))).status).toBe(200);
    const { status, body } = await api.quote(padded(262_145));
    expect(status).toBe(413);
    expect(body).toEqual({
      code: 413,
      fault: { type: 'request.tooLarge', message: expect.any(String), arguments: { body: '262144 bytes' } },
    });
  });

  test.each([
    [262_144, 200],
    [262_145, 413],
    [3_000_000, 413],
  ])(
    'a body of unknown length with %i bytes is answered with %i, and the connection stays usable',
    async (bytes, status) => {
      const request = {
        method: 'POST',
        headers: { ...bearer(), 'Content-Type': 'application/json' },
        body: new Blob([padded(bytes)]).stream(),
        duplex: 'half' as const,
      };
      expect((await api.call(RATES, request)).status).toBe(status);
      expect((await api.quote(rateRequest())).status).toBe(200);
    },
  );

  test('120 malformed bodies are each answered with 400 or 422', async () => {
    const sound = JSON.stringify(rateRequest({ packageItems: [{ weight: { units: 'LB', value: 1 } }] }));
    const pieces = [
      '',
      ' ',
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      '\u0000',
      '\uD800',
      'nul',
      'NaN',
      '1e999',
      '-',
      '{"rates":',
      '//',
      "{'rates':{}}",
    ];
    const bodies = Array.from({ length: 120 }, (_, i) => {
      if (i < pieces.length) return pieces[i] ?? '';
      if (i < 50) return sound.slice(0, (i * 7) % sound.length);
      const at = (i * 31) % sound.length;
      return sound.slice(0, at) + pieces[i % pieces.length] + sound.slice(at + (i % 5) + 1);
    });
    for (const text of bodies) {
      const { status, body } = await api.quote(text);
      if (status === 200) expect(() => JSON.parse(text)).not.toThrow();
      else expect([400, 422], text).toContain(status);
      if (status === 400) {
        expect(body).toEqual({
          code: 400,
          fault: {
            type: 'request.malformedBody',
            message: expect.any(String),
            arguments: { body: expect.any(String) },
          },
        });
      }
    }
  });

  test('bytes that are not UTF-8 are malformed', async () => {
    const body = Buffer.from(JSON.stringify(rateRequest({ shippingService: 'C1-É' })), 'latin1');
    const headers = { ...bearer(), 'Content-Type': 'application/json' };
    expect((await api.call(RATES, { method: 'POST', headers, body })).status).toBe(400);
  });

  test.each([
    ['a quarter of a million brackets', '['.repeat(250_000), 400, 'request.malformedBody'],
    ['valid nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 422, 'getRates.invalidRequest'],
    ['a number of a quarter of a million digits', '9'.repeat(250_000), 422, 'getRates.invalidRequest'],
    [
      'many fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, 1]))),
      422,
      'getRates.invalidRequest',
    ],
    [
      'many packages',
      JSON.stringify(rateRequest({ packageItems: Array(100_000).fill(1) })),
      422,
      'getRates.invalidRequest',
    ],
  ])('%s is refused at little cost', async (_what, text, status, type) => {
    const before = processorMs();
    const answer = await api.quote(text);
    expect(processorMs() - before).toBeLessThan(1_000);
    expect([answer.status, answer.body.fault.type]).toEqual([status, type]);
  });
});

describe('request ids', () => {
  test.each(['abc-123', 'A.b_c-9', '0af7651916cd43dd8448eb211c80319c'])('%s is kept', async (id) => {
    const { headers } = await api.call('/livez', { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toBe(id);
  });

  test.each(['', 'a b', '../x', '<script>', 'x'.repeat(65), '{"a":1}'])('"%s" is replaced', async (id) => {
    const { headers } = await api.call('/livez', { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('are in the log, one line per request, without address or token', async () => {
    const address = { addressLine: '221B Baker Street', postalCode: '60601' };
    await api.quote(rateRequest({ recipient: { address } }), '', { 'X-Request-Id': 'logged-once' });
    const lines = api.lines.filter(({ requestId }) => requestId === 'logged-once');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ msg: 'request', method: 'POST', route: RATES, status: 200, client: 'demo' });
    const logged = JSON.stringify(api.lines);
    expect(logged).not.toContain(api.token);
    // The random digits of ids and times may contain the number.
    expect(logged).not.toMatch(/Baker|(?<![0-9a-f.])60601(?![0-9a-f])/);
  });
});

test('a caller that leaves in the middle of a body is logged, and affects no other caller', async () => {
  const socket = connect(api.port, '127.0.0.1');
  socket.write(
    `POST ${RATES} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: left-early\r\nAuthorization: Bearer ${api.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"rates":',
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.destroy();
  await soon(() =>
    expect(api.lines).toContainEqual(expect.objectContaining({ requestId: 'left-early', msg: 'request abandoned' })),
  );
  expect((await api.quote(rateRequest())).status).toBe(200);
});

test('a caller that wants the connection closed gets the refusal while it still sends its body', async () => {
  const piece = Buffer.alloc(16_384, 'x');
  const head =
    `POST ${RATES}/batches HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\nContent-Type: text/csv\r\n` +
    `Connection: close\r\nContent-Length: ${100 * piece.length}\r\n\r\n`;
  const socket = connect(api.port, '127.0.0.1');
  socket.write(head);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
  // The first write after a reset succeeds, and a later one fails.
  for (let sent = 0; sent < 100; sent += 1)
    await new Promise<void>((resolve, reject) => socket.write(piece, (error) => (error ? reject(error) : resolve())));
  socket.destroy();
});

test('an unknown expectation is ignored', async () => {
  const socket = connect(api.port, '127.0.0.1');
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\nX-Request-Id: /);
});

describe('input that is not HTTP', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['headers without end', `GET /livez HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', 'POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'length and chunks',
      'POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
  ])('%s also gets an error body', async (_what, text, status) => {
    const answer = await raw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}/i);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      code: status,
      fault: { type: expect.any(String) },
    });
  });
});

describe('health', () => {
  test('a process that answers is live, whatever its dependencies', async () => {
    const own = await startApi({ checks: { redis: () => Promise.reject(new Error('away')) } });
    try {
      expect((await own.call('/livez')).body).toEqual({ status: 200 });
    } finally {
      await own.close();
    }
  });

  test('it is ready when all dependencies answer', async () => {
    const own = await startApi({ checks: { redis: async () => {}, store: async () => {}, tariff: async () => {} } });
    try {
      expect((await own.call('/readyz')).body).toEqual({
        status: 200,
        checks: { redis: 'ok', store: 'ok', tariff: 'ok' },
      });
    } finally {
      await own.close();
    }
  });

  test.each([
    ['fails', () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:6379'))],
    [
      'does not answer',
      () => {
        // Its deadline passes at once. Other timers are not touched.
        vi.useFakeTimers({ toFake: ['setTimeout'] });
        process.nextTick(() => {
          vi.advanceTimersByTime(1_000);
          vi.useRealTimers();
        });
        return new Promise<void>(() => {});
      },
    ],
  ])('it is not ready while a dependency %s, and names it without the reason', async (_what, redis) => {
    const own = await startApi({ checks: { store: async () => {}, redis } });
    try {
      const { status, body, headers } = await own.call('/readyz');
      expect(status).toBe(503);
      expect(body).toEqual({
        code: 503,
        fault: { type: 'service.unavailable', message: expect.any(String), arguments: { dependency: 'redis' } },
      });
      expect(headers.get('retry-after')).toBe('5');
    } finally {
      await own.close();
    }
  });
});

test('the services in force are listed in the order of the tariff', async () => {
  const { body } = await api.call('/v1/client/services', { headers: bearer() });
  expect(body).toEqual({
    status: 200,
    services: [
      { shippingService: 'C1-GROUND', carrier: 'C1', description: 'Carrier 1 Ground', addressLineRequired: false },
      { shippingService: 'C1-EXPRESS', carrier: 'C1', description: 'Carrier 1 Express', addressLineRequired: false },
      { shippingService: 'C2-GROUND', carrier: 'C2', description: 'Carrier 2 Ground', addressLineRequired: true },
    ],
  });
});

describe('failures', () => {
  /** Tariffs that cannot be read once the service has started. */
  const failing = async (error: Error) => {
    const { findings } = fixedTariffs(await referenceSchedule());
    const current = (): never => {
      throw error;
    };
    return { findings, current };
  };

  test('the answer to a bug has no details; the log has them under the request id', async () => {
    const own = await startApi({ tariffs: await failing(new TypeError('cannot read /etc/secret of undefined')) });
    try {
      const { status, body } = await own.call('/v1/client/services', {
        headers: { Authorization: `Bearer ${own.token}`, 'X-Request-Id': 'with-a-bug' },
      });
      expect(status).toBe(500);
      expect(body).toEqual({
        code: 500,
        fault: {
          type: 'service.internalError',
          message: 'The request failed because of an error in the service.',
          arguments: { requestId: 'with-a-bug' },
        },
      });
      expect(own.lines).toContainEqual(
        expect.objectContaining({
          msg: 'a call could not be answered',
          requestId: 'with-a-bug',
          err: expect.objectContaining({ type: 'TypeError', message: 'cannot read /etc/secret of undefined' }),
        }),
      );
    } finally {
      await own.close();
    }
  });

  test('a dependency that is down is named', async () => {
    const own = await startApi({ tariffs: await failing(new StoreFailure('read it', {})) });
    try {
      const down = '/v1/client/services';
      const { status, body } = await own.call(down, { headers: { Authorization: `Bearer ${own.token}` } });
      expect([status, body.fault.arguments]).toEqual([503, { dependency: 'store' }]);
      expect((await own.call(down)).status).toBe(401);
    } finally {
      await own.close();
    }
  });
});

test('a stop lets running requests finish, and accepts no others', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const own = await startApi({ checks: { slow: () => held } });
  const underWay = own.call('/readyz');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stopped = own.close();
  setTimeout(release, 50);
  expect((await underWay).status).toBe(200);
  await stopped;
  await expect(own.call('/livez')).rejects.toThrow('fetch failed');
});
