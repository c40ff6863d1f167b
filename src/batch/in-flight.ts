/**
 * What of a client's is under way: its batches that have not ended, with their rows, counted in Redis so that limits on
 * both hold in all processes. An entry is made before its batch is, and goes when that ends; one that a
 * process left behind when it died in between is dropped when it would keep somebody out.
 */
import { createHash } from 'node:crypto';
import type { Redis } from '../queue/redis.ts';
import { script } from '../queue/script.ts';
import { FINAL_STATUSES } from './records.ts';
import { stateKeys } from './state.ts';

/** Rows by batch id, and their sum under a name that no batch has. */
const flightKey = (clientId: string): string => `rates:inflight:{${clientId}}`;
const ROWS = 'rows';

/** Longer than it takes from an entry to its batch. */
const UNBORN_MS = 60_000;

export interface FlightLimits {
  readonly batchesInFlight: number;
  readonly rowsInFlight: number;
}

export type FlightLimit = keyof FlightLimits;

const lua = (text: string) => script(text, createHash('sha1').update(text).digest('hex'));

/** ARGV: batch id, rows, limits of batches and rows (-1: none). Returns the limit that would be passed, or ''. */
const enterScript = lua(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return '' end
local batches = redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], '${ROWS}')
local rows = tonumber(redis.call('HGET', KEYS[1], '${ROWS}') or '0')
if tonumber(ARGV[3]) >= 0 and batches + 1 > tonumber(ARGV[3]) then return 'batchesInFlight' end
if tonumber(ARGV[4]) >= 0 and rows + tonumber(ARGV[2]) > tonumber(ARGV[4]) then return 'rowsInFlight' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[1], '${ROWS}', ARGV[2])
return ''`);

/** ARGV: batch id. */
const leaveScript = lua(`
local rows = redis.call('HGET', KEYS[1], ARGV[1])
if not rows then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HINCRBY', KEYS[1], '${ROWS}', -rows) <= 0 then redis.call('HDEL', KEYS[1], '${ROWS}') end
return 1`);

const NO_LIMIT: FlightLimits = { batchesInFlight: -1, rowsInFlight: -1 };

const enter = async (redis: Redis, clientId: string, id: string, rows: number, limits: FlightLimits) => {
  const args = [id, rows, limits.batchesInFlight, limits.rowsInFlight];
  const passed = await enterScript.run(redis, [flightKey(clientId)], args);
  return passed === 'batchesInFlight' || passed === 'rowsInFlight' ? passed : undefined;
};

const leave = async (redis: Redis, clientId: string, id: string): Promise<void> => {
  await leaveScript.run(redis, [flightKey(clientId)], [id]);
};

const createdAt = (id: string): number => Number.parseInt(id.slice(1, 10), 36);

const isFinal = (status: string | null): boolean => FINAL_STATUSES.some((final) => final === status);

/** Drops the entries whose batches never came to be, or ended without taking them along. */
const dropStale = async (redis: Redis, clientId: string, now: Date): Promise<void> => {
  for (const id of await redis.hkeys(flightKey(clientId))) {
    if (id === ROWS) continue;
    const status = await redis.hget(stateKeys(id).state, 'status');
    const unborn = status === null && now.getTime() - createdAt(id) > UNBORN_MS;
    if (unborn || isFinal(status)) await leave(redis, clientId, id);
  }
};

export const inFlight = {
  /** Counts a batch that there is, whatever the limits. Counting it twice counts it once. */
  restore: async (redis: Redis, clientId: string, id: string, rows: number): Promise<void> => {
    await enter(redis, clientId, id, rows, NO_LIMIT);
  },
  /** Counts a batch that was under way when it was looked at, for Redis may have lost that it was counted. */
  recount: async (redis: Redis, clientId: string, id: string, rows: number): Promise<void> => {
    await enter(redis, clientId, id, rows, NO_LIMIT);
    // Where it has ended since, nobody else takes it out again.
    if (isFinal(await redis.hget(stateKeys(id).state, 'status'))) await leave(redis, clientId, id);
  },
  leave,
  /** Counts a batch that is about to be made. @returns the limit that keeps it out, where one does */
  enter: async (
    redis: Redis,
    clientId: string,
    id: string,
    rows: number,
    limits: FlightLimits,
    now: Date,
  ): Promise<FlightLimit | undefined> => {
    if ((await enter(redis, clientId, id, rows, limits)) === undefined) return undefined;
    await dropStale(redis, clientId, now);
    return await enter(redis, clientId, id, rows, limits);
  },
} as const;
