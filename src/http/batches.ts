/** The batch routes (contract, HTTP): create, list, look at, download, cancel, retry, delete. */
import { pipeline } from 'node:stream/promises';
import { type RequestHandler, type Response, Router } from 'express';
import type { FoundBatch } from '../batch/batches.ts';
import { faultsOf, type OutputFile, outputOf, unprocessedOf, withoutGap } from '../batch/output.ts';
import { type BatchDocument, FINAL_STATUSES, type OutputDocument, readPart, records } from '../batch/records.ts';
import { state } from '../batch/state.ts';
import { summaryOf } from '../batch/summary.ts';
import type { Store } from '../store/store.ts';
import { callerOf } from './auth.ts';
import { readListOptions } from './batch-options.ts';
import { type BatchRouteDeps, create } from './create-batch.ts';
import { type HttpFault, needing } from './faults.ts';
import { sendFault, sendJson } from './reply.ts';
import { addRoute, pathOf } from './routes.ts';

const isFinal = ({ fields }: FoundBatch): boolean => FINAL_STATUSES.some((status) => status === fields.status);

type OnBatch = (
  found: FoundBatch,
  document: BatchDocument,
  req: Parameters<RequestHandler>[0],
  res: Response,
) => Promise<void>;

/** Runs a handler on the caller's batch; one of another client is not found, like one that never was. */
const onBatch =
  (deps: BatchRouteDeps, handler: OnBatch): RequestHandler =>
  async (req, res) => {
    const id = String(req.params['id']);
    const found = await needing('redis', deps.batches.find(id, callerOf(res).id));
    const document = found === undefined ? undefined : await needing('store', records.batch(deps.store, id));
    if (found !== undefined && document !== undefined) return await handler(found, document, req, res);
    if (found !== undefined) await needing('redis', deps.intake.forget(id, found.fields.clientId));
    sendFault(res, { type: 'request.notFound', path: pathOf(req) });
  };

const sendFile = async (
  res: Response,
  name: string,
  file: OutputFile,
  headers: Record<string, string> = {},
): Promise<void> => {
  res.attachment(name);
  res.writeHead(200, {
    ...headers,
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Length': file.bytes,
    'Cache-Control': 'no-store',
  });
  try {
    await pipeline(file.content, res);
  } catch (error) {
    // A caller who leaves is no failure.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  }
};

const named = ({ filename }: BatchDocument, what: string): string =>
  `${filename.replace(/\.(?:csv|txt|tsv)$/i, '')}-${what}.csv`;

/** Parts of a final batch; a fault where it is not final, or its files are gone. */
const finalParts = async (store: Store, found: FoundBatch): Promise<OutputDocument['parts'] | HttpFault> => {
  const { status, expiresAt } = found.fields;
  if (status === 'expired') return { type: 'batches.expired', expiresAt: expiresAt ?? '' };
  if (!isFinal(found)) return { type: 'batches.notReady', status };
  const output = await needing('store', records.output(store, found.id));
  return output?.parts ?? [];
};

const download = (deps: BatchRouteDeps, what: 'output' | 'faults' | 'unprocessed'): RequestHandler =>
  onBatch(deps, async (found, document, req, res) => {
    const partial = what === 'output' && req.query['partial'] === 'true' && !isFinal(found);
    const parts = partial ? await partialParts(deps, found.id) : await finalParts(deps.store, found);
    if ('type' in parts) return sendFault(res, parts);
    const complete = found.fields.status === 'completed';
    const file = await needing('store', fileOf(deps.store, document, parts, what));
    await sendFile(res, named(document, what), file, what === 'output' ? { 'Batch-Complete': String(complete) } : {});
  });

const fileOf = async (
  store: Store,
  document: BatchDocument,
  parts: OutputDocument['parts'],
  what: 'output' | 'faults' | 'unprocessed',
) => {
  if (what === 'output') return outputOf(store, document, parts);
  return what === 'faults' ? faultsOf(store, document, parts) : await unprocessedOf(store, document, parts);
};

const partialParts = async ({ redis }: BatchRouteDeps, id: string): Promise<OutputDocument['parts']> => {
  const done = await needing('redis', state.done(redis, id));
  return withoutGap(Object.fromEntries(Object.entries(done).map(([index, text]) => [index, readPart(text)])));
};

const summary = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async (found, _document, _req, res) => {
    const final = await needing('store', records.final(deps.store, found.id));
    if (final === undefined) sendFault(res, { type: 'batches.notReady', status: found.fields.status });
    else sendJson(res, 200, { status: 200, id: found.id, ...summaryOf(final.tally) });
  });

const list =
  (deps: BatchRouteDeps): RequestHandler =>
  async (req, res) => {
    const options = readListOptions(req);
    if ('type' in options) return sendFault(res, options);
    sendJson(res, 200, await needing('redis', deps.batches.list(callerOf(res).id, options.limit, options.cursor)));
  };

/** Answers a change with the batch as it is then. */
const changed = async (deps: BatchRouteDeps, id: string, res: Response): Promise<void> => {
  const found = await needing('redis', deps.batches.find(id, callerOf(res).id));
  if (found === undefined) throw new Error('a batch that was changed is not there');
  sendJson(res, 202, found.view);
};

const cancel = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async ({ id, fields }, _document, _req, res) => {
    if (await needing('redis', deps.batches.cancel(id))) await changed(deps, id, res);
    else sendFault(res, { type: 'batches.final', status: fields.status });
  });

const retry = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async ({ id, fields }, _document, _req, res) => {
    if (await needing('redis', deps.batches.retry(id))) await changed(deps, id, res);
    else sendFault(res, { type: 'batches.notFinal', status: fields.status });
  });

const remove = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async (found, _document, _req, res) => {
    if (!isFinal(found)) return sendFault(res, { type: 'batches.notFinal', status: found.fields.status });
    await needing('redis', deps.batches.remove(found.id, callerOf(res).id));
    res.status(204).end();
  });

const show = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async (found, _document, _req, res) => sendJson(res, 200, found.view));

/** @returns the routes below `/v1/client/shipment/rates/batches`, which expect the caller's token to have been judged */
export const batchRoutes = (deps: BatchRouteDeps): Router => {
  const router = Router();
  addRoute(router, '/', { get: list(deps), post: create(deps) });
  addRoute(router, '/:id', { get: show(deps), delete: remove(deps) });
  addRoute(router, '/:id/output', { get: download(deps, 'output') });
  addRoute(router, '/:id/faults', { get: download(deps, 'faults') });
  addRoute(router, '/:id/unprocessed', { get: download(deps, 'unprocessed') });
  addRoute(router, '/:id/summary', { get: summary(deps) });
  addRoute(router, '/:id/cancel', { post: cancel(deps) });
  addRoute(router, '/:id/retry', { post: retry(deps) });
  return router;
};
