/**
 * The process of the stand-in for Redis (see in-memory-redis.ts), started with the port to listen on, or none for any. It ends
 * when the process that started it does, however that ends, or is killed. No lesser signal ends it: a Ctrl-C reaches
 * the whole process group, and those that are finishing their work still need it.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  attachSession,
  createRedisCommandExecutor,
  RedisServerState,
  SocketConnectionTransport,
} from 'js-redis-server/core';
import { PORT_ATTEMPTS, somePort } from './port.ts';

// The oldest line whose commands cover all that the queue may use.
const compatibility = 'redis-7.2';

const listen = async (port: number): Promise<boolean> => {
  const state = new RedisServerState({ compatibility, databaseCount: 16 });
  const executor = createRedisCommandExecutor({ compatibility });
  // Each reply is a packet of its own: held back until the one before is acknowledged, it would come 40 ms later.
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    const { session } = attachSession(new SocketConnectionTransport(socket), {
      state,
      executor,
      clientAddress: `${socket.remoteAddress}:${socket.remotePort}`,
    });
    // A client that is gone while it waits for something to pop would take it away from those who wait for it now.
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
  throw new Error('No free port for the stand-in was found.');
};

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit(0));

const given = Number(process.argv[2] ?? 0);
if (given !== 0 && !(await listen(given))) throw new Error(`Port ${given}, where the stand-in ran before, is taken.`);
process.send?.({ type: 'ready', port: given === 0 ? await listenAnywhere() : given });
