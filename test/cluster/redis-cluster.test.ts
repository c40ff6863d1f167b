/** A Cluster: how its configuration is checked, and that a master may die during a batch. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRedis } from '../../src/base/redis/check-redis.ts';
import { connect, waitUntilReady } from '../../src/base/redis/connection.ts';
import { writeList } from '../bench/batch.ts';
import { SOURCES, startService } from '../bench/service.ts';
import { rates } from '../cli/rates.ts';
import { truthOf } from '../soak/expected-output.ts';
import { disturb, openClusterMasters } from './masters.ts';
import { type RedisCluster, startCluster } from './redis-servers.ts';

const ROWS = 120_000;
const CHUNK_ROWS = 1_000;
/** At worst the failover, then a minute for the sweeper. */
const STANDSTILL_MS = 90_000;
const log = pino({ level: 'silent' });

let redis: RedisCluster;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cluster-'));
  redis = await startCluster();
});
afterAll(async () => {
  await redis.farm.stop();
  await rm(dir, { recursive: true, force: true });
});

test('the configuration of each master is checked', async () => {
  const connection = connect(redis.url, 'producer', { log });
  await waitUntilReady(connection, 5_000);
  expect(await checkRedis(connection)).toEqual({ problems: [], warnings: [] });
  const [first = 0, second = 0] = redis.nodes.map(({ port }) => port);
  for (const port of [first, second]) await redis.farm.cli(port, 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
  await redis.farm.cli(second, 'CONFIG', 'SET', 'appendonly', 'no');
  const verdict = await checkRedis(connection);
  for (const port of [first, second]) await redis.farm.cli(port, 'CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  await redis.farm.cli(second, 'CONFIG', 'SET', 'appendonly', 'yes');
  const both = [first, second].map((port) => `127.0.0.1:${port}`).sort();
  expect(verdict).toEqual({
    problems: [
      `${both.join(', ')}: Redis evicts keys when its memory is full (maxmemory-policy allkeys-lru): set it to noeviction.`,
    ],
    warnings: [
      `127.0.0.1:${second}: Redis saves nothing to disk, so a restart of Redis delays queued work: set appendonly yes.`,
    ],
  });
  connection.disconnect();
});

test('a node that REDIS_URL names as a single server is refused', async () => {
  const env = { REDIS_URL: `redis://127.0.0.1:${redis.nodes[0]?.port}`, PORT: '0', DATA_DIR: dir };
  const { code, stderr } = await rates(['serve'], { env });
  const words = 'Redis is a node of a Cluster: use redis+cluster://HOST:PORT,HOST:PORT.';
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
});

test(`a batch of ${ROWS} rows gives the same bytes if the master of the queues is killed during it, and then another`, async () => {
  const list = join(dir, 'list.csv');
  await writeList(list, ROWS);
  const truth = await truthOf(list, join(dir, 'quoted.csv'), SOURCES);
  const masters = await openClusterMasters();
  try {
    const settings = { WORKERS: '2', CHUNK_ROWS: String(CHUNK_ROWS), LOG_LEVEL: 'silent', REDIS_URL: masters.url };
    const service = await startService(settings, SOURCES);
    try {
      const how = { list, truth, chunkRows: CHUNK_ROWS, standstillMs: STANDSTILL_MS };
      const { wentOn, problem } = await disturb(service, masters, how);
      console.log(`masters were killed, the batch went on after ${wentOn.map((time) => time.toFixed(1)).join(', ')} s`);
      expect([wentOn.length, problem]).toEqual([2, undefined]);
    } finally {
      await service.stop();
    }
  } finally {
    await masters.stop();
  }
});
