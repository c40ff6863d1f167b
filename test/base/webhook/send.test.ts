import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSender, type Target } from '../../../src/base/webhook/send.ts';
import { collectGarbage } from '../../garbage.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const MESSAGE = { id: 'b1-r1-completed', body: '{"type":"batch.completed"}' };
const AT = new Date('2026-03-01T12:00:00.900Z');
const NEVER = new AbortController().signal;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const local = createSender({
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  allowPrivate: true,
});
const to = (url: string): Target => ({ url, signingSecret: SECRET });
const send = (url = receiver.url) => local(to(url), MESSAGE, AT, NEVER);

test('a message is posted as JSON with its id, its time and its signature', async () => {
  expect(await send()).toMatchObject({ status: 204, problem: null, body: '' });
  expect(receiver.received).toMatchObject([
    {
      path: '/hook',
      body: MESSAGE.body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'b1-r1-completed',
        'webhook-timestamp': '1772366400',
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      },
    },
  ]);
});

test('the Host header has the name in the URL, not the address', async () => {
  await send(`http://hooks.example:${receiver.port}/x`);
  expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${receiver.port}`);
});

test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
  receiver.answer((res) => res.writeHead(status, { Location: `${receiver.url}/elsewhere` }).end());
  expect(await send()).toMatchObject({ status, problem: 'redirects are not followed' });
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
});

test('reads only the beginning of a response that never ends', async () => {
  receiver.answer((res) => {
    res.writeHead(200);
    const pour = (): void => {
      while (!res.destroyed && res.write('x'.repeat(16_384)));
      res.once('drain', pour);
    };
    pour();
  });
  const { status, body, ms } = await send();
  expect([status, body]).toEqual([200, 'x'.repeat(1_024)]);
  expect(ms).toBeLessThan(5_000);
});

test('describes a connection that is refused or cut off', async () => {
  await receiver.close();
  expect(await send()).toMatchObject({ status: null, problem: 'the connection failed: ECONNREFUSED' });
  receiver = await startReceiver();
  receiver.answer((res) => res.destroy());
  expect(await send()).toMatchObject({ status: null, problem: 'the connection failed: ECONNRESET' });
});

describe('a delivery ends in time', () => {
  const hasty = createSender({ resolve: async () => [], allowPrivate: true, seconds: 0.3 });
  const sendInHaste = () => hasty(to(receiver.url), MESSAGE, AT, NEVER);

  test('without a response, even after a garbage collection', async () => {
    receiver.answer(() => undefined);
    const sending = sendInHaste();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    await collectGarbage();
    expect(await Promise.race([sending, sleep(5_000, 'it is still waited for')])).toMatchObject({
      status: null,
      problem: 'there was no answer within 300 ms',
    });
  });

  test('with a response that comes byte by byte', async () => {
    receiver.answer((res) => {
      res.writeHead(200);
      const drip = setInterval(() => res.write('x'), 20);
      res.once('close', () => clearInterval(drip));
    });
    const { status, body, ms } = await sendInHaste();
    expect([status, body.length > 0, ms >= 300, ms < 5_000]).toEqual([200, true, true, true]);
  });
});

test('aborts a delivery in progress', async () => {
  receiver.answer(() => undefined);
  const stopping = new AbortController();
  const sending = local(to(receiver.url), MESSAGE, AT, stopping.signal);
  setTimeout(() => stopping.abort(new Error('stopping')), 50);
  await expect(sending).rejects.toThrow('stopping');
});

const REFUSED = 'the host name cannot be resolved to a public address, or also resolves to a private one';

describe('rejects an internal target in every spelling:', () => {
  const names: Record<string, string> = {
    localhost: '127.0.0.1',
    'localhost.': '127.0.0.1',
    'inside.example': '10.1.2.3',
    'metadata.google.internal': '169.254.169.254',
    '127.0.0.1.nip.io': '127.0.0.1',
    'six.example': 'fd00::1',
  };
  const strict = createSender({
    resolve: async (name) => {
      const address = names[name];
      if (address === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
      return [{ address, family: address.includes(':') ? 6 : 4 }];
    },
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '0',
    '0.0.0.0',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '10.0.0.1',
    '192.168.0.1',
    '172.16.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'inside.example',
    'metadata.google.internal',
    '127.0.0.1.nip.io',
    'six.example',
    'unknown.example',
  ])('%s', async (host) => {
    const answered = await strict(to(`https://${host}:${receiver.port}/hook`), MESSAGE, AT, NEVER);
    expect(answered).toMatchObject({ status: null, problem: REFUSED });
    expect(receiver.received).toEqual([]);
  });

  test('http', async () => {
    const answered = await strict(to('http://8.8.8.8/'), MESSAGE, AT, NEVER);
    expect(answered).toMatchObject({ status: null, problem: 'it is not an https URL' });
  });
});

test('rejects a name with one public and one internal address', async () => {
  const sender = createSender({
    resolve: async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  });
  expect(await sender(to('https://hooks.example/'), MESSAGE, AT, NEVER)).toMatchObject({ problem: REFUSED });
});

test('resolves a name once and connects to the address of that answer', async () => {
  let asked = 0;
  const answers = ['127.0.0.1', '127.0.0.2'];
  const rebinding = createSender({
    resolve: async () => {
      const address = answers[asked] ?? '127.0.0.3';
      asked += 1;
      return [{ address, family: 4 }];
    },
    allowPrivate: true,
  });
  receiver.answer((res, req) => res.end(req.socket.localAddress));
  const answered = await rebinding(to(`http://rebind.example:${receiver.port}/`), MESSAGE, AT, NEVER);
  expect([asked, answered.body]).toEqual([1, '127.0.0.1']);
});

test('uses the name in the URL for TLS with the checked address', async () => {
  const names: string[] = [];
  const server = createServer({
    SNICallback: (name, done) => {
      names.push(name);
      done(new Error('there is no certificate'));
    },
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const { status, problem } = await send(`https://hooks.example:${port}/`);
  server.close();
  expect([names, status]).toEqual([['hooks.example'], null]);
  expect(problem).toMatch(/^the connection failed: /);
});
