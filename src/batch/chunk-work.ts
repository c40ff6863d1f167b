/**
 * Rating one chunk of a batch. It may run twice, or twice at once, or be killed anywhere: what it writes is the same each
 * time and there wholly or not at all.
 */
import type { Redis } from '../redis/connection.ts';
import type { Store } from '../store/store.ts';
import { beginWork } from './finalize.ts';
import { createPartMaker } from './parts.ts';
import { UNSUSPECTED_STARTS } from './poison-row.ts';
import type { ByteLimits } from './quota.ts';
import type { Part } from './records.ts';
import type { Intake } from './scheduler.ts';
import type { Snapshots } from './snapshot.ts';
import { LET_IN_ONLY, state } from './state.ts';

export interface ChunkWorkDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly intake: Intake;
  readonly snapshots: Snapshots;
  readonly maximumRowBytes: number;
  readonly limitsOf: (clientId: string) => ByteLimits;
  readonly now: () => Date;
}

export interface ChunkSummary {
  readonly rows: number;
  readonly faulted: number;
}

/** Rates a chunk for a revision of its batch. @returns undefined where there is nothing to do (any more) */
export type ChunkWork = (
  batchId: string,
  index: number,
  revision?: number,
  round?: string,
) => Promise<ChunkSummary | undefined>;

export const createChunkWork = (deps: ChunkWorkDeps): ChunkWork => {
  const { redis, intake } = deps;
  const { load, rate } = createPartMaker(deps);

  const settle = async (id: string, index: number, revision: number, part: Part | undefined): Promise<void> => {
    const step = await state.advance(redis, id, revision, await intake.window(), index, part);
    if (step.next === 'gone') await intake.restore(id);
    else await intake.follow(id, revision, step);
  };

  return async (id, index, revision = 1, round) => {
    const { status, starts } = await beginWork(deps, id, { index, revision, round });
    if (status === 'cancelling') await settle(id, index, revision, undefined);
    // Whoever was to have it put together may have died before it did.
    if (status === 'finalizing') await settle(id, LET_IN_ONLY, revision, undefined);
    if (status !== 'in_progress') return undefined;
    try {
      const loaded = await load(id, revision);
      if (loaded === undefined) return undefined;
      const part = await rate(loaded, id, index, starts > UNSUSPECTED_STARTS);
      await settle(id, index, revision, part);
      return { rows: part.tally.processed, faulted: part.tally.faulted };
    } catch (error) {
      // A failure that was caught did not end the process: it speaks against no row.
      await state.ended(redis, id, index);
      throw error;
    }
  };
};
