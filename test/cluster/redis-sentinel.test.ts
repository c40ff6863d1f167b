/** A Redis master dies during a batch, its replica takes over, and no work is lost. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BATCHES, type BatchState, writeList } from '../bench/batch.ts';
import { type Service, SOURCES, startService } from '../bench/service.ts';
import { type Client, patientClient } from '../soak/client.ts';
import { difference, type Truth, truthOf } from '../soak/expected-output.ts';
import { startSentinels, type Watched } from './redis-servers.ts';

const ROWS = 120_000;
const FEW_ROWS = 400;
const CHUNK_ROWS = 1_000;
/** At worst the failover, then a minute for the sweeper. */
const HEALED_MS = 75_000;

interface List {
  readonly path: string;
  readonly truth: Truth;
}

let dir: string;
let redis: Watched;
let service: Service;
let client: Client;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sentinel-'));
  redis = await startSentinels();
  const settings = { WORKERS: '2', CHUNK_ROWS: String(CHUNK_ROWS), LOG_LEVEL: 'silent', REDIS_URL: redis.url };
  service = await startService(settings, SOURCES);
  client = patientClient(service, AbortSignal.timeout(280_000));
});
afterEach(async () => {
  await service.stop();
  await redis.farm.stop();
  await rm(dir, { recursive: true, force: true });
});

const listOf = async (rows: number): Promise<List> => {
  const path = join(dir, `${rows}.csv`);
  await writeList(path, rows, rows);
  return { path, truth: await truthOf(path, join(dir, `${rows}-quoted.csv`), SOURCES) };
};
const look = async (id: string): Promise<BatchState & { readonly revision: number }> => {
  const { status, body } = await client.call('GET', `${BATCHES}/${id}`);
  return status === 200 ? JSON.parse(body) : { ...JSON.parse(body), status: String(status) };
};
const until = async (id: string, reached: (batch: BatchState & { readonly revision: number }) => boolean) => {
  for (const begun = performance.now(); ; await sleep(20)) {
    const batch = await look(id);
    if (reached(batch)) return performance.now() - begun;
    if (performance.now() - begun > HEALED_MS)
      throw new Error(`the batch did not recover in time: ${JSON.stringify(batch)}`);
  }
};
const goneOn = async (id: string, rows: number) => {
  const { rows: before } = await look(id);
  return await until(id, (batch) => batch.rows?.processed >= before.processed + rows);
};
const expectTruth = async (id: string, { truth }: List): Promise<void> => {
  const { rows, faulted } = truth;
  expect(await client.ended(id)).toMatchObject({
    status: 'completed',
    rows: { total: rows, processed: rows, quoted: rows - faulted, faulted },
  });
  expect(difference(truth, await client.file(id, 'output'), await client.file(id, 'faults'))).toBeUndefined();
};
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
/** What Redis counts as in flight for the demo client. */
const underWay = () => redis.farm.cli(redis.replica.port, 'HGETALL', 'rates:inflight:{demo}');

test(`a batch of ${ROWS} rows gives the same bytes if the master is killed during it`, async () => {
  const list = await listOf(ROWS);
  const { batch } = await client.upload(list.path);
  await goneOn(batch.id, ROWS / 4);
  await redis.master.kill('SIGKILL');
  const killed = performance.now();
  await redis.failedOver();
  const takenOver = performance.now() - killed;
  const before = await look(batch.id);
  expect(before.status).toBe('in_progress');
  await goneOn(batch.id, CHUNK_ROWS);
  console.log(
    `the replica was the master after ${seconds(takenOver)}, rows went on after ${seconds(performance.now() - killed)}`,
  );
  await expectTruth(batch.id, list);
  await expect.poll(underWay, { timeout: 5_000 }).toBe('');
});

test('acknowledged changes that the replica lacked are restored: a new batch and its key, corrections, a deletion', async () => {
  const [list, few] = [await listOf(ROWS), await listOf(FEW_ROWS)];
  const post = async (path: string, file: string, key?: string): Promise<BatchState> => {
    const headers = { 'Content-Type': 'text/csv', ...(key !== undefined && { 'Idempotency-Key': key }) };
    const { status, body } = await service.call('POST', path, Readable.from([readFileSync(file)]), headers);
    expect([status, body]).toEqual([202, expect.any(String)]);
    return JSON.parse(body);
  };
  const corrected = await post(BATCHES, few.path);
  const deleted = await post(BATCHES, few.path);
  for (const { id } of [corrected, deleted]) await expectTruth(id, few);
  const long = await post(BATCHES, list.path);
  await goneOn(long.id, 10 * CHUNK_ROWS);

  await redis.detachReplica();
  const added = await post(BATCHES, few.path, 'order-17');
  const faults = Readable.from([await client.file(corrected.id, 'faults')]);
  expect((await service.call('POST', `${BATCHES}/${corrected.id}/corrections`, faults)).status).toBe(202);
  await until(corrected.id, ({ status, revision }) => status === 'completed' && revision === 2);
  expect((await service.call('DELETE', `${BATCHES}/${deleted.id}`)).status).toBe(204);
  await goneOn(long.id, 10 * CHUNK_ROWS);
  const { replica, farm } = redis;
  const state = (id: string, field: string) => farm.cli(replica.port, 'HGET', `rates:{${id}}:state`, field);
  const lacking = [state(added.id, 'status'), state(corrected.id, 'revision'), state(deleted.id, 'status')];
  expect(await Promise.all(lacking)).toEqual(['', '1', 'completed']);
  await redis.master.kill('SIGKILL');
  await redis.failedOver();

  const again = await client.call('GET', `${BATCHES}?limit=10`);
  expect(again.status).toBe(200);
  const healed = await Promise.all([
    until(added.id, ({ status }) => status === 'completed'),
    until(corrected.id, ({ status, revision }) => status === 'completed' && revision === 2),
    until(deleted.id, ({ status }) => status === '404'),
  ]);
  console.log(
    `after the fail-over: the new batch, corrections, deletion were there after ${healed.map(seconds).join(', ')}`,
  );
  expect((await post(BATCHES, few.path, 'order-17')).id).toBe(added.id);
  for (const id of [added.id, corrected.id]) await expectTruth(id, few);
  await expectTruth(long.id, list);
  const ids = (await client.batches()).map(({ id }) => id);
  expect(ids.toSorted()).toEqual([corrected.id, long.id, added.id].toSorted());
  await expect.poll(underWay, { timeout: 5_000 }).toBe('');
});
