/**
 * A stand-in for Redis, for trying things out on a machine that has none: `js-redis-server`, a Redis protocol server in
 * JavaScript, in a process of its own. It keeps its data in memory, so that a stop or a crash forgets them, and it slows
 * down as queues grow.
 */
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { startNodeProcess } from '../process/node-process.ts';
import type { RunningRedis } from './private-redis.ts';

export const STAND_IN_NOTICE =
  'No redis-server or valkey-server is installed, so a stand-in runs in its place: it is for trying things out only ' +
  'and forgets its queues when it stops. For a real one: apt-get install redis-server, brew install redis, or REDIS_URL.';

const NO_REDIS =
  'There is no Redis: neither redis-server nor valkey-server is on the PATH, and the stand-in for trying things out';
const REMEDY = 'Install one (apt-get install redis-server, brew install redis), or set REDIS_URL.';

const START_TIMEOUT_MS = 20_000;

export interface StandInOptions {
  /** True where it must not be used, however much it is missed. */
  readonly production: boolean;
  /** Node's own arguments for its process, as in `startNodeProcess`. */
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where it ran before, when it is started again for those who are connected there. Absent: any free port. */
  readonly port?: number;
}

const refuseIfUnfit = (production: boolean): void => {
  if (production) throw new Error(`${NO_REDIS} is refused with NODE_ENV=production. ${REMEDY}`);
  try {
    createRequire(import.meta.url).resolve('js-redis-server/core');
  } catch (cause) {
    throw new Error(`${NO_REDIS}, the package js-redis-server, is not installed. ${REMEDY}`, { cause });
  }
};

/** Starts the stand-in, empty, and resolves when it answers. Rejects where it is refused, missing or does not start. */
export const startStandIn = async (options: StandInOptions): Promise<RunningRedis> => {
  refuseIfUnfit(options.production);
  const { pid, port, exited, stop } = await startNodeProcess({
    main: join(import.meta.dirname, `in-memory-redis-process${extname(import.meta.filename)}`),
    args: options.port === undefined ? [] : [String(options.port)],
    execArgv: options.execArgv,
    env: options.env,
    startTimeoutMs: START_TIMEOUT_MS,
  });
  // There is nothing that it could save.
  return { url: `redis://127.0.0.1:${port}`, pid, exited, stop: () => stop(0) };
};
