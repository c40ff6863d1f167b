/** The time by two clocks: that of this machine and that of Redis. */
import type { Redis } from './connection.ts';

/** The time by the clock of Redis. */
export const timeOf = async (redis: Redis): Promise<Date> => {
  const [seconds, microseconds] = await redis.time();
  return new Date(Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000));
};

/** The earlier of both. What is over by it is over by both clocks, so one clock that is ahead deletes nothing too early. */
export const agreedNow = async (redis: Redis, now: () => Date): Promise<Date> =>
  new Date(Math.min(now().getTime(), (await timeOf(redis)).getTime()));
