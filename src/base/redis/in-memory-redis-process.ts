/**
 * The process of the in-memory Redis (see local-redis.ts). Its argument is the port to listen on; without one it takes
 * any free port. It ends with its parent, or by SIGKILL. Other signals do not end it: Ctrl-C reaches the whole process
 * group, and processes that finish their work still need it.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  attachSession,
  createRedisCommandExecutor,
  RedisServerState,
  SocketConnectionTransport,
} from 'js-redis-server/core';
import { PORT_ATTEMPTS, somePort } from './some-port.ts';

// The oldest version with every command that the queue may use.
const compatibility = 'redis-7.2';

const listen = async (port: number): Promise<boolean> => {
  const state = new RedisServerState({ compatibility, databaseCount: 16 });
  const executor = createRedisCommandExecutor({ compatibility });
  // Each reply is a separate packet. Nagle's algorithm would delay it by about 40 ms until the last is acknowledged.
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    const { session } = attachSession(new SocketConnectionTransport(socket), {
      state,
      executor,
      clientAddress: `${socket.remoteAddress}:${socket.remotePort}`,
    });
    // A client that left while it waited to pop an item would take it from the clients that still wait.
    socket.once('close', () => session.close());
  });
  try {
    await once(server.listen({ host: '127.0.0.1', port }), 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
};

const listenAnywhere = async (): Promise<number> => {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    const port = somePort();
    if (await listen(port)) return port;
  }
  throw new Error('No free port for the in-memory Redis was found.');
};

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit(0));

const given = Number(process.argv[2] ?? 0);
if (given !== 0 && !(await listen(given)))
  throw new Error(`Port ${given}, where the in-memory Redis ran before, is taken.`);
process.send?.({ type: 'ready', port: given === 0 ? await listenAnywhere() : given });
