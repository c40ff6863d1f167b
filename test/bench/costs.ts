/** The costs of work for the parts of the service: the difference between two readings of all counters. */
import type { Parts } from './parts.ts';
import { cpuSeconds } from './processes.ts';
import { type RedisCounts, redisCounts, redisWork } from './redis-counts.ts';

/** The counts between two readings. Seconds are processor seconds, except elapsed ones. */
export interface Spent {
  readonly clockSeconds: number;
  readonly workerSeconds: number;
  readonly apiSeconds: number;
  readonly storeSeconds: number;
  readonly redis: RedisCounts;
  readonly storeRequests: number;
  readonly storeBytesIn: number;
  readonly storeBytesOut: number;
}

interface Counters extends Spent {
  readonly at: number;
}

const readCounters = async ({ backend, apis, workers }: Parts): Promise<Counters> => {
  const { requests, bytesIn, bytesOut } = backend.storeCounts();
  return {
    at: performance.now(),
    clockSeconds: 0,
    workerSeconds: cpuSeconds(workers),
    apiSeconds: cpuSeconds(apis.map(({ pid }) => pid)),
    storeSeconds: cpuSeconds(backend.storePids()),
    redis: await redisCounts(backend.redis),
    storeRequests: Object.values(requests).reduce((sum, count) => sum + count, 0),
    storeBytesIn: bytesIn,
    storeBytesOut: bytesOut,
  };
};

/** Measures the costs of some work. */
export const spentOn = async (parts: Parts, work: () => Promise<unknown>): Promise<Spent> => {
  const before = await readCounters(parts);
  await work();
  const after = await readCounters(parts);
  return {
    clockSeconds: (after.at - before.at) / 1_000,
    workerSeconds: after.workerSeconds - before.workerSeconds,
    apiSeconds: after.apiSeconds - before.apiSeconds,
    storeSeconds: after.storeSeconds - before.storeSeconds,
    redis: redisWork(before.redis, after.redis),
    storeRequests: after.storeRequests - before.storeRequests,
    storeBytesIn: after.storeBytesIn - before.storeBytesIn,
    storeBytesOut: after.storeBytesOut - before.storeBytesOut,
  };
};

/** A cost without that of the same time when idle. */
export const beyondIdle = (spent: Spent, idle: Spent): Spent => {
  const share = spent.clockSeconds / idle.clockSeconds;
  const less = (of: (counted: Spent) => number): number => Math.max(0, of(spent) - share * of(idle));
  const names = Object.keys(spent.redis.commands);
  return {
    clockSeconds: spent.clockSeconds,
    workerSeconds: less((counted) => counted.workerSeconds),
    apiSeconds: less((counted) => counted.apiSeconds),
    storeSeconds: less((counted) => counted.storeSeconds),
    redis: {
      commands: Object.fromEntries(names.map((name) => [name, less(({ redis }) => redis.commands[name] ?? 0)])),
      bytesIn: less(({ redis }) => redis.bytesIn),
      bytesOut: less(({ redis }) => redis.bytesOut),
      cpuSeconds: less(({ redis }) => redis.cpuSeconds),
    },
    storeRequests: less((counted) => counted.storeRequests),
    storeBytesIn: less((counted) => counted.storeBytesIn),
    storeBytesOut: less((counted) => counted.storeBytesOut),
  };
};
