/**
 * An in-memory Redis, for trying the service on a machine without Redis: `js-redis-server`, a server in JavaScript that
 * speaks the Redis protocol, in its own process. A stop or a crash loses its data, and it gets slower as queues grow.
 */
import { startNodeProcess } from '../process/node-process.ts';
import { fileOf } from '../process/programs.ts';
import type { RunningRedis } from './private-redis.ts';

export const IN_MEMORY_REDIS_NOTICE =
  'No redis-server or valkey-server is installed, so an in-memory Redis runs instead. It is for trying things out only ' +
  'and loses its queues when it stops. For a real one: apt-get install redis-server, brew install redis, or REDIS_URL.';

const NO_REDIS =
  'There is no Redis: neither redis-server nor valkey-server is on the PATH, and the in-memory Redis for trying things out';
const REMEDY = 'Install one (apt-get install redis-server, brew install redis), or set REDIS_URL.';

const START_TIMEOUT_MS = 20_000;

export interface InMemoryRedisOptions {
  /** True refuses the start: an in-memory Redis must not run in production. */
  readonly production: boolean;
  /** Arguments for Node.js, as for `startNodeProcess`. */
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** For a restart: the port of the first start, so that clients can reconnect. Default: any free port. */
  readonly port?: number;
}

/** Starts it, empty, and resolves when it answers. Rejects if it is refused or does not start. */
export const startInMemoryRedis = async (options: InMemoryRedisOptions): Promise<RunningRedis> => {
  if (options.production) throw new Error(`${NO_REDIS} is refused with NODE_ENV=production. ${REMEDY}`);
  const { pid, port, exited, stop } = await startNodeProcess({
    main: fileOf('base/redis/in-memory-redis-process'),
    args: options.port === undefined ? [] : [String(options.port)],
    execArgv: options.execArgv,
    env: options.env,
    startTimeoutMs: START_TIMEOUT_MS,
  });
  // It has nothing to save.
  return { url: `redis://127.0.0.1:${port}`, pid, exited, stop: () => stop(0) };
};
