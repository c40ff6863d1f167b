/**
 * Counts the bytes that the batches of a client take in the store, by batch. The counts are in Redis, so that the limit
 * applies across all processes.
 *
 * Invariant: a batch counts as the space of all objects in its folder in the store, in all revisions, and of its state in
 * Redis. The store is measured when a batch ends, expires or is restored in Redis, every minute while it runs, and every
 * hour in any case. Between two measurements, a part is added before it is written. A deleted batch counts nothing. So after
 * a crash, until the next measurement, a count may be too high, or lack a few hundred bytes.
 */

import type { Redis } from '../base/redis/connection.ts';
import { script } from '../base/redis/script.ts';
import { roomOf, type Store } from '../base/store/store.ts';
import type { Client } from '../catalog/clients/clients.ts';
import { limitText } from '../files/unreadable-file.ts';
import { type BatchDocument, keys } from './records.ts';

/** A name that no batch or upload has. */
export const SUM = 'sum';
const NO_LIMIT = -1;

/**
 * Amounts by name and their sum, in one hash. ARGV: name, amount, the maximum sum (-1: any), whether to add the amount or to
 * set it. Returns 0 and changes nothing if the sum would be larger.
 */
const text = `
local before = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local sum = tonumber(redis.call('HGET', KEYS[1], '${SUM}') or '0')
local after = tonumber(ARGV[2])
if ARGV[4] == '1' then after = before + after end
local most = tonumber(ARGV[3])
sum = sum - before + after
if most >= 0 and after > before and sum > most then return 0 end
if after > 0 then redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', after)) else redis.call('HDEL', KEYS[1], ARGV[1]) end
if sum > 0 then redis.call('HSET', KEYS[1], '${SUM}', string.format('%.0f', sum)) else redis.call('HDEL', KEYS[1], '${SUM}') end
return 1`;
const bookScript = script(text);

const LOOK_AGAIN_MS = 5_000;

/** Keeps amounts by name and their sum, per client. @param prefix the prefix of the keys in Redis */
export const createLedger = (prefix: string) => {
  const keyOf = (clientId: string): string => `${prefix}:{${clientId}}`;
  const book = async (redis: Redis, clientId: string, name: string, amount: number, most: number, adding: 0 | 1) =>
    (await bookScript.run(redis, [keyOf(clientId)], [name, amount, most, adding])) === 1;
  const names = async (redis: Redis, clientId: string): Promise<readonly string[]> =>
    (await redis.hkeys(keyOf(clientId))).filter((name) => name !== SUM);
  const remove = async (redis: Redis, clientId: string, name: string): Promise<void> => {
    await book(redis, clientId, name, 0, NO_LIMIT, 0);
  };
  return {
    keyOf,
    names,
    remove,
    /** @returns false if the sum would exceed `most`. Then nothing changes. A smaller amount is always accepted */
    set: (redis: Redis, clientId: string, name: string, amount: number, most = NO_LIMIT): Promise<boolean> =>
      book(redis, clientId, name, amount, most, 0),
    /** Like `set`, but adds to the amount. */
    add: (redis: Redis, clientId: string, name: string, amount: number, most = NO_LIMIT): Promise<boolean> =>
      book(redis, clientId, name, amount, most, 1),
    of: async (redis: Redis, clientId: string, name: string): Promise<number> =>
      Number((await redis.hget(keyOf(clientId), name)) ?? 0),
    sum: async (redis: Redis, clientId: string): Promise<number> =>
      Number((await redis.hget(keyOf(clientId), SUM)) ?? 0),
    /**
     * Drops what is no longer alive, so that it does not block uploads. It checks at most every five seconds, because the
     * cost grows with the entries and a refused client may try again at once.
     */
    dropDead: async (
      redis: Redis,
      clientId: string,
      isAlive: (name: string) => Promise<boolean>,
      drop = remove,
    ): Promise<void> => {
      if ((await redis.set(`${keyOf(clientId)}:looked`, '', 'PX', LOOK_AGAIN_MS, 'NX')) === null) return;
      for (const name of await names(redis, clientId)) if (!(await isAlive(name))) await drop(redis, clientId, name);
    },
  };
};

export type ByteLimit = 'bytesStored' | 'bytesInFlight' | 'outputPerInputByte';
export type ByteLimits = Pick<Client['limits'], ByteLimit>;

/** A client's work exceeds one of its limits. Trying again does not help. */
export class LimitPassed extends Error {
  readonly limit: ByteLimit;
  readonly most: number;
  /** Number of the row that exceeded the limit, if a row did. */
  readonly row: number | undefined;
  constructor(limit: ByteLimit, most: number, row?: number) {
    super(limitText(limit, most));
    this.name = 'LimitPassed';
    this.limit = limit;
    this.most = most;
    this.row = row;
  }
}

/** Bytes that the output of any chunk may have. For a few rows, the ratio says little. */
const FREE_BYTES = 1024 * 1024;

/** Maximum bytes of a list that count per byte of its upload. Only crafted lists compress better. */
const MOST_PACKED = 64;

/** Returns the share of a list's bytes that counts. */
export const countedShare = ({ inputBytes, sentBytes }: BatchDocument): number =>
  Math.min(1, (MOST_PACKED * sentBytes) / inputBytes);

/** Returns the limit on the bytes of a batch in all revisions, so that many small corrections do not add up to much more. */
export const mostOfBatch = (limits: ByteLimits, document: BatchDocument): number =>
  document.chunks * FREE_BYTES + limits.outputPerInputByte * document.inputBytes * countedShare(document);

/** Returns the limit on the output of this many bytes of rows. */
export const mostOutput = ({ outputPerInputByte }: ByteLimits, bytes: number): number =>
  FREE_BYTES + outputPerInputByte * bytes;

/** The approximate size of a batch's state in Redis. */
const STATE_BYTES = 4_096;

/** Bytes of a client's batches by id, and of uploads by name. Separate from the bytes in flight. */
const held = createLedger('rates:stored');

const measure = async (store: Store, redis: Redis, clientId: string, id: string): Promise<void> => {
  const bytes = await store.bytes(keys.folder(id));
  await held.set(redis, clientId, id, bytes === 0 ? 0 : bytes + STATE_BYTES);
};

export const stored = {
  ...held,
  /** Counts a batch by its size in the store. */
  measure,
  /** The same, if the batch has no count. */
  measureNew: async (store: Store, redis: Redis, clientId: string, id: string): Promise<void> => {
    if ((await held.of(redis, clientId, id)) === 0) await measure(store, redis, clientId, id);
  },
  /** Counts objects of these sizes before they are written for a batch. @throws {LimitPassed} */
  admit: async (
    { store, redis }: { readonly store: Store; readonly redis: Redis },
    clientId: string,
    id: string,
    sizes: readonly number[],
    { bytesStored }: ByteLimits,
  ): Promise<void> => {
    const bytes = sizes.reduce((sum, size) => sum + roomOf(size), 0);
    const add = (): Promise<boolean> => held.add(redis, clientId, id, bytes, bytesStored);
    if (await add()) return;
    // The count may include bytes that were never written.
    await measure(store, redis, clientId, id);
    if (!(await add())) throw new LimitPassed('bytesStored', bytesStored);
  },
} as const;
