/**
 * A chunk of a comparison: its rows are rated as they are and in each scenario. Rows that corrections of the compared batch
 * have replaced are taken from the corrections.
 */
import { type ComparingContext, type CorrectedRows, createComparer } from '../comparison/compare-rows.ts';
import { baseSide, scenarioSide } from '../comparison/side.ts';
import { must } from '../must.ts';
import type { RatingContext } from '../rows/rate-rows.ts';
import type { Store } from '../store/store.ts';
import type { Schedule } from '../tariff/schedule.ts';
import type { ChunkRows, RowRange } from './chunk-rows.ts';
import { correctedLines } from './correct-chunk.ts';
import { type BatchDocument, baseOf, type RevisionDocument, records } from './records.ts';
import type { Snapshots } from './snapshot.ts';

/** Everything that the chunks of a comparison need. */
export interface Comparing {
  readonly context: ComparingContext;
  /** The revisions of the compared batch whose corrections count, first one first. */
  readonly revisions: readonly RevisionDocument[];
}

/** The corrections behind a revision of a batch, the first ones first. @param id of the batch, or of a comparison's base */
export const revisionsUpTo = async (store: Store, id: string, last: number): Promise<readonly RevisionDocument[]> => {
  const revisions: RevisionDocument[] = [];
  for (let revision = last; revision > 1; ) {
    const document = must(await records.revision(store, id, revision), `revision ${revision} of batch ${id}`);
    revisions.unshift(document);
    revision = document.from;
  }
  return revisions;
};

/** @returns undefined if the document is not that of a comparison in scenarios. @param rating what the list is rated with as it is */
export const loadComparing = async (
  { store, snapshots }: { readonly store: Store; readonly snapshots: Snapshots },
  { id, comparison, columns, format }: BatchDocument,
  schedule: Schedule,
  { shipper, maximumRowBytes }: Pick<RatingContext, 'shipper' | 'maximumRowBytes'>,
): Promise<Comparing | undefined> => {
  if (comparison === undefined || comparison.join !== undefined) return undefined;
  const base = { schedule, shipper, instant: new Date(comparison.instant) };
  const sides = await Promise.all(
    comparison.scenarios.map(async ({ scenario, tariffs, account }) =>
      scenarioSide(base, {
        scenario,
        tariffs: tariffs === undefined ? undefined : await snapshots.schedule(tariffs),
        account: account === undefined ? undefined : await snapshots.account(account),
      }),
    ),
  );
  return {
    context: {
      ...{ columns, keepFormulas: format.keepFormulas, maximumRowBytes },
      ...{ scenarios: comparison.scenarios.map(({ scenario }) => scenario), base: baseSide(base), sides },
    },
    revisions: comparison.of === undefined ? [] : await revisionsUpTo(store, baseOf(id), comparison.of.revision),
  };
};

/** The lines of a chunk's corrected rows by number, in order. Of several corrections of a row, the last one counts. */
const readCorrected = async (
  store: Store,
  { context, revisions }: Comparing,
  { id, format }: BatchDocument,
  index: number,
): Promise<ReadonlyMap<number, string>> => {
  const lines = new Map<number, string>();
  for (const corrects of revisions) {
    const own = await correctedLines({ store, id: baseOf(id), corrects, context: { ...context, format } }, index);
    for (const [number, line] of own) lines.set(number, line);
  }
  return new Map([...lines].sort(([a], [b]) => a - b));
};

const correctedIn = (lines: ReadonlyMap<number, string>, { firstRow, rows }: RowRange): CorrectedRows | undefined => {
  const own = [...lines].filter(([number]) => number >= firstRow && number < firstRow + rows);
  if (own.length === 0) return undefined;
  return {
    numbers: new Set(own.map(([number]) => number)),
    bytes: Buffer.from(own.map(([, line]) => line).join(''), 'latin1'),
  };
};

const NO_FAULTS = Buffer.alloc(0);

/** The rows of a chunk of a comparison. */
export const comparedRows = async (
  store: Store,
  comparing: Comparing,
  document: BatchDocument,
  index: number,
): Promise<ChunkRows> => {
  const lines = await readCorrected(store, comparing, document, index);
  return {
    times: 1 + comparing.context.scenarios.length,
    begin: (bytes, range, own, into) => {
      const context = { ...comparing.context, ...own };
      const { step, result } = createComparer(bytes, range.firstRow, context, into?.output, correctedIn(lines, range));
      return { step, result: () => ({ ...result(), faults: NO_FAULTS }) };
    },
  };
};
