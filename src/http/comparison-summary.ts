/** `GET …/comparisons/{id}/summary`. */
import type { RequestHandler } from 'express';
import { comparisonSummaryOf } from '../comparison/summary.ts';
import { must } from '../must.ts';
import { Failed } from '../rating/fault.ts';
import { comparisonQuery, readQuery } from './batch-options.ts';
import type { BatchRouteDeps } from './create-batch.ts';
import { orUnavailable } from './faults.ts';
import { onBatch } from './load-batch.ts';
import { sendFault, sendJson } from './reply.ts';

export const comparisonSummary = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async ({ id, fields }, { comparison }, req, res) => {
    const query = readQuery(comparisonQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const ended = await orUnavailable('store', deps.batches.ended(id, 1));
    if (ended === undefined) return sendFault(res, { type: 'batches.notReady', status: fields.status });
    const sums = must(ended.sums, `the sums of comparison ${id}`);
    const scenarios = must(comparison, `the scenarios of ${id}`).scenarios.map(({ scenario }) => scenario);
    sendJson(res, 200, { status: 200, id, ...comparisonSummaryOf(sums, scenarios) });
  });
