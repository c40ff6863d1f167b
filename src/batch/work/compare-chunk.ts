/**
 * A chunk of a comparison: its rows are rated as they are and in each scenario, or it joins two rated lists. Rows that
 * corrections of the compared batch have replaced are taken from the corrections.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { must } from '../../base/must.ts';
import { MissingObject, type Store } from '../../base/store/store.ts';
import type { Schedule } from '../../catalog/tariff/schedule.ts';
import type { ByteWriter } from '../../files/csv/byte-writer.ts';
import { type ComparingContext, type CorrectedRows, createComparer } from '../../lists/comparison/compare-rows.ts';
import type { ComparisonDocument } from '../../lists/comparison/document.ts';
import { createJoiner, type JoinSide } from '../../lists/comparison/join.ts';
import { baseSide, scenarioSide } from '../../lists/comparison/side.ts';
import type { RatingContext } from '../../lists/rows/rate-rows.ts';
import type { Context } from '../context.ts';
import { type BatchDocument, baseOf, joinedOf, keys, type RevisionDocument, records } from '../records.ts';
import type { ChunkRows, MadeRows, RowRange } from './chunk-rows.ts';
import { correctedLines } from './correct-chunk.ts';

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
  { store, snapshots }: Pick<Context, 'store' | 'snapshots'>,
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

/** Joined rows between two turns of the event loop. */
const SLICE_ROWS = 2_000;

/** A chunk of a comparison of two batches: the shipments of one partition of the keys. @param partition of all chunks of the document, from 0 */
export const joinChunk = async (
  store: Store,
  { id, chunks, format }: BatchDocument,
  { places }: NonNullable<ComparisonDocument['join']>,
  partition: number,
  output: ByteWriter,
): Promise<MadeRows> => {
  const joiner = createJoiner(places, partition, chunks, output, format.keepFormulas);
  const readAll = async (side: JoinSide, from: string): Promise<void> => {
    const { parts } = must(await records.output(store, from), `the output of ${from}`);
    for (const { index, revision } of parts) {
      const key = keys.part(from, index, revision);
      const bytes = await store.get(key);
      if (bytes === undefined) throw new MissingObject(key);
      const { step } = joiner.read(side, bytes);
      while (step(SLICE_ROWS)) await turn();
    }
  };
  await readAll('base', baseOf(id));
  await readAll('with', joinedOf(id));
  return { ...joiner.result(), faults: NO_FAULTS };
};
