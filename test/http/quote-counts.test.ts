import { beforeAll, expect, test } from 'vitest';
import type { Redis } from '../../src/base/redis/connection.ts';
import { createQuoteCounts, readQuoteCounts } from '../../src/http/quote-counts.ts';
import { openRedis, redisForFile, type TestRedis } from '../redis.ts';

let server: TestRedis;
let redis: Redis;
redisForFile((made) => (server = made));
beforeAll(async () => {
  redis = await openRedis(server.url);
  return () => redis.disconnect();
});

const NOON = Date.parse('2026-11-23T12:00:00Z');
const at = (minutes: number): Date => new Date(NOON + minutes * 60_000);

test('the quotes of all processes in the last hour are counted by outcome', async () => {
  let minute = 0;
  const [first, second] = [createQuoteCounts(redis, () => at(minute)), createQuoteCounts(redis, () => at(minute))];
  for (const outcome of ['quoted', 'quoted', 'faulted'] as const) first(outcome);
  second('quoted');
  second('refused');
  const counted = (now: number) => readQuoteCounts(redis, at(now));
  await expect.poll(() => counted(0), { timeout: 5_000 }).toEqual({ quoted: 3, faulted: 1, refused: 1 });
  minute = 59;
  first('quoted');
  await expect.poll(() => counted(59), { timeout: 5_000 }).toEqual({ quoted: 4, faulted: 1, refused: 1 });
  expect(await counted(60)).toEqual({ quoted: 1, faulted: 0, refused: 0 });
});
