/**
 * A folder of documents as a place. A change moves the folder from one version to the next. First, new documents are kept.
 * Then `next.json` states the intended content, folders are written and removed, and the file is renamed to the version's
 * number. If the process dies midway, the next one finishes: once the file exists, the change is decided.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { lockFolder, usingAlone } from '../../base/process/folder-lock.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { exists, isMissing, namesIn, removeFolder, replaceFolder, replaceFolders } from '../tariff/folder-files.ts';
import type { Kind } from './kinds.ts';
import { checkFolders, foldersIn } from './kinds.ts';
import { type ChangeNote, type Item, type LibraryVersion, type Open, type Place, PublishError } from './library.ts';

/*
 * The versions of a folder of documents: its documents after each change, and a copy of each document. They are in the
 * hidden folder `.versions`, which readers of documents ignore:
 *
 *   <number>.json     the documents of a version by folder name, and who made it when
 *   next.json         a version in progress: see `folder-place.ts`
 *   kept/<id>/        the documents of the versions, with the files of their import
 */

/** The ids of the documents by folder name. */
const ids = z.record(z.string(), z.string());

const folderVersion = z.looseObject({
  /** A number from 1; the highest one is in force. */
  version: z.string().regex(/^[1-9]\d{0,8}$/),
  at: z.iso.datetime(),
  by: z.string(),
});
interface FolderVersion extends Readonly<z.output<typeof folderVersion>> {
  readonly ids: Readonly<z.output<typeof ids>>;
}

/** A version in progress. */
const change = folderVersion.extend({
  /** The new or replaced folders, and the withdrawn folders. */
  puts: z.array(z.string()),
  gone: z.array(z.string()),
});
export interface Change extends FolderVersion, Readonly<z.output<typeof change>> {
  readonly version: string;
}

/** The number of versions to keep. */
const MOST_VERSIONS = 20;

const VERSION_FILE = /^([1-9]\d{0,8})\.json$/;
const versionsDir = (root: string): string => join(root, '.versions');
const NEXT = 'next.json';
const nextFile = (root: string): string => join(versionsDir(root), NEXT);
const versionFile = (root: string, version: string): string => join(versionsDir(root), `${version}.json`);
const keptRoot = (root: string): string => join(versionsDir(root), 'kept');
export const keptDir = (root: string, id: string): string => join(keptRoot(root), id);

/** A token that changes when a version is made, and while one is in progress. */
export const changeToken = async (root: string): Promise<string> =>
  (await namesIn(versionsDir(root))).filter((name) => name.endsWith('.json')).join();

/** @param token the token of the folder */
export const isBeingChanged = (token: string): boolean => token.split(',').includes(NEXT);

type Plural = Kind<unknown>['plural'];

const readAs = async (plural: Plural, path: string): Promise<FolderVersion> => {
  const { [plural]: list, ...rest } = folderVersion.parse(JSON.parse(await readFile(path, 'utf8')));
  return { ...rest, ids: ids.parse(list) };
};

/** Writes a version, finished or in progress. */
const writeVersion = async (plural: Plural, path: string, { ids: list, ...rest }: FolderVersion): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, `${JSON.stringify({ ...rest, [plural]: list }, undefined, 2)}\n`, 0o644);
};

/** A change of this kind that is in progress or was interrupted. */
const readChange = async (plural: Plural, root: string): Promise<Change | undefined> => {
  try {
    const { [plural]: list, ...rest } = change.parse(JSON.parse(await readFile(nextFile(root), 'utf8')));
    return list === undefined ? undefined : { ...rest, ids: ids.parse(list) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Newest first. */
const numbersIn = async (root: string): Promise<readonly string[]> => {
  const numbers = (await namesIn(versionsDir(root))).flatMap((name) => VERSION_FILE.exec(name)?.[1] ?? []);
  return numbers.sort((a, b) => Number(b) - Number(a));
};

/** All versions, newest first. The first one is in force, unless the folder was changed by hand. */
export const readVersions = async (plural: Plural, root: string): Promise<readonly FolderVersion[]> =>
  await Promise.all((await numbersIn(root)).map((number) => readAs(plural, versionFile(root, number))));

const libraryVersions = async (plural: Plural, root: string): Promise<readonly LibraryVersion[]> =>
  (await readVersions(plural, root)).map(({ version, at, by, ids }, index) => {
    return { version, at, by, ids: Object.values(ids).sort(), isCurrent: index === 0 };
  });

export const newestVersion = async (plural: Plural, root: string): Promise<FolderVersion | undefined> => {
  const [newest] = await numbersIn(root);
  return newest === undefined ? undefined : await readAs(plural, versionFile(root, newest));
};

/** Copies all files of a document's folder. A power failure leaves no partial file. */
const copyFolder = async (from: string, to: string): Promise<void> => {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target);
      await copyFolder(source, target);
    } else if ((await stat(source)).isFile()) await writeFile(target, await readFile(source), { flush: true });
    else throw new PublishError(`${source} is neither a file nor a folder. Remove it.`);
  }
};

/** The id of the document in a folder. Undefined if there is no document without format errors. */
const idIn = async <D>(kind: Kind<D>, dir: string): Promise<string | undefined> => {
  const read = await kind.read(dir);
  return 'document' in read ? kind.id(read.document) : undefined;
};

/** Copies a folder and verifies that the copy is the checked document. */
const copyChecked = async <D>(kind: Kind<D>, from: string, to: string, id: string): Promise<void> => {
  await copyFolder(from, to);
  if ((await idIn(kind, to)) !== id) throw new PublishError(`${from} was changed while it was published. Try again.`);
};

/** Keeps a copy of a document, written by `make`. A copy that already exists stays. */
const keep = async <D>(
  kind: Kind<D>,
  root: string,
  id: string,
  make: (dir: string) => Promise<void>,
): Promise<void> => {
  const dir = keptDir(root, id);
  if ((await exists(dir)) && (await idIn(kind, dir)) === id) return;
  await make(dir);
};

/** Keeps a copy of a document's folder. */
const keepFolder = <D>(kind: Kind<D>, root: string, id: string, from: string): Promise<void> =>
  keep(kind, root, id, (dir) => replaceFolder(dir, (fresh) => copyChecked(kind, from, fresh, id)));

/** Removes the oldest versions over the limit, and documents that are in no version. */
const pruneVersions = async (plural: Plural, root: string): Promise<void> => {
  const versions = await readVersions(plural, root);
  const wanted = new Set(versions.slice(0, MOST_VERSIONS).flatMap((one) => Object.values(one.ids)));
  for (const { version } of versions.slice(MOST_VERSIONS)) await rm(versionFile(root, version), { force: true });
  for (const name of await namesIn(keptRoot(root)))
    if (!wanted.has(name)) await rm(join(keptRoot(root), name), { recursive: true, force: true });
};

const nextNumber = (versions: readonly FolderVersion[]): string => String(Number(versions[0]?.version ?? 0) + 1);

/** Changes the folder as stated. It can be repeated safely. */
const apply = async <D>(kind: Kind<D>, root: string, { version, ids, puts, gone }: Change): Promise<void> => {
  const wrong: { readonly dir: string; readonly id: string }[] = [];
  for (const name of puts) {
    const [dir, id] = [join(root, name), ids[name] ?? ''];
    if ((await idIn(kind, dir)) !== id) wrong.push({ dir, id });
  }
  await replaceFolders(
    wrong.map(({ dir, id }) => ({ dir, write: (fresh) => copyChecked(kind, keptDir(root, id), fresh, id) })),
  );
  for (const name of gone) await removeFolder(join(root, name));
  await rename(nextFile(root), versionFile(root, version));
  await pruneVersions(kind.plural, root);
};

/** Finishes an interrupted change. The caller has the lock of the folder. */
export const finishChange = async <D>(kind: Kind<D>, root: string): Promise<void> => {
  const change = await readChange(kind.plural, root);
  if (change !== undefined) await apply(kind, root, change);
};

/** Finishes an interrupted change. @returns false while another process makes a change */
export const finishIfFree = async <D>(kind: Kind<D>, root: string): Promise<boolean> => {
  const lock = await lockFolder(root);
  if (lock === undefined) return false;
  try {
    await finishChange(kind, root);
  } finally {
    await lock.release();
  }
  return true;
};

const requireFolderOfMany = async (
  { name, plural, mainFile }: Pick<Kind<never>, 'name' | 'plural' | 'mainFile'>,
  root: string,
): Promise<void> => {
  if ((await readdir(root)).includes(mainFile))
    throw new PublishError(`${root} is the folder of one ${name}. Name the folder that contains your ${plural}.`);
};

/** Records the folder's content if it is not a version yet, because somebody copied folders by hand. */
const recordPresent = async <D>(
  kind: Kind<D>,
  root: string,
  present: ReadonlyMap<string, Item<D>>,
  now: Date,
): Promise<void> => {
  const versions = await readVersions(kind.plural, root);
  const ids = Object.fromEntries([...present].map(([name, { id }]) => [name, id]));
  if (isDeepStrictEqual(versions[0]?.ids ?? {}, ids)) return;
  for (const [name, { id }] of present) await keepFolder(kind, root, id, join(root, name));
  const version = nextNumber(versions);
  await writeVersion(kind.plural, versionFile(root, version), { version, at: now.toISOString(), by: 'hand', ids });
};

const openFolder = async <D>(kind: Kind<D>, root: string): Promise<Open<D>> => {
  const dirs = await foldersIn(kind, root);
  const checked = await checkFolders(kind, dirs);
  const keyOf = (folder: string, id: string): string => (kind.isCalledByFolder ? folder : kind.key(id));
  const itemOf = (document: D, dir: string | undefined, id = kind.id(document)): Item<D> => {
    const folder = dir === undefined ? kind.nameOf(document) : basename(dir);
    const name = kind.isCalledByFolder ? folder : kind.nameOf(document);
    return { key: keyOf(folder, id), name, id, load: async () => document, ...(dir !== undefined && { dir }) };
  };
  const items = dirs.flatMap((dir, at) => {
    const document = checked[at]?.document;
    return document === undefined ? [] : [itemOf(document, dir)];
  });
  const present = new Map(items.map((item) => [basename(item.dir ?? ''), item]));
  const folderOf = new Map([...present].map(([folder, { key }]) => [key, folder]));
  /** The folder that an item has or will get. */
  const folderFor = ({ key, name }: Item<D>): string => folderOf.get(key) ?? name;
  const known = await readVersions(kind.plural, root);

  /** Keeps a new document. */
  const keepNew = async (item: Item<D>, folder: string): Promise<void> => {
    const { id, dir } = item;
    if (dir !== undefined) return await keepFolder(kind, root, id, dir);
    const document = await item.load();
    await keep(kind, root, id, (kept) => kind.write(kept, document, join(root, folder)));
  };

  const hold = async (wanted: readonly Item<D>[], { by, now }: ChangeNote): Promise<string> => {
    const next = new Map(wanted.map((item) => [folderFor(item), item]));
    const puts = [...next].filter(([folder, { id }]) => present.get(folder)?.id !== id);
    await recordPresent(kind, root, present, now);
    for (const [folder, item] of puts) await keepNew(item, folder);
    const version = nextNumber(await readVersions(kind.plural, root));
    const change: Change = {
      version,
      at: now.toISOString(),
      by,
      ids: Object.fromEntries([...next].map(([folder, { id }]) => [folder, id])),
      puts: puts.map(([folder]) => folder),
      gone: [...present.keys()].filter((folder) => !next.has(folder)),
    };
    await writeVersion(kind.plural, nextFile(root), change);
    await apply(kind, root, change);
    return version;
  };

  return {
    items,
    broken: checked.filter(({ document }) => document === undefined),
    version: known[0]?.version ?? null,
    versions: () => libraryVersions(kind.plural, root),
    itemOf,
    inPlaceOf: async (item) => {
      const folder = folderFor(item);
      const dir = join(root, folder);
      if (item.dir === dir) return item.id;
      if ((present.get(folder)?.key ?? item.key) !== item.key)
        throw new PublishError(`The folder ${folder} has another ${kind.name}. Give that folder another name first.`);
      const id = await idIn(kind, dir);
      if (id !== undefined || dirs.includes(dir)) return id ?? 'a folder with errors';
      // Writing a document keeps the other files of its folder, but copying a folder replaces them.
      return kind.leavesOthersAlone && item.dir !== undefined && (await exists(dir)) ? 'a folder of files' : undefined;
    },
    itemsOf: async (version) => {
      const found: FolderVersion | undefined = known.find((one) => one.version === version);
      if (found === undefined) return undefined;
      return Object.entries(found.ids).map(([folder, id]): Item<D> => {
        const dir = keptDir(root, id);
        const load = async (): Promise<D> => {
          const read = await kind.read(dir);
          if ('document' in read) return read.document;
          throw new PublishError(`${dir} cannot be read: ${read.findings[0]?.message}.`);
        };
        const name = kind.isCalledByFolder ? folder : kind.key(id).slice(0, -1);
        return { key: keyOf(folder, id), name, id, load, dir };
      });
    },
    hold,
  };
};

/** The documents of a kind in a folder. The folder keeps its latest versions. */
export const folderPlace = <D>(kind: Kind<D>, dir: string): Place<D> => {
  const root = resolve(dir);
  const alone = <T>(use: () => Promise<T>): Promise<T> =>
    usingAlone(
      root,
      use,
      () => new PublishError(`Another process is changing the ${kind.plural} in ${root}. Try again later.`),
    );
  const read = async <T>(use: () => Promise<T>): Promise<T> => {
    if (isBeingChanged(await changeToken(root))) await alone(() => finishChange(kind, root));
    return await use();
  };
  return {
    versions: () => read(() => libraryVersions(kind.plural, root)),
    read: (use) => read(async () => use(await openFolder(kind, root))),
    change: async (use) => {
      await requireFolderOfMany(kind, root);
      return await alone(async () => {
        await finishChange(kind, root);
        return await use(await openFolder(kind, root));
      });
    },
  };
};
