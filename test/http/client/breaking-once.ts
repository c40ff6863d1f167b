import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A proxy that breaks one connection: when `breaks` returns true for the bytes sent and received so far.
 * @returns its address, and how often it broke a connection
 */
export const breakingOnce = async (server: string, breaks: (sent: number, received: string) => boolean) => {
  let broken = 0;
  const proxy = createServer((near) => {
    const far = connect(Number(new URL(server).port), '127.0.0.1');
    let sent = 0;
    const check = (received: string): boolean => {
      if (broken > 0 || !breaks(sent, received)) return false;
      broken += 1;
      near.destroy();
      far.destroy();
      return true;
    };
    near.on('data', (bytes: Buffer) => {
      sent += bytes.length;
      if (!check('')) far.write(bytes);
    });
    far.on('data', (bytes: Buffer) => {
      if (!check(bytes.toString('latin1'))) near.write(bytes);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, broken: () => broken, close: () => proxy.close() };
};
