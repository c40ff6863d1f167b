/**
 * Ends a batch. Its output is assembled from its parts, or it ends as cancelled or failed with the parts so far. If the
 * process is killed, the work begins again. Each document is small, and is written completely or not at all.
 */

import { must } from '../../base/must.ts';
import { putJson, type Store, StoreFailure } from '../../base/store/store.ts';
import { isTurnOver, turn } from '../../base/time-slices.ts';
import { addSums, emptySums, resultSums, type Sums } from '../../lists/comparison/sums.ts';
import { EMPTY_TALLY, plus } from '../../lists/output/tally.ts';
import { inFlight } from '../client-index.ts';
import type { Merge } from '../output/output.ts';
import type { Epoch } from '../queue/jobs.ts';
import { LimitPassed, stored } from '../quota.ts';
import {
  type BatchDocument,
  type Failure,
  type FinalDocument,
  keys,
  type OutputDocument,
  type Part,
  records,
  writeFinal,
} from '../records.ts';
import { type RevisionPlan, readRevisionPlan } from '../revisions.ts';
import type { Context } from '../scheduler.ts';
import { type Begun, type ChunkOf, type Failing, isUnchanged, readFailing, state } from '../state.ts';
import { finalFields } from '../view.ts';
import type { Notifications } from './notifications.ts';
import { createPartCheck } from './parts.ts';

interface FinalizerDeps extends Pick<Context, 'store' | 'redis' | 'scheduler' | 'now'> {
  readonly notifications: Pick<Notifications, 'notify'>;
  /** Merges the output into one file. Undefined if that is not needed. */
  readonly join?: Merge | undefined;
  readonly retentionDays: number;
}

/** Begins work on a batch. A batch that Redis has lost is restored from the store first. */
export const beginWork = async (
  { redis, scheduler, now }: Pick<Context, 'redis' | 'scheduler' | 'now'>,
  id: string,
  chunk?: Epoch,
): Promise<Begun> => {
  const begun = await state.begin(redis, id, now(), chunk);
  if (begun.status !== '' || !(await scheduler.restore(id))) return begun;
  return await state.begin(redis, id, now(), chunk);
};

const DAY_MS = 86_400_000;

/** Returns the message about a failure for clients, without internal details. */
const reasonOf = (error: unknown): string => {
  if (error instanceof LimitPassed && error.limit === 'outputPerInputByte')
    return `row ${error.row} makes the output exceed the limit outputPerInputByte, ${error.most} times the bytes of the list; a byte of a compressed list counts as at most 64`;
  if (error instanceof LimitPassed)
    return `the client's batches would hold more than the limit ${error.limit}, ${error.most} bytes; delete some, then retry`;
  if (error instanceof StoreFailure) return 'the store was unavailable';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  if (code === 'EROFS' || code === 'EACCES') return 'the store cannot be written to';
  return 'an internal error';
};

/** @param rows the rows of the chunk, if known */
const chunkFailure = (rows: { firstRow: number; rows: number } | undefined, error: unknown): Failure => {
  const limited = error instanceof LimitPassed ? { limit: error.limit } : {};
  if (rows === undefined) return { message: `Some rows could not be processed: ${reasonOf(error)}.`, ...limited };
  const [from, to] = [rows.firstRow, rows.firstRow + rows.rows - 1];
  const message = `Rows ${from} to ${to} could not be processed: ${reasonOf(error)}.`;
  return { message, rows: { from, to }, ...limited };
};

const assemblyFailure = (error: unknown): Failure => ({
  message: `The output could not be put together: ${reasonOf(error)}.`,
});

interface End {
  readonly status: FinalDocument['status'];
  readonly parts: ReadonlyMap<number, Part>;
  readonly failure: Failure | null;
}

/** Number of parts whose sums are read together. */
const TOGETHER = 16;

/** @param indexes of a comparison's parts, in order. @returns their sums, or undefined if it is not a comparison */
const sumsOfParts = async (
  store: Store,
  { id, comparison }: BatchDocument,
  indexes: readonly number[],
): Promise<Sums | undefined> => {
  if (comparison === undefined) return undefined;
  let sums: Sums = emptySums(comparison.scenarios.length);
  for (let at = 0; at < indexes.length; at += TOGETHER) {
    const read = indexes.slice(at, at + TOGETHER).map((index) => records.partSums(store, id, index));
    for (const [offset, own] of (await Promise.all(read)).entries()) {
      sums = addSums(sums, must(own, `the sums of part ${indexes[at + offset]} of comparison ${id}`));
      if (isTurnOver()) await turn();
    }
  }
  return sums;
};

/** Writes how a batch ended, and notifies the client. */
const createEnd = ({ store, redis, scheduler, notifications, join, retentionDays, now }: FinalizerDeps) => {
  /** Tells Redis how a revision ended. After a cancelled revision, the batch is what it was before it. */
  const settle = async ({ id, clientId }: BatchDocument, begun: Begun, final: FinalDocument): Promise<void> => {
    const { revision } = begun;
    if (revision === 1 || final.status !== 'cancelled') {
      await state.finish(redis, id, begun, finalFields(final));
      // Last, so that notified clients find the output. If the process dies here, the sweeper notifies them.
      return await notifications.notify(id, clientId, revision, final);
    }
    // First, because the sweeper cannot do it: it only sees the state before the revision.
    await notifications.notify(id, clientId, revision, final);
    if (!isUnchanged(await state.fields(redis, id), begun)) return;
    await state.remove(redis, id);
    await scheduler.restore(id);
  };

  const finalOf = (startedAt: string | undefined, { status, parts, failure }: End, sums?: Sums): FinalDocument => {
    const completedAt = now();
    return {
      status,
      startedAt: startedAt === undefined || startedAt === '' ? null : startedAt,
      completedAt: completedAt.toISOString(),
      expiresAt: new Date(completedAt.getTime() + retentionDays * DAY_MS).toISOString(),
      tally: [...parts.values()].reduce((sum, { tally }) => plus(sum, tally), EMPTY_TALLY),
      failure,
      ...(sums && { results: sums.scenarios.map((own) => resultSums.parse(own)) }),
    };
  };

  /**
   * Writes each document only if the batch has not changed. A worker that was suspended for longer than its job's lock must
   * not end what others have ended or restarted.
   * @returns false if the batch has changed
   */
  const end = async (document: BatchDocument, begun: Begun, how: End): Promise<boolean> => {
    const { id, clientId } = document;
    const { revision } = begun;
    const output: OutputDocument = {
      revision,
      parts: [...how.parts].map(([index, part]) => {
        const { bytes, faultBytes } = part;
        return { index, bytes, faultBytes, revision: part.revision };
      }),
    };
    let sums: Sums | undefined;
    // An incomplete revision is not served. The revision that it corrects is served instead.
    if (revision === 1 || how.status === 'completed') {
      await join?.(document, output);
      sums = await sumsOfParts(store, document, [...how.parts.keys()]);
      if (!isUnchanged(await state.fields(redis, id), begun)) return false;
      if (sums !== undefined) await putJson(store, keys.sums(id), sums, { durable: true });
      await putJson(store, keys.output(id, revision), output, { durable: true });
    }
    const fields = await state.fields(redis, id);
    if (!isUnchanged(fields, begun)) return false;
    const final = finalOf(fields['startedAt'], how, sums);
    await writeFinal(store, id, revision, final);
    await settle(document, begun, final);
    await inFlight.leave(redis, clientId, id);
    await stored.measure(store, redis, clientId, id);
    return true;
  };

  return { end, settle };
};

export type Finalizer = ReturnType<typeof createFinalizer>;

export const createFinalizer = (deps: FinalizerDeps) => {
  const { store, redis, scheduler } = deps;
  const wholeParts = createPartCheck(deps);
  const { end, settle } = createEnd(deps);

  /** Ends a batch as failed, with the parts so far. */
  const endFailed = async (
    document: BatchDocument,
    revisionPlan: RevisionPlan,
    begun: Begun,
    failure: Failure,
  ): Promise<boolean> => {
    const { id } = document;
    const open = await state.open(redis, id);
    const { parts } = await wholeParts(id, revisionPlan);
    if (!(await end(document, begun, { status: 'failed', parts, failure }))) return false;
    await scheduler.removeWaiting(id, begun, open);
    return true;
  };

  /** @returns false if the batch changed during the assembly */
  const putTogether = async (id: string, begun: Begun, failing: Failing | undefined): Promise<boolean> => {
    const { status, revision } = begun;
    const [final, revisionPlan, document] = await Promise.all([
      records.final(store, id, revision),
      readRevisionPlan(store, id, revision),
      records.batch(store, id),
    ]);
    if (revisionPlan === undefined || document === undefined) return true;
    if (final !== undefined) {
      await settle(document, begun, final);
      return true;
    }
    if (failing !== undefined) return await endFailed(document, revisionPlan, begun, failing.failure);
    const { parts, lost } = await wholeParts(id, revisionPlan);
    if (status === 'cancelling') return await end(document, begun, { status: 'cancelled', parts, failure: null });
    if (lost > 0 || parts.size < document.chunks) {
      await state.reopen(redis, id);
      await scheduler.reconcile(id);
      return true;
    }
    return await end(document, begun, { status: 'completed', parts, failure: null });
  };

  const assembleOnce = async (id: string, of: string | undefined): Promise<boolean> => {
    const begun = await beginWork(deps, id);
    const { status, epoch } = begun;
    if ((status !== 'finalizing' && status !== 'cancelling') || (of !== undefined && of !== epoch)) return true;
    const known = readFailing(await state.fields(redis, id));
    // A failed chunk does not matter if the batch has been cancelled since.
    const failing = status === 'cancelling' && known?.index !== undefined ? undefined : known;
    try {
      return await putTogether(id, begun, failing);
    } catch (error) {
      // The failure cannot be written, for example because the disk is full. The batch waits.
      if (failing !== undefined) await state.notFailed(redis, id, failing);
      throw error;
    }
  };

  /**
   * Assembles the output and ends the batch.
   * @param of the epoch that this is done for; undefined for any
   */
  const assemble = async (id: string, of?: string): Promise<void> => {
    // The batch was cancelled or failed in the meantime. No job was added for that end, because this one is still running.
    if (!(await assembleOnce(id, of))) await assembleOnce(id, of);
  };

  return {
    assemble,
    /** To be called after the last attempt at a chunk failed. Queues the assembly, which ends the batch as failed. */
    failChunk: async (id: string, chunk: ChunkOf, error: unknown): Promise<void> => {
      const { index } = chunk;
      // Reading the plan may be the step that fails.
      const plan = await records.plan(store, id).catch(() => undefined);
      const failure = chunkFailure(plan?.chunks[index], error);
      const answer = await state.fail(redis, id, chunk, { index, failure });
      if (answer === 'failing') await scheduler.assemble(id, chunk);
      if (answer === 'cancelling') await scheduler.returnChunk(id, chunk, index);
    },
    /** To be called after the last attempt at the assembly failed. Ends the batch as failed. */
    failAssembly: async (id: string, of: string | undefined, error: unknown): Promise<void> => {
      const { revision, epoch } = await beginWork(deps, id);
      if (of !== undefined && of !== epoch) return;
      const answer = await state.fail(redis, id, { revision, epoch }, { failure: assemblyFailure(error) });
      if (answer === 'failing') await assemble(id, of);
    },
  };
};
