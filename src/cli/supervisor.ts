/**
 * The whole service on one machine: a Redis where none is given, one API process and the workers, all in this process's
 * group, each started again when it ends by itself. They end in order: the API and the workers first, then Redis.
 */

import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/settings.ts';
import type { Logger } from '../log.ts';
import { lockFolder } from '../process/folder-lock.ts';
import { type Kept, keepRunning } from '../process/keep-running.ts';
import { type NodeProcess, NotStarted, startNodeProcess } from '../process/node-process.ts';
import { openRelease } from '../queue/active-jobs.ts';
import { requireFitRedis } from '../redis/check-redis.ts';
import { STAND_IN_NOTICE } from '../redis/in-memory-redis.ts';
import { type LocalRedis, startLocalRedis } from '../redis/local-redis.ts';
import { CommandFailure, EXIT } from './exit.ts';

const START_TIMEOUT_MS = 30_000;
/** With Redis's own time to end it stays below the 10 s that containers are commonly given. */
const STOP_TIMEOUT_MS = 7_000;

/**
 * The API holds some 30 MB. Told of a small heap, V8 collects early: else it lets a busy API grow to what a machine of
 * many gigabytes allows, at nothing gained. An operator's own `NODE_OPTIONS` come after it, and count.
 */
const API_NODE_OPTIONS = '--max-old-space-size=512';

/** The module that a process runs, and its arguments. Only a worker's command line contains `worker`. */
interface Program {
  readonly main: string;
  readonly args: readonly string[];
}

interface Programs {
  readonly api: Program;
  readonly worker: Program;
}

const extension = extname(import.meta.filename);
const PROGRAMS: Programs = {
  api: { main: join(import.meta.dirname, `main${extension}`), args: ['api'] },
  worker: { main: join(import.meta.dirname, '..', '..', 'workers', `main${extension}`), args: [] },
};

export interface WorkerExit {
  /** The name that the worker was given as `WORKER_NAME`, `worker-1` and so on; its successor has it too. */
  readonly name: string;
  readonly pid: number;
  readonly how: string;
}

export interface ServiceDeps {
  /** The environment that `config` was read from; the processes get it with what has been settled since. */
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: readonly string[];
  readonly log: Logger;
  /** Says a line to people. */
  readonly tell: (line: string) => void;
  /** Told of a worker that ended by itself, so that what it was doing need not wait for its locks to expire. */
  readonly onWorkerExit?: (exit: WorkerExit) => void;
  readonly programs?: Programs;
}

export interface Service {
  readonly url: string;
  readonly redisUrl: string;
  /** Ends all in order, by force after `timeoutMs`. A second call may be less patient. */
  stop(timeoutMs?: number): Promise<void>;
}

type Release = (timeoutMs: number) => Promise<void>;

/** Makes the data folder this service's alone, or refuses. */
const lockData = async ({ dataDir }: Config): Promise<Release> => {
  const lock = await lockFolder(dataDir);
  if (lock !== undefined) return lock.release;
  throw new Error(`Another service runs on ${dataDir}. Stop it, or choose another folder with DATA_DIR.`);
};

/** Runs a Redis on the data folder. */
const ownRedis = async (config: Config, deps: ServiceDeps, onStopLast: (release: Release) => void): Promise<string> => {
  const { env, execArgv, log, tell } = deps;
  const { dataDir, production } = config;
  const redis: Kept<LocalRedis> = await keepRunning<LocalRedis>({
    name: 'redis',
    log,
    start: (previous) => previous?.again() ?? startLocalRedis({ dataDir, production, env, execArgv }),
  });
  onStopLast(redis.stop);
  if (redis.current().kind === 'stand-in') tell(STAND_IN_NOTICE);
  return redis.current().url;
};

interface ProcessesOptions {
  readonly config: Config;
  readonly deps: ServiceDeps;
  readonly env: NodeJS.ProcessEnv;
}

const keepProcess = (
  name: string,
  program: Program,
  { deps, env }: ProcessesOptions,
  onExit?: (ended: NodeProcess, how: string) => void,
): Promise<Kept<NodeProcess>> =>
  keepRunning<NodeProcess>({
    name,
    log: deps.log,
    start: (previous) => {
      // Started again, the API listens where it did before.
      const port = previous?.port === undefined ? {} : { PORT: String(previous.port) };
      const { execArgv } = deps;
      return startNodeProcess({ ...program, execArgv, env: { ...env, ...port }, startTimeoutMs: START_TIMEOUT_MS });
    },
    ...(onExit && { onExit }),
  });

/** A process of ours that fails has said why, on the standard error that is this one's too. */
const unlessSaid = (error: unknown): unknown =>
  error instanceof NotStarted && error.how === `exit code ${EXIT.failed}`
    ? new CommandFailure('', EXIT.failed, { cause: error })
    : error;

/** Starts the API and the workers; resolves with the API's port. All that has been started is told to `onStopFirst`. */
const startProcesses = async (options: ProcessesOptions, onStopFirst: (release: Release) => void): Promise<number> => {
  const { config, deps, env } = options;
  const { api, worker } = deps.programs ?? PROGRAMS;
  const names = Array.from({ length: config.workers }, (_, index) => `worker-${index + 1}`);
  const nodeOptions = `${API_NODE_OPTIONS} ${env['NODE_OPTIONS'] ?? ''}`;
  const starting = [
    keepProcess('api', api, { ...options, env: { ...env, NODE_OPTIONS: nodeOptions } }),
    ...names.map((name) =>
      keepProcess(name, worker, { ...options, env: { ...env, WORKER_NAME: name } }, ({ pid }, how) =>
        deps.onWorkerExit?.({ name, pid, how }),
      ),
    ),
  ];
  const results = await Promise.allSettled(starting);
  for (const result of results) if (result.status === 'fulfilled') onStopFirst(result.value.stop);
  for (const result of results) if (result.status === 'rejected') throw unlessSaid(result.reason);
  const [first] = results;
  return (first?.status === 'fulfilled' ? first.value.current().port : undefined) ?? config.port;
};

const urlOf = (host: string, port: number): string => {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

/**
 * Starts the whole service and resolves when all of it is up. Rejects, with nothing left running, where any part of it
 * does not start: the data folder is another service's, Redis is unfit, the port is taken.
 */
export const startService = async (config: Config, deps: ServiceDeps): Promise<Service> => {
  const first: Release[] = [];
  const last: Release[] = [];
  const release = async (timeoutMs: number): Promise<void> => {
    await Promise.all(first.map((stop) => stop(timeoutMs)));
    for (const stop of last) await stop(timeoutMs);
  };
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const own = config.redisUrl === undefined;
    const stopLast = (stop: Release): void => void last.unshift(stop);
    if (own) stopLast(await lockData(config));
    await requireAddress(config);
    const redisUrl = config.redisUrl ?? (await ownRedis(config, deps, stopLast));
    const warnings = await requireFitRedis(redisUrl, deps);
    if (!own) warnings.forEach(deps.tell);
    const env = { ...deps.env, REDIS_URL: redisUrl, DATA_DIR: config.dataDir };
    const jobs = openRelease(redisUrl, deps);
    stopLast(jobs.close);
    if (own) await jobs.all();
    const onWorkerExit = (exit: WorkerExit): void => {
      jobs.jobsOf(exit.pid).catch((err: unknown) => deps.log.warn({ err, ...exit }, 'jobs not freed'));
      deps.onWorkerExit?.(exit);
    };
    const options = { config, deps: { ...deps, onWorkerExit }, env };
    const port = await startProcesses(options, (stop) => first.push(stop));
    let stopping: Promise<void> | undefined;
    const stop = async (timeoutMs = STOP_TIMEOUT_MS): Promise<void> => {
      if (stopping !== undefined) await Promise.all(first.map((end) => end(timeoutMs)));
      stopping ??= release(timeoutMs);
      await stopping;
    };
    return { url: urlOf(config.host, port), redisUrl, stop };
  } catch (error) {
    await release(STOP_TIMEOUT_MS);
    throw error;
  }
};

type Address = Pick<Config, 'host' | 'port'>;

/** For so long an API may still listen that was of a service which was killed. */
const ADDRESS_WAIT_MS = 3_000;
const ADDRESS_LOOK_MS = 100;

const tryAddress = async ({ host, port }: Address): Promise<void> => {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
};

/**
 * Resolves where an API that is started now will be able to listen.
 * @throws {Error} of the system where it will not (`EADDRINUSE`)
 */
const requireAddress = async (config: Address): Promise<void> => {
  for (const deadline = performance.now() + ADDRESS_WAIT_MS; ; await sleep(ADDRESS_LOOK_MS)) {
    try {
      return await tryAddress(config);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || performance.now() > deadline) throw error;
    }
  }
};
