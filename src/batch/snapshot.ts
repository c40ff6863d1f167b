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

/** Members that an earlier version did not store. They do not change a tariff's id: see `identity.ts`. */
type Stored = Omit<TariffDocument, 'cubic'> & Partial<Pick<TariffDocument, 'cubic'>>;

const FILE_NOT_STATED = { fuelAfterLastWeek: 'carry' } as const;
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
    return { cubic: {}, ...tables, file: { ...FILE_NOT_STATED, ...file, services } };
  });

/** Agreements are checked before they are stored too. */
const agreementDocument = z.custom<AgreementDocument>(
  (value) =>
    z
      .object({ file: z.object({ name: z.string() }), tables: z.object({}), amendments: z.array(z.object({})) })
      .safeParse(value).success,
  'is not an agreement',
);

export interface Snapshots {
  /** Stores the tariffs of a schedule, each once. @returns their ids */
  readonly keep: (schedule: Schedule) => Promise<readonly string[]>;
  /** @throws if a tariff is missing in the store or was changed */
  readonly schedule: (ids: readonly string[]) => Promise<Schedule>;
  /** Stores agreements, each once. @returns their ids, in the order given */
  readonly keepAgreements: (documents: readonly AgreementDocument[]) => Promise<readonly string[]>;
  /** @throws if the agreement is missing in the store or was changed */
  readonly agreement: (id: string) => Promise<AgreementDocument>;
  /** What the account of a batch is made of. */
  readonly accountParts: (batch: Pick<BatchDocument, 'discounts' | 'agreements'>) => Promise<AccountParts>;
  /** What the client of a batch pays. Batches of the same client and time share it. */
  readonly account: (batch: Pick<BatchDocument, 'discounts' | 'agreements'>) => Promise<Account>;
}

/** Compiled schedules that are kept in memory: batches of the same time share theirs. */
const CACHED = 4;
/** Accounts with their compiled terms, so that the chunks of a batch do not compile them again. */
const CACHED_ACCOUNTS = 16;

/** The store's agreements, and the accounts that are made of them. */
const createAgreements = (
  store: Store,
): Pick<Snapshots, 'keepAgreements' | 'agreement' | 'accountParts' | 'account'> => {
  const kept = new Set<string>();
  const documents = createLoadCache<AgreementDocument>(CACHED_ACCOUNTS);
  const accounts = createLoadCache<Account>(CACHED_ACCOUNTS);

  const load = async (id: string): Promise<AgreementDocument> => {
    const document = agreementDocument.parse(await getJson(store, keys.agreement(id)));
    if (agreementId(document) !== id) throw new Error(`the store's agreement is not what it was: ${id}`);
    return document;
  };
  const agreement = (id: string): Promise<AgreementDocument> => documents(id, () => load(id));
  const accountParts: Snapshots['accountParts'] = async ({ discounts, agreements = [] }) => ({
    discounts: new Map(Object.entries(discounts).map(([code, rate]) => [code, basisPoints(rate)])),
    agreements: await Promise.all(
      agreements.map(async ({ id, warehouses }) => ({
        document: await agreement(id),
        ...(warehouses === undefined ? {} : { warehouses: new Set(warehouses) }),
      })),
    ),
  });

  return {
    keepAgreements: async (given) => {
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
    account: (batch) =>
      accounts(JSON.stringify([batch.discounts, batch.agreements]), async () => accountOf(await accountParts(batch))),
  };
};

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
      for (const [index, document] of schedule.documents.entries()) {
        const id = must(schedule.ids[index], 'the id of a tariff');
        if (kept.has(id)) continue;
        const key = keys.tariff(id);
        if ((await store.size(key)) === undefined) await putJson(store, key, document, { durable: true });
        kept.add(id);
      }
      return schedule.ids;
    },
    schedule: (ids) => cached(ids.join(), () => load(ids)),
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
