/** Where a process of the service reads and changes agreements: a folder on one machine, or what is published for many. */
import { basename, join } from 'node:path';
import type { AgreementDocument } from '../agreement/document.ts';
import { readAgreementFolder, writeAgreementFolder } from '../agreement/folder.ts';
import { agreementFoldersIn } from '../agreement/folders.ts';
import { agreementId } from '../agreement/versions.ts';
import { type Config, SAMPLE_AGREEMENTS } from '../config/settings.ts';
import { type Agreements, readAgreements } from '../documents/live.ts';
import type { Refresh } from '../poll.ts';
import { usingAlone } from '../process/folder-lock.ts';
import { changeAgreements, publishedAgreements } from './agreements.ts';
import type { ChangePublished } from './changing.ts';
import { PublishError } from './documents.ts';
import type { PublishedDeps } from './pointer.ts';

export interface AgreementPlace {
  /** The agreements that can be used, as they are now. */
  readonly read: () => Promise<Agreements>;
  /**
   * Puts a checked agreement in the place of the one of its name.
   * @param before the id of the agreement that it replaces; null: there is none
   * @throws {PublishError} if there is another one by now, or the agreements cannot be changed
   */
  readonly put: (document: AgreementDocument, before: string | null, by: string) => Promise<void>;
  /** Why agreements cannot be changed. Absent: they can. */
  readonly fixed?: string;
}

const SAMPLES_ARE_FIXED =
  'These are the sample agreements, which cannot be changed. Name a folder of your own in AGREEMENTS_DIR, and start the service again.';

const requireSame = (current: AgreementDocument | undefined, before: string | null, name: string): void => {
  const id = current === undefined ? null : agreementId(current);
  if (id !== before)
    throw new PublishError(
      `Somebody else has changed the agreement ${name}. Look at it again, then repeat your change.`,
    );
};

/** The folder of an agreement: that of its name, or the whole place if it is one agreement. */
const folderFor = async (root: string, name: string): Promise<string> => {
  const folders = await agreementFoldersIn(root);
  const target = folders.length === 1 && folders[0] === root ? root : join(root, name);
  if (target === root && basename(root) !== name)
    throw new PublishError(
      'AGREEMENTS_DIR names the folder of one agreement. Name the folder above it to have several.',
    );
  return target;
};

const inFolder = (root: string): AgreementPlace => ({
  read: async () => (await readAgreements(root)).agreements,
  put: (document, before) => {
    const { name } = document.file;
    const put = async (): Promise<void> => {
      requireSame((await readAgreements(root)).agreements.get(name), before, name);
      const folder = await folderFor(root, name);
      const there = await readAgreementFolder(folder);
      // An agreement with errors is not overwritten, for somebody works on it.
      if (before === null && !('document' in there) && !there.findings.some(({ message }) => message === 'is missing'))
        throw new PublishError(`The folder of the agreement ${name} has errors. Correct or remove it first.`);
      await writeAgreementFolder(folder, document);
    };
    return usingAlone(
      root,
      put,
      () => new PublishError(`Another process is changing the agreements in ${root}. Try again later.`),
    );
  },
});

const inStore = (deps: PublishedDeps, change: ChangePublished): AgreementPlace => ({
  read: () => publishedAgreements(deps),
  put: (document, before, by) =>
    change(async (publishing) => {
      await changeAgreements(publishing, { add: [{ document, before }], remove: [] }, { by, now: new Date() });
    }),
});

/**
 * @param change how to change what is published
 * @param refresh takes up a change in this process
 */
export const agreementsOfService = (
  { agreementsDir }: Pick<Config, 'agreementsDir'>,
  deps: PublishedDeps,
  change: ChangePublished,
  refresh: Refresh,
): AgreementPlace => {
  if (agreementsDir === SAMPLE_AGREEMENTS) {
    const refuse = (): Promise<never> => Promise.reject(new PublishError(SAMPLES_ARE_FIXED));
    return { read: inFolder(agreementsDir).read, put: refuse, fixed: SAMPLES_ARE_FIXED };
  }
  const place = agreementsDir === undefined ? inStore(deps, change) : inFolder(agreementsDir);
  return {
    read: place.read,
    put: async (document, before, by) => {
      await place.put(document, before, by);
      await refresh([agreementId(document)]);
    },
  };
};
