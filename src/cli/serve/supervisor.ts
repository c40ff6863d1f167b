/**
 * Runs the whole service on one machine: its own Redis if none is given, one API process and the workers, all in this
 * process's group. Restarts processes that end. On shutdown, the API and the workers stop first, then Redis.
 */
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../base/config/settings.ts';
import type { Logger } from '../../base/log.ts';
import { lockFolder } from '../../base/process/folder-lock.ts';
import { type Kept, keepRunning } from '../../base/process/keep-running.ts';
import { type NodeProcess, NotStarted, startNodeProcess } from '../../base/process/node-process.ts';
import { API_NODE_OPTIONS, fileOf, ONE_GC_THREAD } from '../../base/process/programs.ts';
import { requireUsableRedis } from '../../base/redis/check-redis.ts';
import { IN_MEMORY_REDIS_NOTICE, type LocalRedis, startLocalRedis } from '../../base/redis/local-redis.ts';
import { CommandFailure, EXIT } from '../exit.ts';

const START_TIMEOUT_MS = 30_000;
/** Together with Redis's shutdown time, this is below the 10 s that most container platforms allow. */
const STOP_TIMEOUT_MS = 7_000;

const MAIN = fileOf('cli/main');
/** The module and the arguments of each process. Only the command line of a worker contains `worker`. */
const PROGRAMS = {
  api: { main: MAIN, args: ['api'] },
  worker: { main: MAIN, args: ['worker', '--no-restart'] },
};
type Programs = typeof PROGRAMS;

export interface WorkerExit {
  /** `WORKER_NAME` of the worker, such as `worker-1`. Its successor has the same name. */
  readonly name: string;
  readonly pid: number;
  readonly how: string;
}

export interface ServiceDeps {
  /** The environment that `config` was read from. The processes inherit it. */
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: readonly string[];
  readonly log: Logger;
  /** Prints a line for people. */
  readonly tell: (line: string) => void;
  /** Called when a worker ended by itself, so that its jobs do not wait for their locks to expire. */
  readonly onWorkerExit?: (exit: WorkerExit) => void;
  readonly programs?: Programs;
}

export interface Service {
  readonly url: string;
  readonly redisUrl: string;
  /** Stops everything in order, or by force after `timeoutMs`. A second call may shorten the time. */
  stop(timeoutMs?: number): Promise<void>;
}

type Release = (timeoutMs: number) => Promise<void>;

/** Locks the data folder. @throws {Error} if another service uses it */
const lockData = async ({ dataDir }: Config): Promise<Release> => {
  const lock = await lockFolder(dataDir);
  if (lock !== undefined) return lock.release;
  throw new Error(`Another service uses ${dataDir}. Stop it, or choose another folder with DATA_DIR.`);
};

/** Starts a private Redis with its data in the data folder. */
const ownRedis = async (config: Config, deps: ServiceDeps, onStopLast: (release: Release) => void): Promise<string> => {
  const { env, execArgv, log, tell } = deps;
  const { dataDir, production } = config;
  const redis: Kept<LocalRedis> = await keepRunning<LocalRedis>({
    name: 'redis',
    log,
    start: (previous) => previous?.again() ?? startLocalRedis({ dataDir, production, env, execArgv }),
  });
  onStopLast(redis.stop);
  if (redis.current().kind === 'in-memory') tell(IN_MEMORY_REDIS_NOTICE);
  return redis.current().url;
};

interface ProcessesOptions {
  readonly config: Config;
  readonly deps: ServiceDeps;
  readonly env: NodeJS.ProcessEnv;
}

const keepProcess = (
  name: string,
  program: Programs['api'],
  { deps, env }: ProcessesOptions,
  onExit?: (ended: NodeProcess, how: string) => void,
): Promise<Kept<NodeProcess>> =>
  keepRunning<NodeProcess>({
    name,
    log: deps.log,
    start: (previous) => {
      // A restarted API keeps its port.
      const port = previous?.port === undefined ? {} : { PORT: String(previous.port) };
      const execArgv = [...deps.execArgv, ONE_GC_THREAD];
      return startNodeProcess({ ...program, execArgv, env: { ...env, ...port }, startTimeoutMs: START_TIMEOUT_MS });
    },
    ...(onExit && { onExit }),
  });

/** A child process has already printed its failure, so the parent prints nothing. */
const unlessReported = (error: unknown): unknown =>
  error instanceof NotStarted && error.how === `exit code ${EXIT.failed}`
    ? new CommandFailure('', EXIT.failed, { cause: error })
    : error;

/** Starts the API and the workers. Registers each with `onStopFirst`. @returns the port of the API */
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
  for (const result of results) if (result.status === 'rejected') throw unlessReported(result.reason);
  const [first] = results;
  return (first?.status === 'fulfilled' ? first.value.current().port : undefined) ?? config.port;
};

const urlOf = (host: string, port: number): string => {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

/**
 * Starts the whole service and resolves when all parts are ready. If a part does not start, stops the others and rejects:
 * the data folder is in use, Redis is unsuitable, or the port is taken.
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
    const warnings = await requireUsableRedis(redisUrl, deps);
    if (!own) warnings.forEach(deps.tell);
    const env = { ...deps.env, REDIS_URL: redisUrl, DATA_DIR: config.dataDir };
    const port = await startProcesses({ config, deps, env }, (stop) => first.push(stop));
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

/** How long the API of a killed service may keep listening. */
const ADDRESS_WAIT_MS = 3_000;
const ADDRESS_LOOK_MS = 100;

const tryAddress = async ({ host, port }: Address): Promise<void> => {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
};

/**
 * Resolves if the API can listen on the address. Checked first, before anything starts that would have to be stopped.
 * @throws {Error} the system's error, such as `EADDRINUSE`
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
