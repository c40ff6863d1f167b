/** Which batches each client has, by the time they were created, and which clients have any, as Redis lists them. */
import type { Redis } from '../queue/redis.ts';

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
