/** Opens the clients, agreements and tariffs of a process. The settings say whether they are files or published. */
import type { Config } from '../../base/config/settings.ts';
import type { Logger } from '../../base/log.ts';
import { must } from '../../base/must.ts';
import type { Refresh } from '../../base/poll.ts';
import type { Redis } from '../../base/redis/connection.ts';
import type { Store } from '../../base/store/store.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { type WatchedClients, watchClients, withAccounts } from '../clients/accounts.ts';
import { AGREEMENTS, TARIFFS } from '../documents/kinds.ts';
import { loadAll } from '../documents/library.ts';
import { byName, type LiveAgreements, type LiveTariffs, watchAgreements, watchTariffs } from '../documents/live.ts';
import { scheduleOf } from '../tariff/schedule.ts';
import { clientSource } from './clients.ts';
import { follow, type Source } from './follow.ts';
import { hear } from './pointer.ts';
import type { Snapshots } from './snapshots.ts';
import { storeSource } from './store-place.ts';

export interface SourceDeps {
  readonly store: Store;
  readonly redis: Redis;
  /** A connection for messages that waits while Redis is down. Absent: the process checks only on its own. */
  readonly events?: Redis;
  readonly log: Logger;
  /** False if the service listens beyond loopback. */
  readonly allowSampleSecrets: boolean;
}

/** A kind to open: published, or a file or folder to watch. */
type Opening<T> = Source<T> | (() => Promise<T>);

/** Follows the published kinds. @returns a function that opens one of them */
const opener = async (
  { storeUrl }: Pick<Config, 'storeUrl'>,
  deps: SourceDeps,
  kinds: readonly Opening<unknown>[],
): Promise<<T>(kind: Opening<T>) => Promise<T>> => {
  const sources = kinds.filter((kind) => typeof kind !== 'function');
  // A copy in a file is read every time because commands on a single machine move only the copy.
  const readsPerCopy = storeUrl.startsWith('file:') ? 1 : undefined;
  const followed = sources.length === 0 ? undefined : await follow({ ...deps, sources, readsPerCopy });
  return async (kind) => (typeof kind === 'function' ? await kind() : kind.live(must(followed, 'what is followed')));
};

/** Checks when others announce changes. Failures are logged, and a later check makes up for them. */
const hearFor = ({ events }: SourceDeps, looks: readonly Refresh[]): void => {
  if (events === undefined) return;
  hear(events, (ids) => {
    for (const refresh of looks) refresh(ids).catch(() => undefined);
  });
};

const clientsOf = ({ clientsFile }: Pick<Config, 'clientsFile'>, deps: SourceDeps): Opening<WatchedClients> =>
  clientsFile === undefined ? clientSource(deps, deps.allowSampleSecrets) : () => watchClients(clientsFile, deps);

/** Batches from the same time share the schedule. */
export const tariffSource = (deps: Pick<SourceDeps, 'store'>, snapshots: Snapshots): Source<LiveTariffs> => {
  const read = async (ids: readonly string[]) => {
    const view = await snapshots.schedule(ids);
    return { documents: view.documents, view };
  };
  return storeSource(TARIFFS, deps, read, scheduleOf([]));
};

export const agreementSource = (deps: Pick<SourceDeps, 'store'>): Source<LiveAgreements> => {
  const read = async (ids: readonly string[], load: (id: string) => Promise<AgreementDocument>) => {
    const documents = await loadAll(ids.map((id) => ({ load: () => load(id) })));
    return { documents, view: byName(documents) };
  };
  return storeSource(AGREEMENTS, deps, read, byName([]));
};

const agreementsOf = ({ agreementsDir }: Pick<Config, 'agreementsDir'>, deps: SourceDeps): Opening<LiveAgreements> =>
  agreementsDir === undefined ? agreementSource(deps) : () => watchAgreements(agreementsDir, deps);

const tariffsOf = (
  { tariffsDir }: Pick<Config, 'tariffsDir'>,
  deps: SourceDeps & { readonly snapshots: Snapshots },
): Opening<LiveTariffs> =>
  tariffsDir === undefined ? tariffSource(deps, deps.snapshots) : () => watchTariffs(tariffsDir, deps);

/**
 * The clients as their records say, without the documents of their agreements. @throws {ClientsFileError} if the clients are
 * unusable at the start
 */
export const openClients = async (
  config: Pick<Config, 'clientsFile' | 'storeUrl'>,
  deps: SourceDeps,
): Promise<WatchedClients> => {
  const kind = clientsOf(config, deps);
  const open = await opener(config, deps, [kind]);
  const clients = await open(kind);
  hearFor(deps, [clients.refresh]);
  return clients;
};

/**
 * Opens what is in force in a process. All published kinds that are read at one moment come from the same publication. @throws
 * {ClientsFileError} if the clients are unusable at the start
 */
export const openSources = async (
  config: Pick<Config, 'clientsFile' | 'agreementsDir' | 'tariffsDir' | 'storeUrl'>,
  deps: SourceDeps & { readonly snapshots: Snapshots },
) => {
  const kinds = [clientsOf(config, deps), agreementsOf(config, deps), tariffsOf(config, deps)] as const;
  // Clients come first because loading tariffs takes longest.
  const open = await opener(config, deps, kinds);
  const own = await open(kinds[0]);
  const clients = withAccounts({ clients: own, agreements: await open(kinds[1]), log: deps.log });
  const tariffs = await open(kinds[2]);
  hearFor(deps, [clients.refresh, clients.refreshAgreements, tariffs.refresh]);
  return {
    /** Clients with their accounts. */
    clients,
    tariffs,
    close: (): void => {
      clients.close();
      tariffs.close();
    },
  };
};
export type Sources = Awaited<ReturnType<typeof openSources>>;
