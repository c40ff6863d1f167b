/**
 * Admits the chunks of a batch to the queue. Rebuilds the state in Redis from the store after Redis was emptied, after a job
 * was lost, or after a worker died between two steps.
 */

import type { Logger } from '../base/log.ts';
import { must } from '../base/must.ts';
import type { Redis } from '../base/redis/connection.ts';
import type { Store } from '../base/store/store.ts';
import type { Snapshots } from '../catalog/published/snapshots.ts';
import { clientIndex, inFlight } from './client-index.ts';
import { addAssemble, addChunks, type Epoch, type Queues, removeChunks } from './queue/jobs.ts';
import { stored } from './quota.ts';
import { type BatchDocument, keys, records } from './records.ts';
import { doneChunks, latestRevision, partOf, type RevisionPlan, readRevisionPlan } from './revisions.ts';
import { ADMIT_ONLY, epochOf, type Step, state } from './state.ts';
import { isFinal } from './status.ts';
import { finalFields, initialFields } from './view.ts';
import { createWindow } from './workers.ts';

/** If a revision still has no document after this time, the process that started it has died. */
const ABANDONED_MS = 300_000;

export interface SchedulerDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly queues: Queues;
}

/**
 * Adds jobs to the queue and removes them, without using the store.
 * @param window how many chunks of one batch may be in the queue
 */
const createLine = ({ redis, queues }: Omit<SchedulerDeps, 'store'>, window: () => Promise<number>) => {
  /** Adds the jobs that a step admitted. */
  const follow = async (id: string, revision: number, { next, admitted, epoch, clientId }: Step): Promise<void> => {
    await addChunks(queues, id, { revision, epoch, clientId }, admitted);
    if (next === 'assemble') await addAssemble(queues, id, { revision, epoch, clientId });
  };

  const admit = async (id: string, revision: number): Promise<Step> => {
    const step = await state.advance(redis, id, revision, await window(), ADMIT_ONLY, undefined);
    await follow(id, revision, step);
    return step;
  };

  /** Removes chunks from the queue that wait for their turn or their next attempt. @returns their indexes */
  const removeWaiting = (id: string, of: Epoch, indexes: readonly number[]): Promise<readonly number[]> =>
    removeChunks(queues, id, of, indexes);

  /** Returns a chunk that was admitted but is not done. */
  const returnChunk = async (id: string, { revision }: Epoch, index: number): Promise<void> =>
    follow(id, revision, await state.advance(redis, id, revision, 0, index, undefined));

  /** Returns all waiting chunks. */
  const returnWaiting = async (id: string): Promise<void> => {
    const { revision = '1', epoch } = await state.fields(redis, id);
    const of = { revision: Number(revision), epoch: epochOf(epoch) };
    for (const index of await removeWaiting(id, of, await state.open(redis, id))) await returnChunk(id, of, index);
  };

  /** Queues the assembly of a batch. */
  const assemble = async (id: string, { revision, epoch }: Epoch): Promise<void> =>
    addAssemble(queues, id, { revision, epoch, clientId: await state.clientOf(redis, id) });

  return { window, follow, admit, removeWaiting, returnChunk, returnWaiting, assemble };
};

const schedulerOf = (deps: SchedulerDeps, window: () => Promise<number>) => {
  const { store, redis, queues } = deps;
  const line = createLine(deps, window);
  const { follow, admit } = line;

  const register = async (document: BatchDocument, fields: Readonly<Record<string, string>>): Promise<void> => {
    await state.create(redis, document.id, fields);
    await clientIndex.add(redis, document.clientId, document.id, document.createdAt, document.comparison?.of?.id);
  };

  const count = ({ clientId, id, rows, inputBytes }: BatchDocument, toRate = rows): Promise<void> =>
    inFlight.restore(redis, clientId, id, { rows: toRate, bytes: inputBytes });

  /** Counts what is done in a revision, and admits the rest. */
  const resume = async (document: BatchDocument, revisionPlan: RevisionPlan): Promise<Step> => {
    const { id } = document;
    await count(document, revisionPlan.corrects?.rows);
    for (const index of await doneChunks(store, id, revisionPlan)) {
      const part = await partOf(store, id, revisionPlan, index);
      // With a window of 0, everything that is done is counted before any chunk is admitted.
      if (part !== undefined) await state.advance(redis, id, revisionPlan.revision, 0, index, part);
    }
    return await admit(id, revisionPlan.revision);
  };

  /** Restores the state in Redis from the store. @returns false if the store has no such batch */
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

  /** The same, if the state in Redis contradicts the store. */
  const replaceState = async (id: string): Promise<void> => {
    await state.remove(redis, id);
    await restore(id);
  };

  /** Compares what should be in the queue with what is there, and adds what is missing. */
  const reconcile = async (id: string): Promise<void> => {
    const fields = await state.fields(redis, id);
    // The batch has just been removed.
    if (fields['status'] === undefined) return;
    const { epoch } = fields;
    const clientId = must(fields['clientId'], 'the client of a batch');
    const revision = Number(must(fields['revision'], 'the revision of a batch'));
    const revisionPlan = await readRevisionPlan(store, id, revision);
    if (revisionPlan === undefined) {
      const revisedAt = must(fields['revisedAt'], 'the time of a revision');
      if (Date.now() - Date.parse(revisedAt) > ABANDONED_MS) await replaceState(id);
      return;
    }
    const rows = revisionPlan.corrects?.rows ?? Number(must(fields['rows'], 'the number of rows of a batch'));
    const bytes = Number(must(fields['inputBytes'], 'the size of a batch'));
    await inFlight.recount(redis, clientId, id, { rows, bytes });
    // The process that received the cancel request may have died before it told Redis.
    if ((await store.size(keys.cancel(id, revision))) !== undefined) await state.cancel(redis, id);
    for (const index of await state.open(redis, id)) {
      const part = await partOf(store, id, revisionPlan, index);
      // If there is a part, its worker died after writing the part and before telling Redis.
      if (part === undefined) await addChunks(queues, id, { revision, epoch, clientId }, [index]);
      else await follow(id, revision, await state.advance(redis, id, revision, await window(), index, part));
    }
    await admit(id, revision);
  };

  return {
    ...line,
    /** Queues a batch whose documents are in the store. */
    enqueue: async (document: BatchDocument): Promise<void> => {
      await register(document, initialFields(document, 'queued', 1));
      await count(document);
      await admit(document.id, 1);
    },
    /**
     * Queues a revision whose state is in Redis and whose document is in the store. Chunks without corrected rows already
     * have their parts.
     */
    enqueueRevision: async (document: BatchDocument, revisionPlan: RevisionPlan): Promise<void> => {
      // The sweeper may have given up on the revision before its document was there.
      if ((await resume(document, revisionPlan)).next === 'superseded') await replaceState(document.id);
    },
    restore,
    replaceState,
    reconcile,
    /** Removes a batch from Redis. Its files stay. */
    forget: async (id: string, clientId: string): Promise<void> => {
      const { of } = await state.fields(redis, id);
      // The index goes last, so that the sweeper can find the batch if this is interrupted.
      await state.remove(redis, id);
      await inFlight.leave(redis, clientId, id);
      await stored.remove(redis, clientId, id);
      await clientIndex.remove(redis, clientId, id, of);
    },
  };
};

export type Scheduler = ReturnType<typeof schedulerOf> & {
  /** Returns the same scheduler for a request. The jobs that it adds have the request's id. */
  readonly causedBy: (requestId: string) => Scheduler;
};

export const createScheduler = (deps: SchedulerDeps, window = createWindow(deps.redis)): Scheduler => ({
  ...schedulerOf(deps, window),
  causedBy: (requestId) => createScheduler({ ...deps, queues: { ...deps.queues, requestId } }, window),
});

/**
 * Compares a batch in Redis with the store when Redis may have lost acknowledged writes: a replica that becomes master lacks
 * the last writes, and a killed server up to a second of writes. This finds batches that seem to have nothing to do but
 * differ from the store. Active batches are reconciled anyway.
 * @returns whether the state of the batch was restored
 */
export const createRecheck =
  ({ store, redis, scheduler }: Omit<SchedulerDeps, 'queues'> & { scheduler: Pick<Scheduler, 'replaceState'> }) =>
  async (
    id: string,
    { clientId, createdAt, status, revision, of }: Readonly<Record<string, string>>,
  ): Promise<boolean> => {
    if (clientId !== undefined && createdAt !== undefined) await clientIndex.add(redis, clientId, id, createdAt, of);
    const latest = await latestRevision(store, id);
    // Redis knows a new revision before the store does. So only a lower number means that Redis is behind.
    const isBehind = latest > Number(revision);
    // A final state without a document dates from before a retry.
    const differs = isFinal(status) && (await records.final(store, id, latest))?.status !== status;
    if (!isBehind && !differs) return false;
    await scheduler.replaceState(id);
    return true;
  };

export interface Context extends SchedulerDeps {
  readonly scheduler: Scheduler;
  readonly snapshots: Snapshots;
  readonly now: () => Date;
  readonly log: Logger;
}
