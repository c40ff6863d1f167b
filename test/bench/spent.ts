/** What work costs the parts of the service: two looks at what all of them have done so far, and what lies between. */
import type { Parts } from './parts.ts';
import { cpuSeconds } from './processes.ts';
import { type RedisCounts, redisCounts, redisWork } from './redis-counts.ts';

/** What there was to count, between two looks. Seconds are a processor's, but for those on the clock. */
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

interface Look extends Spent {
  readonly at: number;
}

const lookAt = async ({ ground, apis, workers }: Parts): Promise<Look> => {
  const { requests, bytesIn, bytesOut } = ground.storeCounts();
  return {
    at: performance.now(),
    clockSeconds: 0,
    workerSeconds: cpuSeconds(workers),
    apiSeconds: cpuSeconds(apis.map(({ pid }) => pid)),
    storeSeconds: cpuSeconds(ground.storePids()),
    redis: await redisCounts(ground.redis),
    storeRequests: Object.values(requests).reduce((sum, count) => sum + count, 0),
    storeBytesIn: bytesIn,
    storeBytesOut: bytesOut,
  };
};

/** Counts what some work costs. */
export const spentOn = async (parts: Parts, work: () => Promise<unknown>): Promise<Spent> => {
  const before = await lookAt(parts);
  await work();
  const after = await lookAt(parts);
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

/** What is left of a cost when what the same time costs without work is taken off. */
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
