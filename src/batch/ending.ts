/**
 * Ending a batch: its output is put together from its parts, or it is ended as cancelled or failed with what there is.
 * Killed half way it is begun again; what it writes is small and there wholly or not at all.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '../queue/redis.ts';
import { putJson, type Store, StoreFailure } from '../store/store.ts';
import { inFlight } from './in-flight.ts';
import { finalFields, type Intake } from './intake.ts';
import type { Join } from './joined.ts';
import type { Notices } from './notice.ts';
import {
  type Failure,
  FINAL_STATUSES,
  type FinalDocument,
  keys,
  type OutputDocument,
  type Part,
  readPart,
  records,
  writeFinal,
} from './records.ts';
import { doneChunks, openPass, type Pass, partOf } from './revisions.ts';
import { type Begun, type ChunkOf, state } from './state.ts';
import { addTallies, EMPTY_TALLY } from './tally.ts';

export interface EndingDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly intake: Intake;
  readonly notices: Pick<Notices, 'tell'>;
  /** Puts the output together in one piece; absent: nobody needs it so. */
  readonly join?: Join | undefined;
  readonly retentionDays: number;
  readonly now: () => Date;
}

export interface Ending {
  /** Puts the output together and ends the batch. */
  readonly assemble: (batchId: string) => Promise<void>;
  /** Ends a batch as failed: its chunk (or the assembly, without an index) failed for good. */
  readonly fail: (batchId: string, chunk: ChunkOf | undefined, error: unknown) => Promise<void>;
}

/** Begins work on a batch; one that Redis has forgotten is made again from the store. */
export const beginWork = async (
  { redis, intake, now }: { redis: Redis; intake: Intake; now: () => Date },
  id: string,
  chunk?: ChunkOf,
): Promise<Begun> => {
  const begun = await state.begin(redis, id, now(), chunk);
  if (begun.status !== '' || !(await intake.restore(id))) return begun;
  return await state.begin(redis, id, now(), chunk);
};

const DAY_MS = 86_400_000;
/** How long a chunk that failed leaves another that is ending the batch to it, before it looks again. */
const TURN_MS = 100;
/** Parts looked at together: enough to keep a disk or an object store busy. */
const TOGETHER = 32;

/** What clients may be told of a failure: nothing of the inside. */
const reasonOf = (error: unknown): string => {
  if (error instanceof StoreFailure) return 'the store was away';
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

/** Parts of the chunks that are done, in order; those whose files are not whole are taken back. */
const createPartCheck =
  ({ store, redis }: EndingDeps) =>
  async (id: string, pass: Pass): Promise<{ parts: Map<number, Part>; lost: number }> => {
    const known = await state.done(redis, id);
    const parts = new Map<number, Part>();
    let lost = 0;
    const check = async (index: number): Promise<void> => {
      const text = known[String(index)];
      const part = text === undefined ? await partOf(store, id, pass, index) : readPart(text);
      const revision = part?.revision ?? pass.revision;
      const [bytes, faultBytes] = await Promise.all([
        store.size(keys.part(id, index, revision)),
        part?.faultBytes === 0 ? 0 : store.size(keys.faults(id, index, revision)),
      ]);
      if (part !== undefined && bytes === part.bytes && faultBytes === part.faultBytes) parts.set(index, part);
      else {
        lost += 1;
        await store.remove(keys.partSummary(id, index, revision));
        if (part !== undefined) await state.undone(redis, id, index, part);
      }
    };
    const written = await doneChunks(store, id, pass);
    const indexes = [...new Set([...Object.keys(known).map(Number), ...written])].sort((a, b) => a - b);
    for (let at = 0; at < indexes.length; at += TOGETHER)
      await Promise.all(indexes.slice(at, at + TOGETHER).map(check));
    return { parts: new Map([...parts].sort(([a], [b]) => a - b)), lost };
  };

/**
 * Of several chunks that fail for good the first ends the batch. The others wait: where it cannot, because the disk is
 * full, they may. What is left of before a retry does not end what is after it.
 * @returns undefined where there is nothing to end (any more)
 */
const createTurn =
  (deps: EndingDeps) =>
  async (id: string, chunk: ChunkOf | undefined): Promise<Begun | undefined> => {
    for (;;) {
      const begun = await beginWork(deps, id);
      if (begun.status === '' || FINAL_STATUSES.some((final) => final === begun.status)) return undefined;
      const { revision, round = begun.round } = chunk ?? begun;
      if (revision !== begun.revision || round !== begun.round) return undefined;
      if (await state.fail(deps.redis, id, begun, chunk?.index)) return begun;
      await sleep(TURN_MS);
    }
  };

export const createEnding = (deps: EndingDeps): Ending => {
  const { store, redis, intake, notices, now } = deps;

  const wholeParts = createPartCheck(deps);
  const turnToEnd = createTurn(deps);

  const end = async (
    id: string,
    { revision }: Pass,
    status: FinalDocument['status'],
    parts: ReadonlyMap<number, Part>,
    failure: Failure | null,
  ) => {
    const document = await records.batch(store, id);
    if (document === undefined) return;
    const output: OutputDocument = {
      revision,
      parts: [...parts].map(([index, part]) => {
        const { bytes, faultBytes } = part;
        return { index, bytes, faultBytes, revision: part.revision };
      }),
    };
    // A revision that is not whole gives nothing out: the one that it corrects does.
    if (revision === 1 || status === 'completed') {
      await deps.join?.(document, output);
      await putJson(store, keys.output(id, revision), output, { durable: true });
    }
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
    await writeFinal(store, id, revision, final);
    await settle(id, revision, final);
    await inFlight.leave(redis, document.clientId, id);
  };

  /** Tells Redis how a revision ended. After one that was cancelled the batch is what it was before. */
  const settle = async (id: string, revision: number, final: FinalDocument): Promise<void> => {
    if (revision === 1 || final.status !== 'cancelled') {
      await state.finish(redis, id, revision, finalFields(final));
      // Whoever is told finds what was promised; where this is not come to, the sweeper does it.
      return await notices.tell(id, revision, final);
    }
    // Told of before: the sweeper would see only what the batch is again.
    await notices.tell(id, revision, final);
    await state.remove(redis, id);
    await intake.restore(id);
  };

  return {
    assemble: async (id) => {
      const { status, revision } = await beginWork(deps, id);
      if (status !== 'finalizing' && status !== 'cancelling') return;
      const final = await records.final(store, id, revision);
      if (final !== undefined) return await settle(id, revision, final);
      const [pass, document] = await Promise.all([openPass(store, id, revision), records.batch(store, id)]);
      if (pass === undefined || document === undefined) return;
      const { parts, lost } = await wholeParts(id, pass);
      if (status === 'cancelling') return await end(id, pass, 'cancelled', parts, null);
      if (lost > 0 || parts.size < document.chunks) {
        await state.reopen(redis, id);
        return await intake.reconcile(id);
      }
      await end(id, pass, 'completed', parts, null);
    },
    fail: async (id, chunk, error) => {
      const begun = await turnToEnd(id, chunk);
      if (begun === undefined) return;
      try {
        const [pass, plan] = await Promise.all([openPass(store, id, begun.revision), records.plan(store, id)]);
        if (pass === undefined) return;
        const open = await state.open(redis, id);
        const { parts } = await wholeParts(id, pass);
        const failed = chunk === undefined ? undefined : plan?.chunks[chunk.index];
        await end(id, pass, 'failed', parts, failureOf(failed, error));
        await intake.withdraw(id, begun, open);
      } finally {
        await state.notFailed(redis, id, chunk?.index);
      }
    },
  };
};
