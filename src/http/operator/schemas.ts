/** Answers and queries of the operator's calls. The pages take their types from here; tests check answers against them. */
import { z } from 'zod';
import { auditEntry, isAuditId } from '../../audit/audit.ts';
import { AGREEMENT_ANSWERS, AGREEMENT_QUERIES } from './agreements/schemas.ts';
import { CLIENT_ANSWERS } from './clients/schemas.ts';
import { TARIFF_ANSWERS, TARIFF_QUERIES } from './tariffs/schemas.ts';

/** `GET` and `POST /ops/session`. */
export const operatorSessionBody = z.object({
  /** Who is signed in, and until when; null if nobody is. */
  operator: z.object({ name: z.string(), endsAt: z.iso.datetime() }).nullable(),
  /** The value of `X-CSRF-Token` for every call that changes something. */
  csrf: z.string().nullable(),
});
export type OperatorSessionBody = z.output<typeof operatorSessionBody>;

const AUDIT_ENTRIES = 50;

/** `GET /ops/audit` */
export const auditQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(AUDIT_ENTRIES),
  before: z.string().refine(isAuditId, 'must be the `next` of a page before').optional(),
});
export const auditBody = z.object({
  /** Newest first. */
  entries: z.array(auditEntry),
  /** The `before` of the next page; null if there is none. */
  next: z.string().nullable(),
  /** Ids of entries of this page that cannot be read. */
  unreadable: z.array(z.string()),
});

export const OPERATOR_ANSWERS = {
  getOperatorSession: operatorSessionBody,
  signInOperator: operatorSessionBody,
  listAudit: auditBody,
  ...CLIENT_ANSWERS,
  ...AGREEMENT_ANSWERS,
  ...TARIFF_ANSWERS,
} as const;

export const OPERATOR_QUERIES = { listAudit: auditQuery, ...AGREEMENT_QUERIES, ...TARIFF_QUERIES } as const;
