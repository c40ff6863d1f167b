/**
 * `GET /metrics`, by the conventions of Prometheus: base units, `_total` on counters, and labels with few values, so
 * never a client or a ZIP code. What this process has answered is counted here; what queues and workers tell is read
 * when it is asked for.
 */
import type { Request, RequestHandler, Response } from 'express';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { addProcessMetrics } from './process-metrics.ts';

const QUOTE_ROUTE = '/v1/client/shipment/rates';
const CONSOLE_QUOTE_ROUTE = `/console${QUOTE_ROUTE}`;
const DURATION_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export interface Metrics {
  /** Counts a request that is over. */
  readonly observe: (req: Request, res: Response, seconds: number) => void;
  readonly text: () => Promise<string>;
}

/** The route's pattern, which has few values, unlike the path. */
export const routeOf = (req: Request): string | undefined =>
  req.route === undefined ? undefined : `${req.baseUrl}${req.route.path}`;

type Child = ReturnType<Histogram<'method' | 'route' | 'code'>['labels']>;

/** @param tariffErrors how many errors the tariffs have as they lie there, asked for with the metrics */
export const createMetrics = (tariffErrors: () => number): Metrics => {
  const register = new Registry();
  const registers = [register];
  addProcessMetrics(register);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'code'] as const,
    buckets: DURATION_SECONDS,
    registers,
  });
  const quotes = new Counter({
    name: 'rates_quotes_total',
    help: 'Requests for a quote by outcome (quoted, faulted, refused) and fault',
    labelNames: ['outcome', 'fault'] as const,
    registers,
  });
  new Gauge({
    name: 'rates_tariff_errors',
    help: 'Errors of the tariffs as they lie there; what was good before them stays in force',
    registers,
    collect() {
      this.set(tariffErrors());
    },
  });
  // Finding the labels anew costs more than counting.
  const known = new Map<string, Child>();
  const durationOf = (method: string, route: string, code: string): Child => {
    const name = `${method} ${route} ${code}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = durations.labels(method, route, code);
    known.set(name, made);
    return made;
  };
  const quoted = quotes.labels('quoted', '');

  return {
    observe: (req, res, seconds) => {
      const route = routeOf(req) ?? 'none';
      const code = res.writableFinished ? String(res.statusCode) : 'abandoned';
      durationOf(req.method, route, code).observe(seconds);
      if ((route !== QUOTE_ROUTE && route !== CONSOLE_QUOTE_ROUTE) || req.method !== 'POST') return;
      const { fault } = res.locals;
      if (fault === undefined) quoted.inc();
      else quotes.labels(code === '422' ? 'faulted' : 'refused', fault).inc();
    },
    text: () => register.metrics(),
  };
};

/** @param more the metrics of what is not this process: queues and workers */
export const showMetrics =
  (metrics: Metrics, more: () => Promise<string>): RequestHandler =>
  async (_req, res) => {
    const [own, others] = await Promise.all([metrics.text(), more()]);
    res.set({ 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' });
    res.end(`${own}${others}`);
  };
