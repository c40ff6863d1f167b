/**
 * A shortcut for quotes: `POST /v1/client/shipment/rates` goes from Node's server to its handlers without Express, which would
 * take more than half of the time. Express has the same handlers for other spellings and methods of the path.
 */
import type { RequestListener } from 'node:http';
import { RATES_PATH } from '../batch/ids.ts';
import type { BareErrorHandler, BareHandler, BareRequest } from './reply.ts';

/** What Express would set on a request. */
const GIVEN = {
  ...{ method: 'POST', url: RATES_PATH, originalUrl: RATES_PATH, baseUrl: '' },
  ...{ route: undefined, query: {} },
};
const ROUTE = { path: RATES_PATH };

/**
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
