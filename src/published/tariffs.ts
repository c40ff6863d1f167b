/** The published tariffs: see `documents.ts`. */
import { createSnapshots, type Snapshots } from '../batch/snapshot.ts';
import type { LiveTariffs } from '../documents/live.ts';
import { must } from '../must.ts';
import type { Store } from '../store/store.ts';
import { checkTariff } from '../tariff/check.ts';
import type { Finding } from '../tariff/document.ts';
import { conflictsOf, type Schedule, scheduleOf } from '../tariff/schedule.ts';
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

const KIND = 'tariffs';

interface Loaded {
  readonly schedule: Schedule;
  readonly findings: readonly Finding[];
}

const NOTHING: Loaded = { schedule: scheduleOf([]), findings: [] };

/** Checks the tariffs again, because rules may have changed since they were published. */
const load = async (store: Store, snapshots: Snapshots, version: string): Promise<Loaded> => {
  const schedule = await snapshots.schedule((await readVersion(KIND, store, version)).ids);
  const findings = schedule.documents.flatMap((document, index) =>
    checkTariff(document).map((finding) => ({ ...finding, at: `${schedule.ids[index]}: ${finding.at}` })),
  );
  const errors = [...findings, ...conflictsOf(schedule.documents)].filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first !== undefined) throw new Error(`It has ${errors.length} errors, the first: ${first.at}: ${first.message}`);
  return { schedule, findings };
};

/** Follows the published tariffs. There are none while nothing is published. */
export const tariffSource = ({ store }: Pick<PublishedDeps, 'store'>, snapshots: Snapshots): Source<LiveTariffs> => {
  let loaded = NOTHING;
  return {
    kind: KIND,
    load: async (version) => {
      const fresh = await load(store, snapshots, version);
      return () => {
        loaded = fresh;
      };
    },
    live: ({ requireKnown, failure, refresh, close }) => ({
      current: () => {
        requireKnown(KIND);
        return loaded.schedule;
      },
      findings: () => {
        const problem = failure(KIND);
        if (problem === undefined) return loaded.findings;
        const message = problem instanceof Error ? problem.message : `${problem}`;
        return [{ severity: 'error', at: 'published', message }];
      },
      // Only tariffs without errors can be published.
      errorsOf: () => [],
      refresh: () => refresh(KIND),
      close,
    }),
  };
};

/** The tariffs in force; none if nothing is published. */
export const publishedTariffs = async (deps: PublishedDeps): Promise<Schedule> => {
  const entry = (await createPointers(deps).latest())?.[KIND];
  if (entry === undefined) return NOTHING.schedule;
  return (await load(deps.store, createSnapshots(deps.store), entry.version)).schedule;
};

/** A publication: what, when and by whom. */
export interface TariffVersion extends Omit<PublishedVersion, 'ids'> {
  readonly tariffs: readonly string[];
}

/** The version in force, and all versions, newest first. */
export const tariffVersions = async (
  deps: PublishedDeps,
): Promise<Pick<KnownVersions, 'inForce'> & { readonly versions: readonly TariffVersion[] }> => {
  const { inForce, versions } = await versionsIn(KIND, deps);
  return { inForce, versions: versions.map(({ version, ids, at, by }) => ({ version, tariffs: ids, at, by })) };
};

/** Checked tariffs that replace all published ones. */
export const replaceTariffs = ({ store }: Pick<PublishedDeps, 'store'>, schedule: Schedule): Change => ({
  kind: KIND,
  ids: schedule.ids,
  keep: () => createSnapshots(store).keep(schedule),
});

/**
 * Publishes checked tariffs. They replace all published ones.
 * @throws {PublishError} if somebody else has published meanwhile
 */
export const publishTariffs = async (
  deps: PublishedDeps,
  schedule: Schedule,
  publication: Publication,
): Promise<Published> => must((await publish(deps, [replaceTariffs(deps, schedule)], publication))[0], 'the tariffs');

/** Tariffs that follow from those in force. @throws {PublishError} when it is published, if these are others by then */
export const tariffChange = (deps: Pick<PublishedDeps, 'store'>, before: Schedule, after: Schedule): Change => ({
  ...replaceTariffs(deps, after),
  ids: (inForce) => {
    if (inForce.join() === before.ids.join()) return after.ids;
    throw new PublishError('Somebody else has just published tariffs. Review them, and publish again if necessary.');
  },
});

/**
 * Puts an earlier version in force again.
 * @throws {PublishError} if there is no such version, or somebody else has published meanwhile
 * @throws {Error} if it cannot be used
 */
export const publishAgain = (deps: PublishedDeps, version: string, publication: Publication): Promise<void> =>
  publishVersion(KIND, deps, version, () => load(deps.store, createSnapshots(deps.store), version), publication);
