/**
 * A Redis for the demo. The Redis in REDIS_URL may be in use by a service or another demo. Therefore the demo takes an empty
 * numbered database, and empties it at the end.
 */
import { randomUUID } from 'node:crypto';
import { readRedisUrl, withDatabase } from '../../base/config/redis-address.ts';
import { createLog } from '../../base/log.ts';
import { connect, type Redis, requireReady } from '../../base/redis/connection.ts';
import { CommandFailure, EXIT } from '../exit.ts';

export interface DemoRedis {
  readonly url: string;
  readonly release: () => Promise<void>;
}

const DATABASES = 16;
const REACH_TIMEOUT_MS = 5_000;
const CLAIM = 'rates:demo';
/** Longer than any demo runs. Afterward, another demo may take the database of a killed demo. */
const CLAIM_SECONDS = 600;

/** Claims the selected database if it is empty. */
const claim = async (redis: Redis, id: string): Promise<boolean> => {
  if ((await redis.set(CLAIM, id, 'EX', CLAIM_SECONDS, 'NX')) === null) return false;
  if ((await redis.dbsize()) === 1) return true;
  await redis.del(CLAIM);
  return false;
};

/** @param url the address of a running Redis */
export const demoRedis = async (url: string): Promise<DemoRedis> => {
  const address = readRedisUrl(url);
  if ('kind' in address && address.kind === 'cluster')
    throw new CommandFailure('The demo needs a numbered database, and a Redis Cluster has none. Unset REDIS_URL.');
  // The awaited calls report failures.
  const redis = connect(url, 'producer', { log: createLog({ level: 'silent', name: 'demo' }) });
  try {
    await requireReady(redis, url, REACH_TIMEOUT_MS);
    for (let database = 1; database < DATABASES; database += 1) {
      await redis.select(database);
      if (!(await claim(redis, randomUUID()))) continue;
      return {
        url: withDatabase(url, database),
        release: async () => {
          await redis.flushdb();
          redis.disconnect();
        },
      };
    }
  } catch (error) {
    redis.disconnect();
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(
      `${reason}${/[.?]$/.test(reason) ? '' : '.'} Without REDIS_URL the demo starts its own Redis.`,
      EXIT.failed,
      { cause: error },
    );
  }
  redis.disconnect();
  throw new CommandFailure('The Redis of REDIS_URL has no empty database for the demo. Unset REDIS_URL.');
};
