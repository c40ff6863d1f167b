/**
 * Where the tariffs of a service are: in a folder, or published to the store. The command line and the console change them
 * through this, in the same way.
 */
import { basename } from 'node:path';
import { must } from '../must.ts';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import { checkFolders, documentsOf, errorsOf } from '../tariff/folders.ts';
import { type ChangeNote, type PlacedTariff, PlaceError, type Placing, requireVersion } from '../tariff/place.ts';
import { conflictsOf, type Schedule, scheduleOf, tariffId } from '../tariff/schedule.ts';
import { readVersions } from '../tariff/versions.ts';
import { type Change, PublishError, publish } from './documents.ts';
import type { PublishedDeps } from './pointer.ts';
import { tariffFolder } from './tariff-folder.ts';
import { publishAgain, publishedTariffs, tariffChange, tariffVersions } from './tariffs.ts';

export interface PlaceVersion {
  readonly version: string;
  readonly at: string;
  readonly by: string;
  /** The ids of its tariffs. */
  readonly tariffs: readonly string[];
  readonly isCurrent: boolean;
}

/** What is published with the tariffs that follow. @throws {RefusedBeside} if it has errors beside them */
export type Beside = (schedule: Schedule, note: ChangeNote) => Promise<readonly Change[]>;

/** All changes throw a {PlaceError} if they are refused. The message is for users. Then nothing was changed. */
export interface TariffPlace {
  /** Newest first. */
  readonly versions: () => Promise<readonly PlaceVersion[]>;
  /**
   * Adds the tariffs of folders.
   * @param options.replace whether they may replace others: those in folders of the same names, or those with the same names
   * and dates
   * @param options.beside what is published with them: all is in force, or nothing. A folder takes nothing with them
   */
  readonly publish: (dirs: readonly string[], options: PublishOptions) => Promise<Placing>;
  /** @param named the tariff's id or name */
  readonly withdraw: (named: string, note: ChangeNote) => Promise<Placing>;
  readonly goBack: (version: string, note: ChangeNote) => Promise<Placing>;
}

/** Two folders cannot be changed as one. */
export const ONLY_PUBLISHED =
  'Tariffs and agreements come into force as one only if both are published to the store: set neither TARIFFS_DIR nor AGREEMENTS_DIR to a folder.';

export interface PublishOptions extends ChangeNote {
  readonly replace: boolean;
  readonly beside?: ((deps: PublishedDeps) => Beside) | undefined;
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
    publish: async (dirs, { beside, ...options }) => {
      if (beside === undefined) return await folder.place(dirs, options);
      throw new PlaceError(ONLY_PUBLISHED);
    },
    withdraw: folder.withdraw,
    goBack: folder.goBack,
  };
};

const isSame = (a: TariffDocument, b: TariffDocument): boolean =>
  a.file.name === b.file.name && a.file.effective === b.file.effective;

export class RefusedBeside extends Error {
  readonly errors: readonly Finding[];
  constructor(errors: readonly Finding[]) {
    super(`${errors.length} errors beside what is in force`);
    this.errors = errors;
  }
}

/** @throws {RefusedBeside} */
const scheduleWithout = (documents: readonly TariffDocument[]): Schedule => {
  const conflicts = conflictsOf(documents);
  if (conflicts.length > 0) throw new RefusedBeside(conflicts);
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
    if (error instanceof RefusedBeside) return { errors: error.errors };
    throw error instanceof PublishError ? new PlaceError(error.message) : error;
  }
};

/** Runs a change with what it needs, and with the lock of this machine if there is one. */
export type UsePublished = <T>(use: (deps: PublishedDeps) => Promise<T>) => Promise<T>;

const requireCurrent = async (deps: PublishedDeps, note: ChangeNote): Promise<void> => {
  if (note.on !== undefined) requireVersion(note, (await tariffVersions(deps)).inForce?.version);
};

/**
 * Changes the published tariffs, and what is published with them.
 * @param change the tariffs that follow from those in force, without errors or conflicts
 * @param beside what else is published with the tariffs that follow
 */
const changed = async (
  deps: PublishedDeps,
  note: ChangeNote,
  change: (inForce: readonly TariffDocument[]) => Schedule,
  beside: Beside = async () => [],
) => {
  await requireCurrent(deps, note);
  const before = await publishedTariffs(deps);
  const schedule = change(before.documents);
  const done = await publish(deps, [tariffChange(deps, before, schedule), ...(await beside(schedule, note))], note);
  const isNew = done.some((one) => one.isNew);
  const withdrawn = before.ids.filter((id) => !schedule.ids.includes(id));
  return { before, schedule, withdrawn, version: isNew ? must(done[0], 'the tariffs').version : undefined };
};

/** The tariffs that are published to the store. */
export const publishedPlace = (change: UsePublished, read: UsePublished = change): TariffPlace => ({
  versions: () =>
    read(async (deps) => {
      const { inForce, versions } = await tariffVersions(deps);
      return versions.map((version) => ({ ...version, isCurrent: version.version === inForce?.version }));
    }),
  publish: async (dirs, { replace, beside, ...note }) => {
    const checked = await checkFolders(dirs);
    const errors = errorsOf(checked);
    if (errors.length > 0) return { errors };
    const fresh = documentsOf(checked);
    const publishing = change(async (deps): Promise<Placing> => {
      const { before, schedule, version } = await changed(deps, note, added(fresh, replace), beside?.(deps));
      const tariffs = fresh.map((document, at): PlacedTariff => {
        const id = tariffId(document);
        const held = before.documents.find((one) => isSame(one, document));
        const replaced = held === undefined ? null : tariffId(held);
        return { name: basename(dirs[at] ?? ''), id, before: replaced, isNew: replaced !== id };
      });
      const warnings = checked.flatMap(({ findings }) => findings);
      return { tariffs, withdrawn: [], version, warnings, schedule };
    });
    return await inWords(publishing);
  },
  withdraw: (named, note) =>
    inWords(change(async (deps) => ({ ...(await changed(deps, note, without(named))), tariffs: [], warnings: [] }))),
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
