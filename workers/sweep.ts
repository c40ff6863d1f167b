/**
 * Decides when to sweep: at the start, every minute, soon after Redis is back, and thoroughly if Redis may have lost writes.
 * The workers take turns. No queue is involved: the sweeper must not depend on what it repairs.
 */

import { runsOf } from '../src/base/redis/check-redis.ts';
import type { Context } from '../src/batch/scheduler.ts';
import type { Sweep } from '../src/batch/sweep.ts';
import { EVERY_MS, sweepTurn } from '../src/batch/workers.ts';

/** The run ids of Redis at the last thorough sweep. If the key is missing, Redis has lost everything. */
const KNOWN = 'rates:known';
/** After a thorough sweep fails, the pause before the next one doubles. Other sweeps go on meanwhile. */
const LEAST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_600_000;

export type Sweeping = ReturnType<typeof createSweeping>;

export const createSweeping = ({
  name,
  redis,
  sweep,
  log,
}: Pick<Context, 'redis' | 'log'> & { readonly name: string; readonly sweep: Sweep }) => {
  let running: Promise<void> | undefined;
  let askedFor: string | undefined;
  let failures = 0;
  let thoroughAfter = Number.NEGATIVE_INFINITY;

  const run = async (runs: string, isKnown: boolean): Promise<void> => {
    const thorough = !isKnown && performance.now() >= thoroughAfter;
    try {
      const swept = await sweep(thorough);
      if (thorough || Object.values(swept).some((count) => count > 0)) log.info({ thorough, ...swept }, 'swept');
      if (!thorough) return;
      // Set last, so that another process sweeps if this one dies before.
      await redis.set(KNOWN, runs);
      failures = 0;
    } catch (err) {
      log.error({ thorough, err }, 'the check of all batches could not be finished');
      if (!thorough) return;
      const pauseMs = Math.min(LEAST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      failures += 1;
      thoroughAfter = performance.now() + pauseMs;
      await sweepTurn
        .keep(redis, name, Math.min(pauseMs, EVERY_MS))
        .catch((error: unknown) => log.warn({ err: error }, 'a failed sweep is tried again at the next turn only'));
    }
  };

  return {
    /** Asks for a sweep soon, by any worker. */
    ask: () => sweepTurn.ask(redis),
    /** Starts a sweep if it is this worker's turn, without waiting for its end. Call it repeatedly. */
    sweepInTurn: async (): Promise<void> => {
      if (running !== undefined) return await sweepTurn.keep(redis, name);
      // After a restart, a failover or a flush, Redis may have lost writes that it had acknowledged.
      const runs = await runsOf(redis);
      const isKnown = (await redis.get(KNOWN)) === runs;
      if (!isKnown && askedFor !== runs) await sweepTurn.ask(redis);
      askedFor = isKnown ? undefined : runs;
      if (!(await sweepTurn.take(redis, name))) return;
      running = run(runs, isKnown).finally(() => {
        running = undefined;
      });
    },
    /** Resolves when no sweep of this worker is running. */
    ended: async (): Promise<void> => await running,
  };
};
