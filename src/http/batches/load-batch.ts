/** Finds the batch or the comparison that a call is about, and reads its document if needed. */
import type { FoundBatch } from '../../batch/batches.ts';
import { type Kind, kindOf } from '../../batch/ids.ts';
import type { BatchDocument } from '../../batch/records.ts';
import type { Asked } from '../call.ts';
import type { Service } from '../service.ts';

/** @param look returns something if the batch is in the store, such as its document */
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

/** The caller's batch. Another client's batch gets the same answer as a batch that never existed. */
export const foundOf =
  (kind: Kind) =>
  async (asked: Asked<Service>): Promise<FoundBatch | undefined> =>
    (await found(asked, kind, async (id) => (await asked.service.batches.exists(id)) || undefined))?.batch;

/** As `foundOf`, but also reads its document. */
export const readOf =
  (kind: Kind) =>
  async (
    asked: Asked<Service>,
  ): Promise<{ readonly batch: FoundBatch; readonly document: BatchDocument } | undefined> => {
    const read = await found(asked, kind, asked.service.batches.document);
    return read && { batch: read.batch, document: read.seen };
  };
