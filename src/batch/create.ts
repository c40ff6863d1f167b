/** Creating a batch from a received upload: its documents in the store, the batch's own last, then the queue. */

import type { Shipper } from '../rating/card.ts';
import type { Plan } from '../rows/chunk-plan.ts';
import type { Columns } from '../rows/columns.ts';
import type { Head } from '../rows/header.ts';
import { fitted, type OutputFormat } from '../rows/output-format.ts';
import { putJson, type Store } from '../store/store.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { type BatchDocument, keys } from './records.ts';
import type { Intake } from './scheduler.ts';
import type { Snapshots } from './snapshot.ts';

export interface NewBatch {
  readonly id: string;
  readonly clientId: string;
  readonly filename: string;
  readonly options: Readonly<Record<string, string>>;
  /** What the output has beside the usual columns. */
  readonly format: OutputFormat;
  readonly head: Head;
  readonly plan: Plan;
  readonly bytes: number;
  /** Of the upload as it was sent: packed, it has fewer. */
  readonly sentBytes: number;
  /** The tariffs to choose from, as they are now. */
  readonly schedule: Schedule;
  readonly shipper: Shipper;
  readonly createdAt: Date;
}

export interface CreateDeps {
  readonly store: Store;
  readonly snapshots: Snapshots;
  readonly intake: Intake;
}

const documentOf = (batch: NewBatch, columns: Columns, tariffs: readonly string[]): BatchDocument => ({
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
    findings: [...columns.findings],
  },
  format: { ...batch.format, services: [...batch.format.services] },
  tariffs: [...tariffs],
  warehouses: [...batch.shipper.warehouses.values()],
  discounts: Object.fromEntries(batch.shipper.discounts),
});

/**
 * Makes a batch of an upload that lies in the store and queues it. Where anything fails, nothing of it stays.
 * @throws what failed: the store or Redis
 */
export const createBatch = async ({ store, snapshots, intake }: CreateDeps, batch: NewBatch): Promise<void> => {
  const document = documentOf(batch, fitted(batch.head.columns, batch.format), await snapshots.keep(batch.schedule));
  try {
    await putJson(store, keys.plan(batch.id), batch.plan, { durable: true });
    await putJson(store, keys.batch(batch.id), document, { durable: true });
    await intake.enqueue(document);
  } catch (error) {
    await store.remove(keys.batch(batch.id));
    await store.remove(keys.folder(batch.id));
    // Where Redis is what failed, this fails too: what it holds of the batch goes when it is next asked for.
    await intake.forget(batch.id, batch.clientId).catch(() => undefined);
    throw error;
  }
};
