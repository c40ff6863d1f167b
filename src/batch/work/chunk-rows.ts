/** How the rows of a chunk are rated: as they are, or as a comparison. */

import type { Chunk } from '../../lists/chunk-plan.ts';
import type { Sums } from '../../lists/comparison/sums.ts';
import {
  createRater,
  type RatedInto,
  type RatedRows,
  type Rater,
  type RatingContext,
} from '../../lists/rows/rate-rows.ts';

export type RowRange = Pick<Chunk, 'firstRow' | 'rows' | 'apart'>;

/** The content of a part. */
export interface MadeRows extends RatedRows {
  /** Present in a comparison. */
  readonly sums?: Sums;
}

export interface RowsRater extends Pick<Rater, 'step'> {
  readonly result: () => MadeRows;
}

export interface ChunkRows {
  /** How often each row is rated. */
  readonly times: number;
  /**
   * Begins to rate rows of the chunk.
   * @param bytes the bytes of the range's rows
   * @param own options for this run of rows
   */
  readonly begin: (
    bytes: Buffer,
    range: RowRange,
    own?: Pick<RatingContext, 'poisonRows' | 'mostBytes'>,
    into?: RatedInto,
  ) => RowsRater;
}

/** Rates rows as they are. */
export const ratedRows = (context: RatingContext): ChunkRows => ({
  times: 1,
  begin: (bytes, { firstRow, apart }, own, into) => createRater(bytes, firstRow, { ...context, ...own, apart }, into),
});
