/**
 * Hooks for test files that share one batch API, or start one for each test, on their own Redis.
 * Call them before the file's own hooks, which then begin after them and end before them.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { redisForFile, type TestRedis, testRedis } from '../redis.ts';
import { type BatchApi, type BatchApiOptions, startBatchApi } from './batch-api.ts';

interface Started {
  readonly redis: TestRedis;
  readonly api: BatchApi;
}

/** Stores what was started for the tests of the file. Its result is awaited. */
type Take = (started: Started) => unknown;
type Stop = () => Promise<void>;

interface FileOptions extends Omit<BatchApiOptions, 'redisUrl'> {
  /** True if a worker runs from before the first test until after the last. */
  readonly worker?: boolean;
}

/** One batch API for all tests of the file. */
export const batchApiForFile = (take: Take, { worker = false, ...options }: FileOptions = {}): void => {
  const stops: Stop[] = [];
  beforeAll(async () => {
    const redis = await testRedis();
    stops.unshift(redis.stop);
    const api = await startBatchApi({ ...options, redisUrl: redis.url });
    stops.unshift(api.close);
    if (worker) stops.unshift(await api.work());
    await take({ redis, api });
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
};

interface Workers {
  /** Starts a worker that ends with the test. @returns a function that stops it earlier */
  readonly work: (name?: string) => Promise<Stop>;
  /** Stops all workers. */
  readonly rest: () => Promise<void>;
}

/** A fresh batch API for each test of the file. Redis is emptied after each test. */
export const batchApiForEachTest = (take: Take, options: Omit<BatchApiOptions, 'redisUrl'> = {}): Workers => {
  let redis: TestRedis;
  let api: BatchApi;
  const working = new Set<Stop>();
  const rest = async (): Promise<void> => {
    for (const stop of working) await stop();
    working.clear();
  };
  redisForFile((made) => (redis = made));
  beforeEach(async () => {
    api = await startBatchApi({ ...options, redisUrl: redis.url });
    await take({ redis, api });
  });
  afterEach(async () => {
    await rest();
    await redis.clear();
    await api.close();
  });
  const work = async (name?: string): Promise<Stop> => {
    const stop = await api.work(name);
    working.add(stop);
    return async () => {
      working.delete(stop);
      await stop();
    };
  };
  return { work, rest };
};
