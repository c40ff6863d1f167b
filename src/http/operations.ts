/** All calls of the service. The routes, the OpenAPI document, the types of the console and the common tests follow from them. */
import { batchCalls, comparisonCalls } from './batches/batches.ts';
import { clientCalls, deliveryCalls } from './client-info.ts';
import { CONSOLE_CALLS } from './console/calls.ts';
import { tokenCalls } from './credentials.ts';
import { healthCalls } from './health.ts';
import { metricCalls } from './metrics.ts';
import { OPERATOR_CALLS } from './operator/calls.ts';
import { docsCalls } from './pages.ts';
import { quoteCalls } from './quotes.ts';

/** In the order of the OpenAPI document. */
export const API_CALLS = {
  ...tokenCalls,
  ...quoteCalls,
  ...clientCalls,
  ...batchCalls,
  ...comparisonCalls,
  ...deliveryCalls,
  ...healthCalls,
  ...metricCalls,
  ...docsCalls,
};

export const ALL = { ...API_CALLS, ...CONSOLE_CALLS, ...OPERATOR_CALLS };
