/** What all routes of one batch begin with: the caller's batch, found and read. */
import type { RequestHandler, Response } from 'express';
import type { FoundBatch } from '../batch/batches.ts';
import { type BatchDocument, FINAL_STATUSES, records } from '../batch/records.ts';
import { callerOf } from './auth.ts';
import type { BatchRouteDeps } from './create-batch.ts';
import { needing } from './faults.ts';
import { sendFault } from './reply.ts';
import { pathOf } from './routes.ts';

export const isFinal = ({ fields }: Pick<FoundBatch, 'fields'>): boolean =>
  FINAL_STATUSES.some((status) => status === fields.status);

type OnBatch = (
  found: FoundBatch,
  document: BatchDocument,
  req: Parameters<RequestHandler>[0],
  res: Response,
) => Promise<void>;

/** Runs a handler on the caller's batch; one of another client is not found, like one that never was. */
export const onBatch =
  (deps: BatchRouteDeps, handler: OnBatch): RequestHandler =>
  async (req, res) => {
    const id = String(req.params['id']);
    const found = await needing('redis', deps.batches.find(id, callerOf(res).id));
    const document = found === undefined ? undefined : await needing('store', records.batch(deps.store, id));
    if (found !== undefined && document !== undefined) return await handler(found, document, req, res);
    if (found !== undefined) await needing('redis', deps.intake.forget(id, found.fields.clientId));
    sendFault(res, { type: 'request.notFound', path: pathOf(req) });
  };
