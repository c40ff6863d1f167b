/**
 * The Redis that the service runs if REDIS_URL is not set: a private server if one is installed, else an in-memory one. The latter is
 * for trying the service on a machine without Redis: `js-redis-server`, a server in JavaScript that speaks the Redis protocol, in its
 * own process. A stop or a crash loses its data, and it gets slower as queues grow.
 */
import { join } from 'node:path';
import { must } from '../must.ts';
import { startNodeProcess } from '../process/node-process.ts';
import { fileOf } from '../process/programs.ts';
import { findRedisServer, type RunningRedis, startPrivateRedis } from './private-redis.ts';

export const IN_MEMORY_REDIS_NOTICE =
  'No redis-server or valkey-server is installed, so an in-memory Redis runs instead. It is for trying things out only ' +
  'and loses its queues when it stops. For a real one: apt-get install redis-server, brew install redis, or REDIS_URL.';

const NO_REDIS =
  'There is no Redis: neither redis-server nor valkey-server is on the PATH, and the in-memory Redis for trying things out';
const REMEDY = 'Install one (apt-get install redis-server, brew install redis), or set REDIS_URL.';

const START_TIMEOUT_MS = 20_000;

export interface LocalRedis extends RunningRedis {
  readonly kind: 'private' | 'in-memory';
  /** Restarts it after it died, at the same URL, so that its clients can reconnect. */
  again(): Promise<LocalRedis>;
}

export interface InMemoryRedisOptions {
  /** True refuses the start: an in-memory Redis must not run in production. */
  readonly production: boolean;
  /** Arguments for Node.js, as for `startNodeProcess`. */
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface LocalRedisOptions extends InMemoryRedisOptions {
  /** A private Redis keeps its data in the subfolder `redis`. The caller holds the lock on this folder. */
  readonly dataDir: string;
}

const startPrivate = async (binary: string, dir: string): Promise<LocalRedis> => ({
  ...(await startPrivateRedis({ binary, dir })),
  kind: 'private',
  again: () => startPrivate(binary, dir),
});

/**
 * Starts an in-memory Redis, empty, and resolves when it answers. Rejects if it is refused or does not start.
 * @param samePort for a restart: the port of the first start. Default: any free port
 */
export const startInMemoryRedis = async (options: InMemoryRedisOptions, samePort?: number): Promise<LocalRedis> => {
  const { production, execArgv, env } = options;
  if (production) throw new Error(`${NO_REDIS} is refused with NODE_ENV=production. ${REMEDY}`);
  const { pid, port, exited, stop } = await startNodeProcess({
    main: fileOf('base/redis/in-memory-redis-process'),
    args: samePort === undefined ? [] : [String(samePort)],
    execArgv,
    env,
    startTimeoutMs: START_TIMEOUT_MS,
  });
  const again = () => startInMemoryRedis(options, must(port, 'the port of the in-memory Redis'));
  // It has nothing to save.
  return { url: `redis://127.0.0.1:${port}`, pid, exited, stop: () => stop(0), kind: 'in-memory', again };
};

/** Starts it; resolves when it answers. Rejects with a message for users if none can be started. */
export const startLocalRedis = (options: LocalRedisOptions): Promise<LocalRedis> => {
  const binary = findRedisServer(options.env['PATH']);
  return binary === undefined ? startInMemoryRedis(options) : startPrivate(binary, join(options.dataDir, 'redis'));
};
