/** The calls of the operator's pages. They exist only with OPERATOR_TOKEN. The OpenAPI document leaves them out. */
import { agreementCalls } from './agreements/calls.ts';
import { auditCalls } from './audit.ts';
import { clientCalls } from './clients/calls.ts';
import { healthCalls } from './health.ts';
import { sessionCalls } from './session.ts';
import { tariffCalls } from './tariffs/calls.ts';
import { draftCalls } from './tariffs/drafts.ts';

export const OPERATOR_CALLS = {
  ...sessionCalls,
  ...healthCalls,
  ...auditCalls,
  ...clientCalls,
  ...agreementCalls,
  ...tariffCalls,
  ...draftCalls,
};
