/** Bodies and queries of the operator's calls about tariffs. */

import { z } from 'zod';
import { operatorTariffsBody, tariffDraftBody } from '../../../published/drafts/view.ts';
import { compareResult } from '../../../tariff/draft/tasks.ts';
import { centroidsBody } from '../../../tariff/view/schemas.ts';
import { publishedAgreement } from '../agreements/schemas.ts';

/** `YYYY-MM-DD` */
const day = z.iso.date('must be a date, YYYY-MM-DD');
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
