/**
 * Compares the jobs of this process with the active jobs in Redis. A job that this process does not know in two checks in a
 * row is freed: the reply that assigned it was lost, or its end could not be written. The same applies to jobs of workers
 * without signs of life, whose machine has died or is cut off. If such a worker continues, the job runs twice, which is
 * harmless.
 */
import type { Job } from 'bullmq';
import { must } from '../src/base/must.ts';
import type { Redis } from '../src/base/redis/connection.ts';
import { type ActiveJob, freeJobs } from '../src/batch/queue/active-jobs.ts';
import type { Queues } from '../src/batch/queue/jobs.ts';

export type Processor = (job: Job) => Promise<unknown>;

const nameOf = ({ queueName, id }: Pick<Job, 'queueName' | 'id'>): string => `${queueName}/${id}`;

export type JobTracker = ReturnType<typeof createJobTracker>;

/** @param worker the name under which this process takes jobs */
export const createJobTracker = (worker: string) => {
  const held = new Map<string, Pick<Job, 'queueName' | 'id'>>();
  const taken = new Map<string, number>();
  let missing: ReadonlySet<string> = new Set();
  return {
    /** Wraps a processor, so that its jobs are tracked while they run. */
    holding:
      (processor: Processor): Processor =>
      async (job) => {
        held.set(nameOf(job), job);
        taken.set(job.queueName, (taken.get(job.queueName) ?? 0) + 1);
        try {
          return await processor(job);
        } finally {
          held.delete(nameOf(job));
        }
      },
    /** The ids of a queue's jobs that are running, and how many were taken since the start. */
    of: (queueName: string) => ({
      held: [...held.values()]
        .filter((job) => job.queueName === queueName)
        .map((job) => must(job.id, 'the id of a job')),
      taken: taken.get(queueName) ?? 0,
    }),
    /**
     * Checks once, and frees the jobs that were also lost at the last check.
     * @param alive the names of the workers with recent signs of life
     * @returns how many were freed
     */
    freeLost: async (redis: Redis, queues: Queues, alive: ReadonlySet<string>): Promise<number> => {
      // A job may have just been assigned or be about to end, so one check is not enough.
      const before = missing;
      const now = new Set<string>();
      const isLost = (job: ActiveJob): boolean => {
        const isHeld = job.worker === worker ? held.has(nameOf(job)) : alive.has(job.worker);
        if (isHeld) return false;
        now.add(nameOf(job));
        return before.has(nameOf(job));
      };
      const freed = await freeJobs(redis, queues, isLost);
      missing = now;
      return freed;
    },
  };
};
