/**
 * What of a client's is under way: its batches that have not ended, with their rows and the bytes of their lists, and its
 * uploads, counted in Redis so that limits hold in all processes. An entry is made before its batch is, and goes when that ends; one that a
 * process left behind when it died in between is dropped when it would keep somebody out.
 */
import type { Redis } from '../redis/connection.ts';
import { script } from '../redis/script.ts';
import { ledger } from './bounded-sums.ts';
import { FINAL_STATUSES } from './records.ts';
import { stateKeys } from './state.ts';

/** Rows by batch id, and their sum under a name that no batch has. */
const flightKey = (clientId: string): string => `rates:inflight:{${clientId}}`;
/** Bytes by batch id, of their lists, and by upload. */
const bytesKey = (clientId: string): string => `rates:inflight-bytes:{${clientId}}`;
const ROWS = 'rows';

/** Longer than it takes from an entry to its batch. */
const UNBORN_MS = 60_000;

export interface FlightLimits {
  readonly batchesInFlight: number;
  readonly rowsInFlight: number;
}

export type FlightLimit = keyof FlightLimits;

/** ARGV: batch id, rows, limits of batches and rows (-1: none). Returns the limit that would be passed, or ''. */
const enterScript = script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return '' end
local batches = redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], '${ROWS}')
local rows = tonumber(redis.call('HGET', KEYS[1], '${ROWS}') or '0')
if tonumber(ARGV[3]) >= 0 and batches + 1 > tonumber(ARGV[3]) then return 'batchesInFlight' end
if tonumber(ARGV[4]) >= 0 and rows + tonumber(ARGV[2]) > tonumber(ARGV[4]) then return 'rowsInFlight' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[1], '${ROWS}', ARGV[2])
return ''`);

/** ARGV: batch id. */
const leaveScript = script(`
local rows = redis.call('HGET', KEYS[1], ARGV[1])
if not rows then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HINCRBY', KEYS[1], '${ROWS}', -rows) <= 0 then redis.call('HDEL', KEYS[1], '${ROWS}') end
return 1`);

/** What a batch counts with while it is under way. */
export interface Flight {
  readonly rows: number;
  readonly bytes: number;
}

const NO_LIMIT: FlightLimits = { batchesInFlight: -1, rowsInFlight: -1 };

const enter = async (redis: Redis, clientId: string, id: string, rows: number, limits: FlightLimits) => {
  const args = [id, rows, limits.batchesInFlight, limits.rowsInFlight];
  const passed = await enterScript.run(redis, [flightKey(clientId)], args);
  return passed === 'batchesInFlight' || passed === 'rowsInFlight' ? passed : undefined;
};

const leave = async (redis: Redis, clientId: string, id: string): Promise<void> => {
  await ledger.remove(redis, bytesKey(clientId), id);
  await leaveScript.run(redis, [flightKey(clientId)], [id]);
};

const createdAt = (id: string): number => Number.parseInt(id.slice(1, 10), 36);

const LOOK_AGAIN_MS = 5_000;

const isFinal = (status: string | null): boolean => FINAL_STATUSES.some((final) => final === status);

/** Drops the entries whose batches never came to be, or ended without taking them along. */
const dropStale = async (redis: Redis, clientId: string, now: Date): Promise<void> => {
  // A look costs as much as there are entries, and a client that is refused may ask again at once.
  if ((await redis.set(`${flightKey(clientId)}:looked`, '', 'PX', LOOK_AGAIN_MS, 'NX')) === null) return;
  for (const id of await redis.hkeys(flightKey(clientId))) {
    if (id === ROWS) continue;
    const status = await redis.hget(stateKeys(id).state, 'status');
    const unborn = status === null && now.getTime() - createdAt(id) > UNBORN_MS;
    if (unborn || isFinal(status)) await leave(redis, clientId, id);
  }
};

export const inFlight = {
  /** Counts a batch that there is, whatever the limits. Counting it twice counts it once. */
  restore: async (redis: Redis, clientId: string, id: string, { rows, bytes }: Flight): Promise<void> => {
    await enter(redis, clientId, id, rows, NO_LIMIT);
    await ledger.set(redis, bytesKey(clientId), id, bytes);
  },
  /** Counts a batch that was under way when it was looked at, for Redis may have lost that it was counted. */
  recount: async (redis: Redis, clientId: string, id: string, { rows, bytes }: Flight): Promise<void> => {
    await enter(redis, clientId, id, rows, NO_LIMIT);
    await ledger.set(redis, bytesKey(clientId), id, bytes);
    // Where it has ended since, nobody else takes it out again.
    if (isFinal(await redis.hget(stateKeys(id).state, 'status'))) await leave(redis, clientId, id);
  },
  leave,
  /** Counts bytes alone, of an upload. @returns false where they would be too many */
  setBytes: (redis: Redis, clientId: string, name: string, bytes: number, most?: number): Promise<boolean> =>
    ledger.set(redis, bytesKey(clientId), name, bytes, most),
  counts: async (redis: Redis, clientId: string): Promise<{ readonly batches: number; readonly rows: number }> => {
    const [entries, rows] = await Promise.all([redis.hlen(flightKey(clientId)), redis.hget(flightKey(clientId), ROWS)]);
    return { batches: entries - (rows === null ? 0 : 1), rows: Number(rows ?? 0) };
  },
  /** @returns whether nobody has looked through them lately */
  mayLookAtBytes: async (redis: Redis, clientId: string): Promise<boolean> =>
    (await redis.set(`${bytesKey(clientId)}:looked`, '', 'PX', LOOK_AGAIN_MS, 'NX')) !== null,
  byteNames: (redis: Redis, clientId: string): Promise<readonly string[]> => ledger.names(redis, bytesKey(clientId)),
  bytes: (redis: Redis, clientId: string): Promise<number> => ledger.sum(redis, bytesKey(clientId)),
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
