/**
 * Locks in Redis: work under one name runs one at a time in all processes. A lock ends by itself, because its owner may be
 * killed. So an owner confirms that it still has the lock before each write.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from './connection.ts';
import { script } from './script.ts';

/** Longer than any write takes after it was confirmed. */
const HELD_MS = 30_000;
/** Longer than the lock of a killed owner. */
const WAIT_MS = HELD_MS + 5_000;
const LOOK_MS = 25;

const confirmScript = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`);

const releaseScript = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`);

/** Another process kept the lock for too long, or got it because this one was too slow. Nothing was written since. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
}

/** @throws {LockLost} if another process has the lock by now */
export type Confirm = () => Promise<void>;

/**
 * Waits for the lock of a name, and works under it.
 * @param work calls `confirm` before each write
 * @throws {LockLost} if others keep the lock for too long, or this process loses it
 */
export const underLock = async <T>(redis: Redis, name: string, work: (confirm: Confirm) => Promise<T>): Promise<T> => {
  const key = `rates:lock:${name}`;
  const token = randomBytes(12).toString('hex');
  const late = performance.now() + WAIT_MS;
  while ((await redis.set(key, token, 'PX', HELD_MS, 'NX')) === null) {
    if (performance.now() > late) throw new LockLost(`others kept the lock ${name}`);
    await sleep(LOOK_MS + Math.random() * LOOK_MS);
  }
  try {
    return await work(async () => {
      if ((await confirmScript.run(redis, [key], [token, HELD_MS])) !== 1)
        throw new LockLost(`the lock ${name} was lost`);
    });
  } finally {
    await releaseScript.run(redis, [key], [token]);
  }
};

/** Returns the time by the clock of Redis. */
export const timeOf = async (redis: Redis): Promise<Date> => {
  const [seconds, microseconds] = await redis.time();
  return new Date(Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000));
};

/** Returns the earlier time. What has expired by it has expired by both, so a fast clock deletes nothing too early. */
export const agreedNow = async (redis: Redis, now: () => Date): Promise<Date> =>
  new Date(Math.min(now().getTime(), (await timeOf(redis)).getTime()));
