/** Finds, and reads if needed, the batch or the comparison that a call is about. */
import type { FoundBatch } from '../../batch/batches.ts';
import { type Kind, kindOf } from '../../batch/ids.ts';
import type { BatchDocument } from '../../batch/records.ts';
import type { Asked } from '../call.ts';
import type { Service } from '../service.ts';

/** @param look whether it is in the store: its document, or anything else that says so */
const found = async <T>(
  { service: { batches }, id, client }: Asked<Service>,
  kind: Kind,
  look: (id: string) => Promise<T | undefined>,
): Promise<{ readonly batch: FoundBatch; readonly seen: T } | undefined> => {
  const batch = kindOf(id) === kind ? await batches.find(id, client.id) : undefined;
  if (batch === undefined) return undefined;
  const seen = await look(id);
  if (seen !== undefined) return { batch, seen };
  await batches.forget(id, batch.fields.clientId);
  return undefined;
};

/** The caller's batch. That of another client is not found, like one that never existed. */
export const foundOf =
  (kind: Kind) =>
  async (asked: Asked<Service>): Promise<FoundBatch | undefined> =>
    (await found(asked, kind, async (id) => (await asked.service.batches.exists(id)) || undefined))?.batch;

/** The same with its document, which takes reading. */
export const readOf =
  (kind: Kind) =>
  async (
    asked: Asked<Service>,
  ): Promise<{ readonly batch: FoundBatch; readonly document: BatchDocument } | undefined> => {
    const read = await found(asked, kind, asked.service.batches.document);
    return read && { batch: read.batch, document: read.seen };
  };
