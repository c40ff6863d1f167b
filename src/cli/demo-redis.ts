/**
 * A Redis for the demo. One that REDIS_URL names may be in use, by a service or by another demo, whose jobs are none of
 * ours: the demo takes a numbered database of it that is empty, and leaves it empty.
 */
import { randomUUID } from 'node:crypto';
import { readRedisUrl, withDatabase } from '../config/redis-address.ts';
import { createLog } from '../log.ts';
import { connect, type Redis, requireReady } from '../redis/connection.ts';
import { CommandFailure, EXIT } from './exit.ts';

export interface DemoRedis {
  readonly url: string;
  readonly release: () => Promise<void>;
}

const DATABASES = 16;
const REACH_TIMEOUT_MS = 5_000;
const CLAIM = 'rates:demo';
/** Longer than a demo; what a killed one left is emptied by the next after this. */
const CLAIM_SECONDS = 600;

/** True where the selected database is this demo's from now on. */
const claim = async (redis: Redis, id: string): Promise<boolean> => {
  if ((await redis.set(CLAIM, id, 'EX', CLAIM_SECONDS, 'NX')) === null) return false;
  if ((await redis.dbsize()) === 1) return true;
  await redis.del(CLAIM);
  return false;
};

/** @param url of a Redis that answers */
export const demoRedis = async (url: string): Promise<DemoRedis> => {
  const address = readRedisUrl(url);
  if ('kind' in address && address.kind === 'cluster')
    throw new CommandFailure('The Cluster of REDIS_URL has no second database, which the demo needs: unset REDIS_URL.');
  // What goes wrong comes out of the awaited calls.
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
      `${reason}${/[.?]$/.test(reason) ? '' : '.'} Without REDIS_URL the demo brings a Redis of its own.`,
      EXIT.failed,
      { cause: error },
    );
  }
  redis.disconnect();
  throw new CommandFailure('The Redis of REDIS_URL has no empty database for the demo: unset REDIS_URL.');
};
