/** A port where nothing answers as Redis does. */
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface Refused {
  readonly port: number;
  /** How many connections were tried. */
  readonly count: () => number;
  readonly stop: () => Promise<void>;
}

/** Listens in place of Redis, and resets each connection. @param port 0 is any free one */
export const refuseConnections = async (port = 0): Promise<Refused> => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.resetAndDestroy();
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server listens on no port.');
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { port: address.port, count: () => connections, stop };
};
