/** Responses about tariff drafts. The pages take their types from here. */
import { byText } from '../../base/by-text.ts';
import type { LibraryVersion } from '../../catalog/documents/library.ts';
import type { TariffDocument } from '../../catalog/tariff/document.ts';
import { type Schedule, tariffId } from '../../catalog/tariff/schedule.ts';
import { coverageRowOf, tariffsInForce } from '../../catalog/tariff/view/tariffs.ts';
import type { RateBook } from '../../rating/card.ts';
import { type Draft, filesWithoutOrigin } from './ledger.ts';
import { readingProgress } from './tasks.ts';

/** The tariffs that the service has. @param book the rate cards in force at the instant */
export const tariffEntriesOf = (schedule: Schedule, book: RateBook, instant: Date) =>
  tariffsInForce(schedule, book, instant).map(({ id, file, inForce, services }) => ({
    id,
    name: file.name,
    effectiveDate: file.effective,
    /** Whether it is in force only when no other tariff is. */
    fallback: file.fallback,
    inForce,
    services: services.map(({ service: { code, carrier }, inForce: own }) => ({
      ...{ shippingService: code, carrier, inForce: own },
    })),
  }));

/** What a draft is compared with and published to. */
export interface Surroundings {
  readonly place: 'folder' | 'published';
  readonly schedule: Schedule;
  readonly versions: readonly LibraryVersion[];
  /** The number of clients that the tariffs price. */
  readonly clients: number;
}

export const currentVersion = ({ versions }: Pick<Surroundings, 'versions'>): string | null =>
  versions.find(({ isCurrent }) => isCurrent)?.version ?? null;

const stateOf = ({ state }: Draft) => {
  if (state.is !== 'done') return state.is;
  const { outcome } = state.result;
  if ('failed' in outcome) return 'failed';
  return 'refused' in outcome ? 'refused' : 'imported';
};

const outcomeOf = ({ state }: Draft) => (state.is === 'done' ? state.result.outcome : undefined);

/** The tariff that a draft's import made; null if it made none. */
export const tariffOf = (draft: Draft): string | null => {
  const outcome = outcomeOf(draft);
  return outcome !== undefined && 'tariff' in outcome ? outcome.tariff : null;
};

/** Why the last import made nothing: files and their problems. Without a file, the problem concerns all. */
const refusedOf = (draft: Draft): readonly { readonly file: string; readonly reason: string }[] => {
  const outcome = outcomeOf(draft);
  if (outcome === undefined) return [];
  if ('failed' in outcome) return [{ file: '', reason: outcome.failed }];
  return 'refused' in outcome ? outcome.refused : [];
};

/** The result of the last import. */
const importedOf = (draft: Draft) => {
  if (draft.state.is !== 'done') return null;
  const { at, by, outcome } = draft.state.result;
  if (!('tariff' in outcome)) return null;
  const { coverage, ...rest } = outcome;
  const rows = coverage?.services.map((row) => coverageRowOf(row, (label) => label));
  return { at, by, ...rest, coverage: coverage && { date: coverage.day, services: rows ?? [] } };
};

/** The existing tariff with the same name. In the store, it also has the same date. */
export const sameNamed = (
  { record: { name, effective } }: Draft,
  { place, schedule }: Surroundings,
): TariffDocument | undefined =>
  schedule.documents.find(
    ({ file }) => file.name === name && !file.fallback && (place === 'folder' || file.effective === effective),
  );

/** Why a draft cannot be published; null if it can. */
export const refusalOf = (draft: Draft, around: Surroundings): string | null => {
  const { effective, name } = draft.record;
  const imported = importedOf(draft);
  if (imported === null) return 'Import the files first.';
  if (imported.tariff === null) return 'The files contain no rates.';
  if (imported.errors > 0) return 'The tariff has errors.';
  const same = sameNamed(draft, around);
  if (same !== undefined && same.file.effective !== effective)
    return `There is a tariff ${name} from ${same.file.effective} already. Give the draft another name, such as ${name.slice(0, 35)}-${effective.slice(0, 4)}.`;
  if (same !== undefined && ![imported.tariff, imported.on].includes(tariffId(same)))
    return `The tariff ${name} has changed since this import, for example by new fuel rates. Import the files again.`;
  return null;
};

/** The tariffs that share services with the draft, the most similar first. */
const comparableTo = (draft: Draft, { schedule }: Surroundings) => {
  const own = tariffOf(draft);
  const codes = new Set(importedOf(draft)?.services.map(({ code }) => code));
  const shared = ({ file }: TariffDocument): number => file.services.filter(({ code }) => codes.has(code)).length;
  const isBefore = ({ file }: TariffDocument): boolean => file.effective <= draft.record.effective;
  return schedule.documents
    .filter((document) => tariffId(document) !== own && shared(document) > 0)
    .toSorted(
      (a, b) =>
        Number(isBefore(b)) - Number(isBefore(a)) ||
        shared(b) - shared(a) ||
        byText(b.file.effective, a.file.effective),
    )
    .map((document) => ({ id: tariffId(document), effectiveDate: document.file.effective }));
};

export const draftEntryOf = (draft: Draft, { schedule }: Surroundings) => {
  const { id, name, effective, files, changed } = draft.record;
  const tariff = tariffOf(draft);
  return {
    id,
    name,
    effectiveDate: effective,
    state: stateOf(draft),
    files: files.length,
    changedAt: changed.at,
    changedBy: changed.by,
    tariff,
    /** Whether the service has its tariff. */
    published: tariff !== null && schedule.ids.includes(tariff),
  };
};

/** A draft, as in the response to every draft call. */
export const draftBodyOf = (draft: Draft, around: Surroundings) => {
  const { files: _count, ...entry } = draftEntryOf(draft, around);
  const { record, state } = draft;
  const same = sameNamed(draft, around);
  const replaced = same === undefined ? null : tariffId(same);
  const lacking = filesWithoutOrigin(draft);
  return {
    ...entry,
    /** Requested services, from those that are imported only on request. */
    services: record.services,
    files: record.files.map((one) => {
      const { number, file, bytes, origin } = one;
      return { number, file, bytes, origin, lacksOrigin: lacking.includes(one) };
    }),
    /** Null unless it is being imported. */
    progress: state.is === 'importing' ? readingProgress.parse(state.progress) : null,
    refused: refusedOf(draft),
    imported: importedOf(draft),
    /** The tariff that it replaces when published. */
    replaces: replaced === tariffOf(draft) ? null : replaced,
    /** The number of clients that it prices when published. */
    clients: around.clients,
    refusal: refusalOf(draft, around),
    comparable: comparableTo(draft, around),
    version: currentVersion(around),
  };
};
