/** Sweeps: at start, every minute, and at once and thoroughly where Redis may have lost something. */
import { createHash } from 'node:crypto';
import type { Job } from 'bullmq';
import { z } from 'zod';
import type { Sweep, Swept } from '../src/batch/sweep.ts';
import type { Logger } from '../src/log.ts';
import { runsOf } from '../src/queue/fit-redis.ts';
import type { Queues } from '../src/queue/jobs.ts';
import type { Redis } from '../src/queue/redis.ts';

const EVERY_MS = 60_000;
/** The runs of Redis that batches were last held against; its absence says that Redis has forgotten everything. */
const KNOWN = 'rates:known';

const sweepJob = z.object({ thorough: z.boolean().default(false) });

export const createSweepProcessor =
  (sweep: Sweep, log: Logger) =>
  async (job: Job): Promise<Swept> => {
    const { thorough } = sweepJob.parse(job.data);
    const swept = await sweep(thorough).catch((err: unknown) => {
      log.error({ thorough, err }, 'sweep failed');
      throw err;
    });
    if (thorough || Object.values(swept).some((count) => count > 0)) log.info({ thorough, ...swept }, 'swept');
    return swept;
  };

/** Has the sweeper run every minute, and now. */
export const scheduleSweeps = async (queues: Queues): Promise<void> => {
  await queues.sweep.upsertJobScheduler(
    'every-minute',
    { every: EVERY_MS },
    { opts: { removeOnComplete: true, removeOnFail: true } },
  );
  await queues.sweep.add('now', {}, { jobId: 'now', removeOnComplete: true, removeOnFail: true });
};

/** Some nine hours in all: one that the store failed is not made up for by the next, which is not thorough. */
const THOROUGH_ATTEMPTS = 16;

/** A job of this id that has begun already may have passed what was lost since: each loss has its own. */
const sweepThoroughly = async (queues: Queues, runs: string): Promise<void> => {
  const jobId = `after-${createHash('sha256').update(runs).digest('hex').slice(0, 16)}`;
  const backoff = { type: 'exponential', delay: 1_000 };
  const opts = { jobId, attempts: THOROUGH_ATTEMPTS, backoff, removeOnComplete: true, removeOnFail: true };
  await queues.sweep.add('thorough', { thorough: true }, opts);
};

/**
 * Looks whether Redis may have lost writes that it had answered: it was emptied, it was started again, or a replica has
 * taken over from it. Then sweeps are scheduled again, and a thorough one follows.
 */
export const noticeLoss = async (redis: Redis, queues: Queues): Promise<void> => {
  const runs = await runsOf(redis);
  if ((await redis.get(KNOWN)) === runs) return;
  await scheduleSweeps(queues);
  await sweepThoroughly(queues, runs);
  // Last: who dies before leaves it to the others.
  await redis.set(KNOWN, runs);
};
