/**
 * Changes a folder of tariffs from one version to the next. The tariffs that come are kept first. Then the file `next.json`
 * says what the folder is to hold, the folders are put and removed, and the file gets the version's number as its name.
 * If the process ends on the way, `finishChange` does the rest: with the file, the change has been decided.
 *
 * The caller holds the lock of the folder.
 */
import { mkdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { replaceFile } from '../replace-file.ts';
import { removeFolder, replaceFolders } from './folder-files.ts';
import {
  type Change,
  copyChecked,
  idIn,
  keepTariff,
  keptDir,
  nextFile,
  nextNumber,
  pruneVersions,
  readChange,
  readVersions,
  versionFile,
} from './versions.ts';

/** Who changes the folder, and when. */
export interface ChangeNote {
  readonly by: string;
  readonly now: Date;
  /** The version that the change is for; it is refused if there is another by now. Null: there is none. Absent: any. */
  readonly on?: string | null;
}

/** A tariff in a folder, without errors. */
export interface FolderTariff {
  readonly dir: string;
  readonly id: string;
}

export interface FolderChange {
  /** What the folder holds now. */
  readonly present: readonly FolderTariff[];
  /** What comes, by the name that its folder gets. */
  readonly puts: ReadonlyMap<string, FolderTariff>;
  /** The names of the folders that go. */
  readonly gone: readonly string[];
}

const write = async (path: string, value: unknown): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`, 0o644);
};

/** Makes the folder what a change says. Doing it again changes nothing. */
const apply = async (root: string, { version, tariffs, puts, gone }: Change): Promise<void> => {
  const wrong: FolderTariff[] = [];
  for (const name of puts) {
    const [dir, id] = [join(root, name), tariffs[name] ?? ''];
    if ((await idIn(dir)) !== id) wrong.push({ dir, id });
  }
  await replaceFolders(
    wrong.map(({ dir, id }) => ({ dir, write: (fresh) => copyChecked(keptDir(root, id), fresh, id) })),
  );
  for (const name of gone) await removeFolder(join(root, name));
  await rename(nextFile(root), versionFile(root, version));
  await pruneVersions(root);
};

/**
 * Finishes a change that was interrupted.
 * @returns whether there was one
 */
export const finishChange = async (root: string): Promise<boolean> => {
  const change = await readChange(root);
  if (change !== undefined) await apply(root, change);
  return change !== undefined;
};

const idsOf = (tariffs: Iterable<readonly [string, FolderTariff]>): Record<string, string> =>
  Object.fromEntries([...tariffs].map(([name, { id }]) => [name, id]));

/** Records what the folder holds if that is no version yet: somebody has copied folders by hand. */
const recordPresent = async (root: string, present: ReadonlyMap<string, FolderTariff>, now: Date): Promise<void> => {
  const versions = await readVersions(root);
  const tariffs = idsOf(present);
  if (isDeepStrictEqual(versions[0]?.tariffs ?? {}, tariffs)) return;
  for (const { dir, id } of present.values()) await keepTariff(root, dir, id);
  const version = nextNumber(versions);
  await write(versionFile(root, version), { version, at: now.toISOString(), by: 'hand', tariffs });
};

/**
 * Puts tariffs into a folder and removes others, all or none.
 * @returns the version that the folder has now
 */
export const changeFolder = async (root: string, how: FolderChange, { by, now }: ChangeNote): Promise<string> => {
  const present = new Map(how.present.map((tariff) => [basename(tariff.dir), tariff]));
  await recordPresent(root, present, now);
  for (const { dir, id } of how.puts.values()) await keepTariff(root, dir, id);
  const version = nextNumber(await readVersions(root));
  const left = [...present].filter(([name]) => !how.gone.includes(name));
  const tariffs = idsOf([...left, ...how.puts]);
  const change: Change = {
    version,
    at: now.toISOString(),
    by,
    tariffs,
    puts: [...how.puts.keys()],
    gone: [...how.gone],
  };
  await write(nextFile(root), change);
  await apply(root, change);
  return version;
};
