/** Incomplete and oversized bodies, and endless requests on one connection. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { type Listening, listen } from '../../src/http/server/server.ts';
import { RATES, rateRequest, startApi } from './api.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let sockets: Line[] = [];
beforeEach(async () => {
  api = await startApi();
});
afterEach(async () => {
  for (const { socket } of sockets) socket.destroy();
  sockets = [];
  await api.close();
});

/** Connects to a port of this machine. */
const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

interface Line {
  readonly socket: Socket;
  /** The text received so far. */
  readonly text: () => string;
  readonly closed: Promise<void>;
}

/** A connection that sends the given bytes and stays open. */
const send = (...parts: readonly (string | Buffer)[]): Line => {
  const socket = connect(api.port, '127.0.0.1', () => {
    for (const part of parts) socket.write(part);
  });
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const line = { socket, text: () => text, closed };
  sockets.push(line);
  return line;
};

const head = (path: string, length: number, token?: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n` +
  `${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`;
const padded = (body: unknown, length: number): string => JSON.stringify(body).padEnd(length);
const json = { 'Content-Type': 'application/json' };

const DEMO = { client_id: 'demo', client_secret: 'demo-secret' };

test.each(['/token/generate', '/console/session'])('%s accepts 4096 bytes, and rejects one more', async (path) => {
  const post = (length: number) => api.call(path, { method: 'POST', headers: json, body: padded(DEMO, length) });
  expect((await post(4_096)).status).toBe(200);
  const { status, body } = await post(4_097);
  expect([status, body.fault]).toEqual([
    413,
    expect.objectContaining({ type: 'request.tooLarge', arguments: { body: '4096 bytes' } }),
  ]);
});

test('a sign-in that declares more is refused before any of it arrives', async () => {
  const line = send(head('/token/generate', 262_144));
  await expect.poll(line.text).toMatch(/^HTTP\/1\.1 413 /);
});

test('a sign-in of undeclared length is refused at its first byte too many', async () => {
  const start = head('/token/generate', 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
  const line = send(start, `1001\r\n${' '.repeat(0x1001)}\r\n`);
  await expect.poll(line.text).toMatch(/^HTTP\/1\.1 413 /);
});

test('a quote of undeclared length is accepted at the limit, and refused one byte over it', async () => {
  const chunked = (length: number): Line =>
    send(
      head(RATES, 0, api.token).replace('Content-Length: 0', 'Transfer-Encoding: chunked'),
      `${length.toString(16)}\r\n${padded(rateRequest(), length)}\r\n0\r\n\r\n`,
    );
  const [most, more] = [chunked(262_144), chunked(262_145)];
  await expect.poll(most.text).toMatch(/^HTTP\/1\.1 200 /);
  await expect.poll(more.text).toMatch(/^HTTP\/1\.1 413 /);
  expect(more.text()).toContain('"body":"262144 bytes"');
});

test('half-sent bodies of one client are dropped for space, and another’s slow quote continues', async () => {
  const other = await api.tokenOf('other', 'other-secret');
  const body = padded(
    rateRequest({ shipper: { warehouse_id: 201 }, recipient: { address: { postalCode: '75001' } } }),
    200_000,
  );
  const honest = send(head(RATES, 200_000, other), body.slice(0, 199_000));
  const held = Array.from({ length: 120 }, () =>
    send(head(RATES, 262_144, api.token), Buffer.alloc(250_000, ' '.charCodeAt(0))),
  );
  const refused = () => held.filter(({ text }) => text().startsWith('HTTP/1.1 503 '));
  // 120 × 250,000 bytes are 30 MB. The limit is 16 MiB.
  await expect.poll(() => refused().length).toBeGreaterThan(40);
  const [first] = refused();
  expect(first?.text()).toContain('"type":"service.unavailable"');
  expect(first?.text()).toContain('"dependency":"memory"');
  expect(first?.text()).toMatch(/^Retry-After: 5\r$/m);
  expect((await api.quote(rateRequest())).status).toBe(200);
  honest.socket.write(body.slice(199_000));
  await expect.poll(honest.text).toMatch(/^HTTP\/1\.1 200 /);
  // Closing the connections frees the rest of the space.
  for (const { socket } of held) socket.destroy();
  await Promise.all(held.map(({ closed }) => closed));
  const after = Array.from({ length: 60 }, () => send(head(RATES, 262_144, api.token), Buffer.alloc(250_000, 32)));
  await expect.poll(async () => (await api.quote(rateRequest())).status).toBe(200);
  expect(after.filter(({ text }) => text() !== '')).toEqual([]);
});

test('a sender that waits for 100 Continue gets it only if it may send its body', async () => {
  const expecting = (path: string, token?: string): Line =>
    send(head(path, 1_000, token).replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'));
  const [stranger, client, elsewhere] = [expecting(RATES), expecting(RATES, api.token), expecting('/nowhere')];
  await expect.poll(stranger.text).toMatch(/^HTTP\/1\.1 401 /);
  await expect.poll(elsewhere.text).toMatch(/^HTTP\/1\.1 404 /);
  await expect.poll(client.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  client.socket.write(padded(rateRequest(), 1_000));
  await expect.poll(client.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

test('a request has at most 128 headers, because a second Host could hide behind more', async () => {
  const get = (lines: string): Line => send(`GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`);
  const [most, more, hidden] = [
    get('a:b\r\n'.repeat(127)),
    get('a:b\r\n'.repeat(128)),
    get(`${'a:b\r\n'.repeat(3_000)}Host: elsewhere.example\r\n`),
  ];
  await expect.poll(most.text).toMatch(/^HTTP\/1\.1 200 /);
  for (const { text } of [more, hidden]) {
    await expect.poll(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(text()).toContain('"headers":"16384 bytes in 128 lines"');
  }
});

test('a body in tiny pieces is refused, and its connection closed', async () => {
  const start = head(RATES, 0, api.token).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
  const line = send(start, '1\r\n \r\n'.repeat(2_001));
  await line.closed;
  expect(line.text()).toMatch(/^HTTP\/1\.1 400 /);
  expect(line.text()).toContain('it came in too many pieces');
});

test.each([
  ['silent', () => ''],
  ['with half a head', () => 'GET /livez HTTP/1.1\r\nX-Slow: '],
  ['waiting for a next request', () => 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['with half a sign-in', () => `${head('/token/generate', 4_096)}{`],
  ['with half a quote of one client', () => `${head(RATES, 4_096, api.token)}{`],
])('open connections over the limit, %s, do not block other callers', async (_what, begin) => {
  const other = await api.tokenOf('other', 'other-secret');
  const { port, stop } = await listen(createApp(api.deps).listener, '127.0.0.1', 0, 40);
  const ask = async (socket: Socket): Promise<string> => {
    socket.write(`GET /v1/client/services HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${other}\r\n\r\n`);
    return String((await once(socket, 'data'))[0]).slice(0, 12);
  };
  const before = await connected(port);
  expect(await ask(before)).toBe('HTTP/1.1 200');
  const held: Socket[] = [];
  for (let i = 0; i < 120; i++) {
    const socket = await connected(port);
    socket.on('error', () => undefined).resume();
    socket.write(begin());
    held.push(socket);
  }
  expect(await ask(await connected(port))).toBe('HTTP/1.1 200');
  expect(await ask(before)).toBe('HTTP/1.1 200');
  await expect.poll(() => held.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(80);
  await stop(0);
});

test('pipelined requests are answered up to a limit', async () => {
  const one = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const few = send(one.repeat(10));
  await expect.poll(() => few.text().match(/HTTP\/1\.1 200 /g)?.length).toBe(10);
  const document = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const many = send(document.repeat(2_000));
  await many.closed;
  expect(many.text().match(/HTTP\/1\.1 200 /g)?.length ?? 0).toBeLessThan(40);
  expect((await api.call('/livez')).status).toBe(200);
});

test('over the limit, the rest of the received requests is not parsed', async () => {
  let parsed = 0;
  const count = () => {
    parsed += 1;
  };
  subscribe('http.server.request.start', count);
  try {
    await send('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_000)).closed;
  } finally {
    unsubscribe('http.server.request.start', count);
  }
  // One is answered, 16 wait, and the next one ends the connection.
  expect(parsed).toBeLessThanOrEqual(18);
  expect((await api.call('/livez')).status).toBe(200);
});

describe('only one of several requests that arrive together begins in a turn of the event loop', () => {
  let turn = 0;
  let counting = true;
  const count = (): void => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  const begun: { readonly url: string | undefined; readonly turn: number }[] = [];
  let listening: Listening;
  beforeEach(async () => {
    begun.length = 0;
    counting = true;
    listening = await listen(
      ({ url }, res) => {
        begun.push({ url, turn });
        res.end('x');
      },
      '127.0.0.1',
      0,
    );
    count();
  });
  afterEach(async () => {
    counting = false;
    await listening.stop(0);
  });
  const turns = (): ReadonlySet<number> => new Set(begun.map(({ turn: own }) => own));
  const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

  test('on one connection', async () => {
    const socket = await connected(listening.port);
    socket.resume().write(request('/').repeat(12));
    await expect.poll(() => begun.length).toBe(12);
    expect(turns().size).toBe(12);
    socket.destroy();
  });

  test('on many connections, and quotes do not wait for the others', async () => {
    const open = await Promise.all(Array.from({ length: 40 }, () => connected(listening.port)));
    const ask = async (pathOf: (at: number) => string): Promise<void> => {
      begun.length = 0;
      open.forEach((socket, at) => void socket.resume().write(request(pathOf(at))));
      await expect.poll(() => begun.length).toBe(40);
    };
    // Then the server has accepted all connections, so that the next requests arrive in one turn.
    await ask(() => '/');
    await ask((at) => (at < 30 ? '/' : at % 2 === 0 ? RATES : `${RATES}?explain=true`));
    const of = (isQuote: boolean) => begun.filter(({ url = '' }) => url.startsWith(RATES) === isQuote);
    expect(new Set(of(false).map(({ turn: own }) => own)).size).toBe(30);
    expect(of(true).at(-1)?.turn).toBeLessThan(of(false).at(-1)?.turn ?? 0);
    for (const socket of open) socket.destroy();
  });
});
