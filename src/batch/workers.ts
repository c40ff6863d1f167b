/**
 * What worker processes share through Redis: signs of life, the turn to sweep, and what the last sweep found. All times are
 * by the clock of Redis, because the clocks of the machines may differ.
 */
import { z } from 'zod';
import { must } from '../base/must.ts';
import type { Redis } from '../base/redis/connection.ts';
import { SET_NOW, script } from '../base/redis/script.ts';

/** Worker slots by the time of their last sign of life. */
const SLOTS = 'rates:slots';
export const SIGN_MS = 2_000;
/** A worker is considered dead this long after its last sign of life. */
const DEAD_AFTER_MS = 10_000;
/** A slot is forgotten this long after its last sign of life. */
const FORGOTTEN_MS = 100_000;
const LEAST = 4;

/** ARGV: the slots. */
const signScript = script(`
${SET_NOW}
for _, slot in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now, slot) end
return redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ${FORGOTTEN_MS})`);

/** ARGV: milliseconds. Returns the slots with a sign of life since then. */
const aliveScript = script(`
${SET_NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[1], '+inf')`);

const slotsOf = (worker: string, slots: number): readonly string[] =>
  Array.from({ length: slots }, (_, slot) => `${worker}/${slot}`);

/** Records that a worker's slots are alive. */
export const signSlots = async (redis: Redis, worker: string, slots: number): Promise<void> => {
  await signScript.run(redis, [SLOTS], slotsOf(worker, slots));
};

/** Removes a worker's slots when it stops. */
export const unsignSlots = async (redis: Redis, worker: string, slots: number): Promise<void> => {
  await redis.zrem(SLOTS, ...slotsOf(worker, slots));
};

const aliveSlots = async (redis: Redis): Promise<readonly string[]> => {
  const slots = await aliveScript.run(redis, [SLOTS], [DEAD_AFTER_MS]);
  return Array.isArray(slots) ? slots.map(String) : [];
};

/** Returns the names of workers with a recent sign of life. */
export const aliveWorkers = async (redis: Redis): Promise<ReadonlySet<string>> =>
  new Set((await aliveSlots(redis)).map((slot) => slot.slice(0, slot.lastIndexOf('/'))));

/**
 * The number of chunks of one batch that are in the queue at a time: twice the live worker slots, at least 4. So a small
 * batch waits for only a few chunks of a large one, and a single batch can fill all slots.
 * @returns the size of the window, counted at most once a second
 */
export const createWindow = (redis: Redis): (() => Promise<number>) => {
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

/**
 * A hash with `began` (ms) and `by` (worker) of the last sweep, `due` (ms) of the next one, `asked` if one is wanted sooner,
 * `ended` (seconds) of the last sweep that ended, and `stalled`: what it found, as JSON.
 */
const KEY = 'rates:sweep';

export const EVERY_MS = 60_000;
/** If many workers ask at once, one sweep after the last request is enough. */
const LEAST_PAUSE_MS = 2_000;

/** Takes the turn. A turn that ends later than possible was taken by a server whose clock was ahead. */
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

/** Returns the seconds since the last sweep ended, and what it found. Returns nothing before the first. */
const lastScript = script(`
local ended = redis.call('HGET', KEYS[1], 'ended')
if not ended then return {} end
return {redis.call('TIME')[1] - ended, redis.call('HGET', KEYS[1], 'stalled')}`);

const stalledBatches = z.object({
  /** Number of batches by status. */
  counts: z.record(z.string(), z.int()),
  /** Batches that have not moved for longest. Batches that only wait to begin come last. */
  oldest: z.array(z.object({ id: z.string(), status: z.string(), seconds: z.int() })),
});
/** Batches that are not final and have not moved for a minute. */
export type StalledBatches = z.output<typeof stalledBatches>;

export interface LastSweep {
  readonly secondsAgo: number;
  readonly stalled: StalledBatches;
}

export const sweepTurn = {
  /** Takes the turn if it is free: once a minute, and soon after a request. @returns whether it was taken */
  take: async (redis: Redis, worker: string): Promise<boolean> => (await takeScript.run(redis, [KEY], [worker])) === 1,
  /** Keeps the turn for this time, while a sweep runs or until a failed one is tried again. */
  keep: async (redis: Redis, worker: string, ms: number = EVERY_MS): Promise<void> => {
    await keepScript.run(redis, [KEY], [worker, ms]);
  },
  /** Asks for a sweep by any worker. It begins after this call. */
  ask: async (redis: Redis): Promise<void> => {
    await redis.hset(KEY, 'asked', '1');
  },
  /** Records that a sweep has ended, and what it found. */
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

const STALLED_S = 60;
const MOST_NAMED = 10;

export type StalledSoFar = ReturnType<typeof gatherStalled>;

/** Returns when a batch last moved, in seconds since 1970. */
export const movedAt = (fields: Readonly<Record<string, string>>): number =>
  Number(must(fields['movedAt'], 'when a batch last moved'));

/** @param now by the clock of Redis, in seconds since 1970 */
export const gatherStalled = (now: number) => {
  const found: StalledBatches['oldest'] = [];
  return {
    /** Adds an unfinished batch if it is stalled. */
    look: (id: string, { status = '', ...fields }: Readonly<Record<string, string>>): void => {
      const seconds = Math.floor(now - movedAt(fields));
      if (seconds >= STALLED_S) found.push({ id, status, seconds });
    },
    found: (): StalledBatches => {
      const counts: Record<string, number> = {};
      for (const { status } of found) counts[status] = (counts[status] ?? 0) + 1;
      const waits = (status: string): number => (status === 'queued' ? 1 : 0);
      const oldest = found
        .toSorted((a, b) => waits(a.status) - waits(b.status) || b.seconds - a.seconds)
        .slice(0, MOST_NAMED);
      return { counts, oldest };
    },
  };
};

const TOTALS = 'rates:use';

export interface Totals {
  readonly bytesInFlight: number;
  readonly bytesStored: number;
}

export const totals = {
  write: async (redis: Redis, { bytesInFlight, bytesStored }: Totals): Promise<void> => {
    await redis.hset(TOTALS, { bytesInFlight, bytesStored });
  },
  read: async (redis: Redis): Promise<Totals> => {
    const { bytesInFlight = '0', bytesStored = '0' } = await redis.hgetall(TOTALS);
    return { bytesInFlight: Number(bytesInFlight), bytesStored: Number(bytesStored) };
  },
} as const;
