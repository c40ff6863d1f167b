/**
 * Gives every request an id, which its answer and its log lines contain, and writes one log line when it ends.
 * Neither addresses nor tokens are logged. The log has the pattern of the route instead of the path.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../base/log.ts';
import type { BareHandler, BareRequest, BareResponse } from '../reply.ts';
import { routeOf } from '../routes.ts';
import type { Metrics } from '../service.ts';

/** Ids accepted from the caller: short, and harmless in a log, a header or a file name. */
const SANE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** How long to read the rest of a refused request's body, so that its sender receives the answer. */
const LINGER_MS = 5_000;

const lineOf = (req: BareRequest, res: BareResponse, ms: number): Record<string, unknown> => ({
  requestId: res.locals.requestId,
  method: req.method,
  route: routeOf(req),
  status: res.writableFinished ? res.statusCode : undefined,
  ms: Math.round(ms * 1_000) / 1_000,
  client: res.locals.client?.id,
  fault: res.locals.fault,
});

/** Gives a request its id. Counts and logs it at its end: `request`, or `request abandoned` if the caller left. */
export const traced = (log: Logger, metrics: Metrics): BareHandler => {
  // Every field is harmless. Redaction would cost a tenth of the time of a quote.
  const lines = log.child({}, { redact: [] });
  return (req, res, next) => {
    const startedAt = performance.now();
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
    res.locals.requestId = requestId;
    res.locals.headers = ['X-Request-Id', requestId];
    res.on('close', () => {
      const ms = performance.now() - startedAt;
      metrics.observe(req, res, ms / 1_000);
      lines.info(lineOf(req, res, ms), res.writableFinished ? 'request' : 'request abandoned');
      if (req.complete || req.destroyed) return;
      const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
      req.once('close', () => clearTimeout(timer));
    });
    next();
  };
};
