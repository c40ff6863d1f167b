/**
 * What the sweepers of all workers share in Redis: whose turn it is, and what the last sweep found. All times are by the
 * clock of Redis, for those of machines may differ.
 */
import { z } from 'zod';
import type { Redis } from '../redis/connection.ts';
import { SET_NOW, script } from '../redis/script.ts';

/**
 * A hash: `began` (ms) and `by` (worker) of the last sweep, `due` (ms) when the next one is, `asked` if one is wanted
 * sooner, `ended` (seconds) of the last sweep that came to its end, `stalled` what it found, as JSON.
 */
const KEY = 'rates:sweep';

export const EVERY_MS = 60_000;
/** When many workers ask at once, the first sweep after the last of them is enough. */
const LEAST_PAUSE_MS = 2_000;

/** A turn that ends later than it can is of a server whose clock was ahead of this one's. */
const takeScript = script(`
${SET_NOW}
local began = tonumber(redis.call('HGET', KEYS[1], 'began') or '0')
local due = tonumber(redis.call('HGET', KEYS[1], 'due') or '0')
local rested = now - began >= ${LEAST_PAUSE_MS} or began > now
local asked = rested and redis.call('HEXISTS', KEYS[1], 'asked') == 1
if not asked and now < due and due <= now + ${EVERY_MS} then return 0 end
redis.call('HDEL', KEYS[1], 'asked')
redis.call('HSET', KEYS[1], 'began', now, 'by', ARGV[1], 'due', now + ${EVERY_MS})
return 1`);

const keepScript = script(`
${SET_NOW}
if redis.call('HGET', KEYS[1], 'by') == ARGV[1] then redis.call('HSET', KEYS[1], 'due', now + ARGV[2]) end
return 1`);

const endScript = script(`return redis.call('HSET', KEYS[1], 'ended', redis.call('TIME')[1], 'stalled', ARGV[1])`);

/** Returns how many seconds ago the last sweep ended, and what it found; nothing before the first. */
const lastScript = script(`
local ended = redis.call('HGET', KEYS[1], 'ended')
if not ended then return {} end
return {redis.call('TIME')[1] - ended, redis.call('HGET', KEYS[1], 'stalled')}`);

const stalledBatches = z.object({
  /** How many there are, by status. */
  counts: z.record(z.string(), z.int()),
  /** Those that have stood still for longest, first those that are not only waiting to begin. */
  oldest: z.array(z.object({ id: z.string(), status: z.string(), seconds: z.int() })),
});
/** Batches that are not final and have not moved for a minute. */
export type StalledBatches = z.output<typeof stalledBatches>;

export interface LastSweep {
  readonly secondsAgo: number;
  readonly stalled: StalledBatches;
}

export const sweepTurn = {
  /** Takes the turn where it is free: once a minute, and soon after somebody has asked. @returns whether it is taken now */
  take: async (redis: Redis, worker: string): Promise<boolean> => (await takeScript.run(redis, [KEY], [worker])) === 1,
  /** Keeps the turn, for a sweep that goes on, or says when one that failed is done again: so long from now. */
  keep: async (redis: Redis, worker: string, ms: number = EVERY_MS): Promise<void> => {
    await keepScript.run(redis, [KEY], [worker, ms]);
  },
  /** Asks for a sweep that begins after now, by whichever worker. */
  ask: async (redis: Redis): Promise<void> => {
    await redis.hset(KEY, 'asked', '1');
  },
  /** Notes that a sweep has come to its end, and what it found. */
  end: async (redis: Redis, stalled: StalledBatches): Promise<void> => {
    await endScript.run(redis, [KEY], [JSON.stringify(stalled)]);
  },
  last: async (redis: Redis): Promise<LastSweep | undefined> => {
    const answer = await lastScript.run(redis, [KEY], []);
    const [seconds, stalled] = Array.isArray(answer) ? answer : [];
    if (seconds === undefined) return undefined;
    return { secondsAgo: Math.max(0, Number(seconds)), stalled: stalledBatches.parse(JSON.parse(String(stalled))) };
  },
} as const;
