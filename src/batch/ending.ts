/**
 * Ending a batch: its output is put together from its parts, or it is ended as cancelled or failed with what there is.
 * Killed half way it is begun again; what it writes is small and there wholly or not at all.
 */
import type { Redis } from 'ioredis';
import { putJson, type Store } from '../store/store.ts';
import { inFlight } from './in-flight.ts';
import { finalFields, type Intake } from './intake.ts';
import {
  doneChunks,
  type Failure,
  type FinalDocument,
  keys,
  type OutputDocument,
  type Part,
  readPart,
  records,
  writeFinal,
} from './records.ts';
import { type Begun, state } from './state.ts';
import { addTallies, EMPTY_TALLY } from './tally.ts';

export interface EndingDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly intake: Intake;
  readonly retentionDays: number;
  readonly now: () => Date;
}

export interface Ending {
  /** Puts the output together and ends the batch. */
  readonly assemble: (batchId: string) => Promise<void>;
  /** Ends a batch as failed: its chunk (or the assembly, without an index) failed for good. */
  readonly fail: (batchId: string, index: number | undefined, error: unknown) => Promise<void>;
}

/** Begins work on a batch; one that Redis has forgotten is made again from the store. */
export const beginWork = async (
  { redis, intake, now }: { redis: Redis; intake: Intake; now: () => Date },
  id: string,
  index?: number,
): Promise<Begun> => {
  const begun = await state.begin(redis, id, now(), index);
  if (begun.status !== '' || !(await intake.restore(id))) return begun;
  return await state.begin(redis, id, now(), index);
};

const DAY_MS = 86_400_000;
/** Parts looked at together: enough to keep a disk or an object store busy. */
const TOGETHER = 32;

/** What clients may be told of a failure: nothing of the inside. */
const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  if (code === 'EROFS' || code === 'EACCES') return 'the store cannot be written to';
  return 'an internal error';
};

const failureOf = (rows: { firstRow: number; rows: number } | undefined, error: unknown): Failure => {
  if (rows === undefined) return { message: `The output could not be put together: ${reasonOf(error)}.` };
  const [from, to] = [rows.firstRow, rows.firstRow + rows.rows - 1];
  return { message: `Rows ${from} to ${to} could not be processed: ${reasonOf(error)}.`, rows: { from, to } };
};

export const createEnding = (deps: EndingDeps): Ending => {
  const { store, redis, intake, now } = deps;

  /** Parts of the chunks that are done, in order; those whose files are not whole are taken back. */
  const wholeParts = async (id: string): Promise<{ parts: Map<number, Part>; lost: number }> => {
    const known = await state.done(redis, id);
    const parts = new Map<number, Part>();
    let lost = 0;
    const check = async (index: number): Promise<void> => {
      const text = known[String(index)];
      const part = text === undefined ? await records.part(store, id, index) : readPart(text);
      const [bytes, faultBytes] = await Promise.all([
        store.size(keys.part(id, index)),
        part?.faultBytes === 0 ? 0 : store.size(keys.faults(id, index)),
      ]);
      if (part !== undefined && bytes === part.bytes && faultBytes === part.faultBytes) parts.set(index, part);
      else {
        lost += 1;
        await store.remove(keys.partSummary(id, index));
        if (part !== undefined) await state.undone(redis, id, index, part);
      }
    };
    const indexes = [...new Set([...Object.keys(known).map(Number), ...(await doneChunks(store, id))])].sort(
      (a, b) => a - b,
    );
    for (let at = 0; at < indexes.length; at += TOGETHER)
      await Promise.all(indexes.slice(at, at + TOGETHER).map(check));
    return { parts: new Map([...parts].sort(([a], [b]) => a - b)), lost };
  };

  const end = async (
    id: string,
    status: FinalDocument['status'],
    parts: ReadonlyMap<number, Part>,
    failure: Failure | null,
  ) => {
    const document = await records.batch(store, id);
    if (document === undefined) return;
    const output: OutputDocument = {
      revision: document.revision,
      parts: [...parts].map(([index, { bytes, faultBytes }]) => ({ index, bytes, faultBytes })),
    };
    await putJson(store, keys.output(id), output, { durable: true });
    const fields = await state.fields(redis, id);
    const completedAt = now();
    const final: FinalDocument = {
      status,
      startedAt: fields['startedAt'] === undefined || fields['startedAt'] === '' ? null : fields['startedAt'],
      completedAt: completedAt.toISOString(),
      expiresAt: new Date(completedAt.getTime() + deps.retentionDays * DAY_MS).toISOString(),
      tally: [...parts.values()].reduce((sum, { tally }) => addTallies(sum, tally), EMPTY_TALLY),
      failure,
    };
    await writeFinal(store, id, final);
    await state.finish(redis, id, finalFields(final));
    await inFlight.leave(redis, document.clientId, id);
  };

  return {
    assemble: async (id) => {
      const { status } = await beginWork(deps, id);
      if (status !== 'finalizing' && status !== 'cancelling') return;
      const final = await records.final(store, id);
      if (final !== undefined) return await state.finish(redis, id, finalFields(final));
      const { parts, lost } = await wholeParts(id);
      if (status === 'cancelling') return await end(id, 'cancelled', parts, null);
      const document = await records.batch(store, id);
      if (document === undefined) return;
      if (lost > 0 || parts.size < document.chunks) {
        await state.reopen(redis, id);
        return await intake.reconcile(id);
      }
      await end(id, 'completed', parts, null);
    },
    fail: async (id, index, error) => {
      const plan = await records.plan(store, id);
      const { parts } = await wholeParts(id);
      await end(id, 'failed', parts, failureOf(index === undefined ? undefined : plan?.chunks[index], error));
    },
  };
};
