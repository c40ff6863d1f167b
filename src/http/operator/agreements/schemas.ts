/** Bodies and answers of the operator's calls about agreements. */

import { z } from 'zod';
import { cardBody } from '../../../agreement/view/card.ts';
import { agreementBody, agreementSummarySchema } from '../../../agreement/view/schemas.ts';
import { uploadedAgreement } from '../../../published/uploaded-agreement.ts';

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
