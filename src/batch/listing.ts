/** Which batches each client has, by the time they were created, and which clients have any, as Redis lists them. */
import type { Redis } from '../queue/redis.ts';
import { BATCH_ID } from './records.ts';

/** Names where a page ends: the time and the id of its last batch. */
export const cursorOf = (createdAt: string, id: string): string =>
  Buffer.from(`${Date.parse(createdAt)} ${id}`).toString('base64url');

/** @returns undefined where it is not the name of a page's end */
export const readCursor = (cursor: string): { readonly score: number; readonly id: string } | undefined => {
  const [score = '', id = '', ...more] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!/^\d{1,15}$/.test(score) || !BATCH_ID.test(id) || more.length > 0) return undefined;
  return { score: Number(score), id };
};

const CLIENTS = 'rates:clients';
const batchesOf = (clientId: string): string => `rates:batches:${clientId}`;

export const listing = {
  /** Adding a batch twice lists it once. */
  add: async (redis: Redis, clientId: string, id: string, createdAt: string): Promise<void> => {
    // First, for a client that is not known has batches that nobody looks after.
    await redis.sadd(CLIENTS, clientId);
    await redis.zadd(batchesOf(clientId), Date.parse(createdAt), id);
  },
  remove: async (redis: Redis, clientId: string, id: string): Promise<void> => {
    await redis.zrem(batchesOf(clientId), id);
  },
  /** Ids, the newest first. @param from the time, in ms, at which the page begins */
  page: (redis: Redis, clientId: string, from: number | undefined, count: number): Promise<string[]> =>
    redis.zrevrangebyscore(batchesOf(clientId), from ?? '+inf', '-inf', 'LIMIT', 0, count),
  all: (redis: Redis, clientId: string): Promise<string[]> => redis.zrange(batchesOf(clientId), '0', '-1'),
  clients: (redis: Redis): Promise<string[]> => redis.smembers(CLIENTS),
} as const;
