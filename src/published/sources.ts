/** Opens the clients, agreements and tariffs of a process: from files or published ones, depending on the settings. */
import { type LiveAgreements, watchAgreements } from '../agreement/live.ts';
import type { Snapshots } from '../batch/snapshot.ts';
import { type BoundClients, withAccounts } from '../clients/accounts.ts';
import { type WatchedClients, watchClients } from '../clients/watched-clients.ts';
import type { Config } from '../config/settings.ts';
import type { Logger } from '../log.ts';
import { type Redis, waitUntilReady } from '../redis/connection.ts';
import type { Store } from '../store/store.ts';
import { type LiveTariffs, watchTariffs } from '../tariff/live.ts';
import { followAgreements } from './agreements.ts';
import { followClients } from './clients.ts';
import { tariffFolder } from './tariff-folder.ts';
import { followTariffs } from './tariffs.ts';

export interface SourceDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly log: Logger;
}

/** A process that starts while Redis is away uses the copies of the pointers. */
const READY_MS = 2_000;

const waitForRedis = async ({ redis, log }: SourceDeps): Promise<void> => {
  try {
    await waitUntilReady(redis, READY_MS);
  } catch (err) {
    log.warn({ err }, 'starting without Redis');
  }
};

/** A copy in a file is read every time: on a single machine, commands move only the copy. */
const following = ({ storeUrl }: Pick<Config, 'storeUrl'>) => (storeUrl.startsWith('file:') ? { readsPerCopy: 1 } : {});

/**
 * The clients as their records are, without the documents of their agreements.
 * @param allowSampleSecrets false if the service listens beyond loopback
 * @throws {ClientsFileError} if the clients cannot be used at the start
 */
export const openClients = async (
  config: Pick<Config, 'clientsFile' | 'storeUrl'>,
  deps: SourceDeps & { readonly allowSampleSecrets: boolean },
): Promise<WatchedClients> => {
  if (config.clientsFile !== undefined) return await watchClients(config.clientsFile, deps);
  await waitForRedis(deps);
  return await followClients({ ...deps, ...following(config) });
};

const openAgreements = async (
  config: Pick<Config, 'agreementsDir' | 'storeUrl'>,
  deps: SourceDeps,
): Promise<LiveAgreements> => {
  if (config.agreementsDir !== undefined) return await watchAgreements(config.agreementsDir, deps);
  await waitForRedis(deps);
  return await followAgreements({ ...deps, ...following(config) });
};

/**
 * The clients with what each of them pays.
 * @throws {ClientsFileError} if the clients cannot be used at the start
 */
export const openAccounts = async (
  config: Pick<Config, 'clientsFile' | 'agreementsDir' | 'storeUrl'>,
  deps: SourceDeps & { readonly allowSampleSecrets: boolean },
): Promise<BoundClients> => {
  const clients = await openClients(config, deps);
  return withAccounts({ clients, agreements: await openAgreements(config, deps), log: deps.log });
};

export const openTariffs = async (
  config: Pick<Config, 'tariffsDir' | 'storeUrl'>,
  deps: SourceDeps & { readonly snapshots: Snapshots },
): Promise<LiveTariffs> => {
  const { tariffsDir } = config;
  if (tariffsDir !== undefined)
    return await watchTariffs(tariffsDir, { ...deps, finish: tariffFolder(tariffsDir).finish });
  await waitForRedis(deps);
  return await followTariffs({ ...deps, ...following(config) });
};
