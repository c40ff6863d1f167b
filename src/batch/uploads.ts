/**
 * Uploads under way, in Redis: each gives a sign of life while its process receives it. What has lain there without one
 * belongs to a process that died.
 */
import { lookOften } from '../poll.ts';
import type { Redis } from '../redis/connection.ts';
import { SET_NOW, script } from '../redis/script.ts';
import type { Store } from '../store/store.ts';
import { clientIndex, inFlight } from './client-index.ts';
import { type ByteLimits, LimitPassed, stored } from './quota.ts';
import { state } from './state.ts';
import { isActive } from './status.ts';

/** When each gave its last sign, by the clock of Redis. */
const UPLOADS = 'rates:uploads';
const SIGN_MS = 20_000;
/** Longer than Redis may be away, or a process stand still, without its uploads being taken for dead. */
const ALIVE_MS = 600_000;
/** An upload is counted each time that so much more of it has come. */
const STEP_BYTES = 4 * 1024 * 1024;

const signScript = script(`
${SET_NOW}
return redis.call('ZADD', KEYS[1], now, ARGV[1])`);
/** Returns those that are alive, and forgets the others. */
const aliveScript = script(`
${SET_NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ${ALIVE_MS})
return redis.call('ZRANGE', KEYS[1], 0, -1)`);

/** Names of the uploads under way. */
export const aliveUploads = async (redis: Redis): Promise<ReadonlySet<string>> => {
  const ids = await aliveScript.run(redis, [UPLOADS], []);
  return new Set(Array.isArray(ids) ? ids.map(String) : []);
};

/** The store has less room than is kept for batches under way. */
export class NearlyFull extends Error {
  constructor() {
    super('the store is nearly full');
    this.name = 'NearlyFull';
  }
}

export interface UploadDeps {
  readonly store: Store;
  readonly redis: Redis;
  /** Room in the store that is kept for batches under way. */
  readonly reserveBytes: number;
}

export interface Uploading {
  /**
   * Says how much has come in all.
   * @param isAll whether that is all of it
   * @throws {LimitPassed} {NearlyFull} where no more is taken
   */
  readonly received: (bytes: number, isAll: boolean) => Promise<void>;
  /** Ends it. @param isMade whether what was counted for it stands on, as that of a batch of this name */
  readonly end: (isMade: boolean) => Promise<void>;
}

/** Uploads that no process receives any more, and batches that have ended, must keep nobody out. */
const dropDead = async (redis: Redis, clientId: string): Promise<void> => {
  // A look costs as much as there are entries, and a client that is refused may ask again at once.
  if (!(await inFlight.mayLookAtBytes(redis, clientId))) return;
  const alive = await aliveUploads(redis);
  for (const name of await inFlight.byteNames(redis, clientId)) {
    const { status = '' } = alive.has(name) ? { status: 'queued' } : await state.fields(redis, name);
    if (!isActive(status)) await inFlight.setBytes(redis, clientId, name, 0);
  }
};

/**
 * Begins an upload.
 * @param name under which its bytes are counted: the id of the batch that is made of it, or one of the upload's own
 * @param expected how many bytes it has, as far as is known
 */
export const beginUpload = async (
  { store, redis, reserveBytes }: UploadDeps,
  clientId: string,
  name: string,
  limits: ByteLimits,
  expected: number,
): Promise<Uploading> => {
  let counted = 0;
  let looked = 0;
  const requireRoom = async (more: number): Promise<void> => {
    const free = await store.free?.();
    if (free !== undefined && free - more < reserveBytes) throw new NearlyFull();
  };
  const enterFlight = (bytes: number): Promise<boolean> =>
    inFlight.setBytes(redis, clientId, name, bytes, limits.bytesInFlight);
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
  // First, for what a client that is not known leaves nobody looks after.
  await clientIndex.know(redis, clientId);
  const sign = (): Promise<unknown> => signScript.run(redis, [UPLOADS], [name]);
  await sign();
  // While Redis is away there is nobody who would take it for dead.
  const signing = lookOften(
    () =>
      sign().then(
        () => undefined,
        () => undefined,
      ),
    SIGN_MS,
  );
  const end = async (isMade: boolean): Promise<void> => {
    signing.stop();
    if (!isMade) {
      await inFlight.setBytes(redis, clientId, name, 0);
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
    received: async (bytes, isAll) => {
      if (isAll && bytes !== counted) return await count(bytes);
      if (bytes - looked < STEP_BYTES) return;
      looked = bytes;
      await requireRoom(0);
      if (bytes > counted) await count(bytes);
    },
  };
};
