/** The libraries of a service, in folders or in the store, and publishing to several of them at once. */
import { checkAgainst } from '../agreement/check/check-against.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { folderPlace } from '../documents/folder-place.ts';
import { AGREEMENTS, type Kind, TARIFFS } from '../documents/kinds.ts';
import {
  type Changed,
  type ChangeNote,
  type Library,
  libraryIn,
  loadAll,
  type Outcome,
  type PutOptions,
  planPut,
  requireVersion,
} from '../documents/library.ts';
import { later } from '../tariff/days.ts';
import type { Finding } from '../tariff/document.ts';
import { type Schedule, scheduleOf } from '../tariff/schedule.ts';
import { openBoth, storePlace, type UsePublished } from './store-place.ts';

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
 */
export const publishTogether = (
  change: UsePublished,
  dirs: readonly string[],
  agreements: readonly AgreementToPublish[],
  note: ChangeNote & Readonly<Record<'tariffs' | 'agreements', PutOptions<never>['replace']>>,
): Promise<Outcome> =>
  change(async (deps): Promise<Outcome> => {
    const { places, publish } = await openBoth([TARIFFS, AGREEMENTS], deps);
    const sources = dirs.map((dir) => ({ dir }));
    requireVersion(TARIFFS, note, places[0]);
    const tariffs = await planPut(TARIFFS, places[0], sources, { ...note, replace: note.tariffs });
    if ('errors' in tariffs) return tariffs;
    const check = checkBeside(scheduleOf(await loadAll(tariffs.items)), note.now);
    const beside = await planPut(AGREEMENTS, places[1], agreements, { ...note, replace: note.agreements, check });
    if ('errors' in beside) return beside;
    const version = await publish([tariffs.items, beside.items], note);
    const { placed, withdrawn, warnings } = tariffs;
    return { placed, withdrawn, warnings, version } satisfies Changed;
  });
