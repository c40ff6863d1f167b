/** Where a service process reads and changes agreements: a folder on one machine, or the published agreements of many. */
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
  /** The usable agreements at this moment. */
  readonly read: () => Promise<Agreements>;
  /**
   * Replaces the agreement with the same name by a checked one.
   * @param before the id of the replaced agreement; null: there is none @throws {PublishError} if there is a different
   * agreement now, or agreements cannot be changed
   */
  readonly put: (document: AgreementDocument, before: string | null, by: string) => Promise<void>;
  /**
   * Withdraws an agreement.
   * @param id the id when it was viewed
   * @param allow may refuse, at the moment of the change @throws {PublishError} if it is not there, or agreements cannot be
   * changed
   */
  readonly withdraw: (id: string, by: string, allow: Allow) => Promise<void>;
  /** Why agreements cannot be changed. Absent if they can. */
  readonly fixed?: string;
}

const SAMPLES_ARE_FIXED =
  'These are the sample agreements, which cannot be changed. Name a folder of your own in AGREEMENTS_DIR, and start the service again.';

/**
 * @param change changes what is published
 * @param read reads what is published
 * @param refresh loads a change in this process
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
