/**
 * How the rows of a chunk are rated: as they are, or as a comparison. Then they are rated as they are and in each scenario, or
 * the chunk joins two rated lists.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { must } from '../../base/must.ts';
import { MissingObject, type Store } from '../../base/store/store.ts';
import { booksOf } from '../../catalog/tariff/schedule.ts';
import type { ByteWriter } from '../../files/csv/byte-writer.ts';
import type { Chunk } from '../../lists/chunk-plan.ts';
import { type ComparingContext, createComparer } from '../../lists/comparison/compare-rows.ts';
import { createJoiner, type JoinSide } from '../../lists/comparison/join.ts';
import type { ComparisonDocument } from '../../lists/comparison/scenario.ts';
import { baseSide, scenarioSide } from '../../lists/comparison/side.ts';
import type { Sums } from '../../lists/comparison/sums.ts';
import {
  createRater,
  type RatedInto,
  type RatedRows,
  type Rater,
  type RatingContext,
} from '../../lists/rows/rate-rows.ts';
import { type BatchDocument, baseOf, joinedOf, keys, records } from '../records.ts';
import type { Context } from '../scheduler.ts';

export type RaterDeps = Pick<Context, 'store' | 'snapshots'> & { readonly maximumRowBytes: number };

/** Loads what is needed to rate the rows of a batch. */
export const loadContext = async (
  { snapshots, maximumRowBytes }: Omit<RaterDeps, 'store'>,
  document: BatchDocument,
): Promise<RatingContext> => {
  const [schedule, account] = await Promise.all([snapshots.schedule(document.tariffs), snapshots.account(document)]);
  return {
    columns: document.columns,
    shipper: { warehouses: new Map(document.warehouses.map((warehouse) => [warehouse.id, warehouse])), account },
    bookOn: booksOf(schedule, new Date(document.createdAt)),
    maximumRowBytes,
    format: document.format,
  };
};

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

/** @returns undefined if it is not a comparison with scenarios. @param rating what the unchanged list is rated with */
export const loadComparing = async (
  snapshots: Context['snapshots'],
  { comparison, columns, format, tariffs: own }: BatchDocument,
  { shipper, maximumRowBytes }: Pick<RatingContext, 'shipper' | 'maximumRowBytes'>,
): Promise<ComparingContext | undefined> => {
  if (comparison === undefined || comparison.join !== undefined) return undefined;
  const base = { schedule: await snapshots.schedule(own), shipper, instant: new Date(comparison.instant) };
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
    ...{ columns, keepFormulas: format.keepFormulas, maximumRowBytes },
    ...{ scenarios: comparison.scenarios.map(({ scenario }) => scenario), base: baseSide(base), sides },
  };
};

const NO_FAULTS = Buffer.alloc(0);

/** Rates rows as they are and in each scenario. */
export const comparedRows = (context: ComparingContext): ChunkRows => ({
  times: 1 + context.scenarios.length,
  begin: (bytes, { firstRow, apart }, own, into) => {
    const { step, result } = createComparer(bytes, firstRow, { ...context, ...own, apart }, into?.output);
    return { step, result: () => ({ ...result(), faults: NO_FAULTS }) };
  },
});

/** Joined rows between two turns of the event loop. */
const SLICE_ROWS = 2_000;

/** Joins the shipments of one partition of the keys of two batches. @param partition its index, from 0 */
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
