/**
 * The console: its page at `/`, its session, and below `/console/v1` the API's own routes, which the session opens there
 * as a token does below `/v1`.
 */
import type { RequestHandler, Router } from 'express';
import { requireCaller } from '../auth.ts';
import {
  DELIVERIES_PATH,
  type DeliveryLog,
  LIMITS_PATH,
  listDeliveries,
  listServices,
  listWarehouses,
  showLimits,
  type UseOf,
} from '../client-info.ts';
import type { Allowance, ReadLimits } from '../limits.ts';
import { addConsolePages } from '../pages.ts';
import { getRates, type QuoteDeps } from '../quotes.ts';
import { addRoute, createRouter } from '../routes.ts';
import { bySession, type SessionDeps, sessionHandlers } from './session.ts';
import { listTariffs, showCard, showCentroids, showZones, type TariffDeps } from './tariffs.ts';

export interface ConsoleDeps extends SessionDeps, TariffDeps, Omit<QuoteDeps, 'authorize' | 'tariffs'> {
  /** Where its built files lie. */
  readonly consoleDir: string;
  readonly quoteAllowance: Allowance;
  readonly readLimits: ReadLimits;
  /** As they are mounted below `/v1`. */
  readonly batchRouter?: Router;
  /** What of batches the console alone asks for. */
  readonly rowRouter?: Router;
  readonly useOf?: UseOf;
  readonly deliveries?: DeliveryLog;
}

const unkept: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/** @returns what is mounted at the root, behind everything else */
export const consoleRoutes = (deps: ConsoleDeps): Router => {
  const authorize = bySession(deps);
  const router = createRouter();
  addConsolePages(router, deps.consoleDir);
  const { get, post, delete: remove } = sessionHandlers(deps);
  addRoute(router, '/console/session', { get: [unkept, get], post: [unkept, post], delete: [unkept, remove] });

  const { read } = deps.readLimits;
  const anyClient = [unkept, requireCaller(authorize), read];
  const batchClient = [unkept, requireCaller(authorize, 'batch')];
  addRoute(router, '/console/tariffs', { get: [...anyClient, listTariffs(deps)] });
  addRoute(router, '/console/tariffs/zones', { get: [...anyClient, showZones(deps)] });
  addRoute(router, '/console/tariffs/card', { get: [...anyClient, showCard(deps)] });
  addRoute(router, '/console/centroids', { get: [...anyClient, showCentroids] });

  addRoute(router, '/console/v1/client/shipment/rates', { post: [unkept, getRates({ ...deps, authorize })] });
  addRoute(router, '/console/v1/client/warehouses', { get: [...anyClient, listWarehouses] });
  addRoute(router, '/console/v1/client/services', { get: [...anyClient, listServices(deps)] });
  if (deps.useOf !== undefined)
    addRoute(router, `/console${LIMITS_PATH}`, { get: [...anyClient, showLimits(deps.useOf)] });
  if (deps.deliveries !== undefined)
    addRoute(router, `/console${DELIVERIES_PATH}`, { get: [...batchClient, read, listDeliveries(deps.deliveries)] });
  const batches = [deps.rowRouter, deps.batchRouter].filter((routes) => routes !== undefined);
  if (batches.length > 0) router.use('/console/v1/client/shipment/rates/batches', batchClient, ...batches);
  return router;
};
