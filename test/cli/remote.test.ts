import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRemote } from '../../src/cli/batch/remote.ts';
import { collectGarbage } from '../garbage.ts';
import { type Receiver, startReceiver } from '../webhook/receiver.ts';

let server: Receiver;
let silent: string;
beforeAll(async () => {
  server = await startReceiver();
  silent = '/token/generate';
  server.answer((res, req) => {
    if (req.url === silent) return;
    // Sends only the beginning of the body.
    if (req.url?.endsWith('/half') === true) res.writeHead(200, { 'Content-Length': 100 }).write('{');
    else res.end('{"access_token":"a"}');
  });
});
afterAll(() => server.close());

const remoteOf = () =>
  createRemote({
    server: new URL(server.url).origin,
    credentials: { id: 'demo', secret: 'demo-secret' },
    signal: new AbortController().signal,
    callMs: 300,
  });

describe('the timeout works even after a garbage collection', () => {
  test.each([
    ['the token', '/token/generate', 'any'],
    ['the call', '/v1/client/shipment/rates/batches/any', 'any'],
    ['the rest of an answer', '', 'half'],
  ])('while waiting for %s', async (_what, path, called) => {
    silent = path;
    const calling = remoteOf()
      .batch(called)
      .catch((error: Error) => error.message);
    await sleep(100);
    await collectGarbage();
    const words = await Promise.race([calling, sleep(5_000, 'it is still waited for')]);
    expect(words).toBe(
      `${new URL(server.url).origin} did not answer in time. It may be busy, or a proxy may block the call.`,
    );
  });
});

test('a secret is not sent on to where another program redirects', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()];
  try {
    first.answer((res) => res.writeHead(307, { Location: second.url }).end());
    const remote = createRemote({
      server: new URL(first.url).origin,
      credentials: { id: 'demo', secret: 'demo-secret' },
      signal: new AbortController().signal,
    });
    await expect(remote.signIn()).rejects.toThrow('The connection was lost or could not be made at');
    expect([first.received.length, second.received.length]).toEqual([1, 0]);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});
