/** The calls of the operator's pages. They exist with OPERATOR_TOKEN, and the OpenAPI document leaves them out. */
import { z } from 'zod';
import { isAuditId } from '../../base/audit/audit.ts';
import { agreementCalls } from './agreements/calls.ts';
import { clientCalls } from './clients/calls.ts';
import { healthCalls } from './health.ts';
import { operatorCall } from './service.ts';
import { sessionCalls } from './session.ts';
import { tariffCalls } from './tariffs/calls.ts';
import { draftCalls } from './tariffs/drafts.ts';

const AUDIT_ENTRIES = 50;

export const OPERATOR_CALLS = {
  ...sessionCalls,
  ...healthCalls,
  listAudit: operatorCall({
    is: 'GET /ops/audit',
    query: z.strictObject({
      limit: z
        .string()
        .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
        .transform(Number)
        .default(AUDIT_ENTRIES),
      before: z.string().refine(isAuditId, 'must be the `next` of a page before').optional(),
    }),
    handle: ({ service, query }) => service.audit.page(query.limit, query.before),
  }),
  ...clientCalls,
  ...agreementCalls,
  ...tariffCalls,
  ...draftCalls,
};
