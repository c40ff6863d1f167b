/**
 * Where the tariffs of a service are: in a folder, or published to the store. The command line and the console change them
 * through this, in the same way.
 */
import { basename } from 'node:path';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import { checkFolders, documentsOf, errorsOf } from '../tariff/folders.ts';
import { type ChangeNote, type PlacedTariff, PlaceError, type Placing, requireVersion } from '../tariff/place.ts';
import { conflictsOf, type Schedule, scheduleOf, tariffId } from '../tariff/schedule.ts';
import { readVersions } from '../tariff/versions.ts';
import { PublishError } from './documents.ts';
import type { PublishedDeps } from './pointer.ts';
import { tariffFolder } from './tariff-folder.ts';
import { changeTariffs, publishAgain, publishedTariffs, tariffVersions } from './tariffs.ts';

export interface PlaceVersion {
  readonly version: string;
  readonly at: string;
  readonly by: string;
  /** The ids of its tariffs. */
  readonly tariffs: readonly string[];
  readonly isCurrent: boolean;
}

/** All changes throw a {PlaceError} if they are refused. The message is for users. Then nothing was changed. */
export interface TariffPlace {
  /** Newest first. */
  readonly versions: () => Promise<readonly PlaceVersion[]>;
  /**
   * Adds the tariffs of folders.
   * @param options.replace whether they may replace others: those in folders of the same names, or those with the same names
   * and dates
   */
  readonly publish: (dirs: readonly string[], options: ChangeNote & { readonly replace: boolean }) => Promise<Placing>;
  /** @param named the tariff's id or name */
  readonly withdraw: (named: string, note: ChangeNote) => Promise<Placing>;
  readonly goBack: (version: string, note: ChangeNote) => Promise<Placing>;
}

/** The tariffs in the folders of a folder. */
export const folderPlace = (root: string): TariffPlace => {
  const folder = tariffFolder(root);
  return {
    versions: async () =>
      (await readVersions(root)).map(({ tariffs, ...version }, at) => ({
        ...version,
        tariffs: Object.values(tariffs).sort(),
        isCurrent: at === 0,
      })),
    publish: folder.place,
    withdraw: folder.withdraw,
    goBack: folder.goBack,
  };
};

const isSame = (a: TariffDocument, b: TariffDocument): boolean =>
  a.file.name === b.file.name && a.file.effective === b.file.effective;

class Conflicts extends Error {
  readonly errors: readonly Finding[];
  constructor(errors: readonly Finding[]) {
    super(`${errors.length} tariffs have a service from the same date`);
    this.errors = errors;
  }
}

/** @throws {Conflicts} */
const scheduleWithout = (documents: readonly TariffDocument[]): Schedule => {
  const conflicts = conflictsOf(documents);
  if (conflicts.length > 0) throw new Conflicts(conflicts);
  return scheduleOf(documents);
};

const added = (fresh: readonly TariffDocument[], replace: boolean) => (inForce: readonly TariffDocument[]) => {
  const replaced = inForce.filter((one) =>
    fresh.some((other) => isSame(one, other) && tariffId(one) !== tariffId(other)),
  );
  if (replaced.length > 0 && !replace)
    throw new PlaceError(`${replaced.map(tariffId).join(', ')} would be replaced. Use --replace to do that.`);
  return scheduleWithout([...inForce.filter((one) => !fresh.some((other) => isSame(one, other))), ...fresh]);
};

const without = (named: string) => (inForce: readonly TariffDocument[]) => {
  const found = inForce.filter((one) => tariffId(one) === named || one.file.name === named);
  if (found.length === 1) return scheduleOf(inForce.filter((one) => !found.includes(one)));
  const ids = (found.length === 0 ? inForce : found).map(tariffId).join(', ');
  throw new PlaceError(
    found.length === 0
      ? `There is no tariff ${named}. ${ids === '' ? 'There is none at all.' : `There are ${ids}.`}`
      : `Several tariffs have the name ${named}. Name one of ${ids}.`,
  );
};

/** Errors of publishing as those of a place. */
const inWords = async (placing: Promise<Placing>): Promise<Placing> => {
  try {
    return await placing;
  } catch (error) {
    if (error instanceof Conflicts) return { errors: error.errors };
    throw error instanceof PublishError ? new PlaceError(error.message) : error;
  }
};

/** Runs a change with what it needs, and with the lock of this machine if there is one. */
export type UsePublished = <T>(use: (deps: PublishedDeps) => Promise<T>) => Promise<T>;

const requireCurrent = async (deps: PublishedDeps, note: ChangeNote): Promise<void> => {
  if (note.on !== undefined) requireVersion(note, (await tariffVersions(deps)).inForce?.version);
};

/** The tariffs that are published to the store. */
export const publishedPlace = (change: UsePublished, read: UsePublished = change): TariffPlace => ({
  versions: () =>
    read(async (deps) => {
      const { inForce, versions } = await tariffVersions(deps);
      return versions.map((version) => ({ ...version, isCurrent: version.version === inForce?.version }));
    }),
  publish: async (dirs, { replace, ...note }) => {
    const checked = await checkFolders(dirs);
    const errors = errorsOf(checked);
    if (errors.length > 0) return { errors };
    const fresh = documentsOf(checked);
    const publishing = change(async (deps): Promise<Placing> => {
      await requireCurrent(deps, note);
      const before = await publishedTariffs(deps);
      const { version, isNew, schedule } = await changeTariffs(deps, added(fresh, replace), note);
      const tariffs = fresh.map((document, at): PlacedTariff => {
        const id = tariffId(document);
        const held = before.documents.find((one) => isSame(one, document));
        const replaced = held === undefined ? null : tariffId(held);
        return { name: basename(dirs[at] ?? ''), id, before: replaced, isNew: replaced !== id };
      });
      const warnings = checked.flatMap(({ findings }) => findings);
      return { tariffs, withdrawn: [], version: isNew ? version : undefined, warnings, schedule };
    });
    return await inWords(publishing);
  },
  withdraw: (named, note) =>
    inWords(
      change(async (deps) => {
        await requireCurrent(deps, note);
        const before = await publishedTariffs(deps);
        const { version, schedule } = await changeTariffs(deps, without(named), note);
        const withdrawn = before.ids.filter((id) => !schedule.ids.includes(id));
        return { tariffs: [], withdrawn, version, warnings: [], schedule };
      }),
    ),
  goBack: (version, note) =>
    inWords(
      change(async (deps) => {
        await requireCurrent(deps, note);
        const before = await publishedTariffs(deps);
        await publishAgain(deps, version, note);
        const schedule = await publishedTariffs(deps);
        const tariffs = schedule.documents.map((document, at): PlacedTariff => {
          const id = schedule.ids[at] ?? '';
          return { name: document.file.name, id, before: null, isNew: !before.ids.includes(id) };
        });
        const withdrawn = before.ids.filter((id) => !schedule.ids.includes(id));
        return { tariffs, withdrawn, version, warnings: [], schedule };
      }),
    ),
});
