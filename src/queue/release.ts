/**
 * Frees jobs that Redis believes to be worked on and that nobody works on any more: those of a worker whose process has
 * ended, and those that a worker never learnt it had, or could not say it had done, because Redis was away just then.
 * Without their locks, and noted as to be looked at, they go back to the queue at the next look for stalled ones, instead
 * of waiting for the locks to run out.
 */
import type { Job } from 'bullmq';
import type { Logger } from '../log.ts';
import { openQueues, type Queues, workerName } from './jobs.ts';
import type { Redis } from './redis.ts';
import { connect } from './redis.ts';

/** Frees the jobs under way that `isLost` says nobody works on. @returns how many */
export const freeJobs = async (redis: Redis, queues: Queues, isLost: (job: Job) => boolean): Promise<number> => {
  let freed = 0;
  for (const queue of queues.all) {
    for (const job of await queue.getActive()) {
      if (job.id === undefined || !isLost(job)) continue;
      await redis
        .multi()
        .sadd(queue.toKey('stalled'), job.id)
        .del(queue.toKey(`${job.id}:lock`))
        .exec();
      freed += 1;
    }
  }
  return freed;
};

export interface Release {
  /** @param pid of the worker process that has ended */
  readonly jobsOf: (pid: number) => Promise<void>;
  /** To be called where no worker runs yet: whoever held a job has ended with the service that ran before. */
  readonly all: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const openRelease = (redisUrl: string, { log }: { readonly log: Logger }): Release => {
  const redis = connect(redisUrl, 'worker', { log });
  const queues = openQueues(redis);
  const free = async (isLost: (job: Job) => boolean): Promise<void> => {
    const jobs = await freeJobs(redis, queues, isLost);
    if (jobs > 0) log.info({ jobs }, 'jobs of an ended worker freed');
  };
  return {
    jobsOf: (pid) => free(({ processedBy }) => processedBy === workerName(pid)),
    all: () => free(() => true),
    close: async () => {
      await queues.close();
      redis.disconnect();
    },
  };
};
