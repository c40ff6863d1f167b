/** `POST /v1/client/shipment/rates`: one quote, at once. Adds the clock and the caller to `quoteOutcome`. */
import type { Request, RequestHandler, Response } from 'express';
import { Failed } from '../rating/fault.ts';
import { quoteOutcome } from '../rating/quote.ts';
import { type Authorize, type Caller, callsAs } from './auth.ts';
import { parseJson, readText } from './body.ts';
import type { Allowance } from './limits.ts';
import { MOST_WAITING_BYTES, type QuoteTurns } from './quote-turns.ts';
import { sendFault, sendJson } from './reply.ts';

export interface QuoteDeps {
  readonly authorize: Authorize;
  readonly quoteAllowance: Allowance;
  readonly quoteTurns: QuoteTurns;
  readonly maxJsonBytes: number;
  readonly now: () => Date;
}

/** When to try again. */
const RETRY_S = 1;

const answer = (deps: QuoteDeps, caller: Caller, text: string, req: Request, res: Response): void => {
  // The caller has left.
  if (res.destroyed) return;
  const gone = caller.goneSince();
  if (gone !== undefined) {
    sendFault(res, gone);
    return;
  }
  const parsed = parseJson(text);
  if (parsed instanceof Failed) {
    sendFault(res, parsed.fault);
    return;
  }
  const explain = req.url.includes('?') && req.query['explain'] === 'true';
  const { status, body } = quoteOutcome(parsed.json, caller.client, caller.schedule(), deps.now(), explain);
  if (status !== 200) res.locals.fault = body.fault.type;
  sendJson(res, status, body);
};

/** Answers 200 with the quote, or 400, 401, 403, 413, 415, 422 or 429 with a fault. */
export const getRates =
  (deps: QuoteDeps): RequestHandler =>
  async (req, res) => {
    const caller = await deps.authorize(req, 'quote');
    if (caller instanceof Failed) return sendFault(res, caller.fault);
    callsAs(req, res, caller);
    const { client } = caller;
    const limited = await deps.quoteAllowance.take(res, client.id, client.limits.quotesPerMinute);
    if (limited !== undefined) return sendFault(res, limited);
    const accepted = ['application/json'] as const;
    const body = await readText(req, { accepted, limit: deps.maxJsonBytes, owner: client.id });
    if (body instanceof Failed) return sendFault(res, body.fault);
    const { text } = body;
    const ran = deps.quoteTurns.run(client.id, text.length, () => answer(deps, caller, text, req, res));
    if (ran !== 'full') return ran;
    const limit = { limit: 'quoteBytesWaiting', atOnce: MOST_WAITING_BYTES, retryAfterS: RETRY_S };
    sendFault(res, { type: 'request.rateLimited', ...limit });
  };
