/** A small disk that runs full: uploads are refused, batches wait or fail with the reason, and no half file is served. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepTurn } from '../../src/batch/workers.ts';
import { type BatchApi, listOf, startBatchApi } from '../http/batch-api.ts';
import { type TestRedis, testRedis } from '../redis.ts';

const MEGABYTE = 1024 * 1024;

/** Mounts a disk of 8 MB. @returns false if this user may not */
const mounted = (path: string): boolean => {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const disk = await mkdtemp(join(tmpdir(), 'small-disk-'));
const isMounted = mounted(disk);
if (!isMounted) console.warn('The tests of a full disk are skipped: they need to mount a small one, as root on Linux.');
afterAll(async () => {
  if (isMounted) execFileSync('umount', [disk]);
  await rm(disk, { recursive: true });
});

/** 4,000 rows in chunks of 500: parts of about 80 kB. */
const LIST = listOf(4_000);
const CHUNKS = 8;

describe.skipIf(!isMounted)('a disk that runs full', () => {
  let redis: TestRedis;
  let api: BatchApi;
  const stops: (() => Promise<void>)[] = [];
  let undisturbed: string;

  const work = async (): Promise<void> => {
    stops.push(await api.work());
  };
  const filler = join(disk, 'filler');
  /** Fills the disk except for this many bytes. */
  const fill = async (left: number): Promise<void> => {
    const { bavail, bsize } = await statfs(disk);
    await writeFile(filler, Buffer.alloc(bavail * bsize - left));
  };
  const makeRoom = (): Promise<void> => rm(filler, { force: true });
  const refusedWrites = (): number => api.lines.filter((line) => line.includes('ENOSPC')).length;

  beforeAll(async () => {
    redis = await testRedis();
  });
  afterAll(async () => {
    await redis.stop();
  });
  beforeEach(async () => {
    await redis.clear();
    api = await startBatchApi({ redisUrl: redis.url, parent: disk, limits: { chunkRows: 500 } });
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    await makeRoom();
    await api.close();
  });

  test('completes a batch while there is space', async () => {
    await work();
    const id = await api.upload(LIST);
    expect(await api.ended(id)).toMatchObject({ outcome: 'all_quoted' });
    undisturbed = (await api.file(`/${id}/output`)).text;
    expect(undisturbed.length).toBeLessThan(MEGABYTE);
  });

  test('refuses an upload with 503 and keeps nothing of it, and accepts it when there is space', async () => {
    await fill(64 * 1024);
    const { status, body } = await api.post(LIST, '', { 'Content-Type': 'text/csv' });
    expect([status, body.fault.type, body.fault.arguments]).toEqual([
      503,
      'service.unavailable',
      { dependency: 'store' },
    ]);
    expect(await api.folders()).toEqual([]);
    expect((await api.call('GET', '')).body.batches).toEqual([]);
    await makeRoom();
    await work();
    expect(await api.ended(await api.upload(LIST))).toMatchObject({ outcome: 'all_quoted' });
  });

  test('makes a batch wait, serves only whole parts in the meantime, and continues when there is space', async () => {
    const id = await api.upload(LIST);
    await fill(256 * 1024);
    await work();
    await expect.poll(refusedWrites, { timeout: 10_000 }).toBeGreaterThan(3);
    const { status, rows } = (await api.call('GET', `/${id}`)).body;
    expect(status).toBe('in_progress');
    expect([rows.processed % 500, rows.processed > 0, rows.processed < 4_000]).toEqual([0, true, true]);
    const partial = await api.file(`/${id}/output?partial=true`);
    expect(partial.headers.get('batch-complete')).toBe('false');
    expect(undisturbed.startsWith(partial.text) && partial.text.endsWith('\n')).toBe(true);
    const parts = await readdir(join(api.root, 'batches', id, 'parts'));
    expect(parts.filter((name) => name.startsWith('.'))).toEqual([]);
    await makeRoom();
    expect(await api.ended(id)).toMatchObject({ outcome: 'all_quoted', rows: { processed: 4_000 } });
    expect((await api.file(`/${id}/output`)).text).toBe(undisturbed);
  });

  test('fails a batch with the reason if it stays full, and a retry with space gives the same bytes', async () => {
    const id = await api.upload(LIST);
    await fill(256 * 1024);
    await work();
    const retryNow = async (): Promise<string> => {
      for (const job of await api.queues.chunk.getDelayed()) await job.promote().catch(() => undefined);
      // Space for the record of how it ended, but not for a part.
      if (refusedWrites() > 5 * CHUNKS) await fillBut(48 * 1024);
      // If the last chunk failed before there was space, the next sweep continues.
      if ((await api.queues.chunk.getJobCountByTypes('active', 'wait', 'prioritized', 'delayed')) === 0)
        await sweepTurn.ask(api.redis);
      return (await api.call('GET', `/${id}`)).body.status;
    };
    const fillBut = async (left: number): Promise<void> => {
      await makeRoom();
      await fill(left);
    };
    await expect.poll(retryNow, { timeout: 20_000, interval: 20 }).toBe('failed');
    const { failure } = (await api.call('GET', `/${id}`)).body;
    expect(failure.message).toMatch(/^Rows \d+ to \d+ could not be processed: the disk is full\.$/);
    expect((failure.rows.to - failure.rows.from + 1) % 500).toBe(0);
    const lines = (await api.file(`/${id}/output`)).text.split('\n');
    const left = (await api.file(`/${id}/unprocessed`)).text.split('\n');
    expect(lines.length - 2 + left.length - 2).toBe(4_000);
    await makeRoom();
    expect((await api.call('POST', `/${id}/retry`)).status).toBe(202);
    expect(await api.ended(id)).toMatchObject({ outcome: 'all_quoted', failure: null });
    expect((await api.file(`/${id}/output`)).text).toBe(undisturbed);
  });

  test('without space for a single byte makes a batch wait as long as it takes', async () => {
    const id = await api.upload(LIST);
    await fill(0);
    await work();
    const exhaust = async (): Promise<number> => {
      for (const job of await api.queues.chunk.getDelayed()) await job.promote().catch(() => undefined);
      return await api.queues.chunk.getJobCountByTypes('active', 'wait', 'prioritized', 'delayed');
    };
    await expect.poll(exhaust, { timeout: 20_000, interval: 20 }).toBe(0);
    await expect.poll(async () => (await api.call('GET', `/${id}`)).body.status).toBe('in_progress');
    await makeRoom();
    await sweepTurn.ask(api.redis);
    expect(await api.ended(id)).toMatchObject({ outcome: 'all_quoted' });
    expect((await api.file(`/${id}/output`)).text).toBe(undisturbed);
  });
});
