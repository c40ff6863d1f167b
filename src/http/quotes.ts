/** `POST /v1/client/shipment/rates`: one quote, at once. Adds the clock and the caller to `quoteOutcome`. */
import type { RequestHandler } from 'express';
import { Failed } from '../rating/fault.ts';
import { quoteOutcome, type RateBooks } from '../rating/quote.ts';
import { type Authorize, callsAs } from './auth.ts';
import { readJson } from './body.ts';
import type { Allowance } from './limits.ts';
import { sendFault, sendJson } from './reply.ts';

export interface QuoteDeps {
  readonly authorize: Authorize;
  readonly tariffs: { readonly current: () => RateBooks };
  readonly quoteAllowance: Allowance;
  readonly maxJsonBytes: number;
  readonly now: () => Date;
}

/** Answers 200 with the quote, or 400, 401, 403, 413, 415, 422 or 429 with a fault. */
export const getRates =
  (deps: QuoteDeps): RequestHandler =>
  async (req, res) => {
    const client = await deps.authorize(req, 'quote');
    if (client instanceof Failed) return sendFault(res, client.fault);
    callsAs(req, res, client);
    const limited = await deps.quoteAllowance.take(res, client.id, client.limits.quotesPerMinute);
    if (limited !== undefined) return sendFault(res, limited);
    const body = await readJson(req, { limit: deps.maxJsonBytes, owner: client.id });
    if (body instanceof Failed) return sendFault(res, body.fault);
    const explain = req.url.includes('?') && req.query['explain'] === 'true';
    const { status, body: answer } = quoteOutcome(body.json, client, deps.tariffs.current(), deps.now(), explain);
    if (status !== 200) res.locals.fault = answer.fault.type;
    sendJson(res, status, answer);
  };
