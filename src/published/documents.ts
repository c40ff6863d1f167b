/**
 * Published sets of documents, such as the tariffs. A version is a list of ids. Each document is in the store once, shared
 * with the snapshots of batches. Versions and documents are never removed: they are small, batches refer to them, and any
 * may come into force again.
 */
import { z } from 'zod';
import { getJson, putJson, type Store } from '../store/store.ts';
import {
  createPointers,
  hasContent,
  type Kind,
  type Pointers,
  type PublishedDeps,
  type StoredPointer,
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

export interface Publication {
  /** Who publishes. */
  readonly by: string;
  readonly now: Date;
}

/** The version in force, and all versions, newest first. */
export interface Versions {
  readonly inForce: StoredPointer | undefined;
  readonly versions: readonly PublishedVersion[];
}

const fields = z.looseObject({ at: z.iso.datetime(), by: z.string() });
const idList = z.array(z.string());

const contentOf = (ids: readonly string[]): string => JSON.stringify(ids);

const moveTo = async (
  kind: Kind,
  pointers: Pointers,
  before: StoredPointer | undefined,
  version: string,
  { by, now }: Publication,
) => {
  const sequence = (before?.sequence ?? 0) + 1;
  if (await pointers.move(before, { sequence, version, at: now.toISOString(), by })) return;
  throw new PublishError(`Somebody else has just published ${kind}. Review them, and publish again if necessary.`);
};

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
export const versionsIn = async (kind: Kind, deps: PublishedDeps): Promise<Versions> => {
  const inForce = await createPointers(kind, deps).latest();
  const names = (await deps.store.list(versionsOf(kind))).map((name) => name.replace(/\.json$/, ''));
  const versions = await Promise.all(names.map((version) => findVersion(kind, deps.store, version)));
  return {
    inForce,
    versions: versions
      .filter((version) => version !== undefined)
      .toSorted((a, b) => Number.parseInt(b.version, 10) - Number.parseInt(a.version, 10) || (a.at < b.at ? 1 : -1)),
  };
};

/**
 * Publishes documents. They replace all published ones.
 * @param ids those of the documents, or how they follow from those in force
 * @param keep stores the documents that may be new
 * @returns the version, and whether it is new
 * @throws {PublishError} if somebody else has published meanwhile
 */
export const publish = async (
  kind: Kind,
  deps: PublishedDeps,
  ids: readonly string[] | ((inForce: readonly string[]) => readonly string[]),
  keep: () => Promise<unknown>,
  publication: Publication,
): Promise<{ readonly version: string; readonly isNew: boolean }> => {
  const pointers = createPointers(kind, deps);
  const before = await pointers.latest();
  const inForce = before === undefined ? [] : (await readVersion(kind, deps.store, before.version)).ids;
  const wanted = typeof ids === 'function' ? ids(inForce) : ids;
  const content = contentOf(wanted);
  if (before !== undefined && hasContent(before.version, content)) return { version: before.version, isNew: false };
  await keep();
  const version = versionOf((before?.sequence ?? 0) + 1, content);
  const document = { [kind]: wanted, at: publication.now.toISOString(), by: publication.by };
  await putJson(deps.store, versionKey(kind, version), document, { durable: true });
  await moveTo(kind, pointers, before, version, publication);
  return { version, isNew: true };
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
  const pointers = createPointers(kind, deps);
  const before = await pointers.latest();
  const { versions } = await versionsIn(kind, deps);
  if (!versions.some((one) => one.version === version))
    throw new PublishError(
      `There is no version ${version}. \`rates ${kind.replace(/s$/, '')} list\` lists the versions.`,
    );
  await check();
  if (before?.version !== version) await moveTo(kind, pointers, before, version, publication);
};
