/**
 * Finds poison rows, which kill the process that rates them. A chunk that was begun several times and never finished is
 * probed: it is rated as a whole, and the result is dropped. If that does not finish either, its halves are probed, down to
 * a single row. A row that does not finish in three attempts is a poison row. It is not rated. The store has the state of
 * the search before each attempt, so it survives the process. A worker that dies for another reason only costs a few more
 * attempts. No row is blamed for it.
 *
 * States of a segment of the chunk: pending; tried (an attempt was begun); then done (the attempt finished), split (longer
 * than a row), tried again (a row), or a poison row (tried three times; in `condemned`).
 */
import { z } from 'zod';
import { putJson, type Store } from '../../base/store/store.ts';
import { type RatingContext, rowStarts } from '../../lists/rows/rate-rows.ts';
import { readsJson } from '../records.ts';
import type { ChunkRows, RowRange } from './chunk-rows.ts';

/** A chunk is probed if more workers than this have begun it without finishing it. */
export const UNSUSPECTED_DEATHS = 2;
const TRIES_ALONE = 3;

const searchState = z.object({
  /** Segments to probe: the first row and the row after the last, from 0 in the chunk. */
  pending: z.array(z.tuple([z.int(), z.int()])),
  /** Attempts at the first segment that were begun but did not finish. */
  tries: z.int(),
  /** Numbers of the poison rows. */
  condemned: z.array(z.int()),
});
type Search = z.output<typeof searchState>;

const searchAt = readsJson(searchState, (key: string) => key);

/** Returns the numbers of the poison rows that a search has found. @param key the key of its state in the store */
export const condemnedRows = async (store: Store, key: string): Promise<readonly number[]> =>
  (await searchAt(store, key))?.condemned ?? [];

/** Returns the state of the search after failed attempts at the first segment. Its first segment is probed next. */
export const nextSearch = (known: Search, firstRow: number): Search => {
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

/** The rows of a chunk, and how they are rated. */
export interface RowsToProbe extends RowRange {
  readonly bytes: Buffer;
  readonly context: Pick<RatingContext, 'columns' | 'maximumRowBytes'>;
  readonly begin: ChunkRows['begin'];
}

/**
 * Probes a chunk until each row was rated once or is a poison row.
 * @param key the key of the search's state in the store
 * @param runAlone runs one step at a time in this process, so that no other row can be to blame
 * @returns the numbers of the poison rows that it found
 */
export const findPoisonRows = async (
  store: Store,
  key: string,
  { firstRow, rows, apart, bytes, context, begin }: RowsToProbe,
  runAlone: <T>(step: () => Promise<T>) => Promise<T>,
): Promise<readonly number[]> => {
  const starts = [...rowStarts(bytes, context), bytes.length];
  let known: Search = (await searchAt(store, key)) ?? { pending: [[0, rows]], tries: 0, condemned: [] };
  for (known = nextSearch(known, firstRow); known.pending.length > 0; ) {
    const trying = known;
    known = await runAlone(async () => {
      await putJson(store, key, { ...trying, tries: trying.tries + 1 });
      const [[from, to] = [0, 0], ...others] = trying.pending;
      const rater = begin(bytes.subarray(starts[from], starts[to]), {
        ...{ firstRow: firstRow + from, rows: to - from },
        apart,
      });
      while (rater.step(rows));
      return { ...trying, pending: others, tries: 0 };
    });
  }
  await putJson(store, key, known);
  return known.condemned;
};

/** Returns a function that runs steps one after another. */
export const createMutex = (): (<T>(step: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const running = last.then(step, step);
    last = running.catch(() => undefined);
    return running;
  };
};
