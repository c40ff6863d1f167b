/**
 * Detects that this worker process is stuck for any reason: a lost reply, a connection that does not reopen, a loop that
 * waits forever. Such a process must exit and be restarted. Its jobs are freed and run again with the same result. It counts
 * checks, not time: a process that was suspended or got no CPU is not stuck.
 */
import type { Queue } from 'bullmq';
import { Cluster } from 'ioredis';
import { within } from '../src/base/deadline.ts';
import { must } from '../src/base/must.ts';
import type { Redis } from '../src/base/redis/connection.ts';
import type { JobTracker } from './lost-jobs.ts';

/** A queue that this process takes jobs from. */
export interface Watched {
  readonly queue: Queue;
  readonly slots: number;
  /** The number of checks within which a job ends. */
  readonly longest: number;
}

interface StandstillDeps {
  readonly redis: Redis;
  readonly watched: readonly Watched[];
  readonly jobTracker: Pick<JobTracker, 'of'>;
  /** How long to wait for a reply. Absent: five seconds. */
  readonly answerMs?: number;
}

/** The number of checks in a row that must find no job taken. */
export const IDLE_CHECKS = 15;
/** The number of checks in a row in which Redis must answer a new connection but not this process's own. */
export const CONNECTION_CHECKS = 5;
const ANSWER_MS = 5_000;
/** A delayed job is due by then, even if the clocks of the machines differ. */
const OVERDUE_MS = 30_000;
/** In BullMQ, the score of a delayed job is its time times this. */
const DELAYED_UNIT = 0x1000;

/** The number of jobs in a queue that a free worker would take. */
const dueJobs = async (redis: Redis, queue: Queue): Promise<number> => {
  if ((await redis.hexists(queue.toKey('meta'), 'paused')) === 1) return 0;
  const overdue = (Date.now() - OVERDUE_MS) * DELAYED_UNIT;
  const [waiting, inTurn, delayed] = await Promise.all([
    redis.llen(queue.toKey('wait')),
    redis.zcard(queue.toKey('prioritized')),
    redis.zcount(queue.toKey('delayed'), '-inf', overdue),
  ]);
  return waiting + inTurn + delayed;
};

const dueOf = (redis: Redis, { watched, answerMs = ANSWER_MS }: StandstillDeps): Promise<readonly number[]> =>
  within(answerMs, Promise.all(watched.map(({ queue }) => dueJobs(redis, queue))));

/** Whether Redis answers a new connection. */
const answersNewConnection = async (deps: StandstillDeps): Promise<boolean> => {
  const { redis } = deps;
  // TypeScript cannot call `duplicate` on the union of both kinds.
  const connection: Redis = redis instanceof Cluster ? redis.duplicate() : redis.duplicate();
  connection.on('error', () => undefined);
  try {
    await dueOf(connection, deps);
    return true;
  } catch {
    return false; // Redis is away. The connection has logged that.
  } finally {
    connection.disconnect();
  }
};

/** @returns a check to run every few seconds. Its result is the reason if the process is stuck, or undefined */
export const createStandstill = (deps: StandstillDeps): (() => Promise<string | undefined>) => {
  const { redis, watched, jobTracker } = deps;
  let onlyNewAnswered = 0;
  /** By queue: checks in a row without a job taken although jobs waited, and the number of jobs taken before. */
  const idle = new Map<string, { readonly checks: number; readonly taken: number }>();
  /** By job: the number of checks for which it has been running. */
  let held: ReadonlyMap<string, number> = new Map();

  const notTaking = ({ queue: { name }, slots }: Watched, due: number): string | undefined => {
    const jobs = jobTracker.of(name);
    const before = idle.get(name);
    const isIdle = due > 0 && jobs.held.length < slots && before?.taken === jobs.taken;
    const checks = isIdle ? (before?.checks ?? 0) + 1 : 0;
    idle.set(name, { checks, taken: jobs.taken });
    return checks < IDLE_CHECKS ? undefined : `it takes no jobs from the queue ${name}, where ${due} wait`;
  };

  const notEnding = (): string | undefined => {
    const now = new Map<string, number>();
    let found: string | undefined;
    for (const { queue, longest } of watched)
      for (const id of jobTracker.of(queue.name).held) {
        const name = `${queue.name}/${id}`;
        const checks = (held.get(name) ?? 0) + 1;
        now.set(name, checks);
        if (checks > longest) found = `the job ${name} does not end`;
      }
    held = now;
    return found;
  };

  return async () => {
    let due: readonly number[];
    try {
      if (redis.status !== 'ready') throw new Error('Redis is away');
      due = await dueOf(redis, deps);
    } catch {
      // After an outage, the process's own connection gets some time to recover.
      onlyNewAnswered = (await answersNewConnection(deps)) ? onlyNewAnswered + 1 : 0;
      return onlyNewAnswered < CONNECTION_CHECKS ? undefined : 'Redis answers new connections, but not its own';
    }
    onlyNewAnswered = 0;
    const idleWhy = watched.map((queue, index) => notTaking(queue, must(due[index], 'the number of jobs of a queue')));
    return notEnding() ?? idleWhy.find((why) => why !== undefined);
  };
};
