/** `POST /v1/client/shipment/rates`: one quote, at once. Passes the clock and the caller to `quoteOutcome`. */
import { z } from 'zod';
import { Failed } from '../base/failed.ts';
import { QUOTE_FAULTS } from '../rating/fault.ts';
import { quoteOutcome, rateQuoteSchema } from '../rating/quote.ts';
import { rateRequest } from '../rating/shipment.ts';
import { type Caller, callsAs } from './auth.ts';
import { rawCall } from './call.ts';
import { readQuery } from './input.ts';
import { QUOTE, REQUEST } from './openapi/examples.ts';
import { type BareHandler, type BareRequest, type BareResponse, sendFault, sendJson } from './reply.ts';
import { parseJson, readText } from './server/body.ts';
import { MOST_WAITING_BYTES } from './server/quote-turns.ts';
import type { Service } from './service.ts';

/** Seconds after which a refused caller may try again. */
const RETRY_S = 1;

const quoteQuery = z.strictObject({
  explain: z.enum(['true', 'false'], 'must be true or false').optional().describe('Adds `explanation` to each quote.'),
});

const answer = (service: Service, caller: Caller, text: string, req: BareRequest, res: BareResponse): void => {
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
  const query = req.url.includes('?') ? readQuery(quoteQuery, req) : {};
  if (query instanceof Failed) {
    sendFault(res, query.fault);
    return;
  }
  const explain = query.explain === 'true';
  const { status, body } = quoteOutcome(parsed.json, caller.client, caller.schedule(), service.now(), explain);
  if (status !== 200) res.locals.fault = body.fault.type;
  sendJson(res, status, body);
};

/** Answers 200 with the quote, or 400, 401, 403, 413, 415, 422 or 429 with a fault. */
export const getRates =
  (service: Service): BareHandler =>
  async (req, res) => {
    const caller = await service.authorize(req, 'quote');
    if (caller instanceof Failed) return sendFault(res, caller.fault);
    callsAs(req, res, caller);
    const { client } = caller;
    const limited = await service.limits.quotes.take(res, client.id, client.limits.quotesPerMinute);
    if (limited !== undefined) return sendFault(res, limited);
    const accepted = ['application/json'] as const;
    const body = await readText(req, { accepted, limit: service.maxJsonBytes, owner: client.id });
    if (body instanceof Failed) return sendFault(res, body.fault);
    const { text } = body;
    const ran = service.quoteTurns.run(client.id, text.length, () => answer(service, caller, text, req, res));
    if (ran !== 'full') return ran;
    const limit = { limit: 'quoteBytesWaiting', atOnce: MOST_WAITING_BYTES, retryAfterS: RETRY_S };
    sendFault(res, { type: 'request.rateLimited', ...limit });
  };

export const quoteCalls = {
  getShippingRates: rawCall<Service>()({
    ...{ is: 'POST /v1/client/shipment/rates', caller: 'quote', limit: 'quotes' },
    query: quoteQuery,
    answer: rateQuoteSchema,
    doc: {
      tag: 'Quotes',
      summary: 'Get shipping rates',
      description:
        'A quote for one or more packages. If the request names no service, the answer is the cheapest quote, and ' +
        '`quotes` holds all of them. If it names several warehouses, or `any`, the quote is from the cheapest, and ' +
        '`warehouses` has the price from each.',
      body: { required: true, content: [{ type: 'application/json', schema: rateRequest, example: REQUEST }] },
      success: { status: 200, description: 'The quote.', example: QUOTE },
      faults: [
        'request.malformedBody',
        'request.tooLarge',
        'request.unsupportedMediaType',
        ...QUOTE_FAULTS,
        'service.unavailable',
      ],
    },
    handlers: getRates,
  }),
};
