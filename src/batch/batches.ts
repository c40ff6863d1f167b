/** The life of a batch seen from outside its workers: looked at, listed, cancelled, retried, deleted. */
import type { Redis } from '../redis/connection.ts';
import { putJson, type Store } from '../store/store.ts';
import { turn } from '../time-slices.ts';
import { clientIndex, cursorOf, type Listed, readCursor } from './client-index.ts';
import { BATCH_ID, keys, records } from './records.ts';
import { latestRevision } from './revisions.ts';
import type { Scheduler } from './scheduler.ts';
import { state } from './state.ts';
import { isActive } from './status.ts';
import { type BatchFields, type BatchPage, type BatchView, readFields, viewOf } from './view.ts';

export interface BatchDeps {
  readonly store: Store;
  /** A producer's connection: fails at once while Redis is away. */
  readonly redis: Redis;
  readonly scheduler: Scheduler;
  readonly now: () => Date;
}

export interface FoundBatch {
  readonly id: string;
  readonly fields: BatchFields;
  readonly view: BatchView;
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

export const createBatches = (deps: BatchDeps): Batches => {
  const { store, redis, scheduler, now } = deps;
  const find = async (id: string, clientId: string): Promise<FoundBatch | undefined> => {
    if (!BATCH_ID.test(id)) return undefined;
    let raw = await state.fields(redis, id);
    if (raw['status'] === undefined) {
      if (!(await scheduler.restore(id))) return undefined;
      raw = await state.fields(redis, id);
    }
    const fields = readFields(raw);
    if (fields === undefined || fields.clientId !== clientId || fields.deleted !== undefined) return undefined;
    return { id, fields, view: viewOf(id, fields, raw, now()) };
  };

  /** A batch as a list shows it. What Redis lists and the store does not have is left out; the sweeper forgets it. */
  const listed = async ({ id, fields: raw }: Listed, clientId: string, at: Date): Promise<BatchView | undefined> => {
    if (raw['status'] === undefined) return (await find(id, clientId))?.view;
    // Nobody has begun with it: the process that made it may have died before it was there.
    if (raw['status'] === 'queued' && (await store.size(keys.batch(id))) === undefined) return undefined;
    const fields = readFields(raw);
    return fields === undefined || fields.deleted !== undefined ? undefined : viewOf(id, fields, raw, at);
  };

  const list: Batches['list'] = async (clientId, limit, cursor) => {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const { entries, more } = await clientIndex.page(redis, clientId, limit, after);
    await turn();
    const at = now();
    const viewed = await Promise.all(entries.map((entry) => listed(entry, clientId, at)));
    const views = viewed.flatMap((view) => (view === undefined ? [] : [view]));
    const last = views.at(-1);
    return { batches: views, next: more && last !== undefined ? cursorOf(last.createdAt, last.id) : null };
  };

  const revisionOf = async (id: string): Promise<number> =>
    Number((await state.fields(redis, id))['revision'] ?? (await latestRevision(store, id)));

  return {
    causedBy: (requestId) => createBatches({ ...deps, scheduler: scheduler.causedBy(requestId) }),
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
        await scheduler.returnWaiting(id);
        await scheduler.reconcile(id);
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
      return await scheduler.restore(id);
    },
    remove: async (id, clientId) => {
      // First, so that nobody is shown it any more; where this is broken off, the sweeper goes on with it.
      await state.deleted(redis, id);
      // With its document gone the batch does not exist; what a kill leaves of the rest is swept.
      await store.remove(keys.batch(id));
      await store.remove(keys.folder(id));
      await scheduler.forget(id, clientId);
    },
  };
};
