/** The routes of batches and comparisons (contract, HTTP): create, list, look at, watch, download, cancel, retry, delete. */
import type { RequestHandler, Response, Router } from 'express';
import { BATCHES_PATH, COMPARISONS_PATH } from '../batch/links.ts';
import { isFinal } from '../batch/status.ts';
import { comparisonSummaryOf } from '../comparison/summary.ts';
import { must } from '../must.ts';
import { Failed } from '../rating/fault.ts';
import { turn } from '../time-slices.ts';
import { callerOf } from './auth.ts';
import { events } from './batch-events.ts';
import { comparisonQuery, comparisonsQuery, listQuery } from './batch-options.ts';
import { createConcurrencyLimit } from './concurrency.ts';
import { correct } from './corrections.ts';
import { type BatchRouteDeps, create } from './create-batch.ts';
import { compareBatch } from './create-comparison.ts';
import { download, summary } from './downloads.ts';
import { readQuery } from './input.ts';
import { onBatch, onFound } from './load-batch.ts';
import { mountOperations } from './mount.ts';
import { sendFault, sendJson } from './reply.ts';
import { createRouter } from './routes.ts';

/* `GET …/comparisons/{id}/summary`. */

const comparisonSummary = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async ({ id, fields }, { comparison }, req, res) => {
    const query = readQuery(comparisonQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const ended = await deps.batches.ended(id, 1);
    if (ended === undefined) return sendFault(res, { type: 'batches.notReady', status: fields.status });
    const sums = must(ended.sums, `the sums of comparison ${id}`);
    const scenarios = must(comparison, `the scenarios of ${id}`).scenarios.map(({ scenario }) => scenario);
    sendJson(res, 200, { status: 200, id, ...comparisonSummaryOf(sums, scenarios) });
  });

const list =
  (deps: BatchRouteDeps): RequestHandler =>
  async (req, res) => {
    const options = readQuery(listQuery, req);
    if (options instanceof Failed) return sendFault(res, options.fault);
    const { views, next } = await deps.batches.list(callerOf(res).id, options.limit, options.cursor);
    await turn();
    sendJson(res, 200, { batches: views, next });
  };

const listComparisons =
  (deps: BatchRouteDeps): RequestHandler =>
  async (req, res) => {
    const options = readQuery(comparisonsQuery, req);
    if (options instanceof Failed) return sendFault(res, options.fault);
    const { limit, cursor, batch } = options;
    const which = { kind: 'comparison', batch } as const;
    const { views, next } = await deps.batches.list(callerOf(res).id, limit, cursor, which);
    await turn();
    sendJson(res, 200, { comparisons: views, next });
  };

/** Makes a change, and answers with the changed batch. */
const changed = async (deps: BatchRouteDeps, id: string, res: Response): Promise<void> => {
  const found = await deps.batches.find(id, callerOf(res).id);
  if (found === undefined) throw new Error('a batch that was changed is not there');
  sendJson(res, 202, found.view);
};

const cancel = (deps: BatchRouteDeps): RequestHandler =>
  onFound(deps, async ({ id, fields }, _req, res) => {
    if (await deps.batches.cancel(id)) await changed(deps, id, res);
    else sendFault(res, { type: 'batches.final', status: fields.status });
  });

const retry = (deps: BatchRouteDeps): RequestHandler =>
  onFound(deps, async ({ id, fields }, _req, res) => {
    if (await deps.batches.retry(id)) await changed(deps, id, res);
    else sendFault(res, { type: 'batches.notFinal', status: fields.status, needs: 'failed' });
  });

const remove = (deps: BatchRouteDeps): RequestHandler =>
  onFound(deps, async (found, _req, res) => {
    if (!isFinal(found.fields.status)) return sendFault(res, { type: 'batches.notFinal', status: found.fields.status });
    await deps.batches.remove(found.id, callerOf(res).id);
    res.status(204).end();
  });

const show = (deps: BatchRouteDeps): RequestHandler =>
  onFound(deps, async (found, _req, res) => sendJson(res, 200, found.view));

/** Lists received at the same time. Each holds some megabytes in memory, however slowly it arrives. */
const UPLOADS = { slots: 32, slotsOfClient: 6 };
/** How long a list waits for its turn. */
const PATIENCE_MS = 60_000;

/** @returns the routes below `/v1/client/shipment/rates/batches`, which expect that the caller's token was checked */
const batchRoutes = (deps: BatchRouteDeps, upload: RequestHandler): Router => {
  const router = createRouter();
  const handlers = {
    createBatch: [upload, create(deps)],
    listBatches: list(deps),
    getBatch: show(deps),
    watchBatch: events(deps),
    deleteBatch: remove(deps),
    cancelBatch: cancel(deps),
    retryBatch: retry(deps),
    getOutput: download(deps, 'output'),
    getFaults: download(deps, 'faults'),
    getUnprocessed: download(deps, 'unprocessed'),
    getSummary: summary(deps),
    correctBatch: [upload, correct(deps)],
    compareBatch: compareBatch(deps),
  };
  mountOperations(router, handlers, { below: BATCHES_PATH, guard: deps.readLimits.guard });
  return router;
};

/** @returns the routes below `/v1/client/shipment/rates/comparisons`, for the same callers */
const comparisonRoutes = (batchDeps: BatchRouteDeps, upload: RequestHandler): Router => {
  const router = createRouter();
  const deps = { ...batchDeps, kind: 'comparison' } as const;
  const handlers = {
    createComparison: [upload, create(deps)],
    listComparisons: listComparisons(deps),
    getComparison: show(deps),
    watchComparison: events(deps),
    deleteComparison: remove(deps),
    cancelComparison: cancel(deps),
    retryComparison: retry(deps),
    getComparisonOutput: download(deps, 'output'),
    getComparisonSummary: comparisonSummary(deps),
  };
  mountOperations(router, handlers, { below: COMPARISONS_PATH, guard: deps.readLimits.guard });
  return router;
};

export const batchRouters = (deps: BatchRouteDeps): { batchRouter: Router; comparisonRouter: Router } => {
  const upload = createConcurrencyLimit({ ...UPLOADS, patience: { ms: PATIENCE_MS, limit: 'uploadsAtOnce' } });
  return { batchRouter: batchRoutes(deps, upload), comparisonRouter: comparisonRoutes(deps, upload) };
};
