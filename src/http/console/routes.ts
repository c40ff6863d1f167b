/**
 * The console: its page at `/`, its session, and below `/console/v1` the routes of the API, where the session authenticates
 * like a token below `/v1`.
 */
import type { RequestHandler, Router } from 'express';
import { type KeptMappings, MOST_MAPPINGS, mappingToKeep } from '../../batch/kept-mappings.ts';
import { BATCHES_PATH, COMPARISONS_PATH } from '../../batch/links.ts';
import { Failed } from '../../rating/fault.ts';
import { callerGuard, callerOf, requireCaller } from '../auth.ts';
import { type ClientInfoDeps, clientHandlers } from '../client-info.ts';
import { readBodyAs, readQuery } from '../input.ts';
import type { Allowance, ReadLimits } from '../limits.ts';
import { mountOperations } from '../mount.ts';
import type { Operation } from '../operation.ts';
import { addConsolePages } from '../pages.ts';
import { getRates, type QuoteDeps } from '../quotes.ts';
import { sendFault, sendJson, unkept } from '../reply.ts';
import { createRouter, pathOf } from '../routes.ts';
import { mappingsQuery } from './schemas.ts';
import { bySession, type SessionDeps, sessionHandlers } from './session.ts';
import { type TariffDeps, tariffHandlers } from './tariffs.ts';

/* `/console/mappings`: mappings of lists that the client keeps under names, for lists with the same header. */

/** More than the longest names of columns and services need. */
const BODY_BYTES = 128 * 1024;

type MappingOperation = 'listMappings' | 'saveMapping' | 'deleteMapping';

/** Handlers for routes behind `requireCaller`. */
const mappingHandlers = (mappings: KeptMappings): Record<MappingOperation, RequestHandler> => ({
  listMappings: async (req, res) => {
    const query = readQuery(mappingsQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const listed = await mappings.list(callerOf(res).id, query.headerKey);
    sendJson(res, 200, { mappings: listed, most: MOST_MAPPINGS });
  },
  saveMapping: async (req, res) => {
    const mapping = await readBodyAs(mappingToKeep, req, BODY_BYTES);
    if (mapping instanceof Failed) return sendFault(res, mapping.fault);
    const kept = await mappings.save(callerOf(res).id, mapping);
    if (kept !== undefined) return sendJson(res, 200, kept);
    sendFault(res, { type: 'request.tooLarge', limit: 'mappings', most: `${MOST_MAPPINGS}: delete one first` });
  },
  deleteMapping: async (req, res) => {
    const removed = await mappings.remove(callerOf(res).id, String(req.params['id']));
    if (!removed) return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    res.status(204).end();
  },
});

export interface ConsoleDeps
  extends SessionDeps,
    TariffDeps,
    Omit<ClientInfoDeps, 'tariffs'>,
    Omit<QuoteDeps, 'authorize' | 'tariffs'> {
  /** The folder with its built files. */
  readonly consoleDir: string;
  readonly quoteAllowance: Allowance;
  readonly readLimits: ReadLimits;
  /** As they are mounted below `/v1`. */
  readonly batchRouter?: Router;
  readonly comparisonRouter?: Router;
  /** Routes of comparisons that only the console uses. */
  readonly comparedRowRouter?: Router;
  /** Batch routes that only the console uses. */
  readonly rowRouter?: Router;
  /** Absent: the service keeps no mappings. */
  readonly mappings?: KeptMappings;
}

/** @returns the router for the root, after all others */
export const consoleRoutes = (deps: ConsoleDeps): Router => {
  const authorize = bySession(deps);
  const router = createRouter();
  addConsolePages(router, deps.consoleDir);
  const guard = (operation: Operation): RequestHandler[] => [
    unkept,
    ...callerGuard(authorize, operation),
    ...deps.readLimits.guard(operation),
  ];
  mountOperations(router, { ...sessionHandlers(deps), ...tariffHandlers(deps) }, { guard });
  if (deps.mappings !== undefined) mountOperations(router, mappingHandlers(deps.mappings), { guard });
  const shared = { getShippingRates: getRates({ ...deps, authorize }), ...clientHandlers(deps) };
  mountOperations(router, shared, { prefix: '/console', guard });
  const batches = [deps.rowRouter, deps.batchRouter].filter((routes) => routes !== undefined);
  const guarded = [unkept, requireCaller(authorize, 'batch')];
  if (batches.length > 0) router.use(`/console${BATCHES_PATH}`, ...guarded, ...batches);
  const comparisons = [deps.comparedRowRouter, deps.comparisonRouter].filter((routes) => routes !== undefined);
  if (comparisons.length > 0) router.use(`/console${COMPARISONS_PATH}`, ...guarded, ...comparisons);
  return router;
};
