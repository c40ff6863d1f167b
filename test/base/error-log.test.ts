import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createErrorLog, errorEntry, readErrors } from '../../src/base/error-log.ts';
import { createLog } from '../../src/base/log.ts';
import type { Redis } from '../../src/base/redis/connection.ts';
import { openRedis, redisForFile, type TestRedis } from '../redis.ts';

let server: TestRedis;
let redis: Redis;
redisForFile((made) => (server = made));
beforeAll(async () => {
  redis = await openRedis(server.url);
  return () => redis.disconnect();
});
beforeEach(() => server.clear());

const NOW = new Date('2026-11-23T12:00:00Z');
const lineOf = (over: Record<string, unknown> = {}): string =>
  JSON.stringify({ level: 'error', time: NOW.toISOString(), pid: 7, name: 'worker', msg: 'chunk failed', ...over });

/** Sends lines as a process does. */
const keep = async (...lines: string[]): Promise<void> => {
  const errors = createErrorLog();
  errors.keepIn(redis);
  for (const line of lines) errors.take(line);
  await errors.close();
};

test('lines of errors are kept with what identifies them in the log', async () => {
  await keep(
    lineOf({ err: { type: 'Error', message: 'the disk is full', stack: 'at …' }, batchId: 'b1', requestId: 'r1' }),
  );
  const { entries, full } = await readErrors(redis, NOW);
  expect(full).toBe(false);
  expect(entries).toEqual([
    {
      at: NOW.toISOString(),
      process: 'worker',
      level: 'error',
      message: 'chunk failed',
      error: 'the disk is full',
      batchId: 'b1',
      requestId: 'r1',
      count: 1,
    },
  ]);
  expect(errorEntry.parse(entries[0])).toEqual(entries[0]);
});

test('similar lines close together are one entry with a count', async () => {
  await keep(lineOf(), lineOf(), lineOf({ msg: 'sweep failed' }), lineOf());
  const { entries } = await readErrors(redis, NOW);
  expect(entries.map(({ message, count }) => [message, count]).toSorted()).toEqual([
    ['chunk failed', 3],
    ['sweep failed', 1],
  ]);
});

test('the newest 500 entries are kept, and those of the last day are shown', async () => {
  for (let round = 0; round < 6; round++)
    await keep(...Array.from({ length: 100 }, (_, i) => lineOf({ msg: `round ${round}, line ${i}` })));
  const { entries, full } = await readErrors(redis, NOW);
  expect([entries.length, full]).toEqual([500, true]);
  expect(entries.some(({ message }) => message.startsWith('round 0'))).toBe(false);
  expect((await readErrors(redis, new Date('2026-11-24T12:00:01Z'))).entries).toEqual([]);
});

test('entries wait while Redis is unavailable: at most the newest hundred', async () => {
  const away = await openRedis(server.url);
  const errors = createErrorLog(5);
  away.disconnect();
  errors.keepIn(away);
  for (let i = 0; i < 150; i++) errors.take(lineOf({ msg: `line ${i}` }));
  await expect.poll(() => away.status).toBe('end');
  errors.keepIn(redis);
  await errors.close();
  const { entries } = await readErrors(redis, NOW);
  expect(entries).toHaveLength(100);
  expect(entries.map(({ message }) => message)).toContain('line 149');
  expect(entries.map(({ message }) => message)).not.toContain('line 49');
});

test('text that is not a log line is left out, and so is foreign data in Redis', async () => {
  await keep('not JSON', '{}', lineOf());
  await redis.lpush('rates:errors', 'not JSON', '{"at":1}');
  expect((await readErrors(redis, NOW)).entries).toHaveLength(1);
});

test('the log shows its errors, redacted, and no other lines', () => {
  const seen: string[] = [];
  const log = createLog({ level: 'fatal', name: 'api', format: 'json', onError: (line) => void seen.push(line) });
  log.warn('a warning');
  log.fatal({ secret: 'hush', err: new Error('lost') }, 'it ends');
  expect(seen).toHaveLength(1);
  expect(seen[0]).toContain('it ends');
  expect(seen[0]).not.toContain('hush');
});

test('an error of a request reaches Redis', async () => {
  const errors = createErrorLog(5);
  errors.keepIn(redis);
  const log = createLog({ level: 'error', name: 'api', format: 'json', gather: true, onError: errors.take });
  log.error({ requestId: 'r9', err: new Error('a bug') }, 'request failed');
  await expect
    .poll(async () => (await readErrors(redis, new Date())).entries)
    .toMatchObject([{ process: 'api', message: 'request failed', error: 'a bug', requestId: 'r9', count: 1 }]);
  await errors.close();
});
