/**
 * What a link to a result opens without a sign-in: only the calls that read that batch or comparison, and the names of
 * services. They are the calls of the API and of the console, below `/shared`, with the link's token in the header
 * `Share-Token`. They count toward the limits of the client that owns the result.
 */
import type { Request, RequestHandler } from 'express';
import { Failed } from '../base/failed.ts';
import type { Opened } from '../batch/shares.ts';
import { callerNow, callsAs } from './auth.ts';
import { batchCalls, comparisonCalls } from './batches/batches.ts';
import { clientCalls } from './client-info.ts';
import { rowCalls } from './console/rows.ts';
import { sendFault } from './reply.ts';
import { pathOf } from './routes.ts';
import { createWrongTries, WRONG_SECRETS_PER_MINUTE } from './server/wrong-tries.ts';
import { call, type Given } from './service.ts';

const { getBatch, getSummary, getOutput } = batchCalls;
const { getComparison, getComparisonSummary, getComparisonOutput } = comparisonCalls;
const { getRows, getComparedRows } = rowCalls;
const { listServices } = clientCalls;

export const SHARED_CALLS = {
  getBatch,
  getSummary,
  getOutput,
  getComparison,
  getComparisonSummary,
  getComparisonOutput,
  listServices,
};
/** Calls that otherwise only the console has. */
export const SHARED_ROWS = { getRows, getComparedRows };

/** Returns the link whose token the request has. If the path has no id of a result, the token's own counts. */
const linkOf = (shares: Given['shares'], req: Pick<Request, 'headers' | 'params'>): Promise<Opened | undefined> => {
  const token = String(req.headers['share-token'] ?? '');
  return shares.opened(token, String(req.params['id'] ?? token.split('.', 1)));
};

export const linkCalls = {
  /** Who shared the result, and until when the link works. */
  getLink: call({
    ...{ is: 'GET /shared/link', caller: 'batch', limit: 'reads' },
    handle: async ({ service, client, req }) => {
      const link = await linkOf(service.shares, req);
      if (link === undefined) return new Failed({ type: 'request.notFound', path: pathOf(req) } as const);
      return { owner: client.name, endsAt: link.endsAt };
    },
  }),
};

/** Lets a call pass if its token opens the result in its path. The caller is then the client that owns the result. */
export const shareGuard = ({ shares, clients, tariffs, addressOf, redis }: Given): RequestHandler => {
  const wrongTry = createWrongTries({
    ...{ addressOf, perMinute: WRONG_SECRETS_PER_MINUTE, by: 'operator', settleWith: redis },
  });
  return async (req, res, next) => {
    const link = await linkOf(shares, req);
    const client = link === undefined ? undefined : clients.current().get(link.clientId);
    const caller = client?.scopes.has('batch') === true ? callerNow(() => client, tariffs) : undefined;
    if (caller === undefined || !('client' in caller)) {
      const fault = await wrongTry(req, res, 'a link');
      const isLimited = fault.type === 'credentials.tooManyWrong';
      return sendFault(res, isLimited ? fault : { type: 'request.notFound', path: pathOf(req) });
    }
    callsAs(req, res, caller);
    next();
  };
};
