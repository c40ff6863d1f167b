/**
 * The published documents in the store as a place. A version is a list of ids. Each document is stored once and shared with
 * the snapshots of batches. Versions and documents are never removed: they are small, batches refer to them, and any version
 * may be restored. A version is stored before the pointer moves to it. If the move fails, the version stays in the store, but
 * no other version names it, so it is not listed.
 */
import { z } from 'zod';
import { must } from '../../base/must.ts';
import { getJson, putJson, type Store } from '../../base/store/store.ts';
import { checkAgainst } from '../agreement/check/check-against.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { folderPlace } from '../documents/folder-place.ts';
import { AGREEMENTS, type Kind, nameIn, TARIFFS } from '../documents/kinds.ts';
import {
  type Allow,
  type Changed,
  type ChangeNote,
  type Item,
  type Library,
  type LibraryVersion,
  libraryIn,
  loadAll,
  type Open,
  type Outcome,
  type Place,
  PublishError,
  type PutOptions,
  planPut,
  requireVersion,
} from '../documents/library.ts';
import type { Live } from '../documents/live.ts';
import { later } from '../tariff/days.ts';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import { error, errorsIn } from '../tariff/findings.ts';
import { type Schedule, scheduleOf } from '../tariff/schedule.ts';
import type { Source } from './follow.ts';
import {
  createPointers,
  hasContent,
  type PublishedDeps,
  type StoredPointer,
  versionKey,
  versionOf,
  versionsOf,
} from './pointer.ts';
import { documentIn, keepIn } from './snapshots.ts';

type Plural = Kind<unknown>['plural'];

interface StoredVersion {
  readonly version: string;
  readonly ids: readonly string[];
  readonly at: string;
  readonly by: string;
  /** The version that was made before it. Null: it was the first. */
  readonly previous: string | null;
}

const fields = z.looseObject({ at: z.iso.datetime(), by: z.string(), previous: z.string().nullable() });
const idList = z.array(z.string());

const contentOf = (ids: readonly string[]): string => JSON.stringify(ids);

/** @returns undefined if there is no such version */
const findVersion = async (plural: Plural, store: Store, version: string): Promise<StoredVersion | undefined> => {
  const json = await getJson(store, versionKey(plural, version));
  if (json === undefined) return undefined;
  const { at, by, previous, [plural]: list } = fields.parse(json);
  const ids = idList.parse(list);
  if (!hasContent(version, contentOf(ids)))
    throw new Error(`The content of version ${version} of the ${plural} has changed since it was published.`);
  return { version, ids, at, by, previous };
};

/** The ids of a version. @throws {Error} if there is no such version, or its content was changed */
const idsOf = async (plural: Plural, store: Store, version: string): Promise<readonly string[]> => {
  const found = await findVersion(plural, store, version);
  if (found === undefined) throw new Error(`The version ${version} of the ${plural} is not in the store.`);
  return found.ids;
};

/** The versions that have been in force, newest first. */
const versionsIn = async (
  plural: Plural,
  store: Store,
  pointer: StoredPointer | undefined,
): Promise<readonly LibraryVersion[]> => {
  const current = pointer?.[plural];
  if (current === undefined) return [];
  const names = (await store.list(versionsOf(plural))).map((name) => name.replace(/\.json$/, ''));
  const stored = await Promise.all(names.map((version) => findVersion(plural, store, version)));
  const byName = new Map(stored.flatMap((one) => (one === undefined ? [] : [[one.version, one] as const])));
  const versions: LibraryVersion[] = [];
  for (let name: string | null = current.newest; name !== null; ) {
    const { previous, ...one }: StoredVersion = must(byName.get(name), `version ${name} of the ${plural} in the store`);
    const isCurrent = one.version === current.version;
    versions.push({ ...one, isCurrent, ...(isCurrent && { since: { at: current.at, by: current.by } }) });
    name = previous;
  }
  return versions;
};

/** @throws {Error} with the first error */
const refuseErrors = (what: string, findings: readonly Finding[]): void => {
  const errors = errorsIn(findings);
  const [first] = errors;
  if (first !== undefined)
    throw new Error(`${what} has ${errors.length} errors, the first: ${first.at}: ${first.message}`);
};

/** A version that can be put in force. */
interface Staged {
  readonly plural: Plural;
  readonly version: string;
  readonly isNew: boolean;
}

/** The published documents of a kind, as the pointer says. */
export interface OpenStore<D> extends Open<D> {
  /** Stores a version with these items. @param again the version that already has these items */
  readonly stage: (items: readonly Item<D>[], note: ChangeNote, again?: string) => Promise<Staged>;
}

/** Puts versions in force together. @throws {PublishError} if others have published these kinds since */
const move = async (
  deps: PublishedDeps,
  pointer: StoredPointer | undefined,
  staged: readonly Staged[],
  note: ChangeNote,
): Promise<void> => {
  if (!staged.some(({ isNew }) => isNew)) return;
  // A version that is already in force must still be in force at the move.
  const versions = Object.fromEntries(staged.map(({ plural, version }) => [plural, version]));
  if (await createPointers(deps).move(pointer, versions, note)) return;
  throw new PublishError(
    `Somebody else has just published ${Object.keys(versions).join(' and ')}. Review them, and publish again if necessary.`,
  );
};

const openStored = async <D>(
  kind: Kind<D>,
  deps: PublishedDeps,
  pointer: StoredPointer | undefined,
): Promise<OpenStore<D>> => {
  const { store } = deps;
  const { plural } = kind;
  const entry = pointer?.[plural];
  /** Reads a document and checks it again because the rules may have changed since it was published. */
  const load = async (id: string): Promise<D> => {
    const document = await documentIn(store, kind, id);
    refuseErrors(id, kind.check(document));
    return document;
  };
  const itemIn = (id: string): Item<D> => ({ key: kind.key(id), name: nameIn(id), id, load: () => load(id) });
  const stage: OpenStore<D>['stage'] = async (items, { by, now }, again) => {
    const ids = items.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ id }) => id);
    const content = contentOf(ids);
    if (again === undefined && entry !== undefined && hasContent(entry.version, content))
      return { plural, version: entry.version, isNew: false };
    const version = again ?? versionOf((entry?.sequence ?? 0) + 1, content);
    if (again !== undefined) return { plural, version, isNew: version !== entry?.version };
    await keepIn(store, kind, await loadAll(items.filter(({ id }) => !known.has(id))));
    const json = { [plural]: ids, at: now.toISOString(), by, previous: entry?.newest ?? null };
    await putJson(store, versionKey(plural, version), json, { durable: true });
    return { plural, version, isNew: true };
  };
  const items = entry === undefined ? [] : (await idsOf(plural, store, entry.version)).map(itemIn);
  const known = new Set(items.map(({ id }) => id));
  return {
    items,
    broken: [],
    version: entry?.version ?? null,
    versions: () => versionsIn(plural, store, pointer),
    itemOf: (document) => ({ ...itemIn(kind.id(document)), load: async () => document }),
    inPlaceOf: async () => undefined,
    itemsOf: async (version) => (await findVersion(plural, store, version))?.ids.map(itemIn),
    stage,
    hold: async (wanted, note, again) => {
      const staged = await stage(wanted, note, again);
      await move(deps, pointer, [staged], note);
      return staged.version;
    },
  };
};

/** Runs a change with its dependencies, and with this machine's lock if there is one. */
export type UsePublished = <T>(use: (deps: PublishedDeps) => Promise<T>) => Promise<T>;

const storePlace = <D>(kind: Kind<D>, change: UsePublished, read: UsePublished = change): Place<D> => {
  const opened =
    (using: UsePublished): Place<D>['read'] =>
    (use) =>
      using(async (deps) => use(await openStored(kind, deps, await createPointers(deps).latest())));
  return { versions: () => opened(read)((open) => open.versions()), read: opened(read), change: opened(change) };
};

/** Opens two kinds at one moment. `publish` puts both in force, or neither. */
export const openBoth = async <A, B>(kinds: readonly [Kind<A>, Kind<B>], deps: PublishedDeps) => {
  const pointer = await createPointers(deps).latest();
  const [a, b] = [await openStored(kinds[0], deps, pointer), await openStored(kinds[1], deps, pointer)];
  return {
    places: [a, b] as const,
    /** @returns the version of the first kind; undefined if both were already in force */
    publish: async (
      items: readonly [readonly Item<A>[], readonly Item<B>[]],
      note: ChangeNote,
    ): Promise<string | undefined> => {
      const staged = [await a.stage(items[0], note), await b.stage(items[1], note)] as const;
      await move(deps, pointer, staged, note);
      return staged.some(({ isNew }) => isNew) ? staged[0].version : undefined;
    },
  };
};

interface Loaded<D> {
  readonly document: D;
  readonly findings: readonly Finding[];
}

/**
 * Follows the published documents of a kind. Empty until something is published.
 * @param read loads documents by id, and the service's view of them. A known document stays the same object
 */
export const storeSource = <D, V>(
  kind: Kind<D>,
  { store }: Pick<PublishedDeps, 'store'>,
  read: (
    ids: readonly string[],
    known: (id: string) => Promise<D>,
  ) => Promise<{ readonly documents: readonly D[]; readonly view: V }>,
  nothing: V,
): Source<Live<V>> => {
  let byId: ReadonlyMap<string, Loaded<D>> = new Map();
  let current = nothing;
  return {
    kind: kind.plural,
    load: async (version) => {
      const ids = await idsOf(kind.plural, store, version);
      const known = async (id: string): Promise<D> => byId.get(id)?.document ?? (await documentIn(store, kind, id));
      const { documents, view } = await read(ids, known);
      // Checked again because the rules may have changed since it was published.
      const loaded = documents.map((document): readonly [string, Loaded<D>] => {
        const id = kind.id(document);
        const before = byId.get(id);
        if (before?.document === document) return [id, before];
        const findings = kind.check(document).map((finding) => ({ ...finding, at: `${id}: ${finding.at}` }));
        return [id, { document, findings }];
      });
      const conflicts = documents.flatMap((document, at) =>
        documents.slice(0, at).flatMap((other) => kind.conflicts(document, other)),
      );
      refuseErrors('It', [...loaded.flatMap(([, { findings }]) => findings), ...conflicts]);
      return () => {
        byId = new Map(loaded);
        current = view;
      };
    },
    live: ({ requireKnown, failure, refresh, close }) => ({
      current: () => {
        requireKnown(kind.plural);
        return current;
      },
      findings: () => {
        const problem = failure(kind.plural);
        if (problem === undefined) return [...byId.values()].flatMap(({ findings }) => findings);
        const message = problem instanceof Error ? problem.message : `${problem}`;
        return [error('published', message)];
      },
      // Only documents without errors can be published.
      errorsOf: () => [],
      refresh: () => refresh(kind.plural),
      close,
    }),
  };
};

/* The libraries of a service, in folders or in the store, and publishing to several of them at once. */

/** @param dir the folder of the documents; undefined if they are published to the store */
export const libraryOf = <D>(
  kind: Kind<D>,
  dir: string | undefined,
  change: UsePublished,
  read: UsePublished = change,
): Library<D> => libraryIn(kind, dir === undefined ? storePlace(kind, change, read) : folderPlace(kind, dir));

/** Two folders cannot be changed atomically together. */
export const ONLY_PUBLISHED =
  'Tariffs and agreements take effect together only if both are published to the store: set neither TARIFFS_DIR nor AGREEMENTS_DIR to a folder.';

export interface AgreementToPublish {
  readonly document: AgreementDocument;
  /** The id of the replaced agreement. Null: there is none. Absent: any. */
  readonly before?: string | null | undefined;
}

/** Checks an agreement against tariffs: today, or on its first day if that is in the future. */
export const checkBeside =
  (schedule: Schedule, now: Date) =>
  (document: AgreementDocument): readonly Finding[] =>
    checkAgainst(document, schedule, later(schedule.bookAt(now).day, document.file.effective));

/**
 * Publishes tariffs together with agreements that fit them. Either all are in force, or nothing has changed.
 * @param dirs the folders of the tariffs
 * @param note.tariffs which other tariffs may be replaced; `note.agreements` is for agreements
 * @param note.check additional checks of the tariffs @param allow may refuse the change of the agreements
 */
export const publishTogether = (
  change: UsePublished,
  dirs: readonly string[],
  agreements: readonly AgreementToPublish[],
  note: ChangeNote &
    Readonly<Record<'tariffs' | 'agreements', PutOptions<never>['replace']>> &
    Pick<PutOptions<TariffDocument>, 'check'>,
  allow?: Allow<AgreementDocument>,
): Promise<Outcome> =>
  change(async (deps): Promise<Outcome> => {
    const { places, publish } = await openBoth([TARIFFS, AGREEMENTS], deps);
    const sources = dirs.map((dir) => ({ dir }));
    requireVersion(TARIFFS, note, places[0]);
    const tariffs = await planPut(TARIFFS, places[0], sources, { ...note, replace: note.tariffs });
    if ('errors' in tariffs) return tariffs;
    const check = checkBeside(scheduleOf(await loadAll(tariffs.items)), note.now);
    const own = { ...note, replace: note.agreements, check, allow };
    const beside = await planPut(AGREEMENTS, places[1], agreements, own);
    if ('errors' in beside) return beside;
    const version = await publish([tariffs.items, beside.items], note);
    const { placed, withdrawn, warnings } = tariffs;
    return { placed, withdrawn, warnings, version } satisfies Changed;
  });
