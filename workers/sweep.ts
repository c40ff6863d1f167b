/**
 * Sweeps: at start, every minute, soon after Redis is back, and thoroughly where Redis may have lost something. The
 * workers take turns. No queue has a part in it: the sweeper depends on nothing that it mends.
 */
import type { Sweep } from '../src/batch/sweep.ts';
import { EVERY_MS, sweepTurn } from '../src/batch/workers.ts';
import type { Logger } from '../src/log.ts';
import { runsOf } from '../src/redis/check-redis.ts';
import type { Redis } from '../src/redis/connection.ts';

/** The runs of Redis that batches were last held against; its absence says that Redis has forgotten everything. */
const KNOWN = 'rates:known';
/** After a thorough sweep that failed the next one waits for longer each time; others go on meanwhile. */
const LEAST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_600_000;

export interface Sweeping {
  /** Sweeps where it is this worker's turn; resolves without waiting for the sweep's end. To be called again and again. */
  readonly look: () => Promise<void>;
  /** Has some worker sweep soon. */
  readonly ask: () => Promise<void>;
  /** Resolves when no sweep of this worker is under way. */
  readonly ended: () => Promise<void>;
}

interface SweepingDeps {
  readonly name: string;
  readonly redis: Redis;
  readonly sweep: Sweep;
  readonly log: Logger;
}

export const createSweeping = ({ name, redis, sweep, log }: SweepingDeps): Sweeping => {
  let underWay: Promise<void> | undefined;
  let askedFor: string | undefined;
  let failures = 0;
  let thoroughAfter = Number.NEGATIVE_INFINITY;

  const run = async (runs: string, isKnown: boolean): Promise<void> => {
    const thorough = !isKnown && performance.now() >= thoroughAfter;
    try {
      const swept = await sweep(thorough);
      if (thorough || Object.values(swept).some((count) => count > 0)) log.info({ thorough, ...swept }, 'swept');
      if (!thorough) return;
      // Last: who dies before leaves it to the others.
      await redis.set(KNOWN, runs);
      failures = 0;
    } catch (err) {
      log.error({ thorough, err }, 'sweep failed');
      if (!thorough) return;
      const pauseMs = Math.min(LEAST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      failures += 1;
      thoroughAfter = performance.now() + pauseMs;
      await sweepTurn
        .keep(redis, name, Math.min(pauseMs, EVERY_MS))
        .catch((error: unknown) => log.warn({ err: error }, 'a sweep that failed waits for the next turn'));
    }
  };

  return {
    ask: () => sweepTurn.ask(redis),
    look: async () => {
      if (underWay !== undefined) return await sweepTurn.keep(redis, name);
      // Redis may have lost writes that it had answered: it was emptied, it was started again, or a replica took over.
      const runs = await runsOf(redis);
      const isKnown = (await redis.get(KNOWN)) === runs;
      if (!isKnown && askedFor !== runs) await sweepTurn.ask(redis);
      askedFor = isKnown ? undefined : runs;
      if (!(await sweepTurn.take(redis, name))) return;
      underWay = run(runs, isKnown).finally(() => {
        underWay = undefined;
      });
    },
    ended: async () => await underWay,
  };
};
