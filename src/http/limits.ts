/**
 * How often a client may call, by kind, counted in this process so that no request waits for Redis. The window begins
 * with the first call and lasts a minute.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { HttpFault } from './faults.ts';

export interface Allowance {
  /**
   * Takes one call.
   * @param key who is counted
   * @returns `request.rateLimited` where that was one too many
   */
  readonly take: (key: string, perMinute: number) => Promise<HttpFault | undefined>;
}

/** @param kind what is counted, as the answer names it: `quotes`, `tokens`, `uploads` */
export const createAllowance = (kind: string): Allowance => {
  const counter = new RateLimiterMemory({ points: 1, duration: 60 });
  return {
    take: async (key, perMinute) => {
      // A penalty counts without judging: what is allowed differs by client.
      const { consumedPoints, msBeforeNext } = await counter.penalty(key);
      if (consumedPoints <= perMinute) return undefined;
      const retryAfterS = Math.max(1, Math.ceil(msBeforeNext / 1_000));
      return { type: 'request.rateLimited', limit: kind, perMinute, retryAfterS };
    },
  };
};
