/**
 * The data that a batch is rated with: tariffs, and the client's warehouses, discounts and agreements, as of its creation.
 * It is stored with the batch, so that retries, late chunks and corrections give the same bytes later.
 */
import { createLoadCache } from '../../base/bounded-cache.ts';
import { getJson, putJson, type Store } from '../../base/store/store.ts';
import { basisPoints } from '../../rating/quantity.ts';
import type { Account } from '../../rating/terms.ts';
import { type AccountParts, accountOf } from '../agreement/account.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { AGREEMENTS, type Kind, TARIFFS } from '../documents/kinds.ts';
import { type Schedule, scheduleOf } from '../tariff/schedule.ts';

/** The store key of a permanent document. */
const keyOf = (plural: 'tariffs' | 'agreements', id: string): string => `${plural}/${id}.json`;

/** @throws if the document is missing from the store or was changed */
export const documentIn = async <D>(store: Store, kind: Kind<D>, id: string): Promise<D> => {
  const document = kind.stored.parse(await getJson(store, keyOf(kind.plural, id)));
  if (kind.id(document) !== id) throw new Error(`the stored ${kind.name} has changed: ${id}`);
  return document;
};

/** Stores documents, each once. @returns their ids, in the order given */
export const keepIn = async <D>(
  store: Store,
  kind: Kind<D>,
  documents: readonly D[],
  kept: Set<string> = new Set(),
): Promise<readonly string[]> => {
  const ids = documents.map(kind.id);
  for (const [at, id] of ids.entries()) {
    const key = keyOf(kind.plural, id);
    if (kept.has(key)) continue;
    if ((await store.size(key)) === undefined) await putJson(store, key, documents[at], { durable: true });
    kept.add(key);
  }
  return ids;
};

/** The number of compiled schedules to keep in memory. Batches from the same time share a schedule. */
const CACHED = 4;
/** The number of accounts to keep with their terms, so that the chunks of a batch do not compile them again. */
const CACHED_ACCOUNTS = 16;

/** The discounts and agreements of a client, as stored in a batch. */
interface Paying {
  readonly discounts: Readonly<Record<string, number>>;
  readonly agreements: readonly { readonly id: string; readonly warehouses?: readonly number[] | undefined }[];
}

export type Snapshots = ReturnType<typeof createSnapshots>;

export const createSnapshots = (store: Store) => {
  const kept = new Set<string>();
  const schedules = createLoadCache<Schedule>(CACHED);
  const documents = createLoadCache<AgreementDocument>(CACHED_ACCOUNTS);
  const accounts = createLoadCache<Account>(CACHED_ACCOUNTS);

  /** The parts of a batch's account. */
  const accountParts = async ({ discounts, agreements }: Paying): Promise<AccountParts> => ({
    discounts: new Map(Object.entries(discounts).map(([code, rate]) => [code, basisPoints(rate)])),
    agreements: await Promise.all(
      agreements.map(async ({ id, warehouses }) => ({
        document: await documents(id, () => documentIn(store, AGREEMENTS, id)),
        ...(warehouses === undefined ? {} : { warehouses: new Set(warehouses) }),
      })),
    ),
  });

  return {
    /** Stores documents, each once. @returns their ids, in the order given */
    keep: <D>(kind: Kind<D>, given: readonly D[]): Promise<readonly string[]> => keepIn(store, kind, given, kept),
    /** @throws if a tariff is missing from the store or was changed */
    schedule: (ids: readonly string[]): Promise<Schedule> =>
      schedules(ids.join(), async () => scheduleOf(await Promise.all(ids.map((id) => documentIn(store, TARIFFS, id))))),
    accountParts,
    /** The account of a batch. Batches of the same client and time share it. */
    account: (batch: Paying): Promise<Account> =>
      accounts(JSON.stringify([batch.discounts, batch.agreements]), async () => accountOf(await accountParts(batch))),
  };
};
