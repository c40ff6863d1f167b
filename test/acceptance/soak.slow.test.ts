/** The short form of `npm run soak`: a list runs while API, workers and Redis are killed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRedisServer } from '../../src/base/redis/private-redis.ts';
import { BATCHES, writeList } from '../bench/batch.ts';
import { type Service, SOURCES, startService } from '../bench/service.ts';
import { type Client, patientClient } from '../soak/client.ts';
import { difference, type Truth, truthOf } from '../soak/expected-output.ts';
import { assembling, kill, openRedis, type Part, restartRedis, running } from '../soak/harm.ts';

const ROWS = 20_000;
/** Rows of the short list. */
const FEW_ROWS = 5_000;
/** Small chunks, so that rating lasts until the last kill. */
const CHUNK_ROWS = 30;

interface List {
  readonly path: string;
  readonly truth: Truth;
}

const listIn = async (dir: string, rows: number): Promise<List> => {
  const path = join(dir, `${rows}.csv`);
  await writeList(path, rows);
  return { path, truth: await truthOf(path, join(dir, `${rows}-truth.csv`), SOURCES) };
};

describe.skipIf(findRedisServer(process.env['PATH']) === undefined)('on a private Redis that is killed too', () => {
  let dir: string;
  let long: List;
  let short: List;
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'soak-'));
    [long, short] = await Promise.all([listIn(dir, ROWS), listIn(dir, FEW_ROWS)]);
    const settings = { WORKERS: '2', CHUNK_ROWS: String(CHUNK_ROWS), LOG_LEVEL: 'silent', REDIS_URL: '' };
    service = await startService(settings, SOURCES);
    client = patientClient(service, AbortSignal.timeout(120_000));
  });
  afterAll(async () => {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const processed = async (id: string): Promise<{ status: string; rows: number }> => {
    const { status, body } = await client.call('GET', `${BATCHES}/${id}`);
    expect(status).toBe(200);
    const batch = JSON.parse(body);
    return { status: batch.status, rows: batch.rows.processed };
  };
  /** Waits until more rows have been rated. */
  const goneOn = async (id: string): Promise<void> => {
    const before = await processed(id);
    for (let now = before; now.rows < before.rows + 10 * CHUNK_ROWS; now = await processed(id)) {
      expect(now.status).not.toBe('completed');
      await sleep(10);
    }
  };
  const kills = async (id: string, part: Part): Promise<void> => {
    await goneOn(id);
    while (!kill(service, part, 0)) await sleep(20);
  };
  const expectTruth = async (id: string, { truth }: List): Promise<void> => {
    const { rows, faulted } = truth;
    expect(await client.ended(id)).toMatchObject({
      status: 'completed',
      rows: { total: rows, processed: rows, quoted: rows - faulted, faulted },
    });
    expect(difference(truth, await client.file(id, 'output'), await client.file(id, 'faults'))).toBeUndefined();
  };

  test('a list of 20,000 rows has the same bytes if workers, Redis and API are killed and Redis is restarted', async () => {
    const { batch } = await client.upload(long.path);
    for (const part of ['worker', 'redis', 'worker'] as const) await kills(batch.id, part);
    await goneOn(batch.id);
    expect(restartRedis(service)).toBe(true);
    await kills(batch.id, 'api');
    await expectTruth(batch.id, long);
  }, 120_000);

  test('the same if Redis is emptied in the meantime, and all workers are killed while the output is written', async () => {
    const { batch } = await client.upload(short.path);
    const redis = await openRedis(service);
    await goneOn(batch.id);
    await redis.flushall();
    expect(await assembling(redis, batch.id, AbortSignal.timeout(50_000))).toBe(true);
    for (const _worker of running(service, 'worker')) kill(service, 'worker', 0);
    redis.disconnect();
    await expectTruth(batch.id, short);
  }, 120_000);

  test('the same if the API is killed during the upload', async () => {
    const uploading = client.upload(short.path);
    await sleep(30);
    kill(service, 'api', 0);
    const { batch } = await uploading;
    await expectTruth(batch.id, short);
  }, 120_000);
});
