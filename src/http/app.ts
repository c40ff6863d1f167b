/**
 * Builds the HTTP application. No route runs middleware that it does not need, least of all the quote.
 */
import type { BlockList } from 'node:net';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express';
import { NoAccount } from '../agreement/account.ts';
import type { KeptMappings } from '../batch/kept-mappings.ts';
import { BATCHES_PATH, COMPARISONS_PATH } from '../batch/links.ts';
import type { LastSweep } from '../batch/workers.ts';
import type { Clients } from '../clients/clients.ts';
import type { Logger } from '../log.ts';
import type { Redis } from '../redis/connection.ts';
import { isOfStore } from '../store/store.ts';
import type { Finding } from '../tariff/document.ts';
import { fuelSecondsLeft } from '../tariff/fuel-ends.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { byBearer, callerGuard, requireCaller } from './auth.ts';
import { clientHandlers, type DeliveryLog, type UseOf } from './client-info.ts';
import { consoleRoutes } from './console/routes.ts';
import { issueToken } from './credentials.ts';
import { type HttpFault, noAgreement, refusalIn, thrownFault } from './faults.ts';
import { type Check, livez, readyz } from './health.ts';
import { allowOrigins, onlyHosts } from './hosts.ts';
import { createAllowance, createReadLimits, type ReadLimits } from './limits.ts';
import { createMetrics, type SourceMetrics, showMetrics } from './metrics.ts';
import { mountOperations } from './mount.ts';
import { OPERATOR_PATH } from './operator/session.ts';
import { addDocs } from './pages.ts';
import { createQuoteTurns } from './quote-turns.ts';
import { getRates } from './quotes.ts';
import { sendFault, setHeaders } from './reply.ts';
import { traced } from './request-log.ts';
import { oneSpelling, pathOf } from './routes.ts';
import type { Tokens } from './tokens.ts';
import { createAddressOf, createWrongTries, WRONG_SECRETS_PER_MINUTE } from './wrong-tries.ts';

export interface Deps {
  readonly log: Logger;
  readonly clients: {
    readonly current: () => Clients;
    /** How many have no prices, because an agreement of theirs cannot be used. Absent: none. */
    readonly withoutAgreement?: () => number;
  };
  readonly tariffs: { readonly current: () => Schedule; readonly findings: () => readonly Finding[] };
  readonly tokens: Tokens;
  /** Those of the console's sessions. */
  readonly sessions: Tokens;
  /** The folder of the built console. */
  readonly consoleDir: string;
  /** The checks of readiness, by name: Redis, store, tariff. */
  readonly checks: Readonly<Record<string, Check>>;
  /** What readiness shows about batches. Absent: nothing. */
  readonly lastSweep?: () => Promise<LastSweep | undefined>;
  readonly maxJsonBytes: number;
  readonly now: () => Date;
  /** Host names of the service besides loopback. Absent: none. */
  readonly allowedHosts?: readonly string[];
  /** Hosts whose pages may call the API. Absent: none. */
  readonly corsOrigins?: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed. Absent: none. */
  readonly trustedProxies?: BlockList;
  /** Where processes share their limits. Absent: this process counts alone. */
  readonly settleWith?: Redis;
  /** Limits on reads. Absent: this process counts alone. */
  readonly readLimits?: ReadLimits;
  /** What is below `/ops`. Absent: nothing. */
  readonly operatorRouter?: Router;
  /** The metrics of queues and workers. */
  readonly workMetrics?: () => Promise<string>;
  /** The token for the metrics. Absent: everybody may read them. */
  readonly metricsToken?: string;
  /** What a client uses of its limits. */
  readonly useOf?: UseOf;
  /** The log of a client's webhook. */
  readonly deliveries?: DeliveryLog;
  /** The routes below `/v1/client/shipment/rates/batches`, for callers with the scope `batch`. */
  readonly batchRouter?: Router;
  /** The routes below `/v1/client/shipment/rates/comparisons`, for the same callers. */
  readonly comparisonRouter?: Router;
  /** Routes of comparisons that only the console uses. */
  readonly comparedRowRouter?: Router;
  /** Routes of batches that only the console uses. */
  readonly rowRouter?: Router;
  /** Mappings that clients keep for the console. */
  readonly mappings?: KeptMappings;
}

const notFound: RequestHandler = (req, res) => sendFault(res, { type: 'request.notFound', path: pathOf(req) });

/** Express's own errors about a request (such as a path that cannot be decoded) have a status below 500. */
const isRequestError = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500;

const faultOf = (error: unknown, path: string, requestId: string): HttpFault => {
  if (error instanceof NoAccount) return noAgreement;
  const fault = thrownFault(error);
  if (fault !== undefined) return fault;
  if (isRequestError(error)) return { type: 'request.notFound', path };
  return { type: 'service.internalError', requestId };
};

const failed =
  (log: Logger): ErrorRequestHandler =>
  (err: unknown, req, res, _next) => {
    const { requestId } = res.locals;
    const fault = faultOf(err, pathOf(req), requestId);
    // The log said when the agreement was found to be unusable.
    const isAnswer = refusalIn(err) !== undefined || fault.type === 'request.notFound' || fault === noAgreement;
    if (!isAnswer) log.error({ requestId, err }, 'request failed');
    // The status is already sent: only cutting the answer off shows that it is incomplete.
    if (res.headersSent) res.destroy();
    else sendFault(res, fault);
  };

const sourceMetrics = ({ clients, tariffs, now }: Pick<Deps, 'clients' | 'tariffs' | 'now'>): SourceMetrics => ({
  withoutAgreement: () => clients.withoutAgreement?.() ?? 0,
  errors: () => tariffs.findings().filter(({ severity }) => severity === 'error').length,
  fuelLeft: () => {
    try {
      return fuelSecondsLeft(tariffs.current(), now());
    } catch (error) {
      // It is not known what is published. Another metric shows that Redis is away.
      if (isOfStore(error)) return [];
      throw error;
    }
  },
});

export const createApp = (deps: Deps): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  const metrics = createMetrics(sourceMetrics(deps));
  app.use(traced(deps.log, metrics), onlyHosts(deps.allowedHosts ?? []), oneSpelling);
  const { corsOrigins = [] } = deps;
  if (corsOrigins.length > 0) app.use(['/v1', '/token'], setHeaders, allowOrigins(corsOrigins));
  const authorize = byBearer(deps);
  const quoteAllowance = createAllowance('quotes', deps.settleWith);
  const quoteTurns = createQuoteTurns();
  const tokenAllowance = createAllowance('tokens', deps.settleWith);
  const wrongTry = createWrongTries({
    addressOf: createAddressOf(deps.trustedProxies),
    perMinute: WRONG_SECRETS_PER_MINUTE,
    settleWith: deps.settleWith,
  });
  mountOperations(app, { getShippingRates: getRates({ ...deps, authorize, quoteAllowance, quoteTurns }) });
  // Only the quote answers so often that its headers wait in a list.
  app.use(setHeaders);
  mountOperations(app, { generateToken: issueToken({ ...deps, tokenAllowance, wrongTry }) });
  const readLimits = deps.readLimits ?? createReadLimits(deps.settleWith);
  if (deps.batchRouter !== undefined) app.use(BATCHES_PATH, requireCaller(authorize, 'batch'), deps.batchRouter);
  if (deps.comparisonRouter !== undefined)
    app.use(COMPARISONS_PATH, requireCaller(authorize, 'batch'), deps.comparisonRouter);
  mountOperations(app, clientHandlers(deps), {
    guard: (operation) => [...callerGuard(authorize, operation), ...readLimits.guard(operation)],
  });
  if (deps.operatorRouter !== undefined) app.use(OPERATOR_PATH, deps.operatorRouter);
  const more = deps.workMetrics ?? (async () => '');
  mountOperations(app, {
    isLive: livez,
    isReady: readyz(deps),
    getMetrics: showMetrics({ metrics, more, token: deps.metricsToken }),
  });
  addDocs(app, deps.consoleDir);
  app.use(consoleRoutes({ ...deps, quoteAllowance, quoteTurns, tokenAllowance, wrongTry, readLimits }));
  app.use(notFound);
  app.use(failed(deps.log));
  return app;
};
