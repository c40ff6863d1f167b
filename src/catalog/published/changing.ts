/** Lets a service process change clients, agreements and tariffs in the same way as commands do. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, SAMPLE_AGREEMENTS, SAMPLE_CLIENTS } from '../../base/config/settings.ts';
import type { Refresh } from '../../base/poll.ts';
import { type FolderLock, lockWhenFree } from '../../base/process/folder-lock.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { agreementId } from '../agreement/versions.ts';
import { ClientChangeError, type ClientPlace } from '../clients/change-clients.ts';
import { AGREEMENTS } from '../documents/kinds.ts';
import { type Allow, PublishError, type PutOptions, type Source } from '../documents/library.ts';
import { byName } from '../documents/live.ts';
import { clientsIn } from './clients.ts';
import type { PublishedDeps } from './pointer.ts';
import { libraryOf, type UsePublished } from './store-place.ts';

/* On one machine, one process at a time publishes: commands move the copy of a pointer, and the API moves both. */

/** @throws {PublishError} if another process does not finish publishing soon */
const lockPublishing = async (dataDir: string): Promise<FolderLock> => {
  const folder = join(dataDir, 'publishing');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockWhenFree(folder);
  if (lock === undefined) throw new PublishError('Somebody else is publishing. Try again later.');
  return lock;
};

/** If the store is a folder, a change holds the lock of publishing until it is done. On many machines, one of two is refused. */
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

const fixedText = (what: string, place: string): string =>
  `These are the sample ${what}, which cannot be changed. Name a ${place}, and start the service again.`;

/** @param change changes what is published @param refresh loads a change in this process */
export const clientsOfService = (
  { clientsFile }: Pick<Config, 'clientsFile'>,
  change: UsePublished,
  read: UsePublished,
  refresh: Refresh,
): OpenedClients => {
  const place = clientsIn(clientsFile, change, read);
  if (clientsFile === SAMPLE_CLIENTS) {
    const fixed = fixedText('clients', 'file of your own in CLIENTS_FILE');
    const refuse = (): Promise<never> => Promise.reject(new ClientChangeError(fixed));
    return { ...place, make: refuse, change: refuse, fixed };
  }
  return {
    ...place,
    change: async (how, by) => {
      await place.change(how, by);
      await refresh();
    },
  };
};

/**
 * Where a service process reads and changes agreements: a folder on one machine, or the published agreements of many.
 * @param change changes what is published @param read reads what is published @param refresh loads a change in this process
 */
export const agreementsOfService = (
  { agreementsDir }: Pick<Config, 'agreementsDir'>,
  change: UsePublished,
  read: UsePublished,
  refresh: Refresh,
) => {
  const library = libraryOf(AGREEMENTS, agreementsDir, change, read);
  const fixed = agreementsDir === SAMPLE_AGREEMENTS && fixedText('agreements', 'folder of your own in AGREEMENTS_DIR');
  type Put = Pick<PutOptions<AgreementDocument>, 'by' | 'remove' | 'allow'>;
  const put = async (sources: readonly Source<AgreementDocument>[], options: Put): Promise<void> => {
    if (fixed) throw new PublishError(fixed);
    const outcome = await library.put(sources, { ...options, now: new Date(), replace: 'all' });
    if (!('errors' in outcome)) return;
    const [first] = outcome.errors;
    throw new PublishError(`It has errors, the first: ${first?.at}: ${first?.message}.`);
  };
  return {
    /** The usable agreements at this moment. */
    read: async () => byName((await library.current()).documents),
    /**
     * Replaces the agreement with the same name by a checked one.
     * @param before the id of the replaced agreement; null: there is none
     * @param allow may refuse, at the moment of the change @throws {PublishError} if there is a different agreement now, or
     * agreements cannot be changed
     */
    put: async (
      document: AgreementDocument,
      before: string | null,
      by: string,
      allow: Allow<AgreementDocument>,
    ): Promise<void> => {
      await put([{ document, before }], { by, allow });
      await refresh([agreementId(document)]);
    },
    /**
     * Withdraws an agreement.
     * @param id the id when it was viewed
     * @param allow may refuse, at the moment of the change @throws {PublishError} if it is not there, or agreements cannot be
     * changed
     */
    withdraw: async (id: string, by: string, allow: Allow<AgreementDocument>): Promise<void> => {
      await put([], { by, allow, remove: [id] });
      await refresh();
    },
    // Why agreements cannot be changed. Absent if they can.
    ...(fixed && { fixed }),
  };
};
export type AgreementPlace = ReturnType<typeof agreementsOfService>;
