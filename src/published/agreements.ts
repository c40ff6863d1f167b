/** The published agreements: see `documents.ts`. No client can read them. */
import { checkAgreement } from '../agreement/check.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import type { Agreements, LiveAgreements } from '../agreement/live.ts';
import { agreementId } from '../agreement/versions.ts';
import { createSnapshots } from '../batch/snapshot.ts';
import { must } from '../must.ts';
import type { Store } from '../store/store.ts';
import {
  type Publication,
  PublishError,
  publish,
  publishVersion,
  readVersion,
  type Versions,
  versionsIn,
} from './documents.ts';
import { type FollowOptions, follow } from './follow.ts';
import { createPointers, type PublishedDeps } from './pointer.ts';

const KIND = 'agreements';

interface Loaded {
  readonly byId: ReadonlyMap<string, AgreementDocument>;
  readonly agreements: Agreements;
}

const NOTHING: Loaded = { byId: new Map(), agreements: new Map() };

/** Reads an agreement and checks it again, because rules may have changed since it was published. */
const loadOne = async (store: Store, id: string): Promise<AgreementDocument> => {
  const document = await createSnapshots(store).agreement(id);
  const errors = checkAgreement(document).filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first !== undefined)
    throw new Error(`${id} has ${errors.length} errors, the first: ${first.at}: ${first.message}`);
  return document;
};

/** Agreements that are read at one time. */
const AT_ONCE = 16;

/** @param before agreements that are known stay the same objects, and are not read again */
const load = async (store: Store, version: string, before = NOTHING): Promise<Loaded> => {
  const { ids } = await readVersion(KIND, store, version);
  const byId = new Map<string, AgreementDocument>();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const documents = await Promise.all(some.map(async (id) => before.byId.get(id) ?? (await loadOne(store, id))));
    for (const [index, document] of documents.entries()) byId.set(must(some[index], 'an id'), document);
  }
  return { byId, agreements: new Map([...byId.values()].map((document) => [document.file.name, document])) };
};

export interface FollowAgreementsOptions
  extends PublishedDeps,
    Pick<FollowOptions<unknown>, 'intervalMs' | 'readsPerCopy'> {}

/** Follows the published agreements. There are none while nothing is published. */
export const followAgreements = async (options: FollowAgreementsOptions): Promise<LiveAgreements> => {
  let last = NOTHING;
  const followed = await follow({
    ...options,
    kind: KIND,
    load: async (version) => {
      last = await load(options.store, version, last);
      return last;
    },
  });
  return {
    current: () => (followed.current() ?? NOTHING).agreements,
    findings: () => {
      const failure = followed.failure();
      if (failure === undefined) return [];
      return [
        { severity: 'error', at: 'published', message: failure instanceof Error ? failure.message : `${failure}` },
      ];
    },
    // Only agreements without errors can be published.
    errorsOf: () => [],
    close: followed.close,
  };
};

/** The agreements in force; none if nothing is published. */
export const publishedAgreements = async (deps: PublishedDeps): Promise<Agreements> => {
  const pointer = await createPointers(KIND, deps).latest();
  if (pointer === undefined) return NOTHING.agreements;
  return (await load(deps.store, pointer.version)).agreements;
};

/** The version in force, and all versions, newest first. */
export const agreementVersions = (deps: PublishedDeps): Promise<Versions> => versionsIn(KIND, deps);

/**
 * Publishes checked agreements with different names. They replace all published ones.
 * @returns the version, and whether it is new
 * @throws {PublishError} if somebody else has published meanwhile
 */
export const publishAgreements = async (
  deps: PublishedDeps,
  documents: readonly AgreementDocument[],
  publication: Publication,
): Promise<{ readonly version: string; readonly isNew: boolean }> => {
  const ids = documents.map(agreementId).sort();
  return await publish(KIND, deps, ids, () => createSnapshots(deps.store).keepAgreements(documents), publication);
};

/** The name of an agreement by its id. */
export const agreementNameIn = (id: string): string => id.slice(0, id.indexOf('@'));

/**
 * Adds checked agreements to the published ones, in place of those of the same names, and takes others out.
 * @throws {PublishError} if one to take out is not published, or somebody else has published meanwhile
 */
export const changeAgreements = async (
  deps: PublishedDeps,
  { add, remove }: { readonly add: readonly AgreementDocument[]; readonly remove: readonly string[] },
  publication: Publication,
): Promise<{ readonly version: string; readonly isNew: boolean; readonly ids: readonly string[] }> => {
  const gone = new Set([...remove, ...add.map(({ file }) => file.name)]);
  let ids: readonly string[] = [];
  const idsAfter = (inForce: readonly string[]): readonly string[] => {
    const published = inForce.map(agreementNameIn);
    const unknown = remove.find((name) => !published.includes(name));
    if (unknown !== undefined)
      throw new PublishError(`No agreement ${unknown} is published. Published are ${published.join(', ') || 'none'}.`);
    ids = [...inForce.filter((id) => !gone.has(agreementNameIn(id))), ...add.map(agreementId)].sort();
    return ids;
  };
  const keep = () => createSnapshots(deps.store).keepAgreements(add);
  return { ...(await publish(KIND, deps, idsAfter, keep, publication)), ids };
};

/**
 * Puts an earlier version in force again.
 * @throws {PublishError} if there is no such version, or somebody else has published meanwhile
 * @throws {Error} if it cannot be used
 */
export const publishAgreementsAgain = (deps: PublishedDeps, version: string, publication: Publication): Promise<void> =>
  publishVersion(KIND, deps, version, () => load(deps.store, version), publication);
