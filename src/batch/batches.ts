/** The life of a batch seen from outside its workers: looked at, listed, cancelled, retried, deleted. */
import { randomBytes } from 'node:crypto';
import type { Redis } from '../queue/redis.ts';
import { putJson, type Store } from '../store/store.ts';
import type { Intake } from './intake.ts';
import { cursorOf, listing, readCursor } from './listing.ts';
import { BATCH_ID, isActive, keys, records } from './records.ts';
import { latestRevision } from './revisions.ts';
import { state } from './state.ts';
import { type BatchFields, type BatchView, readFields, viewOf } from './view.ts';

export interface BatchDeps {
  readonly store: Store;
  /** A producer's connection: fails at once while Redis is away. */
  readonly redis: Redis;
  readonly intake: Intake;
  readonly now: () => Date;
}

export interface FoundBatch {
  readonly id: string;
  readonly fields: BatchFields;
  readonly view: BatchView;
}

export interface BatchPage {
  readonly batches: readonly BatchView[];
  readonly next: string | null;
}

export interface Batches {
  /** The same, as it works for a request: the jobs that it adds carry the request's id. */
  readonly causedBy: (requestId: string) => Batches;
  /** @returns undefined where there is none of this id, or it is another client's */
  readonly find: (id: string, clientId: string) => Promise<FoundBatch | undefined>;
  /** Newest first. @param cursor where an earlier page said that it goes on */
  readonly list: (clientId: string, limit: number, cursor: string | undefined) => Promise<BatchPage>;
  /** @returns false where it is final already */
  readonly cancel: (id: string) => Promise<boolean>;
  /** @returns false where it is not failed */
  readonly retry: (id: string) => Promise<boolean>;
  /** Removes a batch with its files. */
  readonly remove: (id: string, clientId: string) => Promise<void>;
}

const TIME_DIGITS = 9;

/** A new batch id: sorted by time, then 80 random bits that nobody can guess. */
export const newBatchId = (now: Date): string => {
  const time = now.getTime().toString(36).padStart(TIME_DIGITS, '0');
  const random = BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .padStart(16, '0');
  return `b${time}${random}`;
};

export const createBatches = (deps: BatchDeps): Batches => {
  const { store, redis, intake, now } = deps;
  const find = async (id: string, clientId: string): Promise<FoundBatch | undefined> => {
    if (!BATCH_ID.test(id)) return undefined;
    let raw = await state.fields(redis, id);
    if (raw['status'] === undefined) {
      if (!(await intake.restore(id))) return undefined;
      raw = await state.fields(redis, id);
    }
    const fields = readFields(raw);
    if (fields === undefined || fields.clientId !== clientId) return undefined;
    return { id, fields, view: viewOf(id, fields, raw, now()) };
  };

  const list: Batches['list'] = async (clientId, limit, cursor) => {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    // Batches of one millisecond may lie on both sides of a cursor: some more are read, and those before it left out.
    const entries = await listing.page(redis, clientId, after?.score, limit + 100);
    const skipped = after === undefined ? 0 : entries.indexOf(after.id) + 1;
    const page = entries.slice(skipped, skipped + limit);
    // What Redis lists and the store does not have was never made, or is deleted; the sweeper forgets it.
    const isThere = async (id: string): Promise<boolean> => (await store.size(keys.batch(id))) !== undefined;
    const found = await Promise.all(
      page.map(async (id) => ((await isThere(id)) ? await find(id, clientId) : undefined)),
    );
    const views = found.flatMap((batch) => (batch === undefined ? [] : [batch.view]));
    const last = views.at(-1);
    const more = entries.length > skipped + limit && last !== undefined;
    return { batches: views, next: more ? cursorOf(last.createdAt, last.id) : null };
  };

  const revisionOf = async (id: string): Promise<number> =>
    Number((await state.fields(redis, id))['revision'] ?? (await latestRevision(store, id)));

  return {
    causedBy: (requestId) => createBatches({ ...deps, intake: intake.causedBy(requestId) }),
    find,
    list,
    cancel: async (id) => {
      const revision = await revisionOf(id);
      const before = await state.cancel(redis, id);
      if (!isActive(before)) return false;
      try {
        // A batch that is made again from the store must not go on. After Redis: a full disk keeps no batch from stopping.
        await putJson(store, keys.cancel(id, revision), { at: now().toISOString() }, { durable: true });
      } finally {
        await intake.giveBackWaiting(id);
        await intake.reconcile(id);
      }
      return true;
    },
    retry: async (id) => {
      const revision = await revisionOf(id);
      const final = await records.final(store, id, revision);
      // A retry that was broken off has taken the end away, and Redis does not know yet.
      const isBroken = final === undefined && (await state.fields(redis, id))['status'] === 'failed';
      if (final?.status !== 'failed' && !isBroken) return false;
      // A wish to cancel it that could not be fulfilled is older.
      await store.remove(keys.cancel(id, revision));
      // With its end gone the batch is one that Redis has forgotten: what is done is counted, the rest is let in.
      await store.remove(keys.final(id, revision));
      await state.remove(redis, id);
      return await intake.restore(id);
    },
    remove: async (id, clientId) => {
      // With its document gone the batch does not exist; what a kill leaves of the rest is swept.
      await store.remove(keys.batch(id));
      await store.remove(keys.folder(id));
      await intake.forget(id, clientId);
    },
  };
};
