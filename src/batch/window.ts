/**
 * How many chunks of one batch are in the queue at a time: twice the live worker slots, at least 4. So a small batch
 * waits behind a few chunks of a big one, never behind all, and one batch alone fills every slot.
 */
import type { Redis } from 'ioredis';

/** Worker slots by the time they last gave a sign of life. */
const SLOTS = 'rates:slots';
export const SIGN_OF_LIFE_MS = 2_000;
const ALIVE_MS = 10_000;
const LEAST = 4;

/** Says that a worker's slots are alive. */
export const signSlots = async (redis: Redis, worker: string, slots: number, now: number): Promise<void> => {
  const members = Array.from({ length: slots }, (_, slot) => [now, `${worker}/${slot}`]).flat();
  await redis
    .multi()
    .zadd(SLOTS, ...members)
    .zremrangebyscore(SLOTS, 0, now - 10 * ALIVE_MS)
    .exec();
};

/** Takes back a worker's slots when it stops. */
export const unsignSlots = async (redis: Redis, worker: string, slots: number): Promise<void> => {
  await redis.zrem(SLOTS, ...Array.from({ length: slots }, (_, slot) => `${worker}/${slot}`));
};

export type WindowSize = () => Promise<number>;

/** @returns the window's size, counted at most once a second */
export const createWindow = (redis: Redis): WindowSize => {
  let size = LEAST;
  let counted = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = Date.now();
    if (now - counted >= 1_000) {
      counted = now;
      size = Math.max(LEAST, 2 * (await redis.zcount(SLOTS, now - ALIVE_MS, '+inf')));
    }
    return size;
  };
};
