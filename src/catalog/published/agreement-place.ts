/** Where a process of the service reads and changes agreements: a folder on one machine, or what is published for many. */
import { type Config, SAMPLE_AGREEMENTS } from '../../base/config/settings.ts';
import type { Refresh } from '../../base/poll.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { agreementId } from '../agreement/versions.ts';
import { AGREEMENTS } from '../documents/kinds.ts';
import { type Allow, PublishError, type PutOptions, type Source } from '../documents/library.ts';
import { type Agreements, byName } from '../documents/live.ts';
import { libraryOf } from './libraries.ts';
import type { UsePublished } from './store-place.ts';

export interface AgreementPlace {
  /** The agreements that can be used, as they are now. */
  readonly read: () => Promise<Agreements>;
  /**
   * Puts a checked agreement in the place of the one of its name.
   * @param before the id of the agreement that it replaces; null: there is none
   * @throws {PublishError} if there is another one by now, or the agreements cannot be changed
   */
  readonly put: (document: AgreementDocument, before: string | null, by: string) => Promise<void>;
  /**
   * Takes an agreement out of force.
   * @param id as it was seen
   * @param allow refuses it, at the moment of the change
   * @throws {PublishError} if it is not there, or the agreements cannot be changed
   */
  readonly withdraw: (id: string, by: string, allow: Allow) => Promise<void>;
  /** Why agreements cannot be changed. Absent: they can. */
  readonly fixed?: string;
}

const SAMPLES_ARE_FIXED =
  'These are the sample agreements, which cannot be changed. Name a folder of your own in AGREEMENTS_DIR, and start the service again.';

/**
 * @param change how to change what is published
 * @param read how to read it
 * @param refresh takes up a change in this process
 */
export const agreementsOfService = (
  { agreementsDir }: Pick<Config, 'agreementsDir'>,
  change: UsePublished,
  read: UsePublished,
  refresh: Refresh,
): AgreementPlace => {
  const library = libraryOf(AGREEMENTS, agreementsDir, change, read);
  const isFixed = agreementsDir === SAMPLE_AGREEMENTS;
  type Put = Pick<PutOptions<AgreementDocument>, 'by' | 'remove' | 'allow'>;
  const put = async (sources: readonly Source<AgreementDocument>[], options: Put): Promise<void> => {
    if (isFixed) throw new PublishError(SAMPLES_ARE_FIXED);
    const outcome = await library.put(sources, { ...options, now: new Date(), replace: 'all' });
    if (!('errors' in outcome)) return;
    const [first] = outcome.errors;
    throw new PublishError(`It has errors, the first: ${first?.at}: ${first?.message}.`);
  };
  return {
    read: async () => byName((await library.current()).documents),
    put: async (document, before, by) => {
      await put([{ document, before }], { by });
      await refresh([agreementId(document)]);
    },
    withdraw: async (id, by, allow) => {
      await put([], { by, allow, remove: [id] });
      await refresh();
    },
    ...(isFixed && { fixed: SAMPLES_ARE_FIXED }),
  };
};
