/** The log of a client's webhook in Redis: the latest attempts of the last seven days, with their responses. */

import { z } from 'zod';
import type { Redis } from '../redis/connection.ts';

export const delivery = z.object({
  id: z.string().describe('The `webhook-id`, which is the same for each attempt of a message.'),
  event: z.string().describe('`batch.completed`, `batch.failed` or `batch.cancelled`.'),
  batchId: z.string(),
  revision: z.int(),
  attempt: z.int().gte(1),
  at: z.iso.datetime(),
  url: z.string().describe('The URL without its query.'),
  outcome: z.enum(['delivered', 'failed', 'given_up']).describe('A `failed` attempt is retried.'),
  status: z.int().nullable().describe('The response status; null without a response.'),
  problem: z.string().nullable().describe('Why the message was not delivered.'),
  body: z.string().describe('The start of the response body.'),
  ms: z.int(),
  nextAttemptAt: z.iso
    .datetime()
    .nullable()
    .describe('When a failed attempt is retried, unless its batch or the webhook is removed first.'),
});
export type Delivery = z.output<typeof delivery>;

/** Maximum number of attempts that are kept for a client. */
export const MOST_DELIVERIES = 500;
const KEPT_MS = 7 * 86_400_000;

const logKey = (clientId: string): string => `rates:deliveries:{${clientId}}`;

/** Returns the part of a webhook's URL that may be shown. Its user, password and query may be secrets. */
export const shownUrl = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};

export const deliveries = {
  note: async (redis: Redis, clientId: string, entry: Delivery): Promise<void> => {
    const key = logKey(clientId);
    await redis
      .multi()
      .lpush(key, JSON.stringify(entry))
      .ltrim(key, 0, MOST_DELIVERIES - 1)
      .pexpire(key, KEPT_MS)
      .exec();
  },
  /** Returns the newest first. */
  list: async (redis: Redis, clientId: string, limit: number, now: Date): Promise<readonly Delivery[]> => {
    const entries = await redis.lrange(logKey(clientId), 0, limit - 1);
    const since = now.getTime() - KEPT_MS;
    return entries.map((text) => delivery.parse(JSON.parse(text))).filter(({ at }) => Date.parse(at) > since);
  },
} as const;
