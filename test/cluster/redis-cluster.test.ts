/** What is of a Cluster alone: how it is judged, and that a master of it may die in the middle of a batch. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRedis } from '../../src/queue/fit-redis.ts';
import { connect, waitUntilReady } from '../../src/queue/redis.ts';
import { BATCHES, writeList } from '../bench/batch.ts';
import { SOURCES, startService } from '../bench/service.ts';
import { rates } from '../cli/rates.ts';
import { patientClient } from '../soak/client.ts';
import { difference, truthOf } from '../soak/truth.ts';
import type { Server } from './redis-farm.ts';
import { type RedisCluster, startCluster } from './redis-servers.ts';

const ROWS = 120_000;
const CHUNK_ROWS = 1_000;
const log = pino({ level: 'silent' });

let redis: RedisCluster;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cluster-'));
  redis = await startCluster(1);
});
afterAll(async () => {
  await redis.farm.stop();
  await rm(dir, { recursive: true, force: true });
});

test('each master of it is judged', async () => {
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
      `127.0.0.1:${second}: Redis keeps nothing on disk, so a restart of it delays what is queued: set appendonly yes.`,
    ],
  });
  connection.disconnect();
});

test('a node of it that is named as a server by itself is refused', async () => {
  const env = { REDIS_URL: `redis://127.0.0.1:${redis.nodes[0]?.port}`, PORT: '0', DATA_DIR: dir };
  const { code, stderr } = await rates(['serve'], { env });
  const words = 'Redis is a node of a Cluster: name it with redis+cluster://HOST:PORT,HOST:PORT.';
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
});

/** The node that is master of the slot of a hash tag, while all are up. */
const masterOf = async (tag: string): Promise<Server> => {
  const [{ port } = { port: 0 }] = redis.nodes;
  const slot = Number(await redis.farm.cli(port, 'CLUSTER', 'KEYSLOT', tag));
  const lines = (await redis.farm.cli(port, 'CLUSTER', 'NODES')).split('\n').map((line) => line.split(' '));
  const [, address = ''] =
    lines.find(([, , , , , , , , range = '']) => {
      const [from, to] = range.split('-').map(Number);
      return from !== undefined && to !== undefined && from <= slot && slot <= to;
    }) ?? [];
  const found = redis.nodes.find((node) => address.includes(`:${node.port}@`));
  if (found === undefined) throw new Error(`nobody has the slot of ${tag}`);
  return found;
};

test(`a batch of ${ROWS} rows comes to the same bytes where the master of the queues is killed in the middle of it, and then another`, async () => {
  const list = join(dir, 'list.csv');
  await writeList(list, ROWS);
  const truth = await truthOf(list, join(dir, 'quoted.csv'), SOURCES);
  const settings = { WORKERS: '2', CHUNK_ROWS: String(CHUNK_ROWS), LOG_LEVEL: 'silent', REDIS_URL: redis.url };
  const service = await startService(settings, SOURCES);
  try {
    const client = patientClient(service, AbortSignal.timeout(200_000));
    const { batch } = await client.upload(list);
    const processed = async (): Promise<number> =>
      JSON.parse((await client.call('GET', `${BATCHES}/${batch.id}`)).body).rows.processed;
    const first = await masterOf('{rates}');
    const second = redis.nodes.slice(0, 3).find((node) => node !== first);
    for (const master of [first, second]) {
      const before = await processed();
      while ((await processed()) < before + ROWS / 6) await sleep(50);
      await master?.kill('SIGKILL');
      const killed = performance.now();
      const then = await processed();
      while ((await processed()) < then + 10 * CHUNK_ROWS) await sleep(50);
      const seconds = (performance.now() - killed) / 1_000;
      console.log(`a master was killed, ten chunks more were rated after ${seconds.toFixed(1)} s`);
    }
    expect((await client.ended(batch.id)).status).toBe('completed');
    const [output, faults] = [await client.file(batch.id, 'output'), await client.file(batch.id, 'faults')];
    expect(difference(truth, output, faults)).toBeUndefined();
  } finally {
    await service.stop();
  }
});
