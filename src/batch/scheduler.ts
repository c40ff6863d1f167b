/**
 * Admitting the chunks of a batch to the queue, and making the state in Redis again from the store: after Redis was
 * emptied, after a job was lost, or after a worker died between two steps.
 */
import { addAssemble, addChunks, type Queues, type Round, removeChunks } from '../queue/jobs.ts';
import type { Redis } from '../redis/connection.ts';
import type { Store } from '../store/store.ts';
import { inFlight, listing } from './client-index.ts';
import { stored } from './quota.ts';
import { type BatchDocument, keys, records } from './records.ts';
import { doneChunks, latestRevision, openPass, type Pass, partOf } from './revisions.ts';
import { LET_IN_ONLY, roundOf, type Step, state } from './state.ts';
import { isFinal } from './status.ts';
import { finalFields, initialFields } from './view.ts';
import { createWindow } from './workers.ts';

export interface IntakeDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly queues: Queues;
  /** How many chunks of one batch may be in the queue; counted here where it is absent. */
  readonly window?: Intake['window'];
}

export interface Intake {
  /** The same, as it works for a request: the jobs that it adds carry the request's id. */
  readonly causedBy: (requestId: string) => Intake;
  /** Takes a batch into the queue whose documents are in the store. */
  readonly enqueue: (document: BatchDocument) => Promise<void>;
  /**
   * Takes a revision into the queue: the state is of it already, its document is in the store, and of the chunks without
   * a corrected row it has the parts.
   */
  readonly enqueueRevision: (document: BatchDocument, pass: Pass) => Promise<void>;
  /** Makes the state in Redis again from the store. @returns false where the store has no such batch */
  readonly restore: (id: string) => Promise<boolean>;
  /** The same where Redis has a state that is not the store's. */
  readonly restoreAnew: (id: string) => Promise<void>;
  /** Holds what should be in the queue against what is, and adds what is missing. */
  readonly reconcile: (id: string) => Promise<void>;
  /** Adds the jobs that a step let in. */
  readonly follow: (id: string, revision: number, step: Step) => Promise<void>;
  /** Has a batch put together. */
  readonly assemble: (id: string, round: Round) => Promise<void>;
  /** Takes those of these chunks out of the queue that wait, for their turn or for their next try. @returns which they were */
  readonly withdraw: (id: string, round: Round, indexes: readonly number[]) => Promise<readonly number[]>;
  /** Gives a chunk back that was let in and is not done. */
  readonly giveBack: (id: string, round: Round, index: number) => Promise<void>;
  /** Gives all chunks back that wait. */
  readonly giveBackWaiting: (id: string) => Promise<void>;
  /** Takes a batch out of Redis; its files are not touched. */
  readonly forget: (id: string, clientId: string) => Promise<void>;
  /** How many chunks of one batch may be in the queue. */
  readonly window: () => Promise<number>;
}

/** A revision whose document is not there after this long was begun by a process that died. */
const UNBORN_MS = 300_000;

/** What goes into the queue and out of it; the store is not asked. */
const createLine = ({ redis, queues, window = createWindow(redis) }: Omit<IntakeDeps, 'store'>) => {
  const follow: Intake['follow'] = async (id, revision, { next, letIn, round, clientId }) => {
    await addChunks(queues, id, { revision, round, clientId }, letIn);
    if (next === 'assemble') await addAssemble(queues, id, { revision, round, clientId });
  };

  const letIn = async (id: string, revision: number): Promise<Step> => {
    const step = await state.advance(redis, id, revision, await window(), LET_IN_ONLY, undefined);
    await follow(id, revision, step);
    return step;
  };

  const withdraw: Intake['withdraw'] = (id, round, indexes) => removeChunks(queues, id, round, indexes);

  const giveBack: Intake['giveBack'] = async (id, { revision }, index) => {
    await follow(id, revision, await state.advance(redis, id, revision, 0, index, undefined));
  };

  const giveBackWaiting: Intake['giveBackWaiting'] = async (id) => {
    const { revision = '1', round } = await state.fields(redis, id);
    const of = { revision: Number(revision), round: roundOf(round) };
    for (const index of await withdraw(id, of, await state.open(redis, id))) await giveBack(id, of, index);
  };

  const assemble: Intake['assemble'] = async (id, { revision, round }) =>
    addAssemble(queues, id, { revision, round, clientId: await state.clientOf(redis, id) });

  return { window, follow, letIn, withdraw, giveBack, giveBackWaiting, assemble };
};

export const createIntake = (deps: IntakeDeps): Intake => {
  const { store, redis, queues } = deps;
  const line = createLine(deps);
  const { window, follow, letIn } = line;

  const register = async (document: BatchDocument, fields: Readonly<Record<string, string>>): Promise<void> => {
    await state.create(redis, document.id, fields);
    await listing.add(redis, document.clientId, document.id, document.createdAt);
  };

  const count = ({ clientId, id, rows, inputBytes }: BatchDocument, { corrects }: Pass): Promise<void> =>
    inFlight.restore(redis, clientId, id, { rows: corrects?.rows ?? rows, bytes: inputBytes });

  /** Counts what is done of a revision, and lets in the rest. */
  const resume = async (document: BatchDocument, pass: Pass): Promise<Step> => {
    const { id } = document;
    await count(document, pass);
    for (const index of await doneChunks(store, id, pass)) {
      const part = await partOf(store, id, pass, index);
      // A window of nothing: what is done is counted before anything is let in.
      if (part !== undefined) await state.advance(redis, id, pass.revision, 0, index, part);
    }
    return await letIn(id, pass.revision);
  };

  const restore = async (id: string): Promise<boolean> => {
    const document = await records.batch(store, id);
    const revision = document === undefined ? 1 : await latestRevision(store, id);
    const pass = document === undefined ? undefined : await openPass(store, id, revision);
    if (document === undefined || pass === undefined) return false;
    const final = await records.final(store, id, revision);
    const cancelled = (await store.size(keys.cancel(id, revision))) !== undefined;
    const status = final?.status ?? (cancelled ? 'cancelling' : 'queued');
    await register(document, {
      ...initialFields(document, status, revision),
      ...(final === undefined ? {} : finalFields(final)),
    });
    await stored.measure(store, redis, document.clientId, id);
    if (final === undefined) await resume(document, pass);
    return true;
  };

  const restoreAnew = async (id: string): Promise<void> => {
    await state.remove(redis, id);
    await restore(id);
  };

  const reconcile = async (id: string): Promise<void> => {
    const { revision: number = '1', round, revisedAt = '', clientId, rows, inputBytes } = await state.fields(redis, id);
    const revision = Number(number);
    const pass = await openPass(store, id, revision);
    if (pass === undefined) {
      if (Date.now() - Date.parse(revisedAt) > UNBORN_MS) await restoreAnew(id);
      return;
    }
    if (clientId !== undefined) {
      const flight = { rows: pass.corrects?.rows ?? Number(rows), bytes: Number(inputBytes ?? 0) };
      await inFlight.recount(redis, clientId, id, flight);
    }
    // Whoever took the wish to cancel may have died before Redis was told.
    if ((await store.size(keys.cancel(id, revision))) !== undefined) await state.cancel(redis, id);
    for (const index of await state.open(redis, id)) {
      const part = await partOf(store, id, pass, index);
      // Its worker wrote the part and died before it could say so.
      if (part === undefined) await addChunks(queues, id, { revision, round, clientId }, [index]);
      else await follow(id, revision, await state.advance(redis, id, revision, await window(), index, part));
    }
    await letIn(id, revision);
  };

  return {
    ...line,
    causedBy: (requestId) => createIntake({ ...deps, window, queues: { ...queues, requestId } }),
    enqueue: async (document) => {
      await register(document, initialFields(document, 'queued', 1));
      await inFlight.restore(redis, document.clientId, document.id, {
        rows: document.rows,
        bytes: document.inputBytes,
      });
      await letIn(document.id, 1);
    },
    enqueueRevision: async (document, pass) => {
      // The sweeper may have given the revision up for dead before its document was there.
      if ((await resume(document, pass)).next === 'superseded') await restoreAnew(document.id);
    },
    restore,
    restoreAnew,
    reconcile,
    forget: async (id, clientId) => {
      // It is listed until all else is gone, so that the sweeper finds what is left where this is broken off.
      await state.remove(redis, id);
      await inFlight.leave(redis, clientId, id);
      await stored.remove(redis, clientId, id);
      await listing.remove(redis, clientId, id);
    },
  };
};

export interface RecheckDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly intake: Pick<Intake, 'restoreAnew'>;
}

/** @returns true where the batch's state was made again */
export type Recheck = (id: string, fields: Readonly<Record<string, string>>) => Promise<boolean>;

export const createRecheck =
  ({ store, redis, intake }: RecheckDeps): Recheck =>
  async (id, { clientId, createdAt, status, revision }) => {
    if (clientId !== undefined && createdAt !== undefined) await listing.add(redis, clientId, id, createdAt);
    const latest = await latestRevision(store, id);
    // Of a revision that is being made Redis knows before the store: it is never behind by being ahead.
    const isBehind = latest > Number(revision);
    // A final state without its document is one of before a retry.
    const differs = isFinal(status) && (await records.final(store, id, latest))?.status !== status;
    if (!isBehind && !differs) return false;
    await intake.restoreAnew(id);
    return true;
  };
