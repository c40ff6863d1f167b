/**
 * The console: its page at `/`, its session, and below `/console/v1` the routes of the API, where the session authenticates
 * like a token below `/v1`.
 */
import type { RequestHandler, Router } from 'express';
import type { KeptMappings } from '../../batch/kept-mappings.ts';
import { BATCHES_PATH, COMPARISONS_PATH } from '../../batch/links.ts';
import { callerGuard, requireCaller } from '../auth.ts';
import { type ClientInfoDeps, clientHandlers } from '../client-info.ts';
import type { Allowance, ReadLimits } from '../limits.ts';
import type { Operation } from '../operations.ts';
import { addConsolePages } from '../pages.ts';
import { getRates, type QuoteDeps } from '../quotes.ts';
import { createRouter, mountOperations } from '../routes.ts';
import { mappingHandlers } from './mappings.ts';
import { bySession, type SessionDeps, sessionHandlers } from './session.ts';
import { type TariffDeps, tariffHandlers } from './tariffs.ts';

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

const unkept: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

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
