/**
 * What a client may read: how often, and how much at once. Reads are answered a few at a time, those of one client fewer,
 * so that none of them waits for all of another's. Counts of what is under way are of this process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { Redis } from '../redis/connection.ts';
import { callerOf } from './auth.ts';
import type { HttpFault } from './faults.ts';
import { createCounts, createLane } from './lane.ts';
import { createAllowance } from './limits.ts';
import { sendFault } from './reply.ts';

export interface ReadLimits {
  /** For routes that answer from what is at hand. They stand behind `requireCaller`, like the next two. */
  readonly read: RequestHandler;
  /** For routes that send files. */
  readonly download: RequestHandler;
  /** For streams of events, which have a limit of their own on how many there are at once. */
  readonly stream: RequestHandler;
}

/** When to try again where too much is under way. */
const RETRY_S = 1;
/** A refusal waits for so long: who asks again at once would take more time by being refused than by being answered. */
const REFUSAL_MS = 250;

/** @param redis where rates are settled with other processes; absent: this process alone counts */
export const createReadLimits = (redis?: Redis): ReadLimits => {
  const allowances = { reads: createAllowance('reads', redis), downloads: createAllowance('downloads', redis) };
  const underWay = { reads: createCounts(), downloads: createCounts() };
  const inLane = createLane({ slots: 8, slotsOfClient: 3 });

  const refuse = async (res: Parameters<RequestHandler>[1], fault: HttpFault): Promise<void> => {
    await sleep(REFUSAL_MS);
    sendFault(res, fault);
  };

  const rated = (kind: 'reads' | 'downloads', next: RequestHandler): RequestHandler => {
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
      // The caller left while the rate was counted.
      if (res.destroyed) return;
      counts.add(id, 1);
      res.once('close', () => counts.add(id, -1));
      await next(req, res, pass);
    };
  };

  const passOn: RequestHandler = (_req, _res, pass) => pass();
  return {
    read: rated('reads', atOnce('reads', inLane)),
    download: rated('downloads', atOnce('downloads', passOn)),
    stream: rated('reads', passOn),
  };
};
