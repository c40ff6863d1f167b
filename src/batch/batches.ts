/** What callers do with batches: create, find, list, download, cancel, retry, correct and delete them. */
import { putJson } from '../base/store/store.ts';
import { turn } from '../base/time-slices.ts';
import {
  clientIndex,
  cursorOf,
  type InFlightLimits,
  inFlight,
  type Listed,
  readCursor,
  type WhichList,
} from './client-index.ts';
import { type Corrections, revise } from './corrections.ts';
import {
  createBatch,
  createComparison,
  createJoin,
  type NewBatch,
  type NewComparison,
  type NewJoin,
} from './create.ts';
import { BATCH_ID } from './ids.ts';
import { type KeptSummary, keptSummaries } from './kept/summaries.ts';
import { jsonFile } from './output/json-file.ts';
import {
  contiguousParts,
  excelFile,
  faultsOf,
  type OutputFile,
  type OutputForm,
  type OutputKind,
  outputOf,
  type Parts,
  unprocessedOf,
} from './output/output.ts';
import { parquetOutput } from './output/parquet-file.ts';
import { type Summed, summarySheet } from './output/summary-sheet.ts';
import { sheetsOf, workbookFile } from './output/workbook-file.ts';
import { stored } from './quota.ts';
import { type BatchDocument, keys, records } from './records.ts';
import { latestRevision } from './revisions.ts';
import type { Context } from './scheduler.ts';
import { state } from './state.ts';
import { isActive } from './status.ts';
import { type BatchFields, type BatchView, type ComparisonView, endedView, readFields, viewOf } from './view.ts';

/** The Redis connection must be a producer's, which fails at once while Redis is unavailable. */
type BatchContext = Pick<Context, 'store' | 'redis' | 'scheduler' | 'snapshots' | 'now'>;
type View = BatchView | ComparisonView;

export interface FoundBatch {
  readonly id: string;
  readonly fields: BatchFields;
  readonly view: View;
}

export interface ViewPage {
  readonly views: readonly View[];
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
}

/**
 * Starts the rating of rows: creates batches and comparisons, and new revisions of batches. If that fails, nothing of them
 * remains. Each returns the limit that the client would exceed. Then nothing was started.
 */
const createAndCorrect = (context: BatchContext) => {
  const { store, redis, now } = context;
  type Room = readonly [clientId: string, id: string, rows: number, at: Date];
  const ifRoom = async ([clientId, id, rows, at]: Room, limits: InFlightLimits, start: () => Promise<void>) => {
    const limit = await inFlight.enter(redis, clientId, id, rows, limits, at);
    if (limit === undefined) await start();
    return limit;
  };
  return {
    /** Creates a batch from a received upload. */
    create: (batch: NewBatch, limits: InFlightLimits) =>
      ifRoom([batch.clientId, batch.id, batch.plan.rows, batch.createdAt], limits, () => createBatch(context, batch)),
    /** Creates a comparison of a completed batch. @throws {MissingObject} if the batch is gone */
    compare: (comparison: NewComparison, limits: InFlightLimits) => {
      const { id, batch, createdAt } = comparison;
      return ifRoom([batch.clientId, id, batch.rows, createdAt], limits, () => createComparison(context, comparison));
    },
    /** The same for a comparison of two completed batches that are joined by a key column. */
    join: (join: NewJoin, limits: InFlightLimits) => {
      const { id, base, other, createdAt } = join;
      const rows = base.document.rows + other.document.rows;
      return ifRoom([base.document.clientId, id, rows, createdAt], limits, () => createJoin(context, join));
    },
    /** Starts the revision that applies checked corrections. @returns also `notCompleted` if the batch has changed */
    correct: async (document: BatchDocument, corrections: Corrections, limits: InFlightLimits) => {
      const { id, clientId } = document;
      const limit = await inFlight.enter(redis, clientId, id, corrections.rows, limits, now());
      if (limit !== undefined) return limit;
      if (!(await revise(context, document, corrections))) return 'notCompleted' as const;
      // From now on, the corrections count as part of their batch.
      await stored.measure(store, redis, clientId, id);
      return undefined;
    },
  };
};

const createCancelAndRetry = ({ store, redis, scheduler, now }: BatchContext) => {
  const revisionOf = async (id: string): Promise<number> =>
    Number((await state.fields(redis, id))['revision'] ?? (await latestRevision(store, id)));

  return {
    /** @returns false if the batch has already ended */
    cancel: async (id: string): Promise<boolean> => {
      const revision = await revisionOf(id);
      const before = await state.cancel(redis, id);
      if (!isActive(before)) return false;
      try {
        // Keeps a batch that is restored from the store from continuing. Redis comes first, so that a full disk does not
        // keep a batch from stopping.
        await putJson(store, keys.cancel(id, revision), { at: now().toISOString() }, { durable: true });
      } finally {
        await scheduler.returnWaiting(id);
        await scheduler.reconcile(id);
      }
      return true;
    },
    /** @returns false if the batch has not failed */
    retry: async (id: string): Promise<boolean> => {
      const revision = await revisionOf(id);
      const final = await records.final(store, id, revision);
      // An interrupted retry has removed the end from the store, but Redis does not know it yet.
      const isBroken = final === undefined && (await state.fields(redis, id))['status'] === 'failed';
      if (final?.status !== 'failed' && !isBroken) return false;
      // A request to cancel is older than this retry.
      await store.remove(keys.cancel(id, revision));
      // Without its end, the batch is restored like one that Redis has lost: finished chunks are counted, others admitted.
      await store.remove(keys.final(id, revision));
      await state.remove(redis, id);
      return await scheduler.restore(id);
    },
  };
};

const changesOf = (context: BatchContext) => ({ ...createAndCorrect(context), ...createCancelAndRetry(context) });

const createOutputs = ({ store, redis }: BatchContext) => ({
  /**
   * Makes a download file from the output.
   * @param parts the parts that it is made of
   * @param summed what the first sheet of a workbook summarizes; undefined for no such sheet
   */
  output: async (
    document: BatchDocument,
    parts: Parts,
    kind: OutputKind,
    form: OutputForm,
    summed?: Summed | undefined,
  ): Promise<OutputFile> => {
    if (kind === 'unprocessed') return await unprocessedOf(store, document, parts);
    const faults = (): OutputFile => faultsOf(store, document, parts);
    const file = kind === 'output' ? outputOf(store, document, parts) : faults();
    if (form === 'json') return jsonFile(document.columns.passed.length, file);
    if (form === 'parquet') return parquetOutput(document, file);
    if (form === 'xlsx') {
      const sheets = sheetsOf(document, kind, file, faults);
      return workbookFile(document, sheets, summed && summarySheet(document, summed));
    }
    return form === 'excel' ? excelFile(file, document.columns.dialect.delimiter) : file;
  },
  /** Returns the finished parts of a running batch, from the first chunk up to the first unfinished one. */
  partialParts: async (id: string): Promise<Parts> => await contiguousParts(await state.done(redis, id)),
});

export type Batches = ReturnType<typeof createBatches>;

export const createBatches = (context: BatchContext) => {
  const { store, redis, scheduler, now } = context;
  /** Finds a batch that the lists have forgotten. */
  const findKept = async (id: string, clientId: string): Promise<FoundBatch | undefined> => {
    const kept = await keptSummaries.read(store, id);
    if (kept === undefined || kept.document.clientId !== clientId) return undefined;
    return endedView(kept.document, kept.final, 1, now());
  };

  const removeFiles = async (id: string, clientId: string): Promise<void> => {
    // First, so that the batch is no longer shown. If this is interrupted, the sweeper finishes it.
    await state.deleted(redis, id);
    // Without its document the batch does not exist. If the process is killed, the sweeper removes the other files.
    await store.remove(keys.batch(id));
    await store.remove(keys.folder(id));
    await scheduler.forget(id, clientId);
  };

  /** @returns undefined if there is no such batch or comparison, or it belongs to another client */
  const find = async (id: string, clientId: string): Promise<FoundBatch | undefined> => {
    if (!BATCH_ID.test(id)) return undefined;
    let raw = await state.fields(redis, id);
    if (raw['status'] === undefined) {
      if (!(await scheduler.restore(id))) return await findKept(id, clientId);
      raw = await state.fields(redis, id);
    }
    const fields = readFields(raw);
    if (fields === undefined || fields.clientId !== clientId || fields.deleted !== undefined) return undefined;
    return { id, fields, view: viewOf(id, fields, raw, now()) };
  };

  /** Returns a batch as a list shows it. Leaves out batches that the store does not have. The sweeper removes them. */
  const listed = async ({ id, fields: raw }: Listed, clientId: string, at: Date): Promise<View | undefined> => {
    if (raw['status'] === undefined) return (await find(id, clientId))?.view;
    // No work has begun. The process that created the batch may have died before the store had it.
    if (raw['status'] === 'queued' && (await store.size(keys.batch(id))) === undefined) return undefined;
    const fields = readFields(raw);
    return fields === undefined || fields.deleted !== undefined ? undefined : viewOf(id, fields, raw, at);
  };

  /** Lists batches, newest first. @param cursor `next` of an earlier page. @param which the list; undefined for batches */
  const list = async (
    clientId: string,
    limit: number,
    cursor: string | undefined,
    which?: WhichList,
  ): Promise<ViewPage> => {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const { entries, more } = await clientIndex.page(redis, clientId, limit, after, which);
    await turn();
    const at = now();
    const viewed = await Promise.all(entries.map((entry) => listed(entry, clientId, at)));
    const views = viewed.flatMap((view) => (view === undefined ? [] : [view]));
    const last = views.at(-1);
    return { views, next: more && last !== undefined ? cursorOf(last.createdAt, last.id) : null };
  };

  return {
    ...changesOf(context),
    /** The same changes, for a request. The jobs that they add have the request's id. */
    causedBy: (requestId: string) => changesOf({ ...context, scheduler: scheduler.causedBy(requestId) }),
    ...createOutputs(context),
    find,
    /** Returns the document of a batch; undefined if the store has none. */
    document: async (id: string): Promise<BatchDocument | undefined> =>
      (await records.batch(store, id)) ?? (await keptSummaries.read(store, id))?.document,
    /** Whether the store has the batch. */
    exists: async (id: string): Promise<boolean> =>
      (await store.size(keys.batch(id))) !== undefined || (await keptSummaries.read(store, id)) !== undefined,
    /** Returns how a revision ended, with the sums of a comparison; undefined if it has not ended. */
    ended: async (id: string, revision: number): Promise<Pick<KeptSummary, 'final' | 'sums'> | undefined> => {
      const final = await records.final(store, id, revision);
      if (final === undefined) return await keptSummaries.read(store, id);
      return { final, sums: await records.sums(store, id) };
    },
    list,
    /** Removes what Redis has about a batch that the store does not have. */
    forget: scheduler.forget,
    /** Removes a batch and its files. */
    remove: async (id: string, clientId: string): Promise<void> => {
      await keptSummaries.remove(store, id);
      await removeFiles(id, clientId);
    },
    /** Removes an expired batch from the lists. Its summary stays. */
    archive: async (id: string, clientId: string): Promise<void> => {
      await keptSummaries.keep(store, id);
      await removeFiles(id, clientId);
    },
  };
};
