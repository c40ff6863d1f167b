/** The published tariffs: see `documents.ts`. */
import { createSnapshots, type Snapshots } from '../batch/snapshot.ts';
import type { Store } from '../store/store.ts';
import { checkTariff } from '../tariff/check.ts';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import type { LiveTariffs } from '../tariff/live.ts';
import { conflictsOf, type Schedule, scheduleOf } from '../tariff/schedule.ts';
import {
  type Publication,
  PublishError,
  type PublishedVersion,
  publish,
  publishVersion,
  readVersion,
  type Versions,
  versionsIn,
} from './documents.ts';
import { type FollowOptions, follow } from './follow.ts';
import { createPointers, type PublishedDeps } from './pointer.ts';

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

export interface FollowTariffsOptions
  extends PublishedDeps,
    Pick<FollowOptions<unknown>, 'intervalMs' | 'readsPerCopy'> {
  readonly snapshots: Snapshots;
}

/** Follows the published tariffs. There are none while nothing is published. */
export const followTariffs = async (options: FollowTariffsOptions): Promise<LiveTariffs> => {
  const { store, snapshots } = options;
  const followed = await follow({ ...options, kind: KIND, load: (version) => load(store, snapshots, version) });
  return {
    current: () => (followed.current() ?? NOTHING).schedule,
    findings: () => {
      const failure = followed.failure();
      if (failure === undefined) return (followed.current() ?? NOTHING).findings;
      return [
        { severity: 'error', at: 'published', message: failure instanceof Error ? failure.message : `${failure}` },
      ];
    },
    close: followed.close,
  };
};

/** The tariffs in force; none if nothing is published. */
export const publishedTariffs = async (deps: PublishedDeps): Promise<Schedule> => {
  const pointer = await createPointers(KIND, deps).latest();
  if (pointer === undefined) return NOTHING.schedule;
  return (await load(deps.store, createSnapshots(deps.store), pointer.version)).schedule;
};

/** A publication: what, when and by whom. */
export interface TariffVersion extends Omit<PublishedVersion, 'ids'> {
  readonly tariffs: readonly string[];
}

/** The version in force, and all versions, newest first. */
export const tariffVersions = async (
  deps: PublishedDeps,
): Promise<Pick<Versions, 'inForce'> & { readonly versions: readonly TariffVersion[] }> => {
  const { inForce, versions } = await versionsIn(KIND, deps);
  return { inForce, versions: versions.map(({ version, ids, at, by }) => ({ version, tariffs: ids, at, by })) };
};

/**
 * Publishes checked tariffs. They replace all published ones.
 * @returns the version, and whether it is new
 * @throws {PublishError} if somebody else has published meanwhile
 */
export const publishTariffs = (
  deps: PublishedDeps,
  schedule: Schedule,
  publication: Publication,
): Promise<{ readonly version: string; readonly isNew: boolean }> =>
  publish(KIND, deps, schedule.ids, () => createSnapshots(deps.store).keep(schedule), publication);

/**
 * Publishes what follows from the tariffs in force.
 * @param change the new tariffs, which must have no errors. `conflictsOf` must have found none either
 * @returns the version, and whether it is new
 * @throws {PublishError} if somebody else has published meanwhile
 */
export const changeTariffs = async (
  deps: PublishedDeps,
  change: (inForce: readonly TariffDocument[]) => Schedule,
  publication: Publication,
): Promise<{ readonly version: string; readonly isNew: boolean; readonly schedule: Schedule }> => {
  const before = await publishedTariffs(deps);
  const schedule = change(before.documents);
  const idsAfter = (inForce: readonly string[]): readonly string[] => {
    if (inForce.join() === before.ids.join()) return schedule.ids;
    throw new PublishError('Somebody else has just published tariffs. Review them, and publish again if necessary.');
  };
  const keep = (): Promise<unknown> => createSnapshots(deps.store).keep(schedule);
  return { ...(await publish(KIND, deps, idsAfter, keep, publication)), schedule };
};

/**
 * Puts an earlier version in force again.
 * @throws {PublishError} if there is no such version, or somebody else has published meanwhile
 * @throws {Error} if it cannot be used
 */
export const publishAgain = (deps: PublishedDeps, version: string, publication: Publication): Promise<void> =>
  publishVersion(KIND, deps, version, () => load(deps.store, createSnapshots(deps.store), version), publication);
