/**
 * The versions of a folder of documents: its documents after each change, and a copy of each document. They are in the
 * hidden folder `.versions`, which readers of documents ignore:
 *
 *   <number>.json     the documents of a version by folder name, and who made it when
 *   next.json         a version in progress: see `folder-place.ts`
 *   kept/<id>/        the documents of the versions, with the files of their import
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../base/replace-file.ts';
import { exists, isMissing, namesIn, replaceFolder } from '../tariff/folder-files.ts';
import type { Kind } from './kinds.ts';
import { PublishError } from './library.ts';

/** The ids of the documents by folder name. */
const ids = z.record(z.string(), z.string());

const folderVersion = z.looseObject({
  /** A number from 1; the highest one is in force. */
  version: z.string().regex(/^[1-9]\d{0,8}$/),
  at: z.iso.datetime(),
  by: z.string(),
});
export interface FolderVersion extends Readonly<z.output<typeof folderVersion>> {
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
export const nextFile = (root: string): string => join(versionsDir(root), NEXT);
export const versionFile = (root: string, version: string): string => join(versionsDir(root), `${version}.json`);
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
export const writeVersion = async (
  plural: Plural,
  path: string,
  { ids: list, ...rest }: FolderVersion,
): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, `${JSON.stringify({ ...rest, [plural]: list }, undefined, 2)}\n`, 0o644);
};

/** A change of this kind that is in progress or was interrupted. */
export const readChange = async (plural: Plural, root: string): Promise<Change | undefined> => {
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
export const idIn = async <D>(kind: Kind<D>, dir: string): Promise<string | undefined> => {
  const read = await kind.read(dir);
  return 'document' in read ? kind.id(read.document) : undefined;
};

/** Copies a folder and verifies that the copy is the checked document. */
export const copyChecked = async <D>(kind: Kind<D>, from: string, to: string, id: string): Promise<void> => {
  await copyFolder(from, to);
  if ((await idIn(kind, to)) !== id) throw new PublishError(`${from} was changed while it was published. Try again.`);
};

/** Keeps a copy of a document, written by `make`. A copy that already exists stays. */
export const keep = async <D>(
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
export const keepFolder = <D>(kind: Kind<D>, root: string, id: string, from: string): Promise<void> =>
  keep(kind, root, id, (dir) => replaceFolder(dir, (fresh) => copyChecked(kind, from, fresh, id)));

/** Removes the oldest versions over the limit, and documents that are in no version. */
export const pruneVersions = async (plural: Plural, root: string): Promise<void> => {
  const versions = await readVersions(plural, root);
  const wanted = new Set(versions.slice(0, MOST_VERSIONS).flatMap((one) => Object.values(one.ids)));
  for (const { version } of versions.slice(MOST_VERSIONS)) await rm(versionFile(root, version), { force: true });
  for (const name of await namesIn(keptRoot(root)))
    if (!wanted.has(name)) await rm(join(keptRoot(root), name), { recursive: true, force: true });
};

export const nextNumber = (versions: readonly FolderVersion[]): string => String(Number(versions[0]?.version ?? 0) + 1);
