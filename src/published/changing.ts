/** Changing clients, agreements and tariffs from a process of the service, as commands change them. */
import { ClientChangeError } from '../clients/change-clients.ts';
import { type ClientPlace, clientsInFile } from '../clients/client-place.ts';
import { type Config, SAMPLE_CLIENTS } from '../config/settings.ts';
import { changePublishedClients, publishedClients } from './clients.ts';
import { lockPublishing } from './lock.ts';
import type { PublishedDeps } from './pointer.ts';

/** Changes what is published. */
export type ChangePublished = <T>(use: (deps: PublishedDeps) => Promise<T>) => Promise<T>;

/**
 * @param deps with Redis. If the store is a folder, commands without Redis may publish at the same time, so a change holds
 * their lock.
 */
export const changePublishedWith =
  ({ dataDir, storeUrl }: Pick<Config, 'dataDir' | 'storeUrl'>, deps: PublishedDeps): ChangePublished =>
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
  /** Why they cannot be changed. Absent: they can. */
  readonly fixed?: string;
}

const SAMPLES_ARE_FIXED =
  'These are the sample clients, which cannot be changed. Name a file of your own in CLIENTS_FILE, and start the service again.';

/** @param change how to change what is published */
export const clientsOfService = (
  { clientsFile }: Pick<Config, 'clientsFile'>,
  deps: PublishedDeps,
  change: ChangePublished,
): OpenedClients => {
  if (clientsFile === SAMPLE_CLIENTS) {
    const refuse = (): Promise<never> => Promise.reject(new ClientChangeError(SAMPLES_ARE_FIXED));
    return { ...clientsInFile(clientsFile), make: refuse, change: refuse, fixed: SAMPLES_ARE_FIXED };
  }
  if (clientsFile !== undefined) return clientsInFile(clientsFile);
  return {
    make: async () => undefined,
    read: () => publishedClients(deps),
    change: (how, by) => change((publishing) => changePublishedClients(publishing, how, { by, now: new Date() })),
  };
};
