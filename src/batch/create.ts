/**
 * Creates a batch or a comparison: first its files in the store, its own document last, then its jobs in the queue. Before
 * that, the store records the idempotency key (`keys/<day>/<digest>.json`), because Redis may lose its last writes.
 */
import { z } from 'zod';
import { must } from '../base/must.ts';
import { getJson, MissingObject, putJson, type Store } from '../base/store/store.ts';
import { inSlices } from '../base/time-slices.ts';
import type { Client } from '../catalog/clients/clients.ts';
import { AGREEMENTS, TARIFFS } from '../catalog/documents/kinds.ts';
import type { Snapshots } from '../catalog/published/snapshots.ts';
import type { Schedule } from '../catalog/tariff/schedule.ts';
import type { Plan } from '../lists/chunk-plan.ts';
import type { Columns } from '../lists/columns/columns.ts';
import type { Finding } from '../lists/columns/findings.ts';
import type { ListHeader } from '../lists/columns/header.ts';
import { type OutputPlaces, partitionsFor } from '../lists/comparison/join.ts';
import type { ResolvedScenario } from '../lists/comparison/resolve.ts';
import type { ComparisonDocument, StoredScenario } from '../lists/comparison/scenario.ts';
import { fitted, type OutputFormat } from '../lists/output/output-format.ts';
import { type BatchDocument, baseOf, joinedOf, keys, type OutputDocument, records } from './records.ts';
import { revisionsUpTo } from './revisions.ts';
import type { Context } from './scheduler.ts';

export interface NewBatch {
  readonly id: string;
  readonly clientId: string;
  readonly filename: string;
  readonly options: Readonly<Record<string, string>>;
  /** Columns of the output in addition to the usual ones. */
  readonly format: OutputFormat;
  readonly head: ListHeader;
  readonly plan: Plan;
  readonly bytes: number;
  /** The size of the upload as it was sent. A compressed upload has fewer bytes than its list. */
  readonly sentBytes: number;
  /** The tariffs to choose from, in their current version. */
  readonly schedule: Schedule;
  readonly shipper: Pick<Client, 'warehouses' | 'discounts' | 'agreements'>;
  readonly createdAt: Date;
  /** Present if its rows are compared. */
  readonly asked?: AskedScenarios | undefined;
}

type CreateContext = Pick<Context, 'store' | 'snapshots' | 'scheduler'>;

/** Ids of the documents that a batch is rated on. */
interface Kept {
  readonly tariffs: readonly string[];
  /** Parallel to the client's agreements. */
  readonly agreements: readonly string[];
}

const documentOf = (batch: NewBatch, columns: Columns, { tariffs, agreements }: Kept): BatchDocument => {
  const { id, clientId, filename, options, plan, head, format, shipper, asked } = batch;
  return {
    ...{ id, clientId, revision: 1, filename, createdAt: batch.createdAt.toISOString() },
    options: { ...options },
    ...{ rows: plan.rows, chunks: plan.chunks.length, inputBytes: batch.bytes, sentBytes: batch.sentBytes },
    ...{ headerStart: head.headerStart, bodyStart: head.bodyStart },
    columns: { ...columns, findings: [...(asked?.findings ?? []), ...columns.findings] },
    format: { ...format, services: [...format.services], warehouses: [...format.warehouses] },
    tariffs: [...tariffs],
    warehouses: [...shipper.warehouses.values()],
    discounts: Object.fromEntries(shipper.discounts),
    agreements: shipper.agreements.map(({ warehouses }, at) => ({
      id: must(agreements[at], 'the id of an agreement'),
      ...(warehouses === undefined ? {} : { warehouses: [...warehouses] }),
    })),
  };
};

/**
 * Creates a batch or a comparison in the store and queues it. If that fails, nothing of it remains.
 * @param prepare writes its files, and returns its plan
 * @throws the failure of the store or of Redis
 */
const queueNew = async (
  { store, scheduler }: CreateContext,
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
    // If Redis failed, this fails too. Then the state is removed when the batch is next looked up.
    await scheduler.forget(id, clientId).catch(() => undefined);
    throw error;
  }
};

/**
 * Creates a batch or a comparison from an upload in the store and queues it. If that fails, nothing of it remains.
 * @throws the failure of the store or of Redis
 */
export const createBatch = async (deps: CreateContext, batch: NewBatch): Promise<void> => {
  const { snapshots } = deps;
  const kept = {
    tariffs: await snapshots.keep(TARIFFS, batch.schedule.documents),
    agreements: await snapshots.keep(
      AGREEMENTS,
      batch.shipper.agreements.map(({ document: agreement }) => agreement),
    ),
  };
  const document = documentOf(batch, await inSlices(fitted(batch.head.columns, batch.format)), kept);
  // Rows without a `shipDate` ship on the upload day.
  const rest = { instant: document.createdAt };
  const comparison = batch.asked && (await keepScenarios(snapshots, batch.asked, rest));
  await queueNew(deps, { ...document, ...(comparison && { comparison }) }, async () => batch.plan);
};

/**
 * A comparison of a completed batch. It copies the batch's list and corrections, so that the batch may be deleted or expire
 * while the comparison runs or is retried.
 */
export interface NewComparison {
  readonly id: string;
  readonly createdAt: Date;
  readonly batch: BatchDocument;
  readonly revision: number;
  readonly asked: AskedScenarios;
}

/** Returns the files of a batch that a comparison needs, each with its key in the comparison. */
const filesToCopy = async (
  { store }: CreateContext,
  { id, batch, revision }: NewComparison,
): Promise<readonly (readonly [from: string, to: string])[]> => {
  const revisions = await revisionsUpTo(store, batch.id, revision);
  const base = baseOf(id);
  return [
    [keys.input(batch.id), keys.input(id)],
    ...revisions.flatMap(({ revision: number, upload }): (readonly [string, string])[] => [
      [keys.corrections(batch.id, upload), keys.corrections(base, upload)],
      [keys.correctedRows(batch.id, upload), keys.correctedRows(base, upload)],
      [keys.revision(batch.id, number), keys.revision(base, number)],
    ]),
  ];
};

/**
 * Creates a comparison of a batch and queues it. If that fails, nothing of it remains.
 * @throws {MissingObject} if files of the batch are gone; otherwise the failure of the store or of Redis
 */
export const createComparison = async (deps: CreateContext, comparison: NewComparison): Promise<void> => {
  const { store, snapshots } = deps;
  const { id, createdAt, batch, revision, asked } = comparison;
  const of = { id: batch.id, revision, filename: batch.filename };
  const document: BatchDocument = {
    ...batch,
    id,
    createdAt: createdAt.toISOString(),
    columns: { ...batch.columns, findings: [...asked.findings] },
    comparison: await keepScenarios(snapshots, asked, { of, instant: batch.createdAt }),
  };
  await queueNew(deps, document, async () => {
    const plan = await records.plan(store, batch.id);
    if (plan === undefined) throw new MissingObject(keys.plan(batch.id));
    for (const [from, to] of await filesToCopy(deps, comparison)) await store.copy(from, to);
    return plan;
  });
};

/** A completed batch, the revision of its output, and the positions of columns in that output. */
export interface JoinedBatch {
  readonly document: BatchDocument;
  readonly revision: number;
  readonly places: OutputPlaces;
}

/** A comparison of two completed batches that are joined by a key column. It copies the outputs of both. */
export interface NewJoin {
  readonly id: string;
  readonly createdAt: Date;
  readonly base: JoinedBatch;
  readonly other: JoinedBatch;
  /** The name of the key column, as the caller wrote it. */
  readonly key: string;
}

/** Number of files that are copied at the same time. */
const TOGETHER = 32;
const MOST_NAME_CHARACTERS = 60;

const outputOf = async (store: Store, { document: { id }, revision }: JoinedBatch): Promise<OutputDocument> => {
  const output = await records.output(store, id, revision);
  if (output === undefined) throw new MissingObject(keys.output(id, revision));
  return output;
};

/** Returns the bytes that a join copies. @throws {MissingObject} if the output of a batch is gone */
export const bytesToJoin = async (store: Store, { base, other }: Pick<NewJoin, 'base' | 'other'>): Promise<number> => {
  const outputs = await Promise.all([outputOf(store, base), outputOf(store, other)]);
  return outputs.flatMap(({ parts }) => parts).reduce((sum, { bytes }) => sum + bytes, 0);
};

/** Copies the parts of a batch's output. @param to the result of `baseOf` or `joinedOf` */
const copyOutput = async ({ store }: CreateContext, batch: JoinedBatch, to: string) => {
  const { id } = batch.document;
  const output = await outputOf(store, batch);
  for (let at = 0; at < output.parts.length; at += TOGETHER)
    await Promise.all(
      output.parts
        .slice(at, at + TOGETHER)
        .map((part) => store.copy(keys.part(id, part.index, part.revision), keys.part(to, part.index, part.revision))),
    );
  await putJson(store, keys.output(to), { ...output, revision: 1 }, { durable: true });
};

/** Returns a name for the other batch. A file may have any name, even ` `. */
const nameOf = ({ filename, id }: BatchDocument): string => filename.trim().slice(0, MOST_NAME_CHARACTERS).trim() || id;

const joinDocument = ({ id, createdAt, base, other, key }: NewJoin): BatchDocument => {
  const { document, revision, places } = base;
  const rows = document.rows + other.document.rows;
  return {
    ...document,
    id,
    createdAt: createdAt.toISOString(),
    rows,
    chunks: partitionsFor(rows),
    // The output has only its own columns.
    columns: { ...document.columns, header: [], passed: [], fields: {}, findings: [] },
    // Formulas are kept only if both lists keep theirs.
    format: { ...document.format, keepFormulas: document.format.keepFormulas && other.document.format.keepFormulas },
    comparison: {
      of: { id: document.id, revision, filename: document.filename },
      instant: document.createdAt,
      scenarios: [{ scenario: { name: nameOf(other.document) } }],
      join: {
        with: { id: other.document.id, revision: other.revision, filename: other.document.filename },
        key,
        places: { base: places, with: other.places },
      },
    },
  };
};

/**
 * Creates a comparison of two batches and queues it. If that fails, nothing of it remains.
 * @throws {MissingObject} if files of a batch are gone; otherwise the failure of the store or of Redis
 */
export const createJoin = async (deps: CreateContext, join: NewJoin): Promise<void> => {
  const document = joinDocument(join);
  const { id, rows, chunks } = document;
  await queueNew(deps, document, async () => {
    await copyOutput(deps, join.base, baseOf(id));
    await copyOutput(deps, join.other, joinedOf(id));
    // A chunk is a partition of the keys. Its keys may be in any rows.
    return { rows, bytes: 0, chunks: Array.from({ length: chunks }, () => ({ from: 0, to: 0, firstRow: 1, rows })) };
  });
};

const takenKey = z.object({ batchId: z.string(), content: z.string() });
export type IdempotencyRecord = z.output<typeof takenKey>;

const FOLDER = 'keys/';
const DAY_MS = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const keyOf = (digest: string, time: number): string => `${FOLDER}${dayOf(time)}/${digest}.json`;

export const idempotencyRecords = {
  /** Must be called before the batch is created. A record whose batch does not exist has no effect. */
  note: async (store: Store, digest: string, taken: IdempotencyRecord, now: Date): Promise<void> => {
    await putJson(store, keyOf(digest, now.getTime()), taken, { durable: true });
  },
  /** Returns the record of a key from the last day. A record may be found for up to two days. */
  find: async (store: Store, digest: string, now: Date): Promise<IdempotencyRecord | undefined> => {
    const days = [now.getTime(), now.getTime() - DAY_MS];
    const [today, before] = await Promise.all(days.map((time) => getJson(store, keyOf(digest, time))));
    return takenKey.optional().parse(today ?? before);
  },
  /** Removes older records. */
  sweep: async (store: Store, now: Date): Promise<void> => {
    const kept = [now.getTime(), now.getTime() - DAY_MS].map((time) => `${dayOf(time)}/`);
    // Later days stay, because the clock of another machine may be ahead.
    for (const day of await store.list(FOLDER))
      if (!kept.includes(day) && day < `${dayOf(now.getTime())}/`) await store.remove(`${FOLDER}${day}`);
  },
} as const;

/** Checked scenarios, and what their author should know. */
export interface AskedScenarios {
  readonly scenarios: readonly ResolvedScenario[];
  readonly findings: readonly Finding[];
}

/** Stores what a scenario names. */
const keep = async (
  snapshots: Snapshots,
  { scenario, tariffs, accountParts }: ResolvedScenario,
): Promise<StoredScenario> => {
  const ids = tariffs && (await snapshots.keep(TARIFFS, tariffs.documents));
  const agreements = accountParts?.agreements.map(({ document }) => document) ?? [];
  const account = accountParts && {
    discounts: Object.fromEntries(accountParts.discounts),
    agreements: (await snapshots.keep(AGREEMENTS, agreements)).map((id) => ({ id })),
  };
  return { scenario, ...(ids && { tariffs: [...ids] }), ...(account && { account }) };
};

/** @param rest what is compared, and the day for rows without a `shipDate` */
const keepScenarios = async (
  snapshots: Snapshots,
  { scenarios }: AskedScenarios,
  rest: Omit<ComparisonDocument, 'scenarios'>,
): Promise<ComparisonDocument> => {
  const kept: StoredScenario[] = [];
  for (const scenario of scenarios) kept.push(await keep(snapshots, scenario));
  return { ...rest, scenarios: kept };
};
