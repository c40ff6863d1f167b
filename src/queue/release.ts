/**
 * Frees the jobs of a worker whose process has ended: without their locks they are seen as stalled at the next look and
 * go back to the queue, instead of waiting for the locks to run out.
 */
import type { Logger } from '../log.ts';
import { openQueues, workerName } from './jobs.ts';
import { connect } from './redis.ts';

export interface Release {
  /** @param pid of the worker process that has ended */
  readonly jobsOf: (pid: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const openRelease = (redisUrl: string, { log }: { readonly log: Logger }): Release => {
  const redis = connect(redisUrl, 'worker', { log });
  const queues = openQueues(redis);
  return {
    jobsOf: async (pid) => {
      const worker = workerName(pid);
      for (const queue of [queues.chunk, queues.assemble, queues.sweep]) {
        const held = (await queue.getActive()).filter((job) => job.processedBy === worker);
        for (const { id } of held) await redis.del(queue.toKey(`${id}:lock`));
        if (held.length > 0)
          log.info({ worker, queue: queue.name, jobs: held.length }, 'jobs of an ended worker freed');
      }
    },
    close: async () => {
      await queues.close();
      redis.disconnect();
    },
  };
};
