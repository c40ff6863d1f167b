/**
 * A Redis for a test file, as real as the machine allows (redis-setup.ts), in its own numbered database. The
 * database was empty or left by an earlier test run, never in other use, and is empty again soon afterwards. A
 * Cluster has one database, so test files run one after the other there.
 */
import { randomUUID } from 'node:crypto';
import { Cluster, type Redis as Server } from 'ioredis';
import { pino } from 'pino';
import { beforeAll, inject } from 'vitest';
import { withDatabase } from '../src/base/config/redis-address.ts';
import { connect, type Redis, waitUntilReady } from '../src/base/redis/connection.ts';
import type { RunRedis } from './redis-setup.ts';
import { soon } from './soon.ts';

export interface TestRedis extends RunRedis {
  /** False on the in-memory Redis, which loses its data at a restart and behaves like Redis only in part. */
  readonly isReal: boolean;
  /** Removes all keys of this file's database, in one step on each server. */
  clear(): Promise<void>;
  /** Empties the database, and gives it back two seconds later. */
  stop(): Promise<void>;
}

const DATABASES = 16;
/** Longer than a run. The databases of a killed run are free again after this time. */
const CLAIM_SECONDS = 900;
/** From the end of a file to the next use of its database: its process has ended by then. */
const RELEASE_SECONDS = 2;
const CLAIM = 'shipping-rates:test:claim';
const OURS = 'shipping-rates:test:ours';
const READY_MS = 10_000;

/** A ready connection like that of a worker, without a log. */
export const openRedis = async (url: string): Promise<Redis> => {
  const redis = connect(url, 'worker', { log: pino({ level: 'silent' }) });
  await waitUntilReady(redis, READY_MS);
  return redis;
};

/** The servers that hold the data. */
export const serversOf = (redis: Redis): readonly Server[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis];

const size = async (redis: Redis): Promise<number> => {
  const sizes = await Promise.all(serversOf(redis).map((server) => server.dbsize()));
  return sizes.reduce((sum, keys) => sum + keys, 0);
};

const clear = async (redis: Redis, id: string): Promise<void> => {
  if (redis instanceof Cluster) {
    await Promise.all(redis.nodes('master').map((server) => server.flushdb()));
    await redis.set(CLAIM, id, 'EX', CLAIM_SECONDS);
    await redis.set(OURS, '1');
  } else await redis.multi().flushdb().set(CLAIM, id, 'EX', CLAIM_SECONDS).set(OURS, '1').exec();
};

/** True if the selected database belongs to this file from now on. */
const claim = async (redis: Redis, id: string): Promise<boolean> => {
  if ((await redis.set(CLAIM, id, 'EX', CLAIM_SECONDS, 'NX')) === null) return false;
  if ((await size(redis)) > 1 && (await redis.exists(OURS)) === 0) {
    await redis.del(CLAIM);
    return false;
  }
  await clear(redis, id);
  return true;
};

/** Database 0 is not used if there are others, because people keep data there. */
const freeDatabase = async (redis: Redis, url: string, id: string): Promise<string> => {
  if (redis instanceof Cluster) {
    if (await claim(redis, id)) return url;
  } else
    for (let database = 1; database < DATABASES; database += 1) {
      await redis.select(database);
      if (await claim(redis, id)) return withDatabase(url, database);
    }
  throw new Error('No database of this Redis is free for a test.');
};

/** Short files that end one after another hold all databases for a moment. */
const claimDatabase = (redis: Redis, url: string, id: string): Promise<string> =>
  soon(() => freeDatabase(redis, url, id));

/** Takes a database for the calling test file; `stop` must be called at its end. */
export const testRedis = async (): Promise<TestRedis> => {
  const { url, kind } = inject('redis');
  const redis = await openRedis(url);
  const id = randomUUID();
  return {
    url: await claimDatabase(redis, url, id),
    kind,
    isReal: kind !== 'in-memory',
    clear: () => clear(redis, id),
    stop: async () => {
      // What the file still runs may write for a moment: a follower repairs what is published. No other file has it then. In
      // one step: another file that found it without a claim would lose its own claim to this one, and soon its data.
      const [claimed, ours] = [RELEASE_SECONDS, RELEASE_SECONDS + 1];
      if (redis instanceof Cluster) await Promise.all(redis.nodes('master').map((server) => server.flushdb()));
      else await redis.multi().flushdb().set(CLAIM, id, 'EX', claimed).set(OURS, '1', 'EX', ours).exec();
      redis.disconnect();
    },
  };
};

/** Takes a database before the tests of a file. Hooks that need it come later in the file. */
export const redisForFile = (use: (redis: TestRedis) => unknown): void =>
  beforeAll(async () => {
    const redis = await testRedis();
    await use(redis);
    return redis.stop;
  });
