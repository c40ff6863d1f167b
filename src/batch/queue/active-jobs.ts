/**
 * Frees jobs that are active in Redis, but that no worker works on: those of a dead worker process, and those whose start or
 * end a worker could not exchange with Redis, because Redis was away at that moment. Their locks are removed, and BullMQ's
 * next check for stalled jobs returns them to the queue. Otherwise they would wait until their locks expire.
 */

import type { Queue } from 'bullmq';
import type { Logger } from '../../base/log.ts';
import { must } from '../../base/must.ts';
import type { Redis } from '../../base/redis/connection.ts';
import { connect } from '../../base/redis/connection.ts';
import { script } from '../../base/redis/script.ts';
import { openQueues, type Queues, workerName } from './jobs.ts';

/** A job that is active in Redis. */
export interface ActiveJob {
  readonly queueName: string;
  readonly id: string;
  /** The name of the worker that took it; empty if the worker had none. */
  readonly worker: string;
}

/** Jobs read by one script. Every worker reads them every two seconds, so only their ids leave Redis, a page at a time. */
const PAGE = 1_000;

/**
 * KEYS: the active jobs of a queue. ARGV: the prefix of the keys of its jobs, the first and the last index of the page.
 * Returns how many jobs the page has, then the id of each and the name of the worker that took it (`pb` of BullMQ). A job
 * that has ended meanwhile is left out.
 */
const ACTIVE = `
local ids = redis.call('LRANGE', KEYS[1], ARGV[2], ARGV[3])
local found = {#ids}
for _, id in ipairs(ids) do
  local worker = redis.call('HGET', ARGV[1] .. id, 'pb')
  if worker or redis.call('EXISTS', ARGV[1] .. id) == 1 then
    found[#found + 1] = id
    found[#found + 1] = worker or ''
  end
end
return found`;
const activeScript = script(ACTIVE);

const activeJobs = async (redis: Redis, queue: Queue): Promise<readonly ActiveJob[]> => {
  const jobs: ActiveJob[] = [];
  for (let from = 0; ; from += PAGE) {
    const reply = await activeScript.run(redis, [queue.toKey('active')], [queue.toKey(''), from, from + PAGE - 1]);
    const [seen, ...found] = Array.isArray(reply) ? reply.map(String) : [];
    for (let i = 0; i < found.length; i += 2)
      jobs.push({
        queueName: queue.name,
        id: must(found[i], 'the id of an active job'),
        worker: must(found[i + 1], 'the worker of an active job'),
      });
    if (Number(seen) < PAGE) return jobs;
  }
};

/** Frees the active jobs that are lost. @returns how many */
export const freeJobs = async (
  redis: Redis,
  queues: Pick<Queues, 'all'>,
  isLost: (job: ActiveJob) => boolean,
): Promise<number> => {
  let freed = 0;
  for (const queue of queues.all) {
    for (const job of await activeJobs(redis, queue)) {
      if (!isLost(job)) continue;
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
  /** Frees the jobs of a dead worker process. @param pid of that process */
  readonly jobsOf: (pid: number) => Promise<void>;
  /** Frees all active jobs. To be called before any worker runs: every job belongs to the run before. */
  readonly all: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const openJobRelease = (redisUrl: string, { log }: { readonly log: Logger }): Release => {
  const redis = connect(redisUrl, 'worker', { log });
  const queues = openQueues(redis);
  const free = async (isLost: (job: ActiveJob) => boolean): Promise<void> => {
    const jobs = await freeJobs(redis, queues, isLost);
    if (jobs > 0) log.info({ jobs }, 'jobs of an ended worker freed');
  };
  return {
    jobsOf: (pid) => free(({ worker }) => worker === workerName(pid)),
    all: () => free(() => true),
    close: async () => {
      await queues.close();
      redis.disconnect();
    },
  };
};
