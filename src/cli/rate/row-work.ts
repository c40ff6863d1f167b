/** A process's work on the rows of a list: rating them, or comparing them in scenarios. */
import type { Chunk } from '../../lists/chunk-plan.ts';
import { createComparer } from '../../lists/comparison/compare-rows.ts';
import { type BaseParts, baseSide, type ScenarioParts, scenarioSide } from '../../lists/comparison/side.ts';
import type { Sums } from '../../lists/comparison/sums.ts';
import type { Tally } from '../../lists/output/tally.ts';
import { createRater, type RatedInto, type Rater, type RatingContext } from '../../lists/rows/rate-rows.ts';

/** Begins work on complete rows. The result is valid until the writers are cleared. */
export type RowWork = (
  bytes: Buffer,
  range: Pick<Chunk, 'firstRow' | 'apart'>,
  into: RatedInto,
) => Pick<Rater, 'step'> & {
  readonly result: () => { readonly output: Buffer; readonly tally: Tally; readonly sums?: Sums };
};

/** How rows are read and written. All processes of a command get this. */
export type RowContext = Omit<RatingContext, 'bookOn' | 'shipper'>;

export const raterFor =
  (context: RowContext & Pick<RatingContext, 'bookOn' | 'shipper'>): RowWork =>
  (bytes, { firstRow, apart }, into) =>
    createRater(bytes, firstRow, { ...context, apart }, into);

export const comparerFor = (
  { columns, format, maximumRowBytes }: RowContext,
  parts: BaseParts,
  scenarios: readonly ScenarioParts[],
) => {
  const context = {
    columns,
    keepFormulas: format?.keepFormulas === true,
    maximumRowBytes,
    scenarios: scenarios.map(({ scenario }) => scenario),
    base: baseSide(parts),
    sides: scenarios.map((scenario) => scenarioSide(parts, scenario)),
  };
  return (bytes: Buffer, { firstRow, apart }: Parameters<RowWork>[1]) =>
    createComparer(bytes, firstRow, { ...context, apart });
};
