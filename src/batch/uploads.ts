/**
 * Running uploads, in Redis. The process that receives an upload sends signs of life for it. An upload without signs of life
 * belongs to a dead process.
 */
import { poll } from '../base/poll.ts';
import type { Redis } from '../base/redis/connection.ts';
import { SET_NOW, script } from '../base/redis/script.ts';
import { bytesInFlight, clientIndex } from './client-index.ts';
import { type ByteLimits, LimitPassed, stored } from './quota.ts';
import type { Context } from './scheduler.ts';
import { state } from './state.ts';
import { isActive } from './status.ts';

/** By upload: the time of the last sign of life, by the clock of Redis. */
const UPLOADS = 'rates:uploads';
const SIGN_MS = 20_000;
/** Longer than the outages of Redis and the pauses of a process that an upload should survive. */
const ALIVE_MS = 600_000;
/** An upload is counted again each time this many more bytes have arrived. */
const STEP_BYTES = 4 * 1024 * 1024;

const signScript = script(`
${SET_NOW}
return redis.call('ZADD', KEYS[1], now, ARGV[1])`);
/** Returns the live uploads and removes the others. */
const aliveScript = script(`
${SET_NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ${ALIVE_MS})
return redis.call('ZRANGE', KEYS[1], 0, -1)`);

/** Returns the names of the running uploads. */
export const aliveUploads = async (redis: Redis): Promise<ReadonlySet<string>> => {
  const ids = await aliveScript.run(redis, [UPLOADS], []);
  return new Set(Array.isArray(ids) ? ids.map(String) : []);
};

/** The store has less free space than is reserved for running batches. */
export class NearlyFull extends Error {
  constructor() {
    super('the store is nearly full');
    this.name = 'NearlyFull';
  }
}

export interface UploadDeps extends Pick<Context, 'store' | 'redis'> {
  /** Bytes in the store that are reserved for running batches. */
  readonly reserveBytes: number;
}

export type Uploading = Awaited<ReturnType<typeof beginUpload>>;

/** Removes the counts of dead uploads and of ended batches, so that they do not block uploads. */
const dropDead = async (redis: Redis, clientId: string): Promise<void> => {
  const alive = await aliveUploads(redis);
  await bytesInFlight.dropDead(
    redis,
    clientId,
    async (name) => alive.has(name) || isActive((await state.fields(redis, name))['status'] ?? ''),
  );
};

/**
 * Begins an upload.
 * @param name for its counts: the id of the batch that it becomes, or another unique name
 * @param expected its size in bytes, as far as known
 */
export const beginUpload = async (
  { store, redis, reserveBytes }: UploadDeps,
  clientId: string,
  name: string,
  limits: ByteLimits,
  expected: number,
) => {
  let counted = 0;
  let looked = 0;
  const requireRoom = async (more: number): Promise<void> => {
    const free = await store.free?.();
    if (free !== undefined && free - more < reserveBytes) throw new NearlyFull();
  };
  const enterFlight = (bytes: number): Promise<boolean> =>
    bytesInFlight.set(redis, clientId, name, bytes, limits.bytesInFlight);
  const count = async (bytes: number): Promise<void> => {
    if (!(await enterFlight(bytes))) {
      await dropDead(redis, clientId);
      if (!(await enterFlight(bytes))) throw new LimitPassed('bytesInFlight', limits.bytesInFlight);
    }
    if (!(await stored.set(redis, clientId, name, bytes, limits.bytesStored)))
      throw new LimitPassed('bytesStored', limits.bytesStored);
    counted = bytes;
  };

  await requireRoom(expected);
  // First, because the sweeper does not check what an unknown client leaves behind.
  await clientIndex.addClient(redis, clientId);
  const sign = (): Promise<unknown> => signScript.run(redis, [UPLOADS], [name]);
  await sign();
  // A failed sign does no harm. While Redis is unavailable, nobody considers the upload dead.
  const signing = poll(() => sign().catch(() => undefined), SIGN_MS);
  /** Ends the upload. @param isMade whether its counts stay, because a batch with this name was created */
  const end = async (isMade: boolean): Promise<void> => {
    signing.stop();
    if (!isMade) {
      await bytesInFlight.remove(redis, clientId, name);
      await stored.remove(redis, clientId, name);
    }
    await redis.zrem(UPLOADS, name);
  };
  try {
    await count(Math.max(1, expected));
  } catch (error) {
    await end(false);
    throw error;
  }
  return {
    end,
    /**
     * Reports how many bytes have arrived.
     * @param isAll whether the upload is complete
     * @throws {LimitPassed} {NearlyFull} if no more bytes are accepted
     */
    received: async (bytes: number, isAll: boolean): Promise<void> => {
      if (isAll && bytes !== counted) return await count(bytes);
      if (bytes - looked < STEP_BYTES) return;
      looked = bytes;
      await requireRoom(0);
      if (bytes > counted) await count(bytes);
    },
  };
};
