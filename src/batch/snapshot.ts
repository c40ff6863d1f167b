/**
 * What a batch is rated on: the tariffs and the client's warehouses, discounts and agreements at its creation. It is stored with the
 * batch, so that retries, late chunks and corrections give the same bytes, whatever has changed since.
 */
import { z } from 'zod';
import { type AccountParts, accountOf } from '../agreement/account.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { agreementId } from '../agreement/versions.ts';
import { createLoadCache } from '../bounded-cache.ts';
import { must } from '../must.ts';
import { basisPoints } from '../rating/quantity.ts';
import type { Account } from '../rating/terms.ts';
import type { RatingContext } from '../rows/rate-rows.ts';
import { getJson, putJson, type Store } from '../store/store.ts';
import type { TariffDocument } from '../tariff/document.ts';
import { booksOf, type Schedule, scheduleOf } from '../tariff/schedule.ts';
import { type BatchDocument, keys } from './records.ts';

/** Tariffs are checked before they are stored. Reading back checks only that it is one. */
const tariffDocument = z.custom<TariffDocument>(
  (value) =>
    z
      .object({ file: z.object({ name: z.string(), effective: z.string(), services: z.array(z.object()) }) })
      .safeParse(value).success,
  'is not a tariff',
);

/** Agreements are checked before they are stored too. */
const agreementDocument = z.custom<AgreementDocument>(
  (value) =>
    z
      .object({ file: z.object({ name: z.string() }), tables: z.object({}), amendments: z.array(z.object({})) })
      .safeParse(value).success,
  'is not an agreement',
);

/** Compiled schedules that are kept in memory: batches of the same time share theirs. */
const CACHED = 4;
/** Accounts with their compiled terms, so that the chunks of a batch do not compile them again. */
const CACHED_ACCOUNTS = 16;

type Paying = Pick<BatchDocument, 'discounts' | 'agreements'>;

/** The store's agreements, and the accounts that are made of them. */
const createAgreements = (store: Store) => {
  const kept = new Set<string>();
  const documents = createLoadCache<AgreementDocument>(CACHED_ACCOUNTS);
  const accounts = createLoadCache<Account>(CACHED_ACCOUNTS);

  const load = async (id: string): Promise<AgreementDocument> => {
    const document = agreementDocument.parse(await getJson(store, keys.agreement(id)));
    if (agreementId(document) !== id) throw new Error(`the store's agreement is not what it was: ${id}`);
    return document;
  };
  /** @throws if the agreement is missing in the store or was changed */
  const agreement = (id: string): Promise<AgreementDocument> => documents(id, () => load(id));
  /** What the account of a batch is made of. */
  const accountParts = async ({ discounts, agreements }: Paying): Promise<AccountParts> => ({
    discounts: new Map(Object.entries(discounts).map(([code, rate]) => [code, basisPoints(rate)])),
    agreements: await Promise.all(
      agreements.map(async ({ id, warehouses }) => ({
        document: await agreement(id),
        ...(warehouses === undefined ? {} : { warehouses: new Set(warehouses) }),
      })),
    ),
  });

  return {
    /** Stores agreements, each once. @returns their ids, in the order given */
    keepAgreements: async (given: readonly AgreementDocument[]): Promise<readonly string[]> => {
      for (const document of given) {
        const id = agreementId(document);
        if (kept.has(id)) continue;
        const key = keys.agreement(id);
        if ((await store.size(key)) === undefined) await putJson(store, key, document, { durable: true });
        kept.add(id);
      }
      return given.map(agreementId);
    },
    agreement,
    accountParts,
    /** What the client of a batch pays. Batches of the same client and time share it. */
    account: (batch: Paying): Promise<Account> =>
      accounts(JSON.stringify([batch.discounts, batch.agreements]), async () => accountOf(await accountParts(batch))),
  };
};

export type Snapshots = ReturnType<typeof createSnapshots>;

export const createSnapshots = (store: Store) => {
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
    /** Stores the tariffs of a schedule, each once. @returns their ids */
    keep: async (schedule: Schedule): Promise<readonly string[]> => {
      for (const [index, document] of schedule.documents.entries()) {
        const id = must(schedule.ids[index], 'the id of a tariff');
        if (kept.has(id)) continue;
        const key = keys.tariff(id);
        if ((await store.size(key)) === undefined) await putJson(store, key, document, { durable: true });
        kept.add(id);
      }
      return schedule.ids;
    },
    /** @throws if a tariff is missing in the store or was changed */
    schedule: (ids: readonly string[]): Promise<Schedule> => cached(ids.join(), () => load(ids)),
    ...createAgreements(store),
  };
};

export const contextOf = (
  document: BatchDocument,
  schedule: Schedule,
  account: Account,
  maximumRowBytes: number,
): RatingContext => ({
  columns: document.columns,
  shipper: { warehouses: new Map(document.warehouses.map((warehouse) => [warehouse.id, warehouse])), account },
  bookOn: booksOf(schedule, new Date(document.createdAt)),
  maximumRowBytes,
  format: document.format,
});
