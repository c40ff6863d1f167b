/** `GET /console/v1/client/shipment/rates/batches/{id}/rows`, `…/row`, and the rows of comparisons: the output a page at a time. */

import type { RequestHandler, Router } from 'express';
import { comparedRowsPage } from '../../batch/compared-rows.ts';
import { BATCHES_PATH, COMPARISONS_PATH } from '../../batch/links.ts';
import { mendingOf } from '../../batch/mend.ts';
import { type BatchDocument, records } from '../../batch/records.ts';
import { rowQuote } from '../../batch/row-quote.ts';
import { type RowsWanted, rowsPage } from '../../batch/rows-page.ts';
import { sortedPage } from '../../batch/sorted-rows.ts';
import { Failed, type Fault } from '../../rating/fault.ts';
import type { Tally } from '../../rows/tally.ts';
import { DOWNLOAD_QUERIES } from '../batch-options.ts';
import type { BatchRouteDeps } from '../create-batch.ts';
import { partsServed } from '../downloads.ts';
import { readQuery } from '../input.ts';
import { onBatch } from '../load-batch.ts';
import { mountOperations } from '../mount.ts';
import { sendFault, sendJson } from '../reply.ts';
import { createRouter } from '../routes.ts';
import { comparedRowsQuery } from './compared-rows-body.ts';
import { rowQuery, rowsQuery } from './schemas.ts';

/** @returns null if the tally does not tell */
const totalOf = (tally: Tally, wanted: RowsWanted): number | null => {
  const { outcome, fault, service, zone, carrierZone, weight, search } = wanted;
  const { byService, byZone, byWeight } = tally;
  const narrowed = [
    { ledger: byService, key: service },
    { ledger: byZone, key: zone },
    { ledger: byWeight, key: weight },
  ].flatMap(({ ledger, key }) => (key === undefined ? [] : [ledger[key]?.shipments ?? 0]));
  if (search !== undefined || carrierZone !== undefined || narrowed.length > 1) return null;
  const [narrow] = narrowed;
  if (narrow !== undefined) return outcome === 'faulted' ? 0 : narrow;
  if (fault !== undefined) return tally.faults[fault] ?? 0;
  return { all: tally.processed, quoted: tally.quoted, faulted: tally.faulted }[outcome];
};

/** For each field, the index of its column in the output. */
const fieldsOf = ({ columns }: BatchDocument): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(columns.fields).map(([field, index]) => [field, columns.passed.indexOf(index)]));

const rows = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async (found, document, req, res) => {
    const query = readQuery(rowsQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const { revision: asked, sort, ...wanted } = query;
    const served = await partsServed(deps, found, { partial: true, revision: asked });
    if (served instanceof Failed) return sendFault(res, served.fault);
    const { parts, revision, complete } = served;
    const { store } = deps;
    const reading =
      sort === undefined ? rowsPage(store, document, parts, wanted) : sortedPage(store, document, parts, wanted, sort);
    const [page, final] = await Promise.all([reading, records.final(deps.store, found.id, revision)]);
    const total = final === undefined ? null : totalOf(final.tally, wanted);
    sendJson(res, 200, { revision, complete, fields: fieldsOf(document), total, sortedTo: null, ...page });
  });

const rowFault = (message: string): Fault => ({ type: 'getRates.invalidRequest', issues: [{ path: 'row', message }] });

/** One row with its quote. */
const row = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async (found, document, req, res) => {
    const query = readQuery(rowQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const served = await partsServed(deps, found, { partial: true, revision: query.revision });
    if (served instanceof Failed) return sendFault(res, served.fault);
    const { store, snapshots, limits } = deps;
    const { maximumRowBytes } = limits;
    const rated = await rowQuote({ store, snapshots, maximumRowBytes }, document, served, query.row);
    if (rated === undefined) return sendFault(res, rowFault('must be a row of the list that is done'));
    const { answer, outputNetCharge } = rated;
    const quote = answer.status === 200 ? answer.body : null;
    const fault = answer.status === 200 ? null : { type: answer.body.fault.type, message: answer.body.fault.message };
    sendJson(res, 200, { input_row: query.row, quote, fault, outputNetCharge });
  });

/** What repairs would mend. */
const mending = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async (found, document, req, res) => {
    const query = readQuery(DOWNLOAD_QUERIES.summary, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const served = await partsServed(deps, found, { partial: false, revision: query.revision });
    if (served instanceof Failed) return sendFault(res, served.fault);
    const { store, snapshots, limits } = deps;
    const { maximumRowBytes } = limits;
    const mended = mendingOf({ store, snapshots, maximumRowBytes }, document, served.parts);
    sendJson(res, 200, await mended);
  });

const scenarioProblem = ({ comparison }: BatchDocument, scenario: number): string | undefined => {
  if (comparison?.join !== undefined) return 'must not be asked for: the comparison joins two batches';
  const most = comparison?.scenarios.length ?? 0;
  return scenario > most ? `must be from 1 to ${most}: the comparison has no more scenarios` : undefined;
};

/** The rows of a comparison behind a group of its summary. */
const comparedRows = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async (found, document, req, res) => {
    const query = readQuery(comparedRowsQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const problem = scenarioProblem(document, query.scenario);
    if (problem !== undefined)
      return sendFault(res, { type: 'getRates.invalidRequest', issues: [{ path: 'scenario', message: problem }] });
    const served = await partsServed(deps, found, { partial: true, revision: undefined });
    if (served instanceof Failed) return sendFault(res, served.fault);
    const { parts, complete } = served;
    const page = await comparedRowsPage(deps.store, document, parts, query);
    sendJson(res, 200, { complete, ...page });
  });

/** @returns a route beside those of comparisons below `/console/v1`, for the same callers */
export const comparedRowRoutes = (batchDeps: BatchRouteDeps): Router => {
  const router = createRouter();
  const deps = { ...batchDeps, kind: 'comparison' } as const;
  const below = `/console${COMPARISONS_PATH}`;
  mountOperations(router, { getComparedRows: comparedRows(deps) }, { below, guard: deps.readLimits.guard });
  return router;
};

/** @returns routes beside the batch routes below `/console/v1`, for callers with the scope `batch` */
export const rowRoutes = (deps: BatchRouteDeps): Router => {
  const router = createRouter();
  const below = `/console${BATCHES_PATH}`;
  mountOperations(
    router,
    { getMending: mending(deps), getRow: row(deps), getRows: rows(deps) },
    { below, guard: deps.readLimits.guard },
  );
  return router;
};
