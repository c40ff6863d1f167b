import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRemote } from '../../src/cli/batch/remote.ts';
import { type Receiver, startReceiver } from '../base/webhook/receiver.ts';
import { collectGarbage } from '../garbage.ts';

const remoteOf = (server: Receiver, callMs?: number) =>
  createRemote({
    server: new URL(server.url).origin,
    credentials: { id: 'demo', secret: 'demo-secret' },
    signal: new AbortController().signal,
    ...(callMs !== undefined && { callMs }),
  });

test('waits for a token, a call and the rest of an answer end in time, even after a garbage collection', async () => {
  const silentAt = ['/token/generate', '/v1/client/shipment/rates/batches/any', 'nowhere'];
  const servers = await Promise.all(silentAt.map(() => startReceiver()));
  const said = servers.map(async (server, at) => {
    server.answer((res, req) => {
      if (req.url === silentAt[at]) return;
      // Sends only the beginning of the body.
      if (req.url?.endsWith('/any') === true) res.writeHead(200, { 'Content-Length': 100 }).write('{');
      else res.end('{"access_token":"a"}');
    });
    return await remoteOf(server, 300)
      .batch('any')
      .catch((error: Error) => error.message);
  });
  await sleep(100);
  await collectGarbage();
  expect(await Promise.race([Promise.all(said), sleep(5_000, 'they are still waited for')])).toEqual(
    servers.map(
      ({ url }) => `${new URL(url).origin} did not answer in time. It may be busy, or a proxy may block the call.`,
    ),
  );
  await Promise.all(servers.map((server) => server.close()));
});

test('a secret is not sent on to where another program redirects', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()];
  try {
    first.answer((res) => res.writeHead(307, { Location: second.url }).end());
    await expect(remoteOf(first).signIn()).rejects.toThrow('The connection was lost or could not be made at');
    expect([first.received.length, second.received.length]).toEqual([1, 0]);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});
