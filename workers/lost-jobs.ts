/**
 * The jobs that this process works on, held against those that Redis believes it does. A job that Redis gave out and
 * whose answer was lost, or whose end could not be told because Redis took no writes, is freed after two looks; and so is
 * one of a worker that gives no sign of life, whose machine has died or is cut off. Where that one goes on all the same,
 * the job is done twice, which does no harm.
 */
import type { Job } from 'bullmq';
import { type ActiveJob, freeJobs } from '../src/queue/active-jobs.ts';
import type { Queues } from '../src/queue/jobs.ts';
import type { Redis } from '../src/redis/connection.ts';

export type Processor = (job: Job) => Promise<unknown>;

/** What this process does of a queue. */
export interface TrackedJobs {
  /** Ids of the jobs that it works on now. */
  readonly held: readonly string[];
  /** How many it has taken since it started. */
  readonly taken: number;
}

export interface JobTracker {
  /** The processor, its jobs in hand while it runs. */
  readonly holding: (processor: Processor) => Processor;
  readonly of: (queueName: string) => TrackedJobs;
  /**
   * Looks once; what was missing the last time too is freed.
   * @param alive names of the workers that give signs of life
   * @returns how many
   */
  readonly freeLost: (redis: Redis, queues: Queues, alive: ReadonlySet<string>) => Promise<number>;
}

const nameOf = ({ queueName, id }: Pick<Job, 'queueName' | 'id'>): string => `${queueName}/${id}`;

/** @param worker the name under which this process takes jobs */
export const createJobTracker = (worker: string): JobTracker => {
  const held = new Map<string, Pick<Job, 'queueName' | 'id'>>();
  const taken = new Map<string, number>();
  let missing: ReadonlySet<string> = new Set();
  return {
    holding: (processor) => async (job) => {
      held.set(nameOf(job), job);
      taken.set(job.queueName, (taken.get(job.queueName) ?? 0) + 1);
      try {
        return await processor(job);
      } finally {
        held.delete(nameOf(job));
      }
    },
    of: (queueName) => ({
      held: [...held.values()].flatMap((job) => (job.queueName === queueName ? (job.id ?? '') : [])),
      taken: taken.get(queueName) ?? 0,
    }),
    freeLost: async (redis, queues, alive) => {
      // A job may just have been given out, or be about to end: one look is not enough.
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
