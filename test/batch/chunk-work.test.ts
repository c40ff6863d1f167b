/** The counters of what all workers rated. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { CHUNK_SECONDS, countingWork, readWorkCounters } from '../../src/batch/work/chunk-work.ts';
import { openRedis } from '../redis.ts';
import { type Backend, redisAndStore } from './fixtures.ts';

let backend: Backend;
redisAndStore((fresh) => {
  backend = fresh;
});
const silent = pino({ level: 'silent' });

test('nothing is counted before the first chunk', async () => {
  expect(await readWorkCounters(backend.redis)).toEqual({
    quotedRows: 0,
    faultedRows: 0,
    chunks: 0,
    chunkSeconds: 0,
    chunksWithin: CHUNK_SECONDS.map(() => 0),
  });
});

test('each chunk is counted with its rows, and its time in every bucket that includes it', async () => {
  const work = countingWork(async (rows: number, faulted: number) => ({ rows, faulted }), { ...backend, log: silent });
  expect(await work(10, 3)).toEqual({ rows: 10, faulted: 3 });
  await work(5, 0);
  // Chunks of 0.3 s, and of a minute, which is in no bucket.
  await backend.redis.hincrby('rates:meters', 'within 0.5', 1);
  for (const [name, count] of [
    ['chunks', 2],
    ['ms', 60_300],
  ] as const)
    await backend.redis.hincrby('rates:meters', name, count);
  const { chunkSeconds, ...counts } = await readWorkCounters(backend.redis);
  expect(counts).toMatchObject({ quotedRows: 12, faultedRows: 3, chunks: 4 });
  expect(chunkSeconds).toBeGreaterThanOrEqual(60.3);
  expect(counts.chunksWithin[CHUNK_SECONDS.indexOf(0.5)]).toBe(3);
  expect(counts.chunksWithin.at(-1)).toBe(3);
});

test('work without a result is not counted, nor is work that failed', async () => {
  await countingWork(async () => undefined, { ...backend, log: silent })();
  const failing = countingWork(
    async () => {
      throw new Error('a bug');
    },
    { ...backend, log: silent },
  );
  await expect(failing()).rejects.toThrow('a bug');
  expect((await readWorkCounters(backend.redis)).chunks).toBe(0);
});

test('work is done even if it could not be counted, and the log says so', async () => {
  const gone = await openRedis(backend.url);
  gone.disconnect();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  expect(await countingWork(async () => ({ rows: 1, faulted: 0 }), { redis: gone, log })()).toEqual({
    rows: 1,
    faulted: 0,
  });
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['a chunk was not counted']);
});
