/**
 * What a batch is rated on: the tariffs and the client's warehouses and discounts at its creation. It is stored with the
 * batch, so that retries, late chunks and corrections give the same bytes, whatever has changed since.
 */
import { z } from 'zod';
import { accountOf } from '../agreement/account.ts';
import { createLoadCache } from '../bounded-cache.ts';
import type { Shipper } from '../rating/card.ts';
import { basisPoints } from '../rating/quantity.ts';
import type { RatingContext } from '../rows/rate-rows.ts';
import { getJson, putJson, type Store } from '../store/store.ts';
import type { TariffDocument } from '../tariff/document.ts';
import { booksOf, type Schedule, scheduleOf, tariffId } from '../tariff/schedule.ts';
import { type BatchDocument, keys } from './records.ts';

/** Members that an earlier version did not store. They do not change a tariff's id: see `identity.ts`. */
type Stored = Omit<TariffDocument, 'cubic'> & Partial<Pick<TariffDocument, 'cubic'>>;

const NOT_STATED = { dimensionalOverCubicIn: 0, hasNo: [] };

/** Tariffs are checked before they are stored. Reading back checks only that it is one. */
const tariffDocument = z
  .custom<Stored>(
    (value) =>
      z
        .object({ file: z.object({ name: z.string(), effective: z.string(), services: z.array(z.object()) }) })
        .safeParse(value).success,
    'is not a tariff',
  )
  .transform(({ file, ...tables }): TariffDocument => {
    const services = file.services.map((service) => ({ ...NOT_STATED, ...service }));
    return { cubic: {}, ...tables, file: { ...file, services } };
  });

export interface Snapshots {
  /** Stores the tariffs of a schedule, each once. @returns their ids */
  readonly keep: (schedule: Schedule) => Promise<readonly string[]>;
  /** @throws if a tariff is missing in the store or was changed */
  readonly schedule: (ids: readonly string[]) => Promise<Schedule>;
}

/** Compiled schedules that are kept in memory: batches of the same time share theirs. */
const CACHED = 4;

export const createSnapshots = (store: Store): Snapshots => {
  const kept = new Set<string>();
  const cached = createLoadCache<Schedule>(CACHED);

  const load = async (ids: readonly string[]): Promise<Schedule> => {
    const documents = await Promise.all(ids.map((id) => getJson(store, keys.tariff(id))));
    const schedule = scheduleOf(documents.map((document) => tariffDocument.parse(document)));
    const missing = ids.filter((id) => !schedule.ids.includes(id));
    if (missing.length > 0) throw new Error(`the store's tariffs are not what they were: ${missing.join(', ')}`);
    return schedule;
  };

  return {
    keep: async (schedule) => {
      for (const document of schedule.documents) {
        const id = tariffId(document);
        if (kept.has(id)) continue;
        const key = keys.tariff(id);
        if ((await store.size(key)) === undefined) await putJson(store, key, document, { durable: true });
        kept.add(id);
      }
      return schedule.ids;
    },
    schedule: (ids) => cached(ids.join(), () => load(ids)),
  };
};

const shipperOf = ({ warehouses, discounts }: BatchDocument): Shipper => ({
  warehouses: new Map(warehouses.map((warehouse) => [warehouse.id, warehouse])),
  account: accountOf({
    discounts: new Map(Object.entries(discounts).map(([code, rate]) => [code, basisPoints(rate)])),
    agreements: [],
  }),
});

export const contextOf = (document: BatchDocument, schedule: Schedule, maximumRowBytes: number): RatingContext => ({
  columns: document.columns,
  shipper: shipperOf(document),
  bookOn: booksOf(schedule, new Date(document.createdAt)),
  maximumRowBytes,
  format: document.format,
});
