/**
 * The process of the stand-in for Redis (see stand-in.ts), started with the port to listen on, or none for any. It ends
 * when the process that started it does, however that ends, or is killed. No lesser signal ends it: a Ctrl-C reaches
 * the whole process group, and those that are finishing their work still need it.
 */
import { once } from 'node:events';
import { createRedisCommandExecutor, RedisServerState, Resp2Server } from 'js-redis-server/core';
import { PORT_ATTEMPTS, somePort } from './port.ts';

// The oldest line whose commands cover all that the queue may use.
const compatibility = 'redis-7.2';

const listen = async (port: number): Promise<boolean> => {
  const { server } = new Resp2Server({
    server: new RedisServerState({ compatibility, databaseCount: 16 }),
    executor: createRedisCommandExecutor({ compatibility }),
  });
  try {
    // Its own `listen` would take every interface.
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
