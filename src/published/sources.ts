/** Where a running process has its clients and tariffs from, as the settings say: files, or what is published. */
import type { Snapshots } from '../batch/snapshot.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { type Redis, waitUntilReady } from '../queue/redis.ts';
import type { Store } from '../store/store.ts';
import { type LiveTariffs, watchTariffs } from '../tariff/live.ts';
import { type WatchedClients, watchClients } from '../watched-clients.ts';
import { followClients } from './clients.ts';
import { followTariffs } from './tariffs.ts';

export interface SourceDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly log: Logger;
}

/** A process that starts while Redis is away goes by the copies of the pointers. */
const READY_MS = 2_000;

const waitForRedis = async ({ redis, log }: SourceDeps): Promise<void> => {
  try {
    await waitUntilReady(redis, READY_MS);
  } catch (err) {
    log.warn({ err }, 'starting without Redis');
  }
};

/**
 * @param allowSampleSecrets false where the service listens beyond loopback
 * @throws {ClientsFileError} where the clients cannot be used to begin with
 */
export const openClients = async (
  { clientsFile }: Pick<Config, 'clientsFile'>,
  deps: SourceDeps & { readonly allowSampleSecrets: boolean },
): Promise<WatchedClients> => {
  if (clientsFile !== undefined) return await watchClients(clientsFile, deps);
  await waitForRedis(deps);
  return await followClients(deps);
};

export const openTariffs = async (
  { tariffsDir }: Pick<Config, 'tariffsDir'>,
  deps: SourceDeps & { readonly snapshots: Snapshots },
): Promise<LiveTariffs> => {
  if (tariffsDir !== undefined) return await watchTariffs(tariffsDir, deps);
  await waitForRedis(deps);
  return await followTariffs(deps);
};
