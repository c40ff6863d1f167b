/**
 * How many bytes a client's batches hold in the store, by batch, counted in Redis so that the limit holds in all processes.
 *
 * Invariant: a batch counts with what the store has below its folder, whichever revision it is of. The count is taken from
 * the store when a batch ends, expires or is made again in Redis, every minute while it runs, and every hour in any case.
 * In between a part is added before it is written. A batch that is deleted counts nothing. So a crash may leave a count too
 * high for a minute, and never too low for longer than that. What is noted of a batch after its end, some hundred bytes, is
 * counted within the hour.
 */
import type { Client } from '../clients/clients.ts';
import type { Redis } from '../redis/connection.ts';
import type { Store } from '../store/store.ts';
import { ledger } from './bounded-sums.ts';
import { type BatchDocument, keys } from './records.ts';

export type ByteLimit = 'bytesStored' | 'bytesInFlight' | 'outputPerInputByte';
export type ByteLimits = Pick<Client['limits'], ByteLimit>;

/** A client's work is over one of its limits: trying again comes to the same. */
export class LimitPassed extends Error {
  readonly limit: ByteLimit;
  readonly most: number;
  /** Number of the row with which it was passed, where it was one. */
  readonly row: number | undefined;
  constructor(limit: ByteLimit, most: number, row?: number) {
    super(`${limit} is at most ${most}`);
    this.name = 'LimitPassed';
    this.limit = limit;
    this.most = most;
    this.row = row;
  }
}

/** What any chunk may come to: of few rows the bytes say little. */
const FREE_BYTES = 1024 * 1024;

/** Bytes of a list that one byte of its upload stands for at most: lists that are packed tighter were made to be. */
const MOST_PACKED = 64;

/** What part of a list's bytes counts. */
export const weightOf = ({ inputBytes, sentBytes = inputBytes }: BatchDocument): number =>
  Math.min(1, (MOST_PACKED * sentBytes) / inputBytes);

/** The most bytes that rows of so many bytes may come to. */
export const mostOutput = ({ outputPerInputByte }: ByteLimits, bytes: number): number =>
  FREE_BYTES + outputPerInputByte * bytes;

const keyOf = (clientId: string): string => `rates:stored:{${clientId}}`;

const measure = async (store: Store, redis: Redis, clientId: string, id: string): Promise<void> => {
  await ledger.set(redis, keyOf(clientId), id, await store.bytes(keys.folder(id)));
};

export const stored = {
  /** Takes the count of a batch from the store. */
  measure,
  /** The same where there is none. */
  measureNew: async (store: Store, redis: Redis, clientId: string, id: string): Promise<void> => {
    if (!(await ledger.has(redis, keyOf(clientId), id))) await measure(store, redis, clientId, id);
  },
  /** Counts what an upload holds so far. @returns false where it is too much */
  set: (redis: Redis, clientId: string, id: string, bytes: number, most?: number): Promise<boolean> =>
    ledger.set(redis, keyOf(clientId), id, bytes, most),
  /** Counts what is about to be written for a batch. @throws {LimitPassed} where it is too much */
  admit: async (
    { store, redis }: { readonly store: Store; readonly redis: Redis },
    clientId: string,
    id: string,
    bytes: number,
    { bytesStored }: ByteLimits,
  ): Promise<void> => {
    const add = (): Promise<boolean> => ledger.add(redis, keyOf(clientId), id, bytes, bytesStored);
    if (await add()) return;
    // What was tried before, and never written, is counted too.
    await measure(store, redis, clientId, id);
    if (!(await add())) throw new LimitPassed('bytesStored', bytesStored);
  },
  remove: (redis: Redis, clientId: string, id: string): Promise<void> => ledger.remove(redis, keyOf(clientId), id),
  names: (redis: Redis, clientId: string): Promise<readonly string[]> => ledger.names(redis, keyOf(clientId)),
  sum: (redis: Redis, clientId: string): Promise<number> => ledger.sum(redis, keyOf(clientId)),
} as const;
