/** Attacks on the whole API, each with the expected answer. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { processorMs } from '../processor-time.ts';
import type { TestRedis } from '../redis.ts';
import { RATES, rateRequest, sampleClients, withDemo } from './api.ts';
import { BATCHES, type BatchApi, HEADER, listOf, startBatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { DOCUMENT } from './conformance.ts';

const MIB = 1024 * 1024;

let redis: TestRedis;
let api: BatchApi;
let ended: string;
batchApiForFile(
  async (started) => {
    ({ redis, api } = started);
    const stop = await api.work();
    ended = await api.upload(listOf(3));
    await api.ended(ended);
    await stop();
  },
  { limits: { maximumBytes: 64 * MIB, slowest: { ms: 1_000, bytes: 100 } } },
);

const csv = { 'Content-Type': 'text/csv' };
const serves = async (): Promise<void> => expect((await api.api.quote(rateRequest())).status).toBe(200);

/** Every operation that requires a token: method and path. */
const guarded = Object.entries<Record<string, { security: object[] }>>(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { security }]) => security.some((scheme) => 'token' in scheme))
    .map(([method, _]): [string, string] => [method.toUpperCase(), path]),
);

describe('a batch of another client', () => {
  test('stays, and is only in the list of its owner', async () => {
    const token = await api.api.tokenOf('other', 'other-secret');
    expect((await api.call('GET', '', token)).body).toEqual({ batches: [], next: null });
    const cursor = Buffer.from(`${Date.now()} ${ended}`).toString('base64url');
    expect((await api.call('GET', `?cursor=${cursor}`, token)).body.batches).toEqual([]);
    expect((await api.call('GET', `/${ended}`)).body.status).toBe('completed');
  });
});

describe('a token', () => {
  const parts = () => api.api.token.split('.');
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  const attacks: [string, () => string | undefined][] = [
    ['missing', () => undefined],
    ['of the wrong scheme', () => `Basic ${api.api.token}`],
    ['of nonsense', () => 'Bearer a.b.c'],
    ['without its signature', () => `Bearer ${parts()[0]}.${parts()[1]}.`],
    ['with its last character changed', () => `Bearer ${api.api.token.slice(0, -2)}AA`],
    ['that claims to need no signature', () => `Bearer ${none}.${parts()[1]}.`],
    ['of 12 KiB', () => `Bearer ${'x'.repeat(12_000)}`],
    ['with a comma and a second one', () => `Bearer ${api.api.token}, Bearer ${api.api.token}`],
    ['with a NUL in percent code', () => `Bearer ${api.api.token}%00`],
  ];
  test.each(attacks)('%s is refused', async (_what, authorization) => {
    for (const [method, path] of guarded) {
      const value = authorization();
      const { status, body } = await api.api.call(path.replace('{id}', ended).replace('{name}', 'acme-ups'), {
        method,
        headers: value === undefined ? {} : { Authorization: value },
      });
      expect([method, path, status, body.fault.type]).toEqual([method, path, 401, 'InvalidAuthorizationException']);
    }
  });

  test('is checked before any of the body arrives', async () => {
    const posts = guarded.filter(([method]) => method === 'POST').map(([, path]) => path.replace('{id}', ended));
    expect(posts.length).toBeGreaterThan(4);
    for (const path of [...posts, ...posts.map((one) => `/console${one}`)]) {
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 100000\r\n`;
      const answer = await raw(`${head}Connection: close\r\n\r\n`);
      expect(answer).toMatch(path.startsWith('/console') ? /^HTTP\/1\.1 40[13] / : /^HTTP\/1\.1 401 /);
    }
  }, 120_000);

  test('is ignored in the query or in a cookie', async () => {
    for (const init of [{}, { headers: { Cookie: `access_token=${api.api.token}` } }])
      expect((await api.api.call(`/v1/client/warehouses?access_token=${api.api.token}`, init)).status).toBe(401);
  });
});

describe('guessing', () => {
  /** The answers to 62 wrong tries at one id, without random parts. */
  const guess = async (own: BatchApi, path: string, id: string) => {
    const answers: unknown[] = [];
    for (let i = 0; i < 62; i++) {
      const { status, headers, body } = await own.api.call(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ client_id: id, client_secret: `guess-${i}` }),
      });
      const told = Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)));
      const text = JSON.stringify([told, body]).replaceAll(/(?<=t=|again in |"retry-after":")\d+/g, 's');
      answers.push([status, text]);
    }
    return answers;
  };

  test.each(['/token/generate', '/console/session'])('at %s reveals no id, and keeps no client out', async (path) => {
    const clients = withDemo(await sampleClients(), { limits: { tokensPerMinute: 20 } });
    const own = await startBatchApi({ redisUrl: redis.url, clients });
    const [known, unknown] = [await guess(own, path, 'demo'), await guess(own, path, 'nobody')];
    expect(unknown).toEqual(known);
    expect(known.map((answer) => (Array.isArray(answer) ? answer[0] : answer))).toEqual([
      ...Array(60).fill(401),
      ...Array(2).fill(429),
    ]);
    for (const id of ['demo', 'other']) expect(await own.api.tokenOf(id, `${id}-secret`)).toMatch(/^ey/);
    await own.close();
  });
});

/** Sends bytes unchanged. @returns everything received until the connection closes */
const raw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(api.api.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', () => resolve(answer));
  });

describe('paths and headers', () => {
  const ways = ['..%2f', '%2e%2e/', '..\\', '..%5c', '%252e%252e%252f', '....//', '%00', ';/', '%c0%ae%c0%ae/'];

  test.each(ways)('%s is not found', async (way) => {
    for (const path of [
      `${BATCHES}/${way}${ended}`,
      `${BATCHES}/${ended}/${way}input.csv`,
      `/docs/${way}package.json`,
    ]) {
      const answer = await raw(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.api.token}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 (?:404|400) /);
    }
  });

  test.each([
    ['an id of a prototype', `${BATCHES}/__proto__`],
    ['an id that is a key of Redis', `${BATCHES}/rates:batches:demo`],
    ['a double slash', `/${RATES}`],
    ['an absolute URL', `http://elsewhere.example${BATCHES}/${ended}x`],
    ['an encoded slash', `${BATCHES}%2f${ended}`],
  ])('%s is not found', async (_what, path) => {
    const answer = await raw(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.api.token}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('headers of proxies and frameworks change neither method, path nor caller', async () => {
    const tricks = {
      'X-HTTP-Method-Override': 'DELETE',
      'X-Original-URL': '/livez',
      'X-Rewrite-URL': '/livez',
      'X-Forwarded-For': '127.0.0.1',
      'X-Forwarded-Host': 'elsewhere.example',
      'X-Forwarded-User': 'other',
    };
    const answer = await api.api.call(`${BATCHES}/${ended}`, { headers: { ...api.bearer(), ...tricks } });
    expect([answer.status, answer.body.id]).toEqual([200, ended]);
    expect(JSON.stringify(answer.body)).not.toContain('elsewhere');
  });

  test('a second request inside the first is not served (smuggling)', async () => {
    const inner = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (const framing of [
      `Content-Length: ${inner.length}\r\nTransfer-Encoding: chunked`,
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding : chunked',
      `Content-Length: +${inner.length}`,
    ]) {
      const answer = await raw(
        `POST ${RATES} HTTP/1.1\r\nHost: localhost\r\n${framing}\r\nConnection: close\r\n\r\n${inner}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    }
  });

  test('a file name cannot inject a header or a path', async () => {
    const name = '../../etc/x"\r\nSet-Cookie: a=b\r\n\u0000';
    const id = await api.upload(listOf(1), `?filename=${encodeURIComponent(name)}`);
    const stop = await api.work();
    await api.ended(id);
    await stop();
    const { status, headers } = await api.file(`/${id}/output`);
    expect([status, headers.get('set-cookie')]).toEqual([200, null]);
    expect(headers.get('content-disposition')).not.toMatch(/\/|\r|\n/);
    expect((await api.folders()).every((folder) => /^b[a-z0-9]{25}$/.test(folder))).toBe(true);
  });

  test('no answer can be read by pages of other hosts, or sniffed as another type', async () => {
    const headers = { ...api.bearer(), Origin: 'https://elsewhere.example' };
    const preflight = await fetch(`${api.api.url}${RATES}`, {
      method: 'OPTIONS',
      headers: { ...headers, 'Access-Control-Request-Method': 'POST' },
    });
    const answers = [preflight, await fetch(`${api.api.url}${BATCHES}/${ended}/output`, { headers })];
    for (const answer of answers) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(preflight.status).toBe(405);
  });
});

describe('bombs', () => {
  const nested = (open: string, close: string, levels: number): string =>
    `{"rates":{"packageItems":${open.repeat(levels)}0${close.repeat(levels)}}}`;
  const zipped = { ...csv, 'Content-Encoding': 'gzip' };
  const start = Buffer.from(`${HEADER}\n`);
  const bomb = (bytes: number, fill: string) =>
    gzipSync(Buffer.concat([start, Buffer.alloc(bytes, fill)]), { level: 9 });

  test.each<[string, () => Buffer, number, string]>([
    ['60 MiB of zeros', () => bomb(60 * MIB, '\0'), 413, 'request.tooLarge'],
    ['200 MiB of one letter', () => bomb(200 * MIB, 'x'), 413, 'request.tooLarge'],
    ['60 MiB of one row again and again', () => bomb(60 * MIB, 'A1,101,02139,2,LB,,\n'), 413, 'request.tooLarge'],
    ['60 MiB of line breaks', () => bomb(60 * MIB, '\n'), 413, 'request.tooLarge'],
    ['a bomb within a bomb', () => gzipSync(bomb(200 * MIB, 'x')), 413, 'request.tooLarge'],
    [
      'ten thousand empty members',
      () => Buffer.concat(Array(10_000).fill(gzipSync(''))),
      422,
      'createBatch.invalidFile',
    ],
  ])('gzip: %s', async (_what, make, status, type) => {
    const body = make();
    const before = await api.folders();
    const cost = processorMs();
    const answer = await api.post(body as Uint8Array<ArrayBuffer>, '', zipped);
    expect([answer.status, answer.body.fault.type]).toEqual([status, type]);
    // Far below quadratic time.
    expect(processorMs() - cost).toBeLessThan(5_000);
    expect(await api.folders()).toEqual(before);
    await serves();
  });

  test.each([
    ['a million fields', JSON.stringify(Object.fromEntries(Array.from({ length: 1_000_000 }, (_, i) => [i, 0]))), 413],
    ['a million levels', '['.repeat(1_000_000), 413],
    ['as many levels as the limit allows', '['.repeat(262_144), 400],
    ['a hundred thousand levels, all closed', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 422],
    ['as many in place of packages', nested('[', ']', 100_000), 422],
    ['as many objects as the limit allows', nested('{"a":', '}', 43_000), 422],
    [
      'as many fields as the limit allows',
      JSON.stringify(Object.fromEntries(Array.from({ length: 24_000 }, (_, i) => [i, 0]))),
      422,
    ],
    ['its own prototype', '{"__proto__":{"rates":1},"constructor":{"prototype":{"x":1}}}', 422],
  ])('JSON: %s', async (_what, text, status) => {
    const cost = processorMs();
    expect((await api.api.quote(text)).status).toBe(status);
    expect(processorMs() - cost).toBeLessThan(2_000);
    await serves();
  });

  test('a form of ten thousand parts', async () => {
    const form = new FormData();
    for (let i = 0; i < 10_000; i++) form.append(`f${i}`, 'x');
    expect((await api.post(form)).status).toBe(400);
    await serves();
  });
});

test('a cell that a spreadsheet would run comes back as text, in every spelling', async () => {
  const cells = ['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', '\t=1', '＝1'];
  const list = `${HEADER}\n${cells.map((cell) => `${cell},101,02139,2,LB,C1-GROUND,\n`).join('')}`;
  const id = await api.upload(list);
  const stop = await api.work();
  await api.ended(id);
  await stop();
  const rows = (await api.file(`/${id}/output`)).text.split('\n').slice(1, -1);
  for (const row of rows) expect(row).not.toMatch(/^"?[=+\-@\t\r]/);
});

describe('slowness', () => {
  const open = (headers: string): { socket: ReturnType<typeof connect>; answer: Promise<string> } => {
    const socket = connect(api.api.port, '127.0.0.1', () => socket.write(headers));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    return { socket, answer: new Promise((resolve) => socket.on('close', () => resolve(text))) };
  };
  const upload = `POST ${BATCHES} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 100000\r\n`;

  const quote = `POST ${RATES} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;

  // These tests wait for the service's own time limits.
  test.concurrent('a quote is refused in time if its body trickles in or never arrives', async () => {
    const heads = `${quote}Authorization: Bearer ${api.api.token}\r\nConnection: close\r\n\r\n`;
    const [dripping, silent] = [open(heads), open(heads)];
    const drip = setInterval(() => dripping.socket.writable && dripping.socket.write(' '), 500);
    const answers = await Promise.all([dripping.answer, silent.answer]);
    clearInterval(drip);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('it did not arrive in time');
    }
  }, 30_000);

  test.concurrent('a hundred connections that send headers byte by byte are closed, and others are served meanwhile', async () => {
    const held = Array.from({ length: 100 }, () => open('POST / HTTP/1.1\r\nX-Slow: '));
    const drip = setInterval(() => {
      for (const { socket } of held) if (socket.writable) socket.write('x');
    }, 500);
    await serves();
    const answers = await Promise.all(held.map(({ answer }) => answer));
    clearInterval(drip);
    for (const answer of answers) expect(answer).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
    expect(answers.filter((answer) => answer !== '').length).toBeGreaterThan(0);
  }, 20_000);

  test('an upload that trickles in is refused in time and leaves nothing', async () => {
    const before = await api.folders();
    const { socket, answer } = open(`${upload}Authorization: Bearer ${api.api.token}\r\nConnection: close\r\n\r\n`);
    const drip = setInterval(() => socket.writable && socket.write('a'), 100);
    const text = await answer;
    clearInterval(drip);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('it did not arrive in time');
    expect(await api.folders()).toEqual(before);
  }, 20_000);

  test('only six half-sent lists of one client are received, and another client’s is accepted meanwhile', async () => {
    const other = await api.api.tokenOf('other', 'other-secret');
    const before = await api.folders();
    const held = Array.from({ length: 20 }, () => {
      const line = open(`${upload}Authorization: Bearer ${api.api.token}\r\nConnection: close\r\n\r\n${HEADER}\n`);
      const drip = setInterval(() => line.socket.writable && line.socket.write('a'.repeat(50)), 100);
      line.socket.once('close', () => clearInterval(drip));
      return line;
    });
    await expect
      .poll(async () => (await api.redis.ping()) && held.filter(({ socket }) => socket.bytesWritten > 500).length)
      .toBe(20);
    const list = `${HEADER}\nB1,201,75001,2,LB,C1-GROUND,\n`;
    const taken = await api.post(list, '', { ...csv, ...api.bearer(other) });
    expect(taken.status).toBe(202);
    // Each started upload has its own name in the store.
    expect((await api.folders()).filter((name) => !before.includes(name)).length).toBeLessThanOrEqual(7);
    for (const { socket } of held) socket.destroy();
    await Promise.all(held.map(({ answer }) => answer));
    await expect.poll(async () => (await api.post(list.replace('201', '101'), '', csv)).status).toBe(202);
  });

  test('a slow but steady upload is accepted, and asked to continue if it waits for that', async () => {
    const list = listOf(60);
    const sent = request(`${api.api.url}${BATCHES}`, {
      method: 'POST',
      headers: { ...api.bearer(), ...csv, 'Content-Length': Buffer.byteLength(list), Expect: '100-continue' },
    });
    const status = new Promise((resolve) => sent.once('response', (res) => resolve(res.resume().statusCode)));
    sent.flushHeaders();
    await once(sent, 'continue');
    for (let at = 0; at < list.length; at += 100) {
      sent.write(list.slice(at, at + 100));
      await sleep(100);
    }
    sent.end();
    expect(await status).toBe(202);
  }, 20_000);
});

test('the log has a line for each attack, and no token, secret, address or forged line', async () => {
  await api.api.call('/livez', { headers: { 'X-Request-Id': 'forged","level":"fatal' } });
  await api.api.quote(
    rateRequest({ recipient: { address: { addressLine: '221B Baker Street', postalCode: '94110' } } }),
  );
  // Request ids and times may contain any digits.
  const lines = api.api.lines.map(({ requestId, ...line }) =>
    JSON.stringify(line, (_, value) => (typeof value === 'number' ? 0 : value)),
  );
  expect(lines.length).toBeGreaterThan(200);
  const logged = lines.join('\n');
  const secrets = [api.api.token, 'demo-secret', 'other-secret', 'guess-', 'Baker', 'Bearer', 'elsewhere'];
  for (const secret of secrets) expect(logged).not.toContain(secret);
  // The random digits of ids may contain the number.
  expect(logged).not.toMatch(/(?<![0-9a-f])(?:94110|02139)(?![0-9a-f])/);
  expect(api.api.lines.filter(({ level }) => level === 'fatal' || level === 60)).toEqual([]);
});
