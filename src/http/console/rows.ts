/** `GET /console/v1/client/shipment/rates/batches/{id}/rows`: the output a page at a time. */

import type { RequestHandler, Router } from 'express';
import { z } from 'zod';
import { type BatchDocument, records } from '../../batch/records.ts';
import { type RowsWanted, rowsPage } from '../../batch/rows-page.ts';
import { Failed } from '../../rating/fault.ts';
import type { Tally } from '../../rows/tally.ts';
import { DOWNLOAD_QUERIES, invalid } from '../batch-options.ts';
import type { BatchRouteDeps } from '../create-batch.ts';
import { partsServed } from '../downloads.ts';
import { needing } from '../faults.ts';
import { onBatch } from '../load-batch.ts';
import { sendFault, sendJson } from '../reply.ts';
import { addRoute, createRouter } from '../routes.ts';
import { ROW_OUTCOMES } from './schemas.ts';

const MOST_ROWS = 200;
const LIMIT_RULE = `must be a whole number from 1 to ${MOST_ROWS}`;

const rowsQuery = DOWNLOAD_QUERIES.summary
  .extend({
    from: z
      .string()
      .regex(/^\d{1,10}$/, 'must be a whole number from 0')
      .transform(Number)
      .default(0),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, LIMIT_RULE)
      .transform(Number)
      .refine((limit) => limit <= MOST_ROWS, LIMIT_RULE)
      .default(50),
    outcome: z.enum(ROW_OUTCOMES, `must be one of ${ROW_OUTCOMES.join(', ')}`).default('all'),
    fault: z.string().min(1).max(64).optional(),
  })
  .refine(({ outcome, fault }) => fault === undefined || outcome === 'faulted', {
    path: ['fault'],
    message: 'goes with outcome=faulted only',
  });

const totalOf = (tally: Tally, { outcome, fault }: RowsWanted): number => {
  if (fault !== undefined) return tally.faults[fault] ?? 0;
  return { all: tally.processed, quoted: tally.quoted, faulted: tally.faulted }[outcome];
};

/** Which of the output's columns, from 0, has which field's values. */
const fieldsOf = ({ columns }: BatchDocument): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(columns.fields).map(([field, index]) => [field, columns.passed.indexOf(index)]));

const rows = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async (found, document, req, res) => {
    const parsed = rowsQuery.safeParse(req.query);
    if (!parsed.success) return sendFault(res, invalid(parsed.error));
    const { revision: asked, ...wanted } = parsed.data;
    const served = await partsServed(deps, found, { partial: true, revision: asked });
    if (served instanceof Failed) return sendFault(res, served.fault);
    const { parts, revision, complete } = served;
    const [page, final] = await Promise.all([
      needing('store', rowsPage(deps.store, document, parts, wanted)),
      needing('store', records.final(deps.store, found.id, revision)),
    ]);
    const total = final === undefined ? null : totalOf(final.tally, wanted);
    const { header, next } = page;
    sendJson(res, 200, { revision, complete, header, fields: fieldsOf(document), rows: page.rows, next, total });
  });

/** @returns what stands beside the batch routes below `/console/v1`, behind a caller with the scope `batch` */
export const rowRoutes = (deps: BatchRouteDeps): Router => {
  const router = createRouter();
  addRoute(router, '/:id/rows', { get: [deps.readLimits.read, rows(deps)] });
  return router;
};
