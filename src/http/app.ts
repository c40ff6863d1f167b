/** Builds the HTTP application. A route runs only the middleware that it needs. This matters most for quotes. */

import type { RequestListener } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from '../base/log.ts';
import { RATES_PATH } from '../batch/ids.ts';
import { NoAccount } from '../catalog/agreement/account.ts';
import type { Fault } from '../rating/fault.ts';
import { byBearer, callerGuard } from './auth.ts';
import { type Call, mount } from './call.ts';
import { CONSOLE_CALLS } from './console/calls.ts';
import { bySession } from './console/session.ts';
import { type HttpFault, noAgreement, refusalIn, thrownFault } from './faults.ts';
import { traced } from './metrics.ts';
import type { Operation } from './operation.ts';
import { API_CALLS } from './operations.ts';
import { OPERATOR_PATH } from './operator/session.ts';
import { addConsolePages, addDocsFiles } from './pages.ts';
import { getRates } from './quotes.ts';
import { type BareErrorHandler, type BareHandler, type BareRequest, sendFault, setHeaders, unkept } from './reply.ts';
import { oneSpelling, pathOf } from './routes.ts';
import { allowOrigins, onlyHosts } from './server/hosts.ts';
import type { Given, Service } from './service.ts';
import { linkCalls, SHARED_CALLS, SHARED_ROWS, shareGuard } from './shared.ts';

const notFound: RequestHandler = (req, res) => sendFault(res, { type: 'request.notFound', path: pathOf(req) });

/** Express marks its own errors about a request, such as a path that cannot be decoded, with a status below 500. */
const isRequestError = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500;

const faultOf = (error: unknown, path: string, requestId: string): Fault | HttpFault => {
  if (error instanceof NoAccount) return noAgreement;
  const fault = thrownFault(error);
  if (fault !== undefined) return fault;
  if (isRequestError(error)) return { type: 'request.notFound', path };
  return { type: 'service.internalError', requestId };
};

const failed =
  (log: Logger): BareErrorHandler =>
  (err, req, res, _next) => {
    const { requestId } = res.locals;
    const fault = faultOf(err, pathOf(req), requestId);
    // A log line was written when the agreement was found to be unusable.
    const isAnswer = refusalIn(err) !== undefined || fault.type === 'request.notFound' || fault === noAgreement;
    if (!isAnswer) log.error({ requestId, err }, 'a call could not be answered');
    // The status is already sent. Only cutting the answer off shows that it is incomplete.
    if (res.headersSent) res.destroy();
    else sendFault(res, fault);
  };

/** What Express would set on a request. */
const GIVEN = {
  ...{ method: 'POST', url: RATES_PATH, originalUrl: RATES_PATH, baseUrl: '' },
  ...{ route: undefined, query: {} },
};
const ROUTE = { path: RATES_PATH };

/**
 * A shortcut for quotes: `POST /v1/client/shipment/rates` goes from Node's server to its handlers without Express, which would
 * take more than half of the time. Express has the same handlers for other spellings and methods of the path.
 * @param before each calls the next one or refuses the request, which then has no route
 * @param quote answers the quote
 * @param failed answers an error that one of them throws
 * @param others takes all other requests
 */
export const directQuotes =
  (
    before: readonly BareHandler[],
    quote: BareHandler,
    failed: BareErrorHandler,
    others: RequestListener,
  ): RequestListener =>
  (incoming, answer) => {
    if (incoming.url !== RATES_PATH || incoming.method !== 'POST') return others(incoming, answer);
    const req: BareRequest = Object.assign(incoming, GIVEN);
    const res = Object.assign(answer, { locals: { requestId: '' } });
    const run = async (at: number): Promise<void> => {
      try {
        const first = before[at];
        if (first !== undefined) return void (await first(req, res, () => void run(at + 1)));
        req.route = ROUTE;
        await quote(req, res, () => undefined);
      } catch (error) {
        failed(error, req, res, undefined);
      }
    };
    void run(0);
  };

const isOfClient = ({ caller }: Operation): boolean => ['quote', 'client', 'batch'].includes(caller);
/** The client calls of the API. The console offers them too. */
const SHARED = Object.fromEntries(Object.entries<Call<Service>>(API_CALLS).filter(([, call]) => isOfClient(call)));

/** @returns the Express routes, and the listener for all requests, which answers quotes without Express */
export const createApp = (given: Given): { readonly routes: Express; readonly listener: RequestListener } => {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  const { corsOrigins, limits, operatorRouter, consoleDir } = given;
  const first = [traced(given.log, given.metrics), onlyHosts(given.allowedHosts)];
  const origins = corsOrigins.length > 0 ? [setHeaders, allowOrigins(corsOrigins)] : [];
  const fail = failed(given.log);
  app.use(first, oneSpelling);
  if (origins.length > 0) app.use(['/v1', '/token'], origins);
  const guardOf = (service: Service) => (operation: Operation) => [
    ...callerGuard(service.authorize, operation),
    ...limits.guard(operation),
  ];
  const byToken = { ...given, authorize: byBearer(given) };
  const { getShippingRates, ...others } = API_CALLS;
  const api = { service: byToken, guard: guardOf(byToken) };
  mount(app, { getShippingRates }, api);
  // Only quotes are so frequent that their headers go into a list first.
  app.use(setHeaders);
  mount(app, others, api);
  addDocsFiles(app, consoleDir);
  if (operatorRouter !== undefined) app.use(OPERATOR_PATH, operatorRouter);
  addConsolePages(app, consoleDir);
  // Below `/console` the session authenticates the caller, as a token does below `/v1`.
  const inSession = { ...given, authorize: bySession(given) };
  const guard = (operation: Operation) => [unkept, ...guardOf(inSession)(operation)];
  mount(app, CONSOLE_CALLS, { service: inSession, guard });
  mount(app, SHARED, { service: inSession, guard, prefix: '/console' });
  const judgeLink = shareGuard(given);
  const byLink = (operation: Operation) => [unkept, judgeLink, ...limits.guard(operation)];
  const linked = { service: byToken, guard: byLink, prefix: '/shared' };
  mount(app, SHARED_CALLS, linked);
  mount(app, linkCalls, { ...linked, prefix: '' });
  mount(app, SHARED_ROWS, { ...linked, below: '/console' });
  app.use(notFound);
  app.use(fail);
  return { routes: app, listener: directQuotes([...first, ...origins], getRates(byToken), fail, app) };
};
