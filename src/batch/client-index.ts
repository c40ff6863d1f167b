/** Which batches each client has, by the time they were created, and which clients have any, as Redis lists them. */
import { Cluster } from 'ioredis';
import { z } from 'zod';
import type { Redis } from '../redis/connection.ts';
import { script } from '../redis/script.ts';
import { BATCH_ID } from './records.ts';
import { state } from './state.ts';

/** Where a page ends: the time and the id of its last batch. */
interface Place {
  readonly score: number;
  readonly id: string;
}

/** Names where a page ends. */
export const cursorOf = (createdAt: string, id: string): string =>
  Buffer.from(`${Date.parse(createdAt)} ${id}`).toString('base64url');

/** @returns undefined where it is not the name of a page's end */
export const readCursor = (cursor: string): Place | undefined => {
  const [score = '', id = '', ...more] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!/^\d{1,15}$/.test(score) || !BATCH_ID.test(id) || more.length > 0) return undefined;
  return { score: Number(score), id };
};

const CLIENTS = 'rates:clients';
const batchesOf = (clientId: string): string => `rates:batches:${clientId}`;

/** Batches of one millisecond may lie on both sides of a cursor: so many more are read, and those before it left out. */
const SPARE = 100;

export interface Listed {
  readonly id: string;
  /** Its state; no field where Redis has forgotten it. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface ListedPage {
  readonly entries: readonly Listed[];
  readonly more: boolean;
}

/**
 * ARGV: the time from which on, the id after which or '', the number of batches. Returns whether there are more, and the
 * page as JSON: one text is read several times quicker than thousands of fields.
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

/** An empty table is an object to Redis. */
const emptyOr = <T extends z.ZodType>(schema: T) => z.union([schema, z.strictObject({}).transform(() => [])]);
const pageReply = emptyOr(z.array(z.tuple([z.string(), emptyOr(z.array(z.string()))])));

const fieldsOf = (flat: readonly string[]): Record<string, string> => {
  const fields: Record<string, string> = {};
  for (let at = 0; at + 1 < flat.length; at += 2) fields[flat[at] ?? ''] = flat[at + 1] ?? '';
  return fields;
};

/** A Cluster has the batches on all its nodes: each is asked for. */
const pageOfCluster = async (redis: Cluster, clientId: string, limit: number, after?: Place): Promise<ListedPage> => {
  const from = after?.score ?? '+inf';
  const ids = await redis.zrevrangebyscore(batchesOf(clientId), from, '-inf', 'LIMIT', 0, limit + SPARE);
  const skipped = after === undefined ? 0 : ids.indexOf(after.id) + 1;
  const page = ids.slice(skipped, skipped + limit);
  const entries = await Promise.all(page.map(async (id) => ({ id, fields: await state.fields(redis, id) })));
  return { entries, more: ids.length > skipped + limit };
};

export const listing = {
  /** Adding a batch twice lists it once. */
  /** Has a client looked after that may have left something without a batch. */
  know: async (redis: Redis, clientId: string): Promise<void> => {
    await redis.sadd(CLIENTS, clientId);
  },
  add: async (redis: Redis, clientId: string, id: string, createdAt: string): Promise<void> => {
    // First, for a client that is not known has batches that nobody looks after.
    await listing.know(redis, clientId);
    await redis.zadd(batchesOf(clientId), Date.parse(createdAt), id);
  },
  remove: async (redis: Redis, clientId: string, id: string): Promise<void> => {
    await redis.zrem(batchesOf(clientId), id);
  },
  /** Batches with their states, the newest first: one round trip. @param after where the page before ended */
  page: async (redis: Redis, clientId: string, limit: number, after: Place | undefined): Promise<ListedPage> => {
    if (redis instanceof Cluster) return await pageOfCluster(redis, clientId, limit, after);
    const args = [after?.score ?? '+inf', after?.id ?? '', limit];
    const reply = await pageScript.run(redis, [batchesOf(clientId)], args);
    const [more, text] = Array.isArray(reply) ? reply : [];
    const page = pageReply.parse(JSON.parse(String(text)));
    return { entries: page.map(([id, flat]) => ({ id, fields: fieldsOf(flat) })), more: more === 1 };
  },
  all: (redis: Redis, clientId: string): Promise<string[]> => redis.zrange(batchesOf(clientId), '0', '-1'),
  clients: (redis: Redis): Promise<string[]> => redis.smembers(CLIENTS),
} as const;
