/**
 * `GET /metrics`, with the conventions of Prometheus: base units, `_total` on counters, and labels with few values, so
 * never a client or a ZIP code. Callers cannot choose a label. This process counts its answers here.
 * Metrics of queues and workers are read for each scrape.
 */

import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RequestHandler } from 'express';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from '../base/log.ts';
import { ifKnown } from '../base/store/store.ts';
import { RATES_PATH } from '../batch/ids.ts';
import { type FuelLeft, fuelSecondsLeft } from '../catalog/tariff/check/fuel-ends.ts';
import { bearerOf, isSame } from './auth.ts';
import { rawCall } from './call.ts';
import type { HttpFault } from './faults.ts';
import type { CountQuote } from './quote-counts.ts';
import { type BareHandler, type BareRequest, type BareResponse, sendFault } from './reply.ts';
import { routeOf } from './routes.ts';
import type { Metrics, Service } from './service.ts';

const CONSOLE_QUOTE_ROUTE = `/console${RATES_PATH}`;
const DURATION_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Methods with their own label. Node accepts about thirty others, which no route answers. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);
/** The label of a method or a path without a route. */
const OTHER = 'other';
/** Limit on series of requests. Each has 17 lines, so all take about 2 MB. Routes, methods and codes use less than half of it. */
const MOST_SERIES = 1_000;

type Child = ReturnType<Histogram<'method' | 'route' | 'code'>['labels']>;

/** The time until fuel rates end, for the services in force. If the tariffs are unknown, another metric shows why. */
const fuelLeft = ({ tariffs, now }: Pick<Service, 'tariffs' | 'now'>): readonly FuelLeft[] => {
  const schedule = ifKnown(tariffs.current);
  return schedule === undefined ? [] : fuelSecondsLeft(schedule, now());
};

export const createMetrics = (sources: Pick<Service, 'clients' | 'tariffs' | 'now'>, count: CountQuote): Metrics => {
  const register = new Registry();
  const registers = [register];
  const gauge = gaugesIn(register);
  addProcessMetrics(gauge);
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
  const limited = new Counter({
    name: 'rates_limited_total',
    help: 'Requests that were refused for a limit of their client, or of the process, by limit',
    labelNames: ['limit'] as const,
    registers,
  });
  const findings = () => sources.tariffs.findings();
  const errors = 'Errors in the tariffs as they are now; the last good version stays in force';
  gauge('rates_tariff_errors', errors, () => findings().filter(({ severity }) => severity === 'error').length);
  const without = 'Clients that get no prices, because an agreement of theirs is missing or cannot be used';
  gauge('rates_clients_without_agreement', without, () => sources.clients.withoutAgreement());
  new Gauge({
    name: 'rates_fuel_left_seconds',
    help: 'Time from the start of today until the fuel rates of a service in force end, 0 or less when they have ended',
    labelNames: ['carrier', 'service'] as const,
    registers,
    collect() {
      this.reset();
      for (const { carrier, service, seconds } of fuelLeft(sources)) this.set({ carrier, service }, seconds);
    },
  });
  // Looking up labels costs more than counting.
  const known = new Map<string, Child>();
  const durationOf = (method: string, route: string, code: string): Child => {
    const name = `${method} ${route} ${code}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= MOST_SERIES && route !== OTHER) return durationOf(OTHER, OTHER, code);
    const made = durations.labels(method, route, code);
    known.set(name, made);
    return made;
  };
  const quoted = quotes.labels('quoted', '');

  return {
    observe: (req, res, seconds) => {
      const route = routeOf(req) ?? OTHER;
      const code = res.writableFinished ? String(res.statusCode) : 'abandoned';
      if (res.locals.limit !== undefined) limited.labels(res.locals.limit).inc();
      durationOf(METHODS.has(req.method) ? req.method : OTHER, route, code).observe(seconds);
      if ((route !== RATES_PATH && route !== CONSOLE_QUOTE_ROUTE) || req.method !== 'POST') return;
      const { fault } = res.locals;
      const outcome = fault === undefined ? 'quoted' : code === '422' ? 'faulted' : 'refused';
      count(outcome);
      if (fault === undefined) quoted.inc();
      else quotes.labels(outcome, fault).inc();
    },
    text: () => register.metrics(),
  };
};

/** Limit on scrapes whose answer is not read yet. */
const MOST_SCRAPES = 4;
const SCRAPE_MS = 10_000;
const SCRAPE_AGAIN_S = 5;

const wrongToken: HttpFault = {
  type: 'InvalidAuthorizationException',
  reason: 'the metrics token is missing or wrong',
  error: 'invalid_token',
};

/** Answers 200 with the metrics, or 401 or 429 with a fault. Concurrent scrapes share one collection. */
const showMetrics = ({ metrics, workMetrics, metricsToken: token }: Service): RequestHandler => {
  let open = 0;
  let collecting: Promise<string> | undefined;
  const collect = async (): Promise<string> => {
    try {
      return (await Promise.all([metrics.text(), workMetrics()])).join('');
    } finally {
      collecting = undefined;
    }
  };
  return async (req, res) => {
    if (token !== undefined && !isSame(bearerOf(req), token)) return sendFault(res, wrongToken);
    if (open >= MOST_SCRAPES)
      return sendFault(res, {
        type: 'request.rateLimited',
        limit: 'scrapes',
        atOnce: MOST_SCRAPES,
        retryAfterS: SCRAPE_AGAIN_S,
      });
    open += 1;
    // A caller that does not read its answer must not block others.
    const slow = setTimeout(() => res.destroy(), SCRAPE_MS);
    res.once('close', () => {
      clearTimeout(slow);
      open -= 1;
    });
    collecting ??= collect();
    const text = await collecting;
    res.set({ 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' });
    res.end(text);
  };
};

export const metricCalls = {
  getMetrics: rawCall<Service>()({
    ...{ is: 'GET /metrics', caller: 'everybody', limit: 'none' },
    doc: {
      tag: 'Operation',
      summary: 'Metrics for Prometheus',
      description: 'If the service has a metrics token, send it as a bearer token.',
      success: {
        status: 200,
        description: 'The metrics in Prometheus text format.',
        content: [{ type: 'text/plain' }],
        headers: { 'Cache-Control': '`no-store`' },
      },
      faults: ['InvalidAuthorizationException', 'request.rateLimited'],
    },
    handlers: showMetrics,
  }),
};

const RESOLUTION_MS = 20;
const NS_PER_S = 1e9;

type AddGauge = (name: string, help: string, read: () => number) => void;

const gaugesIn =
  (register: Registry): AddGauge =>
  (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read());
      },
    });
  };

/** Adds the metrics of this process. The lag is measured since the last scrape. */
const addProcessMetrics = (gauge: AddGauge): void => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const seconds = (ns: number): number => (Number.isNaN(ns) ? 0 : ns / NS_PER_S);
  gauge('nodejs_eventloop_lag_mean_seconds', 'Mean delay of the event loop', () => seconds(delay.mean));
  gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of the delay of the event loop', () =>
    seconds(delay.percentile(99)),
  );
  gauge('nodejs_eventloop_lag_max_seconds', 'Greatest delay of the event loop', () => {
    const greatest = seconds(delay.max);
    delay.reset();
    return greatest;
  });
  gauge('process_resident_memory_bytes', 'Memory that is held in all', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Memory that JavaScript values take', () => process.memoryUsage().heapUsed);
  gauge('process_cpu_seconds_total', 'Processor time so far', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge('process_start_time_seconds', 'When the process began, since 1970', () =>
    Math.round(Date.now() / 1_000 - process.uptime()),
  );
};

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

/**
 * Gives every request an id, which its answer and its log lines contain. Counts it, and logs it at its end: `request`, or
 * `request abandoned` if the caller left. Neither addresses nor tokens are logged. The log has the pattern of the route instead
 * of the path.
 */
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
