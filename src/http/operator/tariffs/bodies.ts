/** Answers about drafts of tariffs. */
import type { Draft } from '../../../published/drafts/ledger.ts';
import type { TariffPlace } from '../../../published/tariff-place.ts';
import type { TariffDocument } from '../../../tariff/document.ts';
import { type Schedule, tariffId } from '../../../tariff/schedule.ts';
import { coverageRowOf } from '../../console/coverage.ts';
import type { OperatorTariffsBody, TariffDraftBody } from './schemas.ts';

type DraftEntry = OperatorTariffsBody['drafts'][number];

/** What a draft is beside. */
export interface Surroundings {
  readonly place: 'folder' | 'published';
  readonly schedule: Schedule;
  readonly versions: Awaited<ReturnType<TariffPlace['versions']>>;
}

export const currentVersion = ({ versions }: Pick<Surroundings, 'versions'>): string | null =>
  versions.find(({ isCurrent }) => isCurrent)?.version ?? null;

const stateOf = ({ state }: Draft): DraftEntry['state'] => {
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

const refusedOf = (draft: Draft): TariffDraftBody['refused'] => {
  const outcome = outcomeOf(draft);
  if (outcome === undefined) return [];
  if ('failed' in outcome) return [{ file: '', reason: outcome.failed }];
  return 'refused' in outcome ? outcome.refused : [];
};

const importedOf = (draft: Draft): TariffDraftBody['imported'] => {
  if (draft.state.is !== 'done') return null;
  const { at, by, outcome } = draft.state.result;
  if (!('tariff' in outcome)) return null;
  const { coverage, ...rest } = outcome;
  return {
    at,
    by,
    ...rest,
    coverage:
      coverage === null
        ? null
        : { date: coverage.day, services: coverage.services.map((row) => coverageRowOf(row, (label) => label)) },
  };
};

/** The tariff of the same name that is there; in the store, of the same date too. */
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
  return null;
};

/** The tariffs of the service, the one most like the draft first: the one with most of its services that begins last before it. */
const comparableTo = (draft: Draft, { schedule }: Surroundings): TariffDraftBody['comparable'] => {
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
        (a.file.effective < b.file.effective ? 1 : -1),
    )
    .map((document) => ({ id: tariffId(document), effectiveDate: document.file.effective }));
};

export const draftEntryOf = (draft: Draft, { schedule }: Surroundings): DraftEntry => {
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
    published: tariff !== null && schedule.ids.includes(tariff),
  };
};

export const draftBodyOf = (draft: Draft, around: Surroundings): TariffDraftBody => {
  const { files: _count, ...entry } = draftEntryOf(draft, around);
  const { record, state } = draft;
  const same = sameNamed(draft, around);
  const replaced = same === undefined ? null : tariffId(same);
  return {
    ...entry,
    services: record.services,
    files: record.files.map(({ number, file, bytes, origin }) => ({ number, file, bytes, origin })),
    progress: state.is === 'importing' ? { read: state.read, of: state.of, by: state.by } : null,
    refused: refusedOf(draft),
    imported: importedOf(draft),
    replaces: replaced === tariffOf(draft) ? null : replaced,
    refusal: refusalOf(draft, around),
    comparable: comparableTo(draft, around),
    version: currentVersion(around),
  };
};
