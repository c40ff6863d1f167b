/**
 * Puts tariffs into the folder that running services read. They are checked first, also against the tariffs that are there.
 * Then all take their places at once, so that a service never reads half of them.
 */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Finding, TariffDocument } from './document.ts';
import { replaceFolders } from './folder-files.ts';
import { checkFolders, documentsOf, errorsOf, foldersIn, tryReadFolder } from './folders.ts';
import { type Schedule, scheduleOf, tariffId } from './schedule.ts';

/** Tariffs that were refused. The message is for users. */
export class PlaceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PlaceError';
  }
}

/** A tariff in its place. */
export interface PlacedTariff {
  /** The name of its folder. */
  readonly name: string;
  readonly id: string;
  /** What it replaced; null if there was no folder of this name. */
  readonly before: string | null;
  /** False if the same tariff was there already. */
  readonly isNew: boolean;
}

export interface Placed {
  readonly tariffs: readonly PlacedTariff[];
  /** Of the placed tariffs. */
  readonly warnings: readonly Finding[];
  /** All tariffs of the folder that can be used, with the placed ones. */
  readonly schedule: Schedule;
}

/** What is in the place of a new tariff. */
const inPlaceOf = async (target: string): Promise<string | null> => {
  const read = await tryReadFolder(target);
  if ('document' in read) return tariffId(read.document);
  const isThere = await stat(target).then(
    () => true,
    () => false,
  );
  return isThere ? 'a folder with errors' : null;
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

/** Copies a folder, and makes sure that the copy is what was checked. */
const copyChecked = async (from: string, to: string, id: string): Promise<void> => {
  await copyFolder(from, to);
  const read = await tryReadFolder(to);
  if (!('document' in read) || tariffId(read.document) !== id)
    throw new PlaceError(`${from} was changed while it was published. Try again.`);
};

interface Move extends PlacedTariff {
  readonly from: string;
  readonly to: string;
}

const requireNames = async (root: string, sources: readonly string[]): Promise<void> => {
  if ((await readdir(root)).includes('tariff.json'))
    throw new PlaceError(`${root} is the folder of one tariff. Name the folder that contains your tariffs.`);
  const names = sources.map((source) => basename(source));
  const bad = names.find((name, index) => name.startsWith('.') || names.indexOf(name) !== index);
  if (bad !== undefined)
    throw new PlaceError(
      `Two folders are named ${bad}, or it begins with a period. Give each tariff a name of its own.`,
    );
};

const moveOf = async (root: string, from: string, document: TariffDocument): Promise<Move> => {
  const name = basename(from);
  const to = join(root, name);
  const id = tariffId(document);
  const before = to === from ? id : await inPlaceOf(to);
  return { name, id, before, isNew: before !== id, from, to };
};

/**
 * Puts the tariffs of folders into a folder, each under the name of its own folder.
 * @param replace whether they may replace other tariffs in folders of the same names
 * @returns the errors of the tariffs; then nothing was changed
 * @throws {PlaceError} if they are refused; then nothing was changed
 */
export const placeTariffs = async (
  root: string,
  dirs: readonly string[],
  { replace }: { readonly replace: boolean },
): Promise<Placed | { readonly errors: readonly Finding[] }> => {
  const sources = [...new Set(dirs.map((dir) => resolve(dir)))];
  await requireNames(root, sources);
  const names = new Set(sources.map((source) => basename(source)));
  const others = (await foldersIn(resolve(root))).filter((dir) => !names.has(basename(dir)));
  const checked = await checkFolders([...others, ...sources]);
  const own = checked.slice(others.length);
  const errors = errorsOf(own);
  if (errors.length > 0) return { errors };
  const documents = documentsOf(own);
  const moves = await Promise.all(
    documents.map((document, index) => moveOf(resolve(root), sources[index] ?? '', document)),
  );
  const fresh = moves.filter(({ isNew }) => isNew);
  const replaced = fresh.filter(({ before }) => before !== null);
  if (replaced.length > 0 && !replace)
    throw new PlaceError(
      `${replaced.map(({ to, before }) => `${to} has ${before}`).join(', and ')}. Use --replace to put the new one there.`,
    );
  await replaceFolders(
    fresh.map(({ from, to, id }) => ({ dir: to, write: (folder) => copyChecked(from, folder, id) })),
  );
  return {
    tariffs: moves.map(({ name, id, before, isNew }) => ({ name, id, before, isNew })),
    warnings: own.flatMap(({ findings }) => findings),
    schedule: scheduleOf(documentsOf(checked)),
  };
};
