/**
 * Cornering a row that ends whatever process rates it. A chunk that was begun several times and never ended is probed:
 * it is rated in one piece and thrown away; where that too does not end, in halves, down to the single row that is tried
 * three times alone and then condemned. What is known so far is kept in the store before each try, so it survives the
 * process. Workers that were ended by others only cost a few more tries: no row is condemned for a chance meeting.
 *
 * States of a segment of the chunk: pending; tried (its try was begun); then either gone (it ended well), or in halves
 * (longer than a row), or tried again (a row), or condemned (a row, tried three times).
 */
import { z } from 'zod';
import type { Chunk } from '../rows/chunk-plan.ts';
import { createRater, type RatingContext, rowStarts } from '../rows/rate-rows.ts';
import { getJson, putJson, type Store } from '../store/store.ts';

/** A chunk is suspected when it was begun more often than this without an end. */
export const UNSUSPECTED_STARTS = 3;
const TRIES_ALONE = 3;

const cornered = z.object({
  /** Segments to be probed: the first row and the row after the last, from 0 in the chunk. */
  pending: z.array(z.tuple([z.int(), z.int()])),
  /** Tries of the first of them that were begun and did not end. */
  tries: z.int(),
  /** Numbers of the rows that are given up. */
  condemned: z.array(z.int()),
});
type Cornered = z.output<typeof cornered>;

/** What is known with what the failed tries of the first segment say taken in: its first segment is the next to try. */
export const judged = (known: Cornered, firstRow: number): Cornered => {
  const [segment, ...others] = known.pending;
  if (segment === undefined || known.tries === 0) return known;
  const [from, to] = segment;
  if (to - from > 1) {
    const middle = (from + to) >> 1;
    return { ...known, pending: [[from, middle], [middle, to], ...others], tries: 0 };
  }
  if (known.tries < TRIES_ALONE) return known;
  return { pending: others, tries: 0, condemned: [...known.condemned, firstRow + from] };
};

/**
 * Probes a suspected chunk until every row of it has been rated once, or condemned.
 * @param key where what is known is kept
 * @param alone runs a step while nothing else is rated in this process: only what is tried may be blamed
 * @returns the numbers of the condemned rows
 */
export const findPoisonRows = async (
  store: Store,
  key: string,
  chunk: Pick<Chunk, 'firstRow' | 'rows'>,
  bytes: Buffer,
  context: RatingContext,
  alone: <T>(step: () => Promise<T>) => Promise<T>,
): Promise<ReadonlySet<number>> => {
  const starts = [...rowStarts(bytes, context), bytes.length];
  let known: Cornered = cornered.optional().parse(await getJson(store, key)) ?? {
    pending: [[0, chunk.rows]],
    tries: 0,
    condemned: [],
  };
  for (known = judged(known, chunk.firstRow); known.pending.length > 0; ) {
    const trying = known;
    known = await alone(async () => {
      await putJson(store, key, { ...trying, tries: trying.tries + 1 });
      const [[from, to] = [0, 0], ...others] = trying.pending;
      const rater = createRater(bytes.subarray(starts[from], starts[to]), chunk.firstRow + from, context);
      while (rater.step(chunk.rows));
      return { ...trying, pending: others, tries: 0 };
    });
  }
  await putJson(store, key, known);
  return new Set(known.condemned);
};

/** Runs steps one after the other. */
export const createMutex = (): (<T>(step: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const running = last.then(step, step);
    last = running.catch(() => undefined);
    return running;
  };
};
