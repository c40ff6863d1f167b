import type { Redis } from './connection.ts';

/** Returns the time by the clock of Redis. */
export const timeOf = async (redis: Redis): Promise<Date> => {
  const [seconds, microseconds] = await redis.time();
  return new Date(Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000));
};

/** Returns the earlier time. What has expired by it has expired by both, so a fast clock deletes nothing too early. */
export const agreedNow = async (redis: Redis, now: () => Date): Promise<Date> =>
  new Date(Math.min(now().getTime(), (await timeOf(redis)).getTime()));
