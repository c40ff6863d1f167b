/**
 * How many chunks of one batch are in the queue at a time: twice the live worker slots, at least 4. So a small batch
 * waits behind a few chunks of a big one, never behind all, and one batch alone fills every slot.
 */
import type { Redis } from '../redis/connection.ts';
import { SET_NOW, script } from '../redis/script.ts';

/** Worker slots by the time they last gave a sign of life, all by the clock of Redis: those of machines may differ. */
const SLOTS = 'rates:slots';
export const SIGN_OF_LIFE_MS = 2_000;
const ALIVE_MS = 10_000;
const LEAST = 4;

/** ARGV: the slots. Slots that are long silent are dropped. */
const signScript = script(`
${SET_NOW}
for _, slot in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now, slot) end
return redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ${10 * ALIVE_MS})`);

/** Returns the slots that gave a sign of life lately. */
const aliveScript = script(`
${SET_NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ${ALIVE_MS}, '+inf')`);

const slotsOf = (worker: string, slots: number): readonly string[] =>
  Array.from({ length: slots }, (_, slot) => `${worker}/${slot}`);

/** Says that a worker's slots are alive. */
export const signSlots = async (redis: Redis, worker: string, slots: number): Promise<void> => {
  await signScript.run(redis, [SLOTS], slotsOf(worker, slots));
};

/** Takes back a worker's slots when it stops. */
export const unsignSlots = async (redis: Redis, worker: string, slots: number): Promise<void> => {
  await redis.zrem(SLOTS, ...slotsOf(worker, slots));
};

const aliveSlots = async (redis: Redis): Promise<readonly string[]> => {
  const slots = await aliveScript.run(redis, [SLOTS], []);
  return Array.isArray(slots) ? slots.map(String) : [];
};

/** Names of the workers that gave a sign of life lately. */
export const aliveWorkers = async (redis: Redis): Promise<ReadonlySet<string>> =>
  new Set((await aliveSlots(redis)).map((slot) => slot.slice(0, slot.lastIndexOf('/'))));

export type WindowSize = () => Promise<number>;

/** @returns the window's size, counted at most once a second */
export const createWindow = (redis: Redis): WindowSize => {
  let size = LEAST;
  let counted = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    if (now - counted >= 1_000) {
      counted = now;
      size = Math.max(LEAST, 2 * (await aliveSlots(redis)).length);
    }
    return size;
  };
};
