/** The parts of the service in separate processes that are measured separately: APIs, workers, a Redis and a store. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type NodeProcess, startNodeProcess } from '../../src/base/process/node-process.ts';
import { type LocalRedis, startLocalRedis } from '../../src/base/redis/local-redis.ts';
import { hasSwift, startSwift } from '../cluster/swift.ts';
import { BUILT, childrenOf, clientOf, type Service } from './service.ts';
import { type StoreCounts, startStoreCounter } from './store-counter.ts';

const START_MS = 120_000;

/** A Redis and a store for the processes of the service. */
export interface Backend {
  readonly redis: Redis;
  readonly redisUrl: string;
  /** `Swift`, or `disk` if its packages are missing: then the store is not counted. */
  readonly store: 'Swift' | 'disk';
  readonly env: Readonly<Record<string, string>>;
  readonly storeCounts: () => StoreCounts;
  readonly storePids: () => readonly number[];
  readonly stop: () => Promise<void>;
}

const swiftPids = (): readonly number[] =>
  childrenOf(process.pid)
    .map(({ pid }) => pid)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/swift-'));

const NOTHING: StoreCounts = { requests: {}, bytesIn: 0, bytesOut: 0 };

const openStore = async (dataDir: string) => {
  if (!hasSwift())
    return { store: 'disk' as const, env: {}, counts: () => NOTHING, pids: () => [], stop: async () => undefined };
  const swift = await startSwift();
  const counter = await startStoreCounter(swift.endpoint);
  return {
    store: 'Swift' as const,
    env: { ...swift.env, AWS_ENDPOINT_URL_S3: counter.endpoint, DATA_DIR: dataDir },
    counts: counter.counts,
    pids: swiftPids,
    stop: async () => {
      await counter.close();
      await swift.stop();
    },
  };
};

export const openBackend = async (): Promise<Backend> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rates-capacity-'));
  const local: LocalRedis = await startLocalRedis({ dataDir, production: true, env: process.env, execArgv: [] });
  const { store, env, counts, pids, stop } = await openStore(dataDir);
  const redis = new Redis(local.url, { maxRetriesPerRequest: null });
  const quiet = { LOG_LEVEL: 'error', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
  return {
    redis,
    redisUrl: local.url,
    store,
    env: { ...process.env, ...env, DATA_DIR: dataDir, REDIS_URL: local.url, PORT: '0', ...quiet },
    storeCounts: counts,
    storePids: pids,
    stop: async () => {
      redis.disconnect();
      await stop();
      await local.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Starts this many APIs and workers. */
export interface Parts {
  readonly backend: Backend;
  readonly apis: readonly Service[];
  readonly workers: readonly number[];
  readonly stop: () => Promise<void>;
}

const serviceAt = async ({ pid, port, stop }: NodeProcess, dataDir: string): Promise<Service> => {
  const url = `http://127.0.0.1:${port}`;
  return { url, dataDir, pid, ...(await clientOf(url)), stop: () => stop(START_MS) };
};

export const startParts = async (backend: Backend, apis: number, workers: number): Promise<Parts> => {
  const [main = ''] = BUILT;
  const start = (...args: readonly string[]): Promise<NodeProcess> =>
    startNodeProcess({ main, args, execArgv: [], env: backend.env, startTimeoutMs: START_MS });
  const running: NodeProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((process) => process.stop(START_MS)));
  };
  try {
    for (let index = 0; index < apis; index += 1) running.push(await start('api'));
    for (let index = 0; index < workers; index += 1) running.push(await start('worker', '--no-restart'));
    const services = await Promise.all(
      running.slice(0, apis).map((api) => serviceAt(api, backend.env['DATA_DIR'] ?? '')),
    );
    return { backend, apis: services, workers: running.slice(apis).map(({ pid }) => pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
