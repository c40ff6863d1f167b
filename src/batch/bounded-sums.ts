/**
 * Amounts by name with their sum, in one hash of Redis. An amount is set as a whole, or added to; either may be bound by
 * what the sum may come to, so that a limit holds in all processes.
 */
import type { Redis } from '../redis/connection.ts';
import { script } from '../redis/script.ts';

/** A name that no batch and no upload has. */
const SUM = 'sum';
const NO_LIMIT = -1;

/** ARGV: name, amount, the most that the sum may come to (-1: any), whether to add. Returns 0 where that would be passed. */
const text = `
local before = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local sum = tonumber(redis.call('HGET', KEYS[1], '${SUM}') or '0')
local after = tonumber(ARGV[2])
if ARGV[4] == '1' then after = before + after end
local most = tonumber(ARGV[3])
sum = sum - before + after
if most >= 0 and after > before and sum > most then return 0 end
if after > 0 then redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', after)) else redis.call('HDEL', KEYS[1], ARGV[1]) end
if sum > 0 then redis.call('HSET', KEYS[1], '${SUM}', string.format('%.0f', sum)) else redis.call('HDEL', KEYS[1], '${SUM}') end
return 1`;
const bookScript = script(text);

const book = async (redis: Redis, key: string, name: string, amount: number, most: number, adding: 0 | 1) =>
  (await bookScript.run(redis, [key], [name, amount, most, adding])) === 1;

export const ledger = {
  /** @returns false where the sum would pass `most`: then all is as it was. Less than before is always taken. */
  set: (redis: Redis, key: string, name: string, amount: number, most = NO_LIMIT): Promise<boolean> =>
    book(redis, key, name, amount, most, 0),
  /** The same for more of an amount. */
  add: (redis: Redis, key: string, name: string, amount: number, most = NO_LIMIT): Promise<boolean> =>
    book(redis, key, name, amount, most, 1),
  remove: async (redis: Redis, key: string, name: string): Promise<void> => {
    await book(redis, key, name, 0, NO_LIMIT, 0);
  },
  has: async (redis: Redis, key: string, name: string): Promise<boolean> => (await redis.hexists(key, name)) === 1,
  names: async (redis: Redis, key: string): Promise<readonly string[]> =>
    (await redis.hkeys(key)).filter((name) => name !== SUM),
  sum: async (redis: Redis, key: string): Promise<number> => Number((await redis.hget(key, SUM)) ?? 0),
} as const;
