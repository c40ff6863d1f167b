/** Finds, and reads if needed, the batch that a route is about. */
import type { Request, RequestHandler, Response } from 'express';
import type { FoundBatch } from '../batch/batches.ts';
import { kindOf } from '../batch/ids.ts';
import type { BatchDocument } from '../batch/records.ts';
import { callerOf } from './auth.ts';
import type { BatchRouteDeps } from './create-batch.ts';
import { sendFault } from './reply.ts';
import { pathOf } from './routes.ts';

type OnFound = (found: FoundBatch, req: Request, res: Response) => Promise<void>;
type OnBatch = (found: FoundBatch, document: BatchDocument, req: Request, res: Response) => Promise<void>;

/**
 * @param look whether the batch is in the store: its document, or anything else that says so
 * @param handler called if the batch is the caller's and in the store; otherwise the answer is 404
 */
const on =
  <T>(
    deps: BatchRouteDeps,
    look: (id: string) => Promise<T | undefined>,
    handler: (found: FoundBatch, seen: T, req: Request, res: Response) => Promise<void>,
  ): RequestHandler =>
  async (req, res) => {
    const id = String(req.params['id']);
    const isOfKind = kindOf(id) === (deps.kind ?? 'batch');
    const found = isOfKind ? await deps.batches.find(id, callerOf(res).id) : undefined;
    const seen = found === undefined ? undefined : await look(id);
    if (found !== undefined && seen !== undefined) return await handler(found, seen, req, res);
    if (found !== undefined) await deps.batches.forget(id, found.fields.clientId);
    sendFault(res, { type: 'request.notFound', path: pathOf(req) });
  };

/** Runs a handler on the caller's batch. A batch of another client is 404, like one that never existed. */
export const onFound = (deps: BatchRouteDeps, handler: OnFound): RequestHandler =>
  on(
    deps,
    async (id) => (await deps.batches.exists(id)) || undefined,
    (found, _size, req, res) => handler(found, req, res),
  );

/** The same for a handler that needs the batch's document, which takes reading. */
export const onBatch = (deps: BatchRouteDeps, handler: OnBatch): RequestHandler =>
  on(deps, deps.batches.document, handler);
