/**
 * The versions of a folder of tariffs: which tariffs were there after each change, and a copy of each of them. In the hidden
 * folder `.versions`, which readers of tariffs ignore:
 *
 *   <number>.json     the tariffs of a version by the names of their folders, and who made it when
 *   next.json         a version that is being made: see `change-folder.ts`
 *   kept/<id>/        the tariffs of the versions, with the files that they were imported from
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { isMissing, replaceFolder } from './folder-files.ts';
import { tryReadFolder } from './folders.ts';
import { tariffId } from './schedule.ts';

/** Tariffs that were refused. The message is for users. */
export class PlaceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PlaceError';
  }
}

const folderVersion = z.object({
  /** A number from 1; the highest one is in force. */
  version: z.string().regex(/^[1-9]\d{0,8}$/),
  at: z.iso.datetime(),
  by: z.string(),
  /** The ids of the tariffs by the names of their folders. */
  tariffs: z.record(z.string(), z.string()),
});
export type FolderVersion = z.output<typeof folderVersion>;

/** A version that is being made. */
const changing = folderVersion.extend({
  /** The folders that are new or replaced, and those that are withdrawn. */
  puts: z.array(z.string()),
  gone: z.array(z.string()),
});
export type Change = z.output<typeof changing>;

/** Versions are kept until there are so many newer ones. */
const MOST_VERSIONS = 20;

const VERSION_FILE = /^([1-9]\d{0,8})\.json$/;
const versionsDir = (root: string): string => join(root, '.versions');
const NEXT = 'next.json';
export const nextFile = (root: string): string => join(versionsDir(root), NEXT);
export const versionFile = (root: string, version: string): string => join(versionsDir(root), `${version}.json`);
const keptRoot = (root: string): string => join(versionsDir(root), 'kept');
export const keptDir = (root: string, id: string): string => join(keptRoot(root), id);

const namesIn = async (dir: string): Promise<string[]> => {
  try {
    return await readdir(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Changes whenever a version is made, and while one is being made. */
export const changeToken = async (root: string): Promise<string> =>
  (await namesIn(versionsDir(root)))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .join();

/** @param token of the folder */
export const isBeingChanged = (token: string): boolean => token.split(',').includes(NEXT);

/** The change that is being made, or was interrupted. */
export const readChange = async (root: string): Promise<Change | undefined> => {
  try {
    return changing.parse(JSON.parse(await readFile(nextFile(root), 'utf8')));
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

const readVersion = async (root: string, number: string): Promise<FolderVersion> =>
  folderVersion.parse(JSON.parse(await readFile(versionFile(root, number), 'utf8')));

/** All versions, newest first. The first one is in force, unless the folder was changed by hand. */
export const readVersions = async (root: string): Promise<readonly FolderVersion[]> =>
  await Promise.all((await numbersIn(root)).map((number) => readVersion(root, number)));

export const newestVersion = async (root: string): Promise<FolderVersion | undefined> => {
  const [newest] = await numbersIn(root);
  return newest === undefined ? undefined : await readVersion(root, newest);
};

/** Copies the files of a tariff, also those that it was imported from. A power failure leaves no half of a file. */
const copyFolder = async (from: string, to: string): Promise<void> => {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target);
      await copyFolder(source, target);
    } else if ((await stat(source)).isFile()) await writeFile(target, await readFile(source), { flush: true });
    else throw new PlaceError(`${source} is neither a file nor a folder. Remove it.`);
  }
};

/** The id of the tariff in a folder; undefined if there is none without errors of format. */
export const idIn = async (dir: string): Promise<string | undefined> => {
  const read = await tryReadFolder(dir);
  return 'document' in read ? tariffId(read.document) : undefined;
};

/** Copies a folder, and makes sure that the copy is what was checked. */
export const copyChecked = async (from: string, to: string, id: string): Promise<void> => {
  await copyFolder(from, to);
  if ((await idIn(to)) !== id) throw new PlaceError(`${from} was changed while it was published. Try again.`);
};

/** Keeps a copy of a tariff. One that is kept already stays as it is. */
export const keepTariff = async (root: string, from: string, id: string): Promise<void> => {
  const dir = keptDir(root, id);
  const isKept = (await namesIn(keptRoot(root))).includes(basename(dir)) && (await idIn(dir)) === id;
  if (!isKept) await replaceFolder(dir, (fresh) => copyChecked(from, fresh, id));
};

/** Removes versions of which there are enough newer ones, and the tariffs that no version has. */
export const pruneVersions = async (root: string): Promise<void> => {
  const versions = await readVersions(root);
  const wanted = new Set(versions.slice(0, MOST_VERSIONS).flatMap(({ tariffs }) => Object.values(tariffs)));
  for (const { version } of versions.slice(MOST_VERSIONS)) await rm(versionFile(root, version), { force: true });
  for (const name of await namesIn(keptRoot(root)))
    if (!wanted.has(name)) await rm(join(keptRoot(root), name), { recursive: true, force: true });
};

export const nextNumber = (versions: readonly FolderVersion[]): string => String(Number(versions[0]?.version ?? 0) + 1);
