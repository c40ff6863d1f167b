/**
 * Frees jobs that Redis believes to be worked on and that nobody works on any more: those of a worker whose process has
 * ended, and those that a worker never learnt it had, or could not say it had done, because Redis was away just then.
 * Without their locks, and noted as to be looked at, they go back to the queue at the next look for stalled ones, instead
 * of waiting for the locks to run out.
 */
import type { Queue } from 'bullmq';
import type { Logger } from '../log.ts';
import type { Redis } from '../redis/connection.ts';
import { connect } from '../redis/connection.ts';
import { script } from '../redis/script.ts';
import { openQueues, type Queues, workerName } from './jobs.ts';

/** A job that Redis believes to be worked on. */
export interface ActiveJob {
  readonly queueName: string;
  readonly id: string;
  /** The name under which it was taken; empty where the worker had none. */
  readonly worker: string;
}

/** Every worker looks every two seconds: what a job carries stays in Redis, and Redis is held up for no longer than this. */
const PAGE = 1_000;

/**
 * KEYS: a queue's active jobs. ARGV: what the keys of its jobs begin with, the first and the last index looked at. Returns
 * how many there were, then each one's id and the name of the worker that took it (`pb`, of BullMQ). A job that has ended
 * meanwhile is left out.
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
      jobs.push({ queueName: queue.name, id: found[i] ?? '', worker: found[i + 1] ?? '' });
    if (Number(seen) < PAGE) return jobs;
  }
};

/** Frees the jobs under way that `isLost` says nobody works on. @returns how many */
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
  /** @param pid of the worker process that has ended */
  readonly jobsOf: (pid: number) => Promise<void>;
  /** To be called where no worker runs yet: whoever held a job has ended with the service that ran before. */
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
