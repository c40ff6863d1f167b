/**
 * Creating a batch from a received upload: its documents in the store, its own document last, then the queue. Before
 * that, the store learns which idempotency key makes it (`keys/<day>/<digest>.json`), because Redis may lose its last
 * writes.
 */
import { z } from 'zod';
import type { Client } from '../clients/clients.ts';
import { must } from '../must.ts';
import type { Plan } from '../rows/chunk-plan.ts';
import type { Columns } from '../rows/columns.ts';
import type { ListHeader } from '../rows/header.ts';
import { fitted, type OutputFormat } from '../rows/output-format.ts';
import { getJson, putJson, type Store } from '../store/store.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { inSlices } from '../time-slices.ts';
import { type AskedScenarios, keepScenarios } from './kept-scenarios.ts';
import { type BatchDocument, keys } from './records.ts';
import type { Scheduler } from './scheduler.ts';
import type { Snapshots } from './snapshot.ts';

export interface NewBatch {
  readonly id: string;
  readonly clientId: string;
  readonly filename: string;
  readonly options: Readonly<Record<string, string>>;
  /** What the output has beside the usual columns. */
  readonly format: OutputFormat;
  readonly head: ListHeader;
  readonly plan: Plan;
  readonly bytes: number;
  /** Of the upload as it was sent. A compressed upload has fewer bytes than its list. */
  readonly sentBytes: number;
  /** The tariffs to choose from, as they are now. */
  readonly schedule: Schedule;
  readonly shipper: Pick<Client, 'warehouses' | 'discounts' | 'agreements'>;
  readonly createdAt: Date;
  /** Present if its rows are compared. */
  readonly asked?: AskedScenarios | undefined;
}

export interface CreateDeps {
  readonly store: Store;
  readonly snapshots: Snapshots;
  readonly scheduler: Scheduler;
}

/** The ids of what a batch is rated on. */
interface Kept {
  readonly tariffs: readonly string[];
  /** Beside the agreements of the client. */
  readonly agreements: readonly string[];
}

const agreementsOf = ({ shipper }: NewBatch, ids: readonly string[]): BatchDocument['agreements'] =>
  shipper.agreements.map(({ warehouses }, at) => ({
    id: must(ids[at], 'the id of an agreement'),
    ...(warehouses === undefined ? {} : { warehouses: [...warehouses] }),
  }));

const documentOf = (batch: NewBatch, columns: Columns, { tariffs, agreements }: Kept): BatchDocument => ({
  id: batch.id,
  clientId: batch.clientId,
  revision: 1,
  filename: batch.filename,
  createdAt: batch.createdAt.toISOString(),
  options: { ...batch.options },
  rows: batch.plan.rows,
  chunks: batch.plan.chunks.length,
  inputBytes: batch.bytes,
  sentBytes: batch.sentBytes,
  headerStart: batch.head.headerStart,
  bodyStart: batch.head.bodyStart,
  columns: {
    ...columns,
    header: [...columns.header],
    passed: [...columns.passed],
    repairs: [...columns.repairs],
    words: [...columns.words],
    services: columns.services.map(([name, code]): [string, string] => [name, code]),
    findings: [...(batch.asked?.findings ?? []), ...columns.findings],
  },
  format: { ...batch.format, services: [...batch.format.services], warehouses: [...batch.format.warehouses] },
  tariffs: [...tariffs],
  warehouses: [...batch.shipper.warehouses.values()],
  discounts: Object.fromEntries(batch.shipper.discounts),
  agreements: agreementsOf(batch, agreements),
});

/**
 * Makes a batch or a comparison in the store, and queues it. If that fails, nothing of it stays.
 * @param prepare writes its files, and returns its plan
 * @throws what failed: the store or Redis
 */
export const queueNew = async (
  { store, scheduler }: CreateDeps,
  document: BatchDocument,
  prepare: () => Promise<Plan>,
): Promise<void> => {
  const { id, clientId } = document;
  try {
    await putJson(store, keys.plan(id), await prepare(), { durable: true });
    await putJson(store, keys.batch(id), document, { durable: true });
    await scheduler.enqueue(document);
  } catch (error) {
    await store.remove(keys.batch(id));
    await store.remove(keys.folder(id));
    // If Redis failed, this fails too. Then its state goes when the batch is next looked up.
    await scheduler.forget(id, clientId).catch(() => undefined);
    throw error;
  }
};

/** A list that is uploaded for a comparison: rows without a `shipDate` are shipped on the day of the upload. */
const comparisonOf = async (
  snapshots: Snapshots,
  { asked, createdAt }: NewBatch,
): Promise<Pick<BatchDocument, 'comparison'>> =>
  asked === undefined
    ? {}
    : { comparison: await keepScenarios(snapshots, asked, { instant: createdAt.toISOString() }) };

/**
 * Makes a batch or a comparison of an upload in the store, and queues it. If that fails, nothing of it stays.
 * @throws what failed: the store or Redis
 */
export const createBatch = async (deps: CreateDeps, batch: NewBatch): Promise<void> => {
  const { snapshots } = deps;
  const kept = {
    tariffs: await snapshots.keep(batch.schedule),
    agreements: await snapshots.keepAgreements(batch.shipper.agreements.map(({ document: agreement }) => agreement)),
  };
  const document = documentOf(batch, await inSlices(fitted(batch.head.columns, batch.format)), kept);
  const comparison = await comparisonOf(snapshots, batch);
  await queueNew(deps, { ...document, ...comparison }, async () => batch.plan);
};

const takenKey = z.object({ batchId: z.string(), content: z.string() });
export type IdempotencyRecord = z.output<typeof takenKey>;

const FOLDER = 'keys/';
const DAY_MS = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const keyOf = (digest: string, time: number): string => `${FOLDER}${dayOf(time)}/${digest}.json`;

export const idempotencyRecords = {
  /** To be written before the batch is made. A record whose batch does not exist has no effect. */
  note: async (store: Store, digest: string, taken: IdempotencyRecord, now: Date): Promise<void> => {
    await putJson(store, keyOf(digest, now.getTime()), taken, { durable: true });
  },
  /** What was written for a key within the last day, or up to two. */
  find: async (store: Store, digest: string, now: Date): Promise<IdempotencyRecord | undefined> => {
    const days = [now.getTime(), now.getTime() - DAY_MS];
    const [today, before] = await Promise.all(days.map((time) => getJson(store, keyOf(digest, time))));
    return takenKey.optional().parse(today ?? before);
  },
  /** Removes older records. */
  sweep: async (store: Store, now: Date): Promise<void> => {
    const kept = [now.getTime(), now.getTime() - DAY_MS].map((time) => `${dayOf(time)}/`);
    // Days after today stay: the clock of another machine may be ahead.
    for (const day of await store.list(FOLDER))
      if (!kept.includes(day) && day < `${dayOf(now.getTime())}/`) await store.remove(`${FOLDER}${day}`);
  },
} as const;
