/**
 * Admitting the chunks of a batch to the queue, and making the state in Redis again from the store: after Redis was
 * emptied, after a job was lost, or after a worker died between two steps.
 */
import { addAssemble, addChunks, type Epoch, type Queues, removeChunks } from '../queue/jobs.ts';
import type { Redis } from '../redis/connection.ts';
import type { Store } from '../store/store.ts';
import { clientIndex, inFlight } from './client-index.ts';
import { stored } from './quota.ts';
import { type BatchDocument, keys, records } from './records.ts';
import { doneChunks, latestRevision, partOf, type RevisionPlan, readRevisionPlan } from './revisions.ts';
import { ADMIT_ONLY, epochOf, type Step, state } from './state.ts';
import { isFinal } from './status.ts';
import { finalFields, initialFields } from './view.ts';
import { createWindow } from './workers.ts';

export interface SchedulerDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly queues: Queues;
  /** How many chunks of one batch may be in the queue; counted here where it is absent. */
  readonly window?: Scheduler['window'];
}

export interface Scheduler {
  /** The same, as it works for a request: the jobs that it adds carry the request's id. */
  readonly causedBy: (requestId: string) => Scheduler;
  /** Takes a batch into the queue whose documents are in the store. */
  readonly enqueue: (document: BatchDocument) => Promise<void>;
  /**
   * Takes a revision into the queue: the state is of it already, its document is in the store, and of the chunks without
   * a corrected row it has the parts.
   */
  readonly enqueueRevision: (document: BatchDocument, revisionPlan: RevisionPlan) => Promise<void>;
  /** Makes the state in Redis again from the store. @returns false where the store has no such batch */
  readonly restore: (id: string) => Promise<boolean>;
  /** The same where Redis has a state that is not the store's. */
  readonly restoreAnew: (id: string) => Promise<void>;
  /** Holds what should be in the queue against what is, and adds what is missing. */
  readonly reconcile: (id: string) => Promise<void>;
  /** Adds the jobs that a step let in. */
  readonly follow: (id: string, revision: number, step: Step) => Promise<void>;
  /** Has a batch put together. */
  readonly assemble: (id: string, of: Epoch) => Promise<void>;
  /** Takes those of these chunks out of the queue that wait, for their turn or for their next try. @returns which they were */
  readonly removeWaiting: (id: string, of: Epoch, indexes: readonly number[]) => Promise<readonly number[]>;
  /** Gives a chunk back that was let in and is not done. */
  readonly returnChunk: (id: string, of: Epoch, index: number) => Promise<void>;
  /** Gives all chunks back that wait. */
  readonly returnWaiting: (id: string) => Promise<void>;
  /** Takes a batch out of Redis; its files are not touched. */
  readonly forget: (id: string, clientId: string) => Promise<void>;
  /** How many chunks of one batch may be in the queue. */
  readonly window: () => Promise<number>;
}

/** A revision whose document is not there after this long was begun by a process that died. */
const UNBORN_MS = 300_000;

/** What goes into the queue and out of it; the store is not asked. */
const createLine = ({ redis, queues, window = createWindow(redis) }: Omit<SchedulerDeps, 'store'>) => {
  const follow: Scheduler['follow'] = async (id, revision, { next, admitted, epoch, clientId }) => {
    await addChunks(queues, id, { revision, epoch, clientId }, admitted);
    if (next === 'assemble') await addAssemble(queues, id, { revision, epoch, clientId });
  };

  const admit = async (id: string, revision: number): Promise<Step> => {
    const step = await state.advance(redis, id, revision, await window(), ADMIT_ONLY, undefined);
    await follow(id, revision, step);
    return step;
  };

  const removeWaiting: Scheduler['removeWaiting'] = (id, of, indexes) => removeChunks(queues, id, of, indexes);

  const returnChunk: Scheduler['returnChunk'] = async (id, { revision }, index) => {
    await follow(id, revision, await state.advance(redis, id, revision, 0, index, undefined));
  };

  const returnWaiting: Scheduler['returnWaiting'] = async (id) => {
    const { revision = '1', round } = await state.fields(redis, id);
    const of = { revision: Number(revision), epoch: epochOf(round) };
    for (const index of await removeWaiting(id, of, await state.open(redis, id))) await returnChunk(id, of, index);
  };

  const assemble: Scheduler['assemble'] = async (id, { revision, epoch }) =>
    addAssemble(queues, id, { revision, epoch, clientId: await state.clientOf(redis, id) });

  return { window, follow, admit, removeWaiting, returnChunk, returnWaiting, assemble };
};

export const createScheduler = (deps: SchedulerDeps): Scheduler => {
  const { store, redis, queues } = deps;
  const line = createLine(deps);
  const { window, follow, admit } = line;

  const register = async (document: BatchDocument, fields: Readonly<Record<string, string>>): Promise<void> => {
    await state.create(redis, document.id, fields);
    await clientIndex.add(redis, document.clientId, document.id, document.createdAt);
  };

  const count = ({ clientId, id, rows, inputBytes }: BatchDocument, toRate = rows): Promise<void> =>
    inFlight.restore(redis, clientId, id, { rows: toRate, bytes: inputBytes });

  /** Counts what is done of a revision, and lets in the rest. */
  const resume = async (document: BatchDocument, revisionPlan: RevisionPlan): Promise<Step> => {
    const { id } = document;
    await count(document, revisionPlan.corrects?.rows);
    for (const index of await doneChunks(store, id, revisionPlan)) {
      const part = await partOf(store, id, revisionPlan, index);
      // A window of nothing: what is done is counted before anything is let in.
      if (part !== undefined) await state.advance(redis, id, revisionPlan.revision, 0, index, part);
    }
    return await admit(id, revisionPlan.revision);
  };

  const restore = async (id: string): Promise<boolean> => {
    const document = await records.batch(store, id);
    const revision = document === undefined ? 1 : await latestRevision(store, id);
    const revisionPlan = document === undefined ? undefined : await readRevisionPlan(store, id, revision);
    if (document === undefined || revisionPlan === undefined) return false;
    const final = await records.final(store, id, revision);
    const cancelled = (await store.size(keys.cancel(id, revision))) !== undefined;
    const status = final?.status ?? (cancelled ? 'cancelling' : 'queued');
    await register(document, {
      ...initialFields(document, status, revision),
      ...(final === undefined ? {} : finalFields(final)),
    });
    await stored.measure(store, redis, document.clientId, id);
    if (final === undefined) await resume(document, revisionPlan);
    return true;
  };

  const restoreAnew = async (id: string): Promise<void> => {
    await state.remove(redis, id);
    await restore(id);
  };

  const reconcile = async (id: string): Promise<void> => {
    const fields = await state.fields(redis, id);
    const { round: epoch, clientId } = fields;
    const revision = Number(fields['revision'] ?? 1);
    const revisionPlan = await readRevisionPlan(store, id, revision);
    if (revisionPlan === undefined) {
      if (Date.now() - Date.parse(fields['revisedAt'] ?? '') > UNBORN_MS) await restoreAnew(id);
      return;
    }
    if (clientId !== undefined) {
      const rows = revisionPlan.corrects?.rows ?? Number(fields['rows']);
      await inFlight.recount(redis, clientId, id, { rows, bytes: Number(fields['inputBytes'] ?? 0) });
    }
    // Whoever took the wish to cancel may have died before Redis was told.
    if ((await store.size(keys.cancel(id, revision))) !== undefined) await state.cancel(redis, id);
    for (const index of await state.open(redis, id)) {
      const part = await partOf(store, id, revisionPlan, index);
      // Its worker wrote the part and died before it could say so.
      if (part === undefined) await addChunks(queues, id, { revision, epoch, clientId }, [index]);
      else await follow(id, revision, await state.advance(redis, id, revision, await window(), index, part));
    }
    await admit(id, revision);
  };

  return {
    ...line,
    causedBy: (requestId) => createScheduler({ ...deps, window, queues: { ...queues, requestId } }),
    enqueue: async (document) => {
      await register(document, initialFields(document, 'queued', 1));
      await count(document);
      await admit(document.id, 1);
    },
    enqueueRevision: async (document, revisionPlan) => {
      // The sweeper may have given the revision up for dead before its document was there.
      if ((await resume(document, revisionPlan)).next === 'superseded') await restoreAnew(document.id);
    },
    restore,
    restoreAnew,
    reconcile,
    forget: async (id, clientId) => {
      // It is listed until all else is gone, so that the sweeper finds what is left where this is broken off.
      await state.remove(redis, id);
      await inFlight.leave(redis, clientId, id);
      await stored.remove(redis, clientId, id);
      await clientIndex.remove(redis, clientId, id);
    },
  };
};

export interface RecheckDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly scheduler: Pick<Scheduler, 'restoreAnew'>;
}

/** @returns true where the batch's state was made again */
export type Recheck = (id: string, fields: Readonly<Record<string, string>>) => Promise<boolean>;

export const createRecheck =
  ({ store, redis, scheduler }: RecheckDeps): Recheck =>
  async (id, { clientId, createdAt, status, revision }) => {
    if (clientId !== undefined && createdAt !== undefined) await clientIndex.add(redis, clientId, id, createdAt);
    const latest = await latestRevision(store, id);
    // Of a revision that is being made Redis knows before the store: it is never behind by being ahead.
    const isBehind = latest > Number(revision);
    // A final state without its document is one of before a retry.
    const differs = isFinal(status) && (await records.final(store, id, latest))?.status !== status;
    if (!isBehind && !differs) return false;
    await scheduler.restoreAnew(id);
    return true;
  };
