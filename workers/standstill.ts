/**
 * Detects that this worker process is stuck, whatever the cause: a lost reply, a connection that is not opened again, a loop
 * that waits forever. Such a process can only exit and be started again. Its jobs are freed, and done again they give the
 * same result. It counts looks, not time: a process that was suspended, or got no CPU, is not stuck.
 */
import type { Queue } from 'bullmq';
import { Cluster } from 'ioredis';
import { within } from '../src/deadline.ts';
import type { Redis } from '../src/redis/connection.ts';
import type { JobTracker } from './lost-jobs.ts';

/** A queue that this process takes jobs from. */
export interface Watched {
  readonly queue: Queue;
  readonly slots: number;
  /** A job ends within so many looks. */
  readonly longest: number;
}

export interface StandstillDeps {
  readonly redis: Redis;
  readonly watched: readonly Watched[];
  readonly jobTracker: Pick<JobTracker, 'of'>;
  /** How long to wait for a reply. Absent: five seconds. */
  readonly answerMs?: number;
}

/** So many looks in a row must find the same. */
export const LOOKS = 15;
/** So many looks in a row must find that Redis answers a new connection, but not this process's own. */
export const LOOKS_ANEW = 5;
const ANSWER_MS = 5_000;
/** A delayed job is due by then, even if the clocks of the machines differ. */
const OVERDUE_MS = 30_000;
/** In BullMQ, the score of a delayed job is its time times this. */
const DELAYED_UNIT = 0x1000;

/** How many jobs of a queue a free worker would take. */
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
const answersAnew = async (deps: StandstillDeps): Promise<boolean> => {
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

/** @returns how to look, every few seconds. The result says why the process is stuck, if it is */
export const createStandstill = (deps: StandstillDeps): (() => Promise<string | undefined>) => {
  const { redis, watched, jobTracker } = deps;
  let onlyAnew = 0;
  /** By queue: looks in a row at which no job was taken although jobs waited, and how many jobs were taken before. */
  const idle = new Map<string, { readonly looks: number; readonly taken: number }>();
  /** By job: for how many looks it has been running. */
  let held: ReadonlyMap<string, number> = new Map();

  const notTaking = ({ queue: { name }, slots }: Watched, due: number): string | undefined => {
    const hand = jobTracker.of(name);
    const before = idle.get(name);
    const isIdle = due > 0 && hand.held.length < slots && before?.taken === hand.taken;
    const looks = isIdle ? (before?.looks ?? 0) + 1 : 0;
    idle.set(name, { looks, taken: hand.taken });
    return looks < LOOKS ? undefined : `it takes no jobs from the queue ${name}, where ${due} wait`;
  };

  const notEnding = (): string | undefined => {
    const now = new Map<string, number>();
    let found: string | undefined;
    for (const { queue, longest } of watched)
      for (const id of jobTracker.of(queue.name).held) {
        const name = `${queue.name}/${id}`;
        const looks = (held.get(name) ?? 0) + 1;
        now.set(name, looks);
        if (looks > longest) found = `the job ${name} does not come to an end`;
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
      onlyAnew = (await answersAnew(deps)) ? onlyAnew + 1 : 0;
      return onlyAnew < LOOKS_ANEW ? undefined : 'its connection to Redis is not answered, and new ones are';
    }
    onlyAnew = 0;
    const idleWhy = watched.map((queue, index) => notTaking(queue, due[index] ?? 0));
    return notEnding() ?? idleWhy.find((why) => why !== undefined);
  };
};
