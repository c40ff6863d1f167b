/**
 * A Redis for a test file, real or as real as the machine has it (redis-setup.ts), in a numbered database that is the
 * file's own: it was empty or left by an earlier run of ours, never somebody else's, and it is empty again afterwards.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import type { RunRedis } from './redis-setup.ts';

export interface TestRedis extends RunRedis {
  /** False on the stand-in, which forgets at a restart and behaves like Redis only as far as it goes. */
  readonly isReal: boolean;
  /** Removes all keys of this file's database. */
  clear(): Promise<void>;
  /** Empties the database and gives it back. */
  stop(): Promise<void>;
}

const DATABASES = 16;
/** Longer than a run; a run that was killed gives its databases back by this. */
const CLAIM_SECONDS = 900;
const CLAIM = 'shipping-rates:test:claim';
const OURS = 'shipping-rates:test:ours';

const urlOf = (url: string, database: number): string => Object.assign(new URL(url), { pathname: `/${database}` }).href;

const clearAllBut = async (redis: Redis, kept: readonly string[]): Promise<void> => {
  const keys = (await redis.keys('*')).filter((key) => !kept.includes(key));
  if (keys.length > 0) await redis.unlink(...keys);
};

/** True where the selected database is this file's from now on. */
const claim = async (redis: Redis, id: string): Promise<boolean> => {
  if ((await redis.set(CLAIM, id, 'EX', CLAIM_SECONDS, 'NX')) === null) return false;
  if ((await redis.dbsize()) > 1 && (await redis.exists(OURS)) === 0) {
    await redis.del(CLAIM);
    return false;
  }
  await clearAllBut(redis, [CLAIM]);
  await redis.set(OURS, '1');
  return true;
};

/** Database 0 is left alone: it is where people keep things. */
const claimDatabase = async (redis: Redis, id: string): Promise<number> => {
  for (let database = 1; database < DATABASES; database += 1) {
    await redis.select(database);
    if (await claim(redis, id)) return database;
  }
  throw new Error('No database of this Redis is free for a test.');
};

/** Takes a database for the calling test file; `stop` must be called at its end. */
export const testRedis = async (): Promise<TestRedis> => {
  const { url, kind } = inject('redis');
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined); // The awaited calls fail too.
  const database = await claimDatabase(redis, randomUUID());
  return {
    url: urlOf(url, database),
    kind,
    isReal: kind !== 'stand-in',
    clear: () => clearAllBut(redis, [CLAIM, OURS]),
    stop: async () => {
      await redis.flushdb();
      redis.disconnect();
    },
  };
};
