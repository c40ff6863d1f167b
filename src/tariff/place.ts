/**
 * Publishes tariffs to the folder that running services read, withdraws them, and goes back to an earlier version. The
 * tariffs are checked first, also against those that are there. Then all take their places, and a service never reads half
 * of a change: see `change-folder.ts`.
 *
 * The caller holds the lock of the folder.
 */
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type ChangeNote, changeFolder, type FolderTariff, finishChange } from './change-folder.ts';
import type { Finding, TariffDocument } from './document.ts';
import { type CheckedFolder, checkFolders, documentsOf, errorsOf, foldersIn } from './folders.ts';
import { type Schedule, scheduleOf, tariffId } from './schedule.ts';
import { idIn, keptDir, PlaceError, readVersions } from './versions.ts';

export type { ChangeNote } from './change-folder.ts';
export { PlaceError } from './versions.ts';

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
  /** The ids of tariffs that are no longer there. */
  readonly withdrawn: readonly string[];
  /** Undefined if nothing changed. */
  readonly version: string | undefined;
  /** Of the placed tariffs. */
  readonly warnings: readonly Finding[];
  /** All tariffs of the folder that can be used, with the placed ones. */
  readonly schedule: Schedule;
}

/** What changed, or the errors because of which nothing did. */
export type Placing = Placed | { readonly errors: readonly Finding[] };

interface Present {
  readonly dirs: readonly string[];
  /** Those without errors. */
  readonly tariffs: readonly FolderTariff[];
}

const requireFolderOfTariffs = async (root: string): Promise<void> => {
  if ((await readdir(root)).includes('tariff.json'))
    throw new PlaceError(`${root} is the folder of one tariff. Name the folder that contains your tariffs.`);
};

const tariffsOf = (dirs: readonly string[], checked: readonly CheckedFolder[]): FolderTariff[] =>
  dirs.flatMap((dir, at) => {
    const document = checked[at]?.document;
    return document === undefined ? [] : [{ dir, id: tariffId(document) }];
  });

/** @throws {PlaceError} if there is another version by now than the change is for */
export const requireVersion = ({ on }: ChangeNote, current: string | undefined): void => {
  if (on !== undefined && on !== (current ?? null))
    throw new PlaceError('Somebody else has just changed the tariffs. Review them, and try again if necessary.');
};

/** What the folder holds, after an interrupted change is finished. */
const presentIn = async (root: string, note: ChangeNote): Promise<Present> => {
  await requireFolderOfTariffs(root);
  await finishChange(root);
  requireVersion(note, (await readVersions(root))[0]?.version);
  const dirs = await foldersIn(root);
  return { dirs, tariffs: tariffsOf(dirs, await checkFolders(dirs)) };
};

const requireNames = (sources: readonly string[]): void => {
  const names = sources.map((source) => basename(source));
  const bad = names.find((name, index) => name.startsWith('.') || names.indexOf(name) !== index);
  if (bad !== undefined)
    throw new PlaceError(
      `Two folders are named ${bad}, or it begins with a period. Give each tariff a name of its own.`,
    );
};

/** What is in the place of a new tariff. */
const inPlaceOf = async (present: Present, target: string): Promise<string | null> =>
  (await idIn(target)) ?? (present.dirs.includes(target) ? 'a folder with errors' : null);

const placedOf = async (
  root: string,
  present: Present,
  source: string,
  document: TariffDocument,
): Promise<PlacedTariff> => {
  const [name, id] = [basename(source), tariffId(document)];
  const target = join(root, name);
  const before = target === source ? id : await inPlaceOf(present, target);
  return { name, id, before, isNew: before !== id };
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
  { replace, ...note }: ChangeNote & { readonly replace: boolean },
): Promise<Placing> => {
  const home = resolve(root);
  const sources = [...new Set(dirs.map((dir) => resolve(dir)))];
  requireNames(sources);
  const present = await presentIn(home, note);
  const names = new Set(sources.map((source) => basename(source)));
  const others = present.dirs.filter((dir) => !names.has(basename(dir)));
  const checked = await checkFolders([...others, ...sources]);
  const own = checked.slice(others.length);
  const errors = errorsOf(own);
  if (errors.length > 0) return { errors };
  const tariffs = await Promise.all(
    documentsOf(own).map((document, at) => placedOf(home, present, sources[at] ?? '', document)),
  );
  const replaced = tariffs.filter(({ isNew, before }) => isNew && before !== null);
  if (replaced.length > 0 && !replace)
    throw new PlaceError(
      `${replaced.map(({ name, before }) => `${join(home, name)} has ${before}`).join(', and ')}. Use --replace to put the new one there.`,
    );
  const puts = new Map(
    tariffs.flatMap(({ name, id, isNew }, at) => (isNew ? [[name, { dir: sources[at] ?? '', id }]] : [])),
  );
  return {
    tariffs,
    withdrawn: [],
    version: puts.size === 0 ? undefined : await changeFolder(home, { present: present.tariffs, puts, gone: [] }, note),
    warnings: own.flatMap(({ findings }) => findings),
    schedule: scheduleOf(documentsOf(checked)),
  };
};

/**
 * Takes a tariff out of a folder. A copy of it stays with the versions.
 * @param named the tariff's id, or the name of its folder
 * @throws {PlaceError} if there is no such tariff
 */
export const withdrawTariff = async (root: string, named: string, note: ChangeNote): Promise<Placing> => {
  const home = resolve(root);
  const { dirs, tariffs } = await presentIn(home, note);
  const found = tariffs.find(({ dir, id }) => id === named || basename(dir) === named);
  if (found === undefined)
    throw new PlaceError(
      `There is no tariff ${named}. ${tariffs.length === 0 ? 'There is none at all.' : `There are ${tariffs.map(({ id }) => id).join(', ')}.`}`,
    );
  const checked = await checkFolders(dirs.filter((dir) => dir !== found.dir));
  const change = { present: tariffs, puts: new Map(), gone: [basename(found.dir)] };
  return {
    tariffs: [],
    withdrawn: [found.id],
    version: await changeFolder(home, change, note),
    warnings: [],
    schedule: scheduleOf(documentsOf(checked)),
  };
};

/**
 * Makes a folder what it was in an earlier version. Folders with errors that this version did not have stay.
 * @returns the errors of the tariffs, if rules have changed since; then nothing was changed
 * @throws {PlaceError} if there is no such version
 */
export const placeAgain = async (root: string, version: string, note: ChangeNote): Promise<Placing> => {
  const home = resolve(root);
  const present = await presentIn(home, note);
  const wanted = (await readVersions(home)).find((one) => one.version === version);
  if (wanted === undefined)
    throw new PlaceError(`There is no version ${version}. \`rates tariff list\` lists the versions.`);
  const entries = Object.entries(wanted.tariffs).map(([name, id]) => ({ name, id, dir: keptDir(home, id) }));
  const checked = await checkFolders(entries.map(({ dir }) => dir));
  const errors = errorsOf(checked);
  if (errors.length > 0) return { errors };
  const idAt = new Map(present.tariffs.map(({ dir, id }) => [basename(dir), id]));
  const tariffs = await Promise.all(
    entries.map(async ({ name, id }): Promise<PlacedTariff> => {
      const before = idAt.get(name) ?? (await inPlaceOf(present, join(home, name)));
      return { name, id, before, isNew: before !== id };
    }),
  );
  const fresh = new Set(tariffs.filter(({ isNew }) => isNew).map(({ name }) => name));
  const puts = new Map(entries.filter(({ name }) => fresh.has(name)).map(({ name, dir, id }) => [name, { dir, id }]));
  const gone = [...idAt.keys()].filter((name) => !(name in wanted.tariffs));
  const isChange = puts.size + gone.length > 0;
  return {
    tariffs,
    withdrawn: gone.flatMap((name) => idAt.get(name) ?? []),
    version: isChange ? await changeFolder(home, { present: present.tariffs, puts, gone }, note) : undefined,
    warnings: checked.flatMap(({ findings }) => findings),
    schedule: scheduleOf(documentsOf(checked)),
  };
};
