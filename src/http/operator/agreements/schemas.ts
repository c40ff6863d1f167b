/** Bodies and answers of the operator's calls about agreements. */
import { z } from 'zod';
import { ADDRESSES, AGREEMENT_NAME } from '../../../agreement/document.ts';
import { SERVICE_CODE } from '../../../tariff/document.ts';
import { agreementBody, agreementSummarySchema } from '../../agreements/schemas.ts';
import { cardBody } from '../../console/schemas.ts';

const MOST_FILES = 200;
const MOST_CHARACTERS = 2 * 1024 * 1024;
/** A file of 5,000 rows has less. It is parsed in one turn of the event loop. */
const MOST_FILE_CHARACTERS = 512 * 1024;

/** The files of an agreement's folder. Their paths become paths on a disk. */
const FILE =
  /^(?:amendments\/\d{4}-\d{2}-\d{2}\/)?(?:agreement\.json|(?:discounts|minimums|surcharges|fuel|tiers|spend)\.csv|(?:rates|caps)\/[A-Z0-9][A-Z0-9-]{0,9}\.csv)$/;

const grid = z.strictObject({
  /** The file in base64. */
  content: z.base64().max(MOST_CHARACTERS),
  services: z.array(z.string().regex(SERVICE_CODE, 'must be the code of a service')).min(1).max(30),
  discount: z.string().min(1).max(60).default('Discount'),
  address: z.enum(ADDRESSES).optional(),
  sheet: z.string().min(1).max(60).optional(),
});
export type UploadedGrid = z.output<typeof grid>;

/** What an operator uploads: files of a folder, or a carrier's grid. */
export const uploadedAgreement = z.strictObject({
  name: z.string().regex(AGREEMENT_NAME, 'must be lower-case letters, digits and hyphens, at most 40'),
  files: z
    .array(
      z.strictObject({
        path: z.string().regex(FILE, 'must be a file of an agreement, such as discounts.csv'),
        text: z.string().max(MOST_FILE_CHARACTERS),
      }),
    )
    .max(MOST_FILES)
    .default([]),
  grid: grid.optional(),
  /** Of a new agreement without agreement.json. */
  carrier: z.string().min(1).max(40).optional(),
  /** The first ship date. Of an agreement that has begun before, the days before keep what they have. */
  from: z.iso.date(),
});
export type UploadedAgreement = z.output<typeof uploadedAgreement>;

export const publishedAgreement = uploadedAgreement.extend({
  /** The id of the agreement that it replaces, as it was checked; null if it is new. */
  before: z.string().max(200).nullable(),
});

const finding = z.object({ severity: z.enum(['error', 'warning']), at: z.string(), message: z.string() });

const entry = agreementSummarySchema.extend({
  /** The id of its version. */
  id: z.string(),
  /** Clients that pay by it. */
  clients: z.array(z.string()),
  /** Clients that may ask about it. */
  drafts: z.array(z.string()),
});

const operatorAgreementsBody = z.object({
  agreements: z.array(entry),
  /** Why agreements cannot be changed; null if they can. */
  fixed: z.string().nullable(),
});

export const operatorAgreementBody = entry.extend({
  ...agreementBody.shape,
  findings: z.array(finding),
  fixed: z.string().nullable(),
});
export type OperatorAgreementBody = z.output<typeof operatorAgreementBody>;

/** What an upload would do. Nothing is changed. */
export const checkedAgreementBody = z.object({
  /** The id of the agreement that it would replace; null if it is new. */
  before: z.string().nullable(),
  findings: z.array(finding),
  /** Null if it has errors. */
  agreement: agreementBody.nullable(),
  /** Against the one before, on the first day. */
  differences: z.array(z.object({ at: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  moreDifferences: z.int(),
});
export type CheckedAgreementBody = z.output<typeof checkedAgreementBody>;

export const agreementCardQuery = z.strictObject({
  service: z.string().min(1).max(10),
  address: z.enum(['residential', 'commercial']).default('commercial'),
});

export const AGREEMENT_ANSWERS = {
  listOperatorAgreements: operatorAgreementsBody,
  getOperatorAgreement: operatorAgreementBody,
  getAgreementCard: cardBody,
  checkAgreement: checkedAgreementBody,
  publishAgreement: operatorAgreementBody,
} as const;
export const AGREEMENT_QUERIES = { getAgreementCard: agreementCardQuery } as const;
