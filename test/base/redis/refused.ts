/** A port or a socket where nothing answers as Redis does. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';

export interface Refused {
  /** 0 if it is a socket. */
  readonly port: number;
  /** How many connections were tried. */
  readonly count: () => number;
  readonly stop: () => Promise<void>;
}

/** Listens in place of a Redis that has ended, and breaks each connection. @param at its address; absent: any free port */
export const refuseConnections = async (at = 'redis://127.0.0.1:0'): Promise<Refused> => {
  let connections = 0;
  const isSocket = at.startsWith('/');
  if (isSocket) await rm(at, { force: true });
  const server = createServer((socket) => {
    connections += 1;
    if (isSocket) socket.destroy();
    else socket.resetAndDestroy();
  }).listen(isSocket ? { path: at } : { port: Number(new URL(at).port), host: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { port, count: () => connections, stop };
};
