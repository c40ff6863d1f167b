/**
 * Frees the jobs of a worker whose process has ended: without their locks, and noted as to be looked at, they go back to
 * the queue at the next look for stalled ones, instead of waiting for the locks to run out.
 */
import type { Logger } from '../log.ts';
import { openQueues, workerName } from './jobs.ts';
import { connect } from './redis.ts';

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

  const free = async (isEnded: (worker: string | undefined) => boolean): Promise<void> => {
    for (const queue of [queues.chunk, queues.assemble, queues.sweep]) {
      const held = (await queue.getActive()).filter((job) => isEnded(job.processedBy));
      for (const { id } of held) {
        if (id === undefined) continue;
        await redis
          .multi()
          .sadd(queue.toKey('stalled'), id)
          .del(queue.toKey(`${id}:lock`))
          .exec();
      }
      if (held.length > 0) log.info({ queue: queue.name, jobs: held.length }, 'jobs of an ended worker freed');
    }
  };

  return {
    jobsOf: (pid) => free((worker) => worker === workerName(pid)),
    all: () => free(() => true),
    close: async () => {
      await queues.close();
      redis.disconnect();
    },
  };
};
