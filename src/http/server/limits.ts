/**
 * Rate limits of clients, by kind of call. This process counts by itself, so that no request waits for Redis. It settles
 * with other processes in the background. The calls of one settling interval may exceed a limit, and while Redis is
 * unavailable, each process applies the limit alone. A window begins with its first call and lasts a
 * minute. Headers: draft-ietf-httpapi-ratelimit-headers.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from '../../base/redis/connection.ts';
import { turn } from '../../base/time-slices.ts';
import { callerOf } from '../auth.ts';
import { type HttpFault, rateLimitHeaders } from '../faults.ts';
import type { Operation } from '../operation.ts';
import { addHeader, type Headed, sendFault } from '../reply.ts';
import { createConcurrencyLimit, createCounts } from './concurrency.ts';

const WINDOW_S = 60;
const SETTLE_MS = 250;

type RateLimited = Extract<HttpFault, { readonly type: 'request.rateLimited'; readonly perMinute: number }>;

/** Calls that are not settled with other processes yet. */
interface Unsettled {
  calls: number;
  /** When their window ends, in ms since 1970. */
  readonly until: number;
}

/**
 * @param kind what is counted, as named in the answer: `quotes`, `tokens`, `uploads`
 * @param redis where to settle. Undefined: this process counts alone
 */
export const createAllowance = (kind: string, redis?: Redis) => {
  // A penalty only counts, because each client has its own limit.
  const here = new RateLimiterMemory({ points: 1, duration: WINDOW_S });
  const everywhere =
    redis === undefined
      ? undefined
      : new RateLimiterRedis({ storeClient: redis, points: 1, duration: WINDOW_S, keyPrefix: `rates:limit:${kind}` });
  const unsettled = new Map<string, Unsettled>();
  let settling: NodeJS.Timeout | undefined;
  /** When the last settling began. */
  let settledAt = 0;

  const settleOne = async (all: RateLimiterRedis, key: string, { calls, until }: Unsettled): Promise<void> => {
    try {
      const { consumedPoints, msBeforeNext } = await all.penalty(key, calls);
      const meanwhile = unsettled.get(key)?.calls ?? 0;
      await here.set(key, consumedPoints + meanwhile, Math.max(1, msBeforeNext) / 1_000);
    } catch {
      // Redis is unavailable, which its connection logs. The calls are settled when it is back.
      const later = unsettled.get(key);
      if (Date.now() < until) unsettled.set(key, { calls: calls + (later?.calls ?? 0), until });
    }
  };

  const settle = async (all: RateLimiterRedis): Promise<void> => {
    const due = [...unsettled];
    settledAt = performance.now();
    unsettled.clear();
    await Promise.all(due.map(([key, calls]) => settleOne(all, key, calls)));
    settling = undefined;
    if (unsettled.size > 0) settleSoon(all);
  };

  const settleSoon = (all: RateLimiterRedis): void => {
    // The first call after a pause is settled at once, because other processes may have counted meanwhile.
    const waitMs = Math.max(0, settledAt + SETTLE_MS - performance.now());
    if (settling === undefined) settling = setTimeout(() => void settle(all), waitMs).unref();
  };

  const note = (all: RateLimiterRedis, key: string, msBeforeNext: number): void => {
    const known = unsettled.get(key);
    if (known === undefined) unsettled.set(key, { calls: 1, until: Date.now() + msBeforeNext });
    else known.calls += 1;
    settleSoon(all);
  };

  return {
    /**
     * Counts one call, and adds the calls left to the headers of its answer.
     * @param key who is counted
     * @returns `request.rateLimited` if the limit is exceeded
     */
    take: async (res: Headed, key: string, perMinute: number): Promise<RateLimited | undefined> => {
      const { consumedPoints, msBeforeNext } = await here.penalty(key);
      if (everywhere !== undefined) note(everywhere, key, msBeforeNext);
      const resetS = Math.max(1, Math.ceil(msBeforeNext / 1_000));
      const { policy, state } = rateLimitHeaders(kind, perMinute, Math.max(0, perMinute - consumedPoints), resetS);
      addHeader(res, 'RateLimit-Policy', policy);
      addHeader(res, 'RateLimit', state);
      if (consumedPoints <= perMinute) return undefined;
      return { type: 'request.rateLimited', limit: kind, perMinute, retryAfterS: resetS };
    },
  };
};

export type Limits = ReturnType<typeof createLimits>;

/** Seconds after which a caller may try again if too much is running. */
const RETRY_S = 1;
/** Delay of a refusal. A caller that repeats at once would cost more through refusals than through answers. */
const REFUSAL_MS = 250;

/** @param redis where rates are settled with other processes. Undefined: this process counts alone */
export const createLimits = (redis?: Redis) => {
  const allowances = {
    reads: createAllowance('reads', redis),
    downloads: createAllowance('downloads', redis),
    changes: createAllowance('changes', redis),
  };
  const uploads = createAllowance('uploads', redis);
  const underWay = { reads: createCounts(), downloads: createCounts() };
  const concurrently = createConcurrencyLimit({ slots: 8, slotsOfClient: 3 });

  const refuse = async (res: Response, fault: HttpFault): Promise<void> => {
    await sleep(REFUSAL_MS);
    // Requests that arrived together are refused in one turn each, so that quotes run in between.
    await turn();
    sendFault(res, fault);
  };

  const rated = (kind: keyof typeof allowances, next: RequestHandler): RequestHandler => {
    const [perMinute, allowance] = [`${kind}PerMinute` as const, allowances[kind]];
    return async (req, res, pass) => {
      const { id, limits } = callerOf(res);
      const limited = await allowance.take(res, id, limits[perMinute]);
      if (limited !== undefined) await refuse(res, limited);
      else await next(req, res, pass);
    };
  };

  const atOnce = (kind: 'reads' | 'downloads', next: RequestHandler): RequestHandler => {
    const [limit, counts] = [`${kind}AtOnce` as const, underWay[kind]];
    return async (req, res, pass) => {
      const { id, limits } = callerOf(res);
      if (counts.of(id) >= limits[limit])
        return await refuse(res, { type: 'request.rateLimited', limit, atOnce: limits[limit], retryAfterS: RETRY_S });
      // The caller has left meanwhile.
      if (res.destroyed) return;
      counts.add(id, 1);
      res.once('close', () => counts.add(id, -1));
      await next(req, res, pass);
    };
  };

  const passOn: RequestHandler = (_req, _res, pass) => pass();
  const handlers: Readonly<Partial<Record<Operation['limit'], RequestHandler>>> = {
    reads: rated('reads', atOnce('reads', concurrently)),
    downloads: rated('downloads', atOnce('downloads', passOn)),
    // `batch-events.ts` limits the concurrent streams.
    streams: rated('reads', passOn),
    changes: rated('changes', passOn),
    uploads: async (_req, res, pass) => {
      const { id, limits } = callerOf(res);
      const limited = await uploads.take(res, id, limits.uploadsPerMinute);
      if (limited === undefined) pass();
      else sendFault(res, limited);
    },
  };
  return {
    /** The calls that are counted here use these limits themselves, once they know the client. */
    quotes: createAllowance('quotes', redis),
    tokens: createAllowance('tokens', redis),
    /**
     * The limit of a read, a download, an upload, an event stream or a change. Other operations have none. Use it in routes
     * behind `requireCaller`.
     */
    guard: ({ limit }: Operation): RequestHandler[] => {
      const handler = handlers[limit];
      return handler === undefined ? [] : [handler];
    },
  };
};
