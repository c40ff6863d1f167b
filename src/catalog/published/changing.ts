/** Lets a service process change clients, agreements and tariffs in the same way as commands do. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, SAMPLE_CLIENTS } from '../../base/config/settings.ts';
import type { Refresh } from '../../base/poll.ts';
import { type FolderLock, lockWhenFree } from '../../base/process/folder-lock.ts';
import { ClientChangeError } from '../clients/change-clients.ts';
import { type ClientPlace, clientsInFile } from '../clients/client-place.ts';
import { PublishError } from '../documents/library.ts';
import { changePublishedClients, publishedClients } from './clients.ts';
import type { PublishedDeps } from './pointer.ts';
import type { UsePublished } from './store-place.ts';

/* On one machine, one process at a time publishes: commands move the copy of a pointer, and the API moves both. */

/** @throws {PublishError} if another process does not finish publishing soon */
export const lockPublishing = async (dataDir: string): Promise<FolderLock> => {
  const folder = join(dataDir, 'publishing');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockWhenFree(folder);
  if (lock === undefined) throw new PublishError('Somebody else is publishing. Try again later.');
  return lock;
};

/**
 * @param deps with Redis. If the store is a folder, commands may publish without Redis at the same time, so a change holds
 * their lock.
 */
export const changePublishedWith =
  ({ dataDir, storeUrl }: Pick<Config, 'dataDir' | 'storeUrl'>, deps: PublishedDeps): UsePublished =>
  async (use) => {
    if (!storeUrl.startsWith('file:')) return await use(deps);
    const { release } = await lockPublishing(dataDir);
    try {
      return await use(deps);
    } finally {
      await release();
    }
  };

/** The clients of a process's settings, and whether they can be changed. */
export interface OpenedClients extends ClientPlace {
  /** Why clients cannot be changed. Absent if they can. */
  readonly fixed?: string;
}

const SAMPLES_ARE_FIXED =
  'These are the sample clients, which cannot be changed. Name a file of your own in CLIENTS_FILE, and start the service again.';

/** @param change changes what is published @param refresh loads a change in this process */
export const clientsOfService = (
  { clientsFile }: Pick<Config, 'clientsFile'>,
  deps: PublishedDeps,
  change: UsePublished,
  refresh: Refresh,
): OpenedClients => {
  if (clientsFile === SAMPLE_CLIENTS) {
    const refuse = (): Promise<never> => Promise.reject(new ClientChangeError(SAMPLES_ARE_FIXED));
    return { ...clientsInFile(clientsFile), make: refuse, change: refuse, fixed: SAMPLES_ARE_FIXED };
  }
  const place: ClientPlace =
    clientsFile === undefined
      ? {
          make: async () => undefined,
          read: () => publishedClients(deps),
          change: (how, by) => change((publishing) => changePublishedClients(publishing, how, { by, now: new Date() })),
        }
      : clientsInFile(clientsFile);
  return {
    ...place,
    change: async (how, by) => {
      await place.change(how, by);
      await refresh();
    },
  };
};
