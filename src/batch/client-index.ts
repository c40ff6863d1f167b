/**
 * What Redis has about each client: batches and comparisons by creation time, batches in flight, and the use of its limits.
 * The counts are in Redis, so that a limit applies across all processes. An in-flight entry is made before its batch and
 * removed when the batch ends. An entry that a dead process left is dropped when it would block an upload.
 */

import { Cluster } from 'ioredis';
import { z } from 'zod';
import { must } from '../base/must.ts';
import type { Redis } from '../base/redis/connection.ts';
import { script } from '../base/redis/script.ts';
import { turn } from '../base/time-slices.ts';
import { BATCH_ID, createdAt, type Kind, kindOf } from './ids.ts';
import { createLedger, SUM, stored } from './quota.ts';
import { state, stateKeys } from './state.ts';
import { isFinal } from './status.ts';

/** The end of a page: the time and the id of its last batch. */
interface Place {
  readonly score: number;
  readonly id: string;
}

/** Returns the cursor for the end of a page. */
export const cursorOf = (createdAt: string, id: string): string =>
  Buffer.from(`${Date.parse(createdAt)} ${id}`).toString('base64url');

/** @returns undefined if it is not a cursor */
export const readCursor = (cursor: string): Place | undefined => {
  const [score = '', id = '', ...more] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!/^\d{1,15}$/.test(score) || !BATCH_ID.test(id) || more.length > 0) return undefined;
  return { score: Number(score), id };
};

const CLIENTS = 'rates:clients';
/** Returns the key of the list of a client's batches or comparisons. */
const listOf = (clientId: string, kind: Kind): string =>
  kind === 'batch' ? `rates:batches:${clientId}` : `rates:comparisons:${clientId}`;
/** Returns the key of the list of a client's comparisons of a batch. Client ids have no slash. */
const comparisonsOf = (clientId: string, batchId: string): string => `rates:comparisons:${clientId}/${batchId}`;

/** The list to read: all batches, all comparisons, or the comparisons of a batch. */
export interface WhichList {
  readonly kind: Kind;
  readonly batch?: string | undefined;
}

const keyOfList = (clientId: string, { kind, batch }: WhichList): string =>
  batch === undefined ? listOf(clientId, kind) : comparisonsOf(clientId, batch);

/** Batches of one millisecond may be on both sides of a cursor. This many more are read. Those before it are dropped. */
const SPARE = 100;

export interface Listed {
  readonly id: string;
  /** The state of the batch. No fields if Redis has lost it. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface ListedPage {
  readonly entries: readonly Listed[];
  readonly more: boolean;
}

/**
 * ARGV: the time to start from, the id to start after or '', the number of batches. Returns whether there are more, and the
 * page as JSON. Reading one text is several times as fast as reading thousands of fields.
 */
const pageLua = `
local limit = tonumber(ARGV[3])
local ids = redis.call('ZREVRANGEBYSCORE', KEYS[1], ARGV[1], '-inf', 'LIMIT', 0, limit + ${SPARE})
local from = 1
for i, id in ipairs(ids) do if id == ARGV[2] then from = i + 1 end end
local page = {}
for i = from, math.min(#ids, from + limit - 1) do
  page[#page + 1] = {ids[i], redis.call('HGETALL', 'rates:{' .. ids[i] .. '}:state')}
end
return {#ids >= from + limit and 1 or 0, cjson.encode(page)}`;
const pageScript = script(pageLua);

/** Redis encodes an empty table as an object. */
const emptyOr = <T extends z.ZodType>(schema: T) => z.union([schema, z.strictObject({}).transform(() => [])]);
const pageReply = emptyOr(z.array(z.tuple([z.string(), emptyOr(z.array(z.string()))])));

const fieldsOf = (flat: readonly string[]): Record<string, string> => {
  const fields: Record<string, string> = {};
  for (let at = 0; at + 1 < flat.length; at += 2)
    fields[must(flat[at], 'the name of a field')] = must(flat[at + 1], 'the value of a field');
  return fields;
};

/** Reads a page from a cluster. Batches are spread over all its nodes, so each batch is read separately. */
const pageOfCluster = async (redis: Cluster, list: string, limit: number, after?: Place): Promise<ListedPage> => {
  const from = after?.score ?? '+inf';
  const ids = await redis.zrevrangebyscore(list, from, '-inf', 'LIMIT', 0, limit + SPARE);
  const skipped = after === undefined ? 0 : ids.indexOf(after.id) + 1;
  const page = ids.slice(skipped, skipped + limit);
  const entries = await Promise.all(page.map(async (id) => ({ id, fields: await state.fields(redis, id) })));
  return { entries, more: ids.length > skipped + limit };
};

export const clientIndex = {
  /** Adds a client, so that the sweeper checks it even if it has no batch. */
  addClient: async (redis: Redis, clientId: string): Promise<void> => {
    await redis.sadd(CLIENTS, clientId);
  },
  /** @param of the batch that is compared, if the id is of a comparison of a batch */
  add: async (redis: Redis, clientId: string, id: string, createdAt: string, of?: string): Promise<void> => {
    // First, because the sweeper does not check the batches of unknown clients.
    await clientIndex.addClient(redis, clientId);
    await redis.zadd(listOf(clientId, kindOf(id)), Date.parse(createdAt), id);
    if (of !== undefined) await redis.zadd(comparisonsOf(clientId, of), Date.parse(createdAt), id);
  },
  remove: async (redis: Redis, clientId: string, id: string, of?: string): Promise<void> => {
    if (of !== undefined) await redis.zrem(comparisonsOf(clientId, of), id);
    await redis.zrem(listOf(clientId, kindOf(id)), id);
  },
  /** Returns batches with their states, newest first, in one round trip. @param after the end of the previous page */
  page: async (
    redis: Redis,
    clientId: string,
    limit: number,
    after: Place | undefined,
    which: WhichList = { kind: 'batch' },
  ): Promise<ListedPage> => {
    const list = keyOfList(clientId, which);
    if (redis instanceof Cluster) return await pageOfCluster(redis, list, limit, after);
    const args = [after?.score ?? '+inf', after?.id ?? '', limit];
    const reply = await pageScript.run(redis, [list], args);
    // Otherwise replies that arrive together would be read in one turn.
    await turn();
    const [more, text] = Array.isArray(reply) ? reply : [];
    const page = pageReply.parse(JSON.parse(String(text)));
    return { entries: page.map(([id, flat]) => ({ id, fields: fieldsOf(flat) })), more: more === 1 };
  },
  /** Returns the ids of all batches and comparisons. */
  all: async (redis: Redis, clientId: string): Promise<string[]> => [
    ...(await redis.zrange(listOf(clientId, 'batch'), '0', '-1')),
    ...(await redis.zrange(listOf(clientId, 'comparison'), '0', '-1')),
  ],
  clients: (redis: Redis): Promise<string[]> => redis.smembers(CLIENTS),
} as const;

/** Rows by batch id. */
const rowsInFlight = createLedger('rates:inflight');
/** Bytes of lists by batch id, and of uploads by name. */
export const bytesInFlight = createLedger('rates:inflight-bytes');

/** In milliseconds. Longer than the time between an entry and the creation of its batch. */
const CREATION_MS = 60_000;

export interface InFlightLimits {
  readonly batchesInFlight: number;
  readonly rowsInFlight: number;
  readonly batchesStored: number;
}

export type InFlightLimit = keyof InFlightLimits;

/**
 * ARGV: batch id, rows, limits of batches, rows and stored batches (-1: none). Returns the limit that would be exceeded, or
 * ''.
 */
const enterScript = script(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return '' end
local batches = redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], '${SUM}')
local rows = tonumber(redis.call('HGET', KEYS[1], '${SUM}') or '0')
if tonumber(ARGV[3]) >= 0 and batches + 1 > tonumber(ARGV[3]) then return 'batchesInFlight' end
if tonumber(ARGV[4]) >= 0 and rows + tonumber(ARGV[2]) > tonumber(ARGV[4]) then return 'rowsInFlight' end
local stored = redis.call('HLEN', KEYS[2]) - redis.call('HEXISTS', KEYS[2], '${SUM}') - redis.call('HEXISTS', KEYS[2], ARGV[1])
if tonumber(ARGV[5]) >= 0 and stored + 1 > tonumber(ARGV[5]) then return 'batchesStored' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[1], '${SUM}', ARGV[2])
return ''`);

/** What a batch in flight counts as. */
export interface InFlight {
  readonly rows: number;
  readonly bytes: number;
}

const NO_LIMIT: InFlightLimits = { batchesInFlight: -1, rowsInFlight: -1, batchesStored: -1 };
const PASSED: ReadonlyMap<unknown, InFlightLimit> = new Map(
  (['batchesInFlight', 'rowsInFlight', 'batchesStored'] as const).map((limit) => [limit, limit]),
);

const enter = async (redis: Redis, clientId: string, id: string, rows: number, limits: InFlightLimits) => {
  const args = [id, rows, limits.batchesInFlight, limits.rowsInFlight, limits.batchesStored];
  return PASSED.get(await enterScript.run(redis, [rowsInFlight.keyOf(clientId), stored.keyOf(clientId)], args));
};

const leave = async (redis: Redis, clientId: string, id: string): Promise<void> => {
  await bytesInFlight.remove(redis, clientId, id);
  await rowsInFlight.remove(redis, clientId, id);
};

/** Drops entries of batches that were never created or that ended without removing their entries. */
const dropDead = (redis: Redis, clientId: string, now: Date): Promise<void> => {
  const isAlive = async (id: string): Promise<boolean> => {
    const status = await redis.hget(stateKeys(id).state, 'status');
    return status === null ? now.getTime() - createdAt(id) <= CREATION_MS : !isFinal(status);
  };
  return rowsInFlight.dropDead(redis, clientId, isAlive, leave);
};

export const inFlight = {
  /** Counts an existing batch, regardless of the limits. A second call changes nothing. */
  restore: async (redis: Redis, clientId: string, id: string, { rows, bytes }: InFlight): Promise<void> => {
    await enter(redis, clientId, id, rows, NO_LIMIT);
    await bytesInFlight.set(redis, clientId, id, bytes);
  },
  /** Counts a batch that was in flight a moment ago, in case Redis has lost its entry. */
  recount: async (redis: Redis, clientId: string, id: string, counted: InFlight): Promise<void> => {
    await inFlight.restore(redis, clientId, id, counted);
    // If the batch has ended since, nothing else would remove the entry.
    if (isFinal(await redis.hget(stateKeys(id).state, 'status'))) await leave(redis, clientId, id);
  },
  leave,
  counts: async (redis: Redis, clientId: string): Promise<{ readonly batches: number; readonly rows: number }> => {
    const [ids, rows] = await Promise.all([rowsInFlight.names(redis, clientId), rowsInFlight.sum(redis, clientId)]);
    return { batches: ids.length, rows };
  },
  /** Counts a batch that is about to be created. @returns the limit that it would exceed, if any */
  enter: async (
    redis: Redis,
    clientId: string,
    id: string,
    rows: number,
    limits: InFlightLimits,
    now: Date,
  ): Promise<InFlightLimit | undefined> => {
    if ((await enter(redis, clientId, id, rows, limits)) === undefined) return undefined;
    await dropDead(redis, clientId, now);
    return await enter(redis, clientId, id, rows, limits);
  },
} as const;

/** Returns what a client uses of its limits now. */
export const useOf = async (redis: Redis, clientId: string) => {
  const [counts, bytes, bytesStored, names] = await Promise.all([
    inFlight.counts(redis, clientId),
    bytesInFlight.sum(redis, clientId),
    stored.sum(redis, clientId),
    stored.names(redis, clientId),
  ]);
  return {
    batchesInFlight: counts.batches,
    rowsInFlight: counts.rows,
    bytesInFlight: bytes,
    bytesStored,
    batchesStored: names.length,
  };
};
