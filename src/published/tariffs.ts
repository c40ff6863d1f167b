/**
 * The published tariffs. A version is a list of tariffs. Each tariff is in the store once, shared with the snapshots of
 * batches. Versions and tariffs are never removed: they are small, batches refer to them, and any may come into force again.
 */
import { z } from 'zod';
import { createSnapshots, type Snapshots } from '../batch/snapshot.ts';
import { getJson, putJson, type Store } from '../store/store.ts';
import { checkTariff } from '../tariff/check.ts';
import type { Finding } from '../tariff/document.ts';
import type { LiveTariffs } from '../tariff/live.ts';
import { conflictsOf, type Schedule, scheduleOf } from '../tariff/schedule.ts';
import { type FollowOptions, follow } from './follow.ts';
import {
  createPointers,
  hasContent,
  type Pointers,
  type PublishedDeps,
  type StoredPointer,
  versionKey,
  versionOf,
  versionsOf,
} from './pointer.ts';

const KIND = 'tariffs';

const versionDocument = z.object({ tariffs: z.array(z.string()), at: z.iso.datetime(), by: z.string() });

/** A publication: what, when and by whom. */
export interface TariffVersion extends z.output<typeof versionDocument> {
  readonly version: string;
}

/** A publication that was refused. The message is for users. */
export class PublishError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PublishError';
  }
}

const contentOf = (ids: readonly string[]): string => JSON.stringify(ids);

const readVersion = async (store: Store, version: string): Promise<TariffVersion | undefined> => {
  const document = versionDocument.optional().parse(await getJson(store, versionKey(KIND, version)));
  if (document === undefined) return undefined;
  if (!hasContent(version, contentOf(document.tariffs)))
    throw new Error(`The content of version ${version} of the tariffs has changed since it was published.`);
  return { version, ...document };
};

interface Loaded {
  readonly schedule: Schedule;
  readonly findings: readonly Finding[];
}

const NOTHING: Loaded = { schedule: scheduleOf([]), findings: [] };

/** Checks the tariffs again, because rules may have changed since they were published. */
const load = async (store: Store, snapshots: Snapshots, version: string): Promise<Loaded> => {
  const found = await readVersion(store, version);
  if (found === undefined) throw new Error(`The version ${version} of the tariffs is not in the store.`);
  const schedule = await snapshots.schedule(found.tariffs);
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

/** The version in force, and all versions, newest first. */
export const tariffVersions = async (
  deps: PublishedDeps,
): Promise<{ readonly inForce: StoredPointer | undefined; readonly versions: readonly TariffVersion[] }> => {
  const inForce = await createPointers(KIND, deps).latest();
  const names = (await deps.store.list(versionsOf(KIND))).map((name) => name.replace(/\.json$/, ''));
  const versions = await Promise.all(names.map((version) => readVersion(deps.store, version)));
  return {
    inForce,
    versions: versions
      .filter((version) => version !== undefined)
      .toSorted((a, b) => Number.parseInt(b.version, 10) - Number.parseInt(a.version, 10) || (a.at < b.at ? 1 : -1)),
  };
};

export interface Publication {
  /** Who publishes. */
  readonly by: string;
  readonly now: Date;
}

const moveTo = async (
  pointers: Pointers,
  before: StoredPointer | undefined,
  version: string,
  { by, now }: Publication,
) => {
  const sequence = (before?.sequence ?? 0) + 1;
  if (await pointers.move(before, { sequence, version, at: now.toISOString(), by })) return;
  throw new PublishError('Somebody else has just published tariffs. Review them, and publish again if necessary.');
};

/**
 * Publishes checked tariffs. They replace all published ones.
 * @returns the version, and whether it is new
 * @throws {PublishError} if somebody else has published meanwhile
 */
export const publishTariffs = async (
  deps: PublishedDeps,
  schedule: Schedule,
  publication: Publication,
): Promise<{ readonly version: string; readonly isNew: boolean }> => {
  const pointers = createPointers(KIND, deps);
  const before = await pointers.latest();
  const content = contentOf(schedule.ids);
  if (before !== undefined && hasContent(before.version, content)) return { version: before.version, isNew: false };
  const tariffs = await createSnapshots(deps.store).keep(schedule);
  const version = versionOf((before?.sequence ?? 0) + 1, content);
  const document = { tariffs, at: publication.now.toISOString(), by: publication.by };
  await putJson(deps.store, versionKey(KIND, version), document, { durable: true });
  await moveTo(pointers, before, version, publication);
  return { version, isNew: true };
};

/**
 * Puts an earlier version in force again.
 * @throws {PublishError} if there is no such version, it cannot be used, or somebody else has published meanwhile
 */
export const publishAgain = async (deps: PublishedDeps, version: string, publication: Publication): Promise<void> => {
  const pointers = createPointers(KIND, deps);
  const before = await pointers.latest();
  const { versions } = await tariffVersions(deps);
  if (!versions.some((one) => one.version === version))
    throw new PublishError(`There is no version ${version}. \`rates tariff list\` lists the versions.`);
  await load(deps.store, createSnapshots(deps.store), version);
  if (before?.version !== version) await moveTo(pointers, before, version, publication);
};
