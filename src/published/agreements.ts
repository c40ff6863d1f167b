/** The published agreements: see `documents.ts`. No client can read them. */
import { checkAgreement } from '../agreement/check.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { agreementId } from '../agreement/versions.ts';
import { createSnapshots } from '../batch/snapshot.ts';
import type { Agreements, LiveAgreements } from '../documents/live.ts';
import { must } from '../must.ts';
import type { Store } from '../store/store.ts';
import {
  type Change,
  type KnownVersions,
  PublishError,
  type Published,
  type PublishedVersion,
  publish,
  publishVersion,
  readVersion,
  versionsIn,
} from './documents.ts';
import type { Source } from './follow.ts';
import { createPointers, type Publication, type PublishedDeps } from './pointer.ts';

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

/** Follows the published agreements. There are none while nothing is published. */
export const agreementSource = ({ store }: Pick<PublishedDeps, 'store'>): Source<LiveAgreements> => {
  let loaded = NOTHING;
  return {
    kind: KIND,
    load: async (version) => {
      const fresh = await load(store, version, loaded);
      return () => {
        loaded = fresh;
      };
    },
    live: ({ requireKnown, failure, refresh, close }) => ({
      current: () => {
        requireKnown(KIND);
        return loaded.agreements;
      },
      findings: () => {
        const problem = failure(KIND);
        if (problem === undefined) return [];
        const message = problem instanceof Error ? problem.message : `${problem}`;
        return [{ severity: 'error', at: 'published', message }];
      },
      // Only agreements without errors can be published.
      errorsOf: () => [],
      refresh: () => refresh(KIND),
      close,
    }),
  };
};

/** The agreements in force; none if nothing is published. */
export const publishedAgreements = async (deps: PublishedDeps): Promise<Agreements> => {
  const entry = (await createPointers(deps).latest())?.[KIND];
  if (entry === undefined) return NOTHING.agreements;
  return (await load(deps.store, entry.version)).agreements;
};

/** The version in force, and all versions, newest first. */
export const agreementVersions = (deps: PublishedDeps): Promise<KnownVersions> => versionsIn(KIND, deps);

/**
 * Publishes checked agreements with different names. They replace all published ones.
 * @throws {PublishError} if somebody else has published meanwhile
 */
export const publishAgreements = async (
  deps: PublishedDeps,
  documents: readonly AgreementDocument[],
  publication: Publication,
): Promise<Published> => {
  const keep = () => createSnapshots(deps.store).keepAgreements(documents);
  const change = { kind: KIND, ids: documents.map(agreementId).sort(), keep } as const;
  return must((await publish(deps, [change], publication))[0], 'the agreements');
};

/** The name of an agreement by its id. */
export const agreementNameIn = (id: string): string => id.slice(0, id.indexOf('@'));

/** Who put an agreement in force as it is, and when. */
const putBy = ({ inForce, versions }: KnownVersions, id: string): Pick<PublishedVersion, 'at' | 'by'> | undefined => {
  const before = versions.findIndex(({ ids }) => !ids.includes(id));
  // Somebody went back to an earlier version.
  if (before === 0) return inForce;
  return versions.at(before === -1 ? -1 : before - 1);
};

/**
 * @param inForce the ids in force now, perhaps later than `known`
 * @throws {PublishError} if others have changed one of these agreements, whose changes would be lost
 */
const requireOwn = (known: KnownVersions, inForce: readonly string[], changed: readonly string[], by: string): void => {
  const before = known.versions.find(({ version }) => version === known.inForce?.version)?.ids ?? [];
  if (before.join() !== inForce.join())
    throw new PublishError('Somebody else has just published agreements. Review them, and publish again if necessary.');
  const others = changed.flatMap((id) => {
    const put = putBy(known, id);
    return put === undefined || put.by === by ? [] : `${agreementNameIn(id)}, which ${put.by} changed at ${put.at}`;
  });
  if (others.length > 0)
    throw new PublishError(
      `This would replace ${others.join('; ')}. Look at it with \`rates agreement show\`. Use --replace to replace it.`,
    );
};

export interface AgreementToPublish {
  readonly document: AgreementDocument;
  /** The id of the agreement that it replaces; null: there is none. Absent: any. */
  readonly before?: string | null | undefined;
}

export interface AgreementsToChange {
  readonly add: readonly AgreementToPublish[];
  /** The names of agreements that go. */
  readonly remove: readonly string[];
  /** Whether to refuse if it would replace or take out what others have put in force. */
  readonly onlyOwn?: boolean;
}

const requireSame = (inForce: readonly string[], name: string, before: string | null | undefined): void => {
  const id = inForce.find((one) => agreementNameIn(one) === name) ?? null;
  if (before === undefined || before === id) return;
  throw new PublishError(`Somebody else has changed the agreement ${name}. Look at it again, then repeat your change.`);
};

/**
 * Checked agreements that are added to the published ones, in place of those of the same names, and others that go.
 * @throws {PublishError} when it is published, if one to take out is not published, or one to replace is another by then or
 * of others who must not lose it
 */
export const agreementChange = async (
  deps: PublishedDeps,
  { add, remove, onlyOwn = false }: AgreementsToChange,
  by: string,
): Promise<Change> => {
  const known = onlyOwn ? await versionsIn(KIND, deps) : undefined;
  const documents = add.map(({ document }) => document);
  const gone = new Set([...remove, ...documents.map(({ file }) => file.name)]);
  return {
    kind: KIND,
    ids: (inForce) => {
      const published = inForce.map(agreementNameIn);
      const unknown = remove.find((name) => !published.includes(name));
      if (unknown !== undefined)
        throw new PublishError(
          `No agreement ${unknown} is published. Published are ${published.join(', ') || 'none'}.`,
        );
      for (const { document, before } of add) requireSame(inForce, document.file.name, before);
      const after = [...inForce.filter((id) => !gone.has(agreementNameIn(id))), ...documents.map(agreementId)].sort();
      const changed = inForce.filter((id) => !after.includes(id));
      if (known !== undefined) requireOwn(known, inForce, changed, by);
      return after;
    },
    keep: () => createSnapshots(deps.store).keepAgreements(documents),
  };
};

/** Changes the published agreements. @throws {PublishError} also if somebody else has published meanwhile */
export const changeAgreements = async (
  deps: PublishedDeps,
  change: AgreementsToChange,
  publication: Publication,
): Promise<Published> => {
  const made = await agreementChange(deps, change, publication.by);
  return must((await publish(deps, [made], publication))[0], 'the agreements');
};

/**
 * Puts an earlier version in force again.
 * @throws {PublishError} if there is no such version, or somebody else has published meanwhile
 * @throws {Error} if it cannot be used
 */
export const publishAgreementsAgain = (deps: PublishedDeps, version: string, publication: Publication): Promise<void> =>
  publishVersion(KIND, deps, version, () => load(deps.store, version), publication);
