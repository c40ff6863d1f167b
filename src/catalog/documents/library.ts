/**
 * A library has the documents of a kind that are in force in a place: a folder, or the published documents in the store. It
 * puts documents there, withdraws them, and restores earlier versions. All are checked first, also against those already
 * there. Then either all are in force, or nothing has changed.
 */
import { basename, resolve } from 'node:path';
import { hasErrors } from '../tariff/check/check.ts';
import type { Finding } from '../tariff/document.ts';
import { errorsIn } from '../tariff/findings.ts';
import { type CheckedFolder, checkOne, conflictsBeside, within } from './judged.ts';
import { type Kind, nameIn } from './kinds.ts';

/** A change that was refused. The message is for users. */
export class PublishError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PublishError';
  }
}

/** Who makes a change, and when. */
export interface ChangeNote {
  readonly by: string;
  readonly now: Date;
  /** The expected version. The change is refused if the version is different. Null: no version. Absent: any. */
  readonly on?: string | null;
}

export interface LibraryVersion {
  readonly version: string;
  readonly at: string;
  readonly by: string;
  readonly ids: readonly string[];
  readonly isCurrent: boolean;
  /** If it was restored: since when, and by whom. */
  readonly since?: { readonly at: string; readonly by: string };
}

/** A document in a place. */
export interface Item<D> {
  /** The item replaces the one there with the same key. */
  readonly key: string;
  /** The document's name there. */
  readonly name: string;
  readonly id: string;
  readonly load: () => Promise<D>;
  /** The document's folder, which may have other files. */
  readonly dir?: string;
}

/** A place at one moment. */
export interface Open<D> {
  /** The documents in force. */
  readonly items: readonly Item<D>[];
  /** Folders with errors. */
  readonly broken: readonly Pick<CheckedFolder<D>, 'name' | 'findings'>[];
  /** The version in force. Null if there is none. */
  readonly version: string | null;
  /** All versions, newest first. */
  readonly versions: () => Promise<readonly LibraryVersion[]>;
  /** Returns the item that a document is in this place. @param dir the folder that it comes from */
  readonly itemOf: (document: D, dir: string | undefined) => Item<D>;
  /** What is already at the new item's location, even if not in force: an id or a description. */
  readonly inPlaceOf: (item: Item<D>) => Promise<string | undefined>;
  /** The items of a version. Undefined if there is no such version. */
  readonly itemsOf: (version: string) => Promise<readonly Item<D>[] | undefined>;
  /**
   * Puts exactly these items in force.
   * @param again the version to restore
   * @returns the version @throws {PublishError} if others have changed the place since
   */
  readonly hold: (items: readonly Item<D>[], note: ChangeNote, again?: string) => Promise<string>;
}

export interface Place<D> {
  /** As of an open place, without reading its documents. */
  readonly versions: Open<D>['versions'];
  readonly read: <T>(use: (open: Open<D>) => Promise<T>) => Promise<T>;
  /** While `use` runs, nobody else on this machine changes the place. */
  readonly change: <T>(use: (open: Open<D>) => Promise<T>) => Promise<T>;
}

/** What to put: a document's folder with all its files, or a document alone. */
export type Source<D> =
  | { readonly dir: string }
  /** `before`: the id of the replaced document. Null: there is none. Absent: any. */
  | { readonly document: D; readonly before?: string | null | undefined };

/** A planned change: the names of the documents that it withdraws, and all documents before and after it. */
export interface Planned<D> {
  readonly gone: readonly string[];
  readonly before: () => Promise<readonly D[]>;
  readonly after: () => Promise<readonly D[]>;
}

/** Refuses a change. @throws with a message for users */
export type Allow<D> = (change: Planned<D>) => Promise<void>;

export interface PutOptions<D> extends ChangeNote {
  /** Which other documents it may replace: none, those by the same author, or all. */
  readonly replace: 'none' | 'own' | 'all';
  /** Documents to remove: ids, or their names there. */
  readonly remove?: readonly string[];
  /** Whether to remove all other documents. */
  readonly alone?: boolean;
  readonly allow?: Allow<D> | undefined;
  /** Additional checks of a document by itself. */
  readonly check?: (document: D) => readonly Finding[];
}

/** A document that was put. */
export interface Placed {
  /** The document's name there. */
  readonly name: string;
  readonly id: string;
  /** The replaced document or folder. Null if there was nothing. */
  readonly before: string | null;
  /** False if the same document was already there. */
  readonly isNew: boolean;
}

export interface Changed {
  readonly placed: readonly Placed[];
  /** The ids of removed documents. */
  readonly withdrawn: readonly string[];
  /** Undefined if nothing changed. */
  readonly version: string | undefined;
  /** Warnings about the documents that were put. None after going back: their publication had them. */
  readonly warnings: readonly Finding[];
}

/** The changes, or the errors that prevented all changes. */
export type Outcome<T = Changed> = T | { readonly errors: readonly Finding[] };

/** Every method that changes the place throws a {PublishError} if the change is refused. Then nothing has changed. */
export interface Library<D> {
  readonly current: () => Promise<{ readonly documents: readonly D[] } & Pick<Open<D>, 'broken'>>;
  /** Newest first. */
  readonly versions: () => Promise<readonly LibraryVersion[]>;
  readonly put: (sources: readonly Source<D>[], options: PutOptions<D>) => Promise<Outcome>;
  readonly goBack: (version: string, note: ChangeNote, allow?: Allow<D>) => Promise<Outcome>;
}

/** @throws {PublishError} if the version is not the expected one */
export const requireVersion = <D>(kind: Kind<D>, { on }: ChangeNote, { version }: Open<D>): void => {
  if (on === undefined || on === version) return;
  throw new PublishError(`Somebody else has just changed the ${kind.plural}. Review them, and try again if necessary.`);
};

/** Maximum number of documents loaded at a time. */
const AT_ONCE = 16;

export const loadAll = async <D>(items: readonly Pick<Item<D>, 'load'>[]): Promise<D[]> => {
  const documents: D[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    documents.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(({ load }) => load()))));
  return documents;
};

/** Who put a document in force in its current form, and when. Undefined if it was not published. */
const putBy = (versions: readonly LibraryVersion[], id: string) => {
  const before = versions.findIndex(({ ids }) => !ids.includes(id));
  if (before !== 0) return versions.at(before === -1 ? -1 : before - 1);
  // Somebody restored an earlier version.
  const current = versions.find(({ isCurrent }) => isCurrent);
  return current?.ids.includes(id) ? (current.since ?? current) : undefined;
};

/** @throws {PublishError} if others' documents would be lost without a request for it */
const requireOwn = async <D>(
  { versions }: Open<D>,
  lost: readonly string[],
  replace: PutOptions<D>['replace'],
  by: string,
): Promise<void> => {
  if (replace === 'all' || lost.length === 0) return;
  const known = await versions();
  const others = lost.flatMap((id) => {
    const put = putBy(known, id);
    if (replace === 'own' && put?.by === by) return [];
    return put === undefined
      ? `${id}, which was put there without being published`
      : `${id}, which ${put.by} published at ${put.at}`;
  });
  if (others.length > 0)
    throw new PublishError(`This would replace or withdraw ${others.join('; ')}. Use --replace to do that.`);
};

const requireExpected = (what: string, source: Source<unknown>, held: string | null): void => {
  if ('dir' in source || source.before === undefined || source.before === held) return;
  throw new PublishError(`Somebody else has changed ${what}. Look at it again, then repeat your change.`);
};

const named = <D>(kind: Kind<D>, { items }: Open<D>, name: string): Item<D> => {
  // A tariff in a folder has two names: its own, which its id shows, and its folder's.
  const own = items.filter((item) => [item.id, item.name, nameIn(item.id)].includes(name));
  const [found] = own;
  if (found !== undefined && own.length === 1) return found;
  const ids = (found === undefined ? items : own).map(({ id }) => id).join(', ');
  const known = items.length === 0 ? `are no ${kind.plural}` : `${items.length === 1 ? 'is only' : 'are'} ${ids}`;
  throw new PublishError(
    found === undefined
      ? `There is no ${kind.name} ${name}. There ${known}.`
      : `Several ${kind.plural} have the name ${name}. Name one of ${ids}.`,
  );
};

interface New<D> extends CheckedFolder<D> {
  readonly source: Source<D>;
}

const readSource = async <D>(kind: Kind<D>, source: Source<D>): Promise<New<D>> => {
  if ('dir' in source) return { source, ...checkOne(kind, basename(source.dir), await kind.read(source.dir)) };
  return { source, ...checkOne(kind, kind.nameOf(source.document), source) };
};

const requireNames = (items: readonly Item<unknown>[]): void => {
  const hidden = items.find(({ name }) => name.startsWith('.'));
  if (hidden !== undefined)
    throw new PublishError(`The name ${hidden.name} begins with a period. Give it another one.`);
  const second = items.find(({ key }, at) => items.findIndex((one) => one.key === key) !== at);
  if (second !== undefined) throw new PublishError(`Two are named ${second.name}. Give each its own name.`);
};

/** The planned content of a place. */
interface Plan<D> extends Omit<Changed, 'version'> {
  readonly items: readonly Item<D>[];
  readonly isChange: boolean;
}

/** @param held the id of the replaced document */
const placedIn = async <D>(open: Open<D>, item: Item<D>, held: string | undefined): Promise<Placed> => {
  const before = held ?? (await open.inPlaceOf(item)) ?? null;
  return { name: item.name, id: item.id, before, isNew: before !== item.id };
};

const planOf = <D>(items: readonly Item<D>[], placed: Placed[], gone: readonly Item<D>[], warnings: Finding[]) => ({
  ...{ items, isChange: gone.length > 0 || placed.some(({ isNew }) => isNew), placed },
  ...{ withdrawn: gone.map(({ id }) => id), warnings },
});

const plannedIn = <D>(open: Open<D>, gone: readonly Item<D>[], after: readonly Item<D>[]): Planned<D> => ({
  gone: gone.map(({ name }) => name),
  before: () => loadAll(open.items),
  after: () => loadAll(after),
});

/** Plans to put documents into a place. @throws {PublishError} */
export const planPut = async <D>(
  kind: Kind<D>,
  open: Open<D>,
  given: readonly Source<D>[],
  { replace, remove = [], alone = false, allow = async () => undefined, check = () => [], by }: PutOptions<D>,
): Promise<Outcome<Plan<D>>> => {
  const dirs = new Set<string>();
  const sources = given.flatMap((source): readonly Source<D>[] => {
    if (!('dir' in source)) return [source];
    const dir = resolve(source.dir);
    if (dirs.has(dir)) return [];
    dirs.add(dir);
    return [{ dir }];
  });
  const fresh: New<D>[] = [];
  for (const source of sources) fresh.push(await readSource(kind, source));
  const items = fresh.flatMap(({ source, document }) =>
    document === undefined ? [] : [open.itemOf(document, 'dir' in source ? source.dir : undefined)],
  );
  // Agreements with the same name conflict.
  if (kind.isCalledByFolder) requireNames(items);
  const keys = new Set(items.map(({ key }) => key));
  const removed = remove.map((name) => named(kind, open, name));
  const others = open.items.filter(({ key }) => !keys.has(key));
  const stay = alone ? [] : others.filter((item) => !removed.includes(item));
  const gone = open.items.filter((item) => removed.includes(item) || (alone && others.includes(item)));
  const documents = await loadAll(kind.isCalledByFolder ? stay : []);
  const beside = documents.map((document, at) => ({ name: stay[at]?.name ?? '', findings: [], document }));
  const findings = fresh.flatMap((one, at) => [
    ...one.findings,
    ...conflictsBeside(kind, one, [...beside, ...fresh.slice(0, at)]),
    ...(one.document === undefined ? [] : check(one.document)).map((other) => within(one.name, other)),
  ]);
  if (hasErrors(findings)) return { errors: errorsIn(findings) };
  const heldBy = new Map(open.items.map((item) => [item.key, item]));
  const placed: Placed[] = [];
  for (const [at, item] of items.entries()) {
    const held = heldBy.get(item.key)?.id;
    const { source } = fresh[at] ?? { source: { dir: '' } };
    requireExpected(`the ${kind.name} ${item.name}`, source, held ?? null);
    const own = await placedIn(open, item, held);
    // Somebody is editing it.
    if (!('dir' in source) && held === undefined && own.before !== null)
      throw new PublishError(`The folder of ${item.name} has errors. Correct or remove it first.`);
    placed.push(own);
  }
  const replaced = placed.flatMap(({ isNew, before }) => (isNew ? (before ?? []) : []));
  await requireOwn(open, [...replaced, ...removed.map(({ id }) => id)], replace, by);
  const next = items.map((item) => (heldBy.get(item.key)?.id === item.id ? (heldBy.get(item.key) ?? item) : item));
  const after = [...stay, ...next];
  await allow(plannedIn(open, gone, after));
  return planOf(after, placed, gone, findings);
};

const changed = async <D>(open: Open<D>, plan: Plan<D>, note: ChangeNote, again?: string): Promise<Changed> => {
  const { placed, withdrawn, warnings } = plan;
  const version = plan.isChange ? await open.hold(plan.items, note, again) : undefined;
  return { placed, withdrawn, version, warnings };
};

export const libraryIn = <D>(kind: Kind<D>, place: Place<D>): Library<D> => {
  /** Makes a change if the version is the expected one. */
  const change = <T>(note: ChangeNote, use: (open: Open<D>) => Promise<T>): Promise<T> =>
    place.change((open) => {
      requireVersion(kind, note, open);
      return use(open);
    });
  return {
    current: () => place.read(async ({ items, broken }) => ({ documents: await loadAll(items), broken })),
    versions: place.versions,
    put: (sources, options) =>
      change(options, async (open) => {
        const plan = await planPut(kind, open, sources, options);
        return 'errors' in plan ? plan : await changed(open, plan, options);
      }),
    goBack: (version, note, allow = async () => undefined) =>
      change(note, async (open) => {
        const versions = await open.versions();
        // Its number is enough, because no two versions have the same one.
        const known = versions.find((one) => one.version === version || one.version.startsWith(`${version}-`))?.version;
        const items = known && (await open.itemsOf(known));
        if (!items)
          throw new PublishError(`There is no version ${version}. \`rates ${kind.name} versions\` lists the versions.`);
        const held = new Map(open.items.map((item) => [item.key, item.id]));
        const keys = new Set(items.map(({ key }) => key));
        const gone = open.items.filter(({ key }) => !keys.has(key));
        await allow(plannedIn(open, gone, items));
        // The rules may have changed since.
        const findings = (await loadAll(items)).flatMap((document, at) =>
          kind.check(document).map((one) => within(`${items[at]?.name}`, one)),
        );
        if (hasErrors(findings)) return { errors: errorsIn(findings) };
        const placed: Placed[] = [];
        for (const item of items) placed.push(await placedIn(open, item, held.get(item.key)));
        return await changed(open, planOf(items, placed, gone, []), note, known);
      }),
  };
};
