/**
 * Rating one chunk of a batch. It may run twice, or twice at once, or be killed anywhere: what it writes is the same each
 * time and there wholly or not at all.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { putJson, type Store } from '../store/store.ts';
import { corner, createAlone, UNSUSPECTED_STARTS } from './corner.ts';
import { textOf } from './csv.ts';
import { beginWork } from './ending.ts';
import type { Intake } from './intake.ts';
import type { Chunk, Plan } from './plan.ts';
import { createRater, type RatingContext } from './rater.ts';
import { type BatchDocument, keys, type Part, records } from './records.ts';
import { contextOf, type Snapshots } from './snapshot.ts';
import { state } from './state.ts';

export interface ChunkWorkDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly intake: Intake;
  readonly snapshots: Snapshots;
  readonly maximumRowBytes: number;
  readonly now: () => Date;
}

export interface ChunkSummary {
  readonly rows: number;
  readonly faulted: number;
}

/** Rates a chunk. @returns undefined where there is nothing to do (any more) */
export type ChunkWork = (batchId: string, index: number) => Promise<ChunkSummary | undefined>;

/** Rows between two turns of the event loop: the lock is renewed, and the garbage stays young. */
const SLICE_ROWS = 1_000;

interface Loaded {
  readonly document: BatchDocument;
  readonly plan: Plan;
  readonly context: RatingContext;
}

/** Batches whose documents a worker holds at once. */
const HELD = 16;

export const createChunkWork = (deps: ChunkWorkDeps): ChunkWork => {
  const { store, redis, intake, snapshots } = deps;
  const held = new Map<string, Loaded>();
  const alone = createAlone();

  const load = async (id: string): Promise<Loaded | undefined> => {
    const known = held.get(id);
    if (known !== undefined) return known;
    const [document, plan] = await Promise.all([records.batch(store, id), records.plan(store, id)]);
    if (document === undefined || plan === undefined) return undefined;
    const schedule = await snapshots.schedule(document.tariffs);
    const loaded = { document, plan, context: contextOf(document, schedule, deps.maximumRowBytes) };
    held.set(id, loaded);
    const [oldest] = held.keys();
    if (held.size > HELD && oldest !== undefined) held.delete(oldest);
    return loaded;
  };

  const textOfChunk = async (id: string, range: Chunk): Promise<string> => {
    const bytes = await store.get(keys.input(id), range);
    if (bytes?.length !== range.to - range.from) throw new Error(`the input of batch ${id} is not what was planned`);
    return textOf(bytes);
  };

  const rate = async ({ plan, context }: Loaded, id: string, index: number, suspected: boolean): Promise<Part> => {
    const range = plan.chunks[index];
    if (range === undefined) throw new Error(`batch ${id} has no chunk ${index}`);
    const text = await textOfChunk(id, range);
    const condemned = suspected ? await corner(store, id, index, range, text, context, alone) : undefined;
    const rater = createRater(text, range.firstRow, condemned === undefined ? context : { ...context, condemned });
    while (rater.step(SLICE_ROWS)) await turn();
    const { output, faults, tally } = rater.result();
    if (tally.processed !== range.rows)
      throw new Error(`chunk ${index} of batch ${id} has ${tally.processed} rows, not the ${range.rows} planned`);
    await store.put(keys.part(id, index), output);
    if (faults.length > 0) await store.put(keys.faults(id, index), faults);
    const part: Part = { bytes: output.length, faultBytes: faults.length, tally };
    await putJson(store, keys.partSummary(id, index), part);
    return part;
  };

  const settle = async (id: string, index: number, part: Part | undefined): Promise<void> => {
    const step = await state.advance(redis, id, await intake.window(), index, part);
    if (step.next === 'gone') await intake.restore(id);
    else await intake.follow(id, step);
  };

  return async (id, index) => {
    const { status, starts } = await beginWork(deps, id, index);
    if (status === 'cancelling') await settle(id, index, undefined);
    if (status !== 'in_progress') return undefined;
    try {
      const loaded = await load(id);
      if (loaded === undefined) return undefined;
      const part = await rate(loaded, id, index, starts > UNSUSPECTED_STARTS);
      await settle(id, index, part);
      return { rows: part.tally.processed, faulted: part.tally.faulted };
    } catch (error) {
      // A failure that was caught did not end the process: it speaks against no row.
      await state.ended(redis, id, index);
      throw error;
    }
  };
};
