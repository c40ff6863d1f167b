/**
 * The short form of `npm run bench`: it measures, nothing fails, and the figures are consistent. Times themselves are not
 * judged, because test machines are busy.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findRedisServer } from '../../src/base/redis/private-redis.ts';
import { batchSeconds, copySeconds, writeList } from '../bench/batch.ts';
import { endurance, outage } from '../bench/endurance.ts';
import { fairness } from '../bench/fairness.ts';
import { type LoadFigures, load, quoteOf, RATES, startBare, trickle } from '../bench/quotes.ts';
import { childrenOf, peakMb, type Service, SOURCES, startService } from '../bench/service.ts';
import { folderForFile } from '../folder.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const ROWS = 20_000;
const SMALL_ROWS = 600;

let dir: string;
let service: Service;
let big: string;
let small: string;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  [big, small] = [join(dir, 'big.csv'), join(dir, 'small.csv')];
  await Promise.all([writeList(big, ROWS), writeList(small, SMALL_ROWS, 2)]);
  service = await startService({ WORKERS: '2', CHUNK_ROWS: '200', LOG_LEVEL: 'silent', REDIS_URL: '' }, SOURCES);
});
afterAll(() => service.stop());

/** Connections that send one call after the other are busy all the time: calls a second times their length is their number. */
const fitEachOther = ({ failures, p50Ms, p99Ms, perSecond }: LoadFigures, connections: number): void => {
  expect(failures).toBe(0);
  expect(p50Ms).toBeLessThanOrEqual(p99Ms);
  expect((perSecond * p50Ms) / 1_000).toBeLessThan(2 * connections);
  expect((perSecond * p99Ms) / 1_000).toBeGreaterThan(connections / 2);
};

test('a batch compared with a copy of its list, and its memory', async () => {
  // A batch does all that a copy does, and more.
  expect(await copySeconds(big)).toBeLessThan(await batchSeconds(service, big));
  const peaks = childrenOf(service.pid).map(({ kind, pid }) => [kind, peakMb(pid)] as const);
  expect(peaks.map(([kind]) => kind)).toEqual(expect.arrayContaining(['api', 'worker']));
  for (const [, mb] of peaks) expect(mb).toBeLessThan(250);
});

test('small batches next to big ones', async () => {
  const { share, ...ratios } = await fairness(service, big, small, SMALL_ROWS / ROWS);
  for (const ratio of Object.values(ratios)) expect([ratio > 0, ratio < Infinity]).toEqual([true, true]);
  expect([share > 0, share <= 1]).toEqual([true, true]);
});

test('quotes during a batch, compared with an empty route', async () => {
  const { token } = service;
  const url = `${service.url}${RATES}`;
  const bare = await startBare(service);
  const theirs = await load(bare.url, token, 20, 1);
  bare.stop();
  const until = Date.now() + 1_000;
  const { service: idle } = await trickle({ service: quoteOf(service) }, () => Date.now() > until);
  const { quotes, memory } = await endurance(service, url, token, small, 3);
  fitEachOther(theirs, 20);
  fitEachOther(quotes, 200);
  expect(idle.failures).toBe(0);
  // One quote every 5 ms, after the answer to the last.
  expect(idle.perSecond).toBeLessThan(200);
  // Node 20 has some 170 MB then, and Node 24, whose young generation is larger, some 300.
  expect(memory.lateMb).toBeLessThan(380);
});

test.skipIf(findRedisServer(process.env['PATH']) === undefined)('quotes while Redis is stopped', async () => {
  const { quotes, statuses } = await outage(service, `${service.url}${RATES}`, service.token, 3);
  fitEachOther(quotes, 50);
  // A call that waited for Redis would have been answered with 200.
  expect(statuses).toEqual([503]);
});
