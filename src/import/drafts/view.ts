/** Responses about tariff drafts. */
import { z } from 'zod';
import { byText } from '../../base/by-text.ts';
import { must } from '../../base/must.ts';
import type { LibraryVersion } from '../../catalog/documents/library.ts';
import type { TariffDocument } from '../../catalog/tariff/document.ts';
import { dayIn, type Schedule, tariffId } from '../../catalog/tariff/schedule.ts';
import { coverageRow } from '../../catalog/tariff/view/schemas.ts';
import { coverageRowOf } from '../../catalog/tariff/view/tariffs.ts';
import type { RateBook } from '../../rating/card.ts';
import { importedTariff, readingProgress } from '../draft/tasks.ts';
import { type Draft, filesWithoutOrigin } from './ledger.ts';
import { draftFile } from './records.ts';

const instant = z.iso.datetime();
const inForce = z.enum(['now', 'later', 'past']);

const draftState = z.enum(['open', 'importing', 'interrupted', 'refused', 'failed', 'imported']);

/** `GET /ops/tariffs` */
export const operatorTariffsBody = z.object({
  /** Where tariffs are: in a folder of this machine, or published to the store. */
  place: z.enum(['folder', 'published']),
  /** Why tariffs cannot be changed here; null if they can. */
  refusal: z.string().nullable(),
  /** The version in force; null before the first change. */
  version: z.string().nullable(),
  /** The tariffs that the service has now. */
  tariffs: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      effectiveDate: z.string(),
      /** Whether it is in force only when no other tariff is. */
      fallback: z.boolean(),
      inForce,
      services: z.array(z.object({ shippingService: z.string(), carrier: z.string(), inForce })),
    }),
  ),
  /** Tariffs that cannot be used. */
  problems: z.array(z.string()),
  /** Newest first. */
  versions: z.array(
    z.object({
      version: z.string(),
      at: instant,
      by: z.string(),
      tariffs: z.array(z.string()),
      isCurrent: z.boolean(),
    }),
  ),
  drafts: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      effectiveDate: z.string(),
      state: draftState,
      files: z.int(),
      changedAt: instant,
      changedBy: z.string(),
      /** Whether the service has its tariff. */
      published: z.boolean(),
    }),
  ),
});
export type OperatorTariffsBody = z.output<typeof operatorTariffsBody>;

/** A draft, as in the response to every draft call. */
export const tariffDraftBody = z.object({
  id: z.string(),
  name: z.string(),
  effectiveDate: z.string(),
  /** Requested services, from those that are imported only on request. */
  services: z.array(z.string()),
  files: z.array(
    draftFile.omit({ sha256: true }).extend({
      /** Whether its origin is unknown and an import needs it. */
      lacksOrigin: z.boolean(),
    }),
  ),
  changedAt: instant,
  changedBy: z.string(),
  state: draftState,
  /** Null unless it is being imported. */
  progress: readingProgress.nullable(),
  /** Why the last import made nothing: files and their problems. Without a file, the problem concerns all. */
  refused: z.array(z.object({ file: z.string(), reason: z.string() })),
  /** The result of the last import. */
  imported: z
    .object({
      at: instant,
      by: z.string(),
      ...importedTariff.shape,
      coverage: z.object({ date: z.string(), services: z.array(coverageRow(z.string())) }).nullable(),
    })
    .nullable(),
  /** Whether the service has its tariff. */
  published: z.boolean(),
  /** The tariff that it replaces when published. */
  replaces: z.string().nullable(),
  /** The number of clients that it prices when published. */
  clients: z.int(),
  /** Why it cannot be published; null if it can. */
  refusal: z.string().nullable(),
  /** Tariffs to compare it with, most similar first. */
  comparable: z.array(z.object({ id: z.string(), effectiveDate: z.string() })),
  /** As in `operatorTariffsBody`. */
  version: z.string().nullable(),
});
export type TariffDraftBody = z.output<typeof tariffDraftBody>;

type Entry = OperatorTariffsBody['tariffs'][number];

/** @param book the rate cards in force at the instant */
export const tariffEntriesOf = (schedule: Schedule, book: RateBook, instant: Date): Entry[] =>
  schedule.documents.map(({ file }, at) => {
    const id = must(schedule.ids[at], 'the id of a tariff');
    const isToCome = file.effective > dayIn(file.timeZone, instant);
    const services = file.services.map(({ code, carrier }) => {
      const isNow = book.byCode.get(code)?.tariff === id;
      return { shippingService: code, carrier, inForce: isNow ? 'now' : isToCome ? 'later' : 'past' } as const;
    });
    return {
      id,
      name: file.name,
      effectiveDate: file.effective,
      fallback: file.fallback,
      inForce: services.some(({ inForce }) => inForce === 'now') ? 'now' : isToCome ? 'later' : 'past',
      services,
    };
  });

type DraftEntry = OperatorTariffsBody['drafts'][number];

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
  return null;
};

/** The tariffs that share services with the draft, the most similar first. */
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
        byText(b.file.effective, a.file.effective),
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
  const lacking = filesWithoutOrigin(draft);
  return {
    ...entry,
    services: record.services,
    files: record.files.map((one) => {
      const { number, file, bytes, origin } = one;
      return { number, file, bytes, origin, lacksOrigin: lacking.includes(one) };
    }),
    progress: state.is === 'importing' ? readingProgress.parse(state.progress) : null,
    refused: refusedOf(draft),
    imported: importedOf(draft),
    replaces: replaced === tariffOf(draft) ? null : replaced,
    clients: around.clients,
    refusal: refusalOf(draft, around),
    comparable: comparableTo(draft, around),
    version: currentVersion(around),
  };
};
