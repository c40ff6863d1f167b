/**
 * Published sets of documents, such as the tariffs. A version is a list of ids. Each document is in the store once, shared
 * with the snapshots of batches. Versions and documents are never removed: they are small, batches refer to them, and any
 * may come into force again.
 */
import { z } from 'zod';
import { getJson, putJson, type Store } from '../store/store.ts';
import {
  createPointers,
  type Entry,
  hasContent,
  type Kind,
  type Publication,
  type PublishedDeps,
  versionKey,
  versionOf,
  versionsOf,
} from './pointer.ts';

/** A publication: what, when and by whom. */
export interface PublishedVersion {
  readonly version: string;
  readonly ids: readonly string[];
  readonly at: string;
  readonly by: string;
}

/** A publication that was refused. The message is for users. */
export class PublishError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PublishError';
  }
}

/** The version in force, and all versions, newest first. */
export interface KnownVersions {
  readonly inForce: Entry | undefined;
  readonly versions: readonly PublishedVersion[];
}

const fields = z.looseObject({ at: z.iso.datetime(), by: z.string() });
const idList = z.array(z.string());

const contentOf = (ids: readonly string[]): string => JSON.stringify(ids);

/** @returns undefined if there is no such version */
const findVersion = async (kind: Kind, store: Store, version: string): Promise<PublishedVersion | undefined> => {
  const json = await getJson(store, versionKey(kind, version));
  if (json === undefined) return undefined;
  const { at, by, [kind]: list } = fields.parse(json);
  const ids = idList.parse(list);
  if (!hasContent(version, contentOf(ids)))
    throw new Error(`The content of version ${version} of the ${kind} has changed since it was published.`);
  return { version, ids, at, by };
};

/** @throws {Error} if there is no such version, or its content has changed */
export const readVersion = async (kind: Kind, store: Store, version: string): Promise<PublishedVersion> => {
  const found = await findVersion(kind, store, version);
  if (found === undefined) throw new Error(`The version ${version} of the ${kind} is not in the store.`);
  return found;
};

/** The version in force, and all versions, newest first. */
export const versionsIn = async (kind: Kind, deps: PublishedDeps): Promise<KnownVersions> => {
  const inForce = (await createPointers(deps).latest())?.[kind];
  const names = (await deps.store.list(versionsOf(kind))).map((name) => name.replace(/\.json$/, ''));
  const versions = await Promise.all(names.map((version) => findVersion(kind, deps.store, version)));
  return {
    inForce,
    versions: versions
      .filter((version) => version !== undefined)
      .toSorted((a, b) => Number.parseInt(b.version, 10) - Number.parseInt(a.version, 10) || (a.at < b.at ? 1 : -1)),
  };
};

/** What a publication does to one kind: documents of it replace those in force. */
export interface Change {
  readonly kind: Kind;
  /** The ids of the documents, or how they follow from those in force. */
  readonly ids: readonly string[] | ((inForce: readonly string[]) => readonly string[]);
  /** Stores the documents that may be new. */
  readonly keep: () => Promise<unknown>;
}

export interface Published {
  readonly kind: Kind;
  readonly version: string;
  readonly isNew: boolean;
  readonly ids: readonly string[];
}

const tooLate = (kinds: readonly Kind[]): PublishError =>
  new PublishError(
    `Somebody else has just published ${kinds.join(' and ')}. Review them, and publish again if necessary.`,
  );

/**
 * Publishes documents of several kinds: all are in force, or none.
 * @returns the versions in the order of the changes
 * @throws {PublishError} if somebody else has published these kinds meanwhile
 */
export const publish = async (
  deps: PublishedDeps,
  changes: readonly Change[],
  publication: Publication,
): Promise<readonly Published[]> => {
  const pointers = createPointers(deps);
  const before = await pointers.latest();
  const planned: (Published & Pick<Change, 'keep'>)[] = [];
  for (const { kind, ids, keep } of changes) {
    const entry = before?.[kind];
    const inForce = entry === undefined ? [] : (await readVersion(kind, deps.store, entry.version)).ids;
    const wanted = typeof ids === 'function' ? ids(inForce) : ids;
    const content = contentOf(wanted);
    const isNew = entry === undefined || !hasContent(entry.version, content);
    const version = isNew ? versionOf((entry?.sequence ?? 0) + 1, content) : entry.version;
    planned.push({ kind, version, isNew, ids: wanted, keep });
  }
  const fresh = planned.filter(({ isNew }) => isNew);
  // Only now: if one change is refused, the versions of the others do not exist either.
  for (const { kind, version, ids, keep } of fresh) {
    await keep();
    const document = { [kind]: ids, at: publication.now.toISOString(), by: publication.by };
    await putJson(deps.store, versionKey(kind, version), document, { durable: true });
  }
  // One that is in force already must still be when the others come.
  const moved = fresh.length === 0 ? [] : planned;
  const versions = Object.fromEntries(moved.map(({ kind, version }) => [kind, version]));
  if (moved.length > 0 && !(await pointers.move(before, versions, publication)))
    throw tooLate(moved.map(({ kind }) => kind));
  return planned.map(({ keep: _, ...published }) => published);
};

/**
 * Puts an earlier version in force again.
 * @param check throws if the version cannot be used
 * @throws {PublishError} if there is no such version, or somebody else has published meanwhile
 */
export const publishVersion = async (
  kind: Kind,
  deps: PublishedDeps,
  version: string,
  check: () => Promise<unknown>,
  publication: Publication,
): Promise<void> => {
  const pointers = createPointers(deps);
  const before = await pointers.latest();
  const { versions } = await versionsIn(kind, deps);
  if (!versions.some((one) => one.version === version))
    throw new PublishError(
      `There is no version ${version}. \`rates ${kind.replace(/s$/, '')} list\` lists the versions.`,
    );
  await check();
  if (before?.[kind]?.version === version) return;
  if (!(await pointers.move(before, { [kind]: version }, publication))) throw tooLate([kind]);
};
