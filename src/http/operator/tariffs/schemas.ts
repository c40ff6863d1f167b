/** Bodies and queries of the operator's calls about tariffs. */
import { z } from 'zod';
import { compareResult } from '../../../tariff/draft/tasks.ts';
import { reportBody } from '../../../tariff/import/report/body.ts';
import { centroidsBody, coverageRow } from '../../console/schemas.ts';
import { publishedAgreement } from '../agreements/schemas.ts';

const instant = z.iso.datetime();
/** `YYYY-MM-DD` */
const day = z.iso.date('must be a date, YYYY-MM-DD');
const inForce = z.enum(['now', 'later', 'past']);

const draftState = z.enum(['open', 'importing', 'interrupted', 'refused', 'failed', 'imported']);

/** `GET /ops/tariffs` */
export const operatorTariffsBody = z.object({
  /** In a folder of this machine, or published to the store. */
  place: z.enum(['folder', 'published']),
  /** Why tariffs cannot be changed here; null if they can. */
  refusal: z.string().nullable(),
  /** The version that is in force; null before the first change. */
  version: z.string().nullable(),
  /** Those of the service now. */
  tariffs: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      effectiveDate: z.string(),
      /** Whether it is in force only while no other tariff is. */
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
      /** Whether its tariff is one of the service's. */
      published: z.boolean(),
    }),
  ),
});
export type OperatorTariffsBody = z.output<typeof operatorTariffsBody>;

/** A draft, as all its calls answer it. */
export const tariffDraftBody = z.object({
  id: z.string(),
  name: z.string(),
  effectiveDate: z.string(),
  /** Services that are taken only because somebody asked for them. */
  services: z.array(z.string()),
  files: z.array(z.object({ number: z.int(), file: z.string(), bytes: z.int(), origin: z.string().nullable() })),
  changedAt: instant,
  changedBy: z.string(),
  state: draftState,
  /** Files that have been read, and all of them, while it is imported. */
  progress: z.object({ read: z.int(), of: z.int(), by: z.string() }).nullable(),
  /** Why the last import made nothing: a file and what is wrong with it. Without a file, it is about all. */
  refused: z.array(z.object({ file: z.string(), reason: z.string() })),
  /** What the last import made of the files. */
  imported: z
    .object({
      at: instant,
      by: z.string(),
      /** Null if the files contain no rates. */
      tariff: z.string().nullable(),
      services: z.array(z.object({ code: z.string(), carrier: z.string() })),
      doubts: z.int(),
      errors: z.int(),
      report: reportBody,
      coverage: z.object({ date: z.string(), services: z.array(coverageRow(z.string())) }).nullable(),
    })
    .nullable(),
  /** Whether its tariff is one of the service's. */
  published: z.boolean(),
  /** The tariff that it replaces when it is published. */
  replaces: z.string().nullable(),
  /** Why it cannot be published; null if it can. */
  refusal: z.string().nullable(),
  /** Tariffs to compare it with, the likeliest first. */
  comparable: z.array(z.object({ id: z.string(), effectiveDate: z.string() })),
  /** As in `operatorTariffsBody`. */
  version: z.string().nullable(),
});
export type TariffDraftBody = z.output<typeof tariffDraftBody>;

/** A change of the tariffs that took effect. */
const tariffChangeBody = z.object({
  version: z.string().nullable(),
  placed: z.array(z.string()),
  replaced: z.array(z.string()),
  withdrawn: z.array(z.string()),
  /** Whether this process uses the tariffs already; others follow within a second. */
  inUse: z.boolean(),
  /** Whether any service is in force today. */
  quotable: z.boolean(),
});

const version = z.string().max(40).nullable();
const draftName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens, at most 40');

export const withdrawRequest = z.strictObject({ tariff: z.string().max(100), version });
export const backRequest = z.strictObject({ to: z.string().max(40), version });
export const createDraftRequest = z.strictObject({ name: draftName, effectiveDate: day });
const draftFields = {
  name: draftName.optional(),
  effectiveDate: day.optional(),
  services: z
    .array(z.string().regex(/^[A-Z0-9][A-Z0-9-]{0,9}$/, 'must be the code of a service'))
    .max(60)
    .optional(),
  /** By the numbers of files. */
  origins: z
    .record(
      z.string().regex(/^\d{1,10}$/),
      z
        .string()
        .regex(/^\d{3}(?:-\d{3})?$/, 'must be the first three digits of a ZIP code, such as 070 or 070-076')
        .nullable(),
    )
    .optional(),
};
export const changeDraftRequest = z.strictObject({
  ...draftFields,
  /** What the operator saw of the fields that change. */
  before: z.strictObject(draftFields),
});
export type DraftChangeRequest = z.output<typeof changeDraftRequest>;
const draftToPublish = {
  /** The id that the operator saw. */
  tariff: z.string().max(100),
  replace: z.boolean(),
  /** Whether cells that could not be read, and contradictions, are accepted. */
  acceptDoubts: z.boolean(),
};
export type DraftToPublish = z.output<z.ZodObject<typeof draftToPublish>>;
export const publishDraftRequest = z.strictObject({ ...draftToPublish, version });

const MOST_TOGETHER = 50;
/** Tariffs and agreements that come into force as one. */
export const publicationRequest = z.strictObject({
  tariffs: z.array(z.strictObject({ draft: z.string().max(100), ...draftToPublish })).max(MOST_TOGETHER),
  agreements: z.array(publishedAgreement).max(MOST_TOGETHER),
  version,
});

export const addFileQuery = z.strictObject({ name: z.string() });
export const removeFileQuery = z.strictObject({
  number: z.string().regex(/^\d{1,10}$/, 'must be the number of a file'),
});
export const differenceQuery = z.strictObject({ to: z.string().max(100) });

export const TARIFF_ANSWERS = {
  listOperatorTariffs: operatorTariffsBody,
  withdrawTariff: tariffChangeBody,
  goBackToVersion: tariffChangeBody,
  getOperatorCentroids: centroidsBody,
  createTariffDraft: tariffDraftBody,
  getTariffDraft: tariffDraftBody,
  changeTariffDraft: tariffDraftBody,
  addDraftFile: tariffDraftBody,
  removeDraftFile: tariffDraftBody,
  importTariffDraft: tariffDraftBody,
  compareTariffDraft: compareResult,
  publishTariffDraft: tariffChangeBody,
  publishTogether: tariffChangeBody,
} as const;

export const TARIFF_QUERIES = {
  addDraftFile: addFileQuery,
  removeDraftFile: removeFileQuery,
  compareTariffDraft: differenceQuery,
} as const;
