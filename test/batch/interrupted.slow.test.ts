/** Interrupted steps at the end of a batch, and steps that resume after other workers have continued. */
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDiskStore } from '../../src/base/store/disk.ts';
import type { Store } from '../../src/base/store/store.ts';
import { createBatches } from '../../src/batch/batches.ts';
import { records } from '../../src/batch/records.ts';
import { createScheduler } from '../../src/batch/scheduler.ts';
import { state } from '../../src/batch/state.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import { createFinalizer } from '../../src/batch/work/finalize.ts';
import { type BatchApi, listOf, startBatchApi } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';
import { ownClockMs } from '../processor-time.ts';
import type { TestRedis } from '../redis.ts';

const DAY_MS = 86_400_000;

let redis: TestRedis;
let api: BatchApi;
const { work } = batchApiForEachTest((started) => ({ redis, api } = started));

const now = () => new Date();
const statusOf = async (id: string): Promise<string> => (await api.call('GET', `/${id}`)).body.status;
const outputRows = async (id: string): Promise<number> => (await api.file(`/${id}/output`)).text.split('\n').length - 2;
const endingWith = (store: Store) => createFinalizer({ ...api, store, retentionDays: 7, now });
const full = (): never => {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
};

/** A store some of whose calls wait until they are released, like those of a suspended process. */
const stopping = (isMeant: (key: string) => boolean) => {
  const gate = new EventEmitter();
  const reached = once(gate, 'reached');
  const opened = once(gate, 'open');
  const pass = async (key: string): Promise<void> => {
    if (!isMeant(key)) return;
    gate.emit('reached');
    await opened;
  };
  const store: Store = {
    ...api.store,
    put: async (key, content, options) => {
      await pass(key);
      return await api.store.put(key, content, options);
    },
    size: async (key) => {
      await pass(key);
      return await api.store.size(key);
    },
  };
  return { store, reached, letGo: () => gate.emit('open') };
};
/** Uploads nine rows and rates them. @returns the id of the batch; only its assembly is left */
const rated = async (): Promise<string> => {
  const id = await api.upload(listOf(9));
  for (const index of [0, 1, 2]) await api.rateChunk(id, index);
  return id;
};

describe('a batch with a chunk that failed for good', () => {
  test('is ended by other workers if its own dies before it asks for that', async () => {
    const id = await api.upload(listOf(30));
    const failure = { message: 'Rows 1 to 3 could not be processed: an internal error.' };
    const { epoch } = await state.fields(api.redis, id);
    await state.fail(api.redis, id, { revision: 1, epoch }, { index: 0, failure });
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'failed', failure });
  });

  test('is ended by other workers if its own dies while it ends the batch; other batches are not delayed', async () => {
    const id = await api.upload(listOf(30));
    const { store, reached, letGo } = stopping((key) => key.endsWith('output.json'));
    const { epoch } = await state.fields(api.redis, id);
    for (const index of [0, 1, 2, 3])
      await endingWith(store).failChunk(id, { index, revision: 1, epoch }, new Error('a bug'));
    const dead = endingWith(store).assemble(id);
    await reached;
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'failed', failure: { rows: { from: 1, to: 3 } } });
    expect(await api.ended(await api.upload(listOf(30)))).toMatchObject({ status: 'completed' });
    letGo();
    await dead;
    expect(await statusOf(id)).toBe('failed');
  });

  test('does not fail if another worker has done the chunk', async () => {
    const id = await api.upload(listOf(9));
    const { epoch } = await state.fields(api.redis, id);
    await api.rateChunk(id, 0, { revision: 1, epoch });
    await api.failChunk(id, { index: 0, revision: 1, epoch });
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'completed', failure: null });
  });

  test('reports a lost plan instead of waiting forever', async () => {
    const id = await api.upload(listOf(9));
    await api.store.remove(`batches/${id}/plan.json`);
    await expect(api.rateChunk(id, 0)).rejects.toThrow('the plan of batch');
    await api.failChunk(id, { index: 0, revision: 1 });
    expect(await api.ended(id)).toMatchObject({
      status: 'failed',
      failure: { message: 'Some rows could not be processed: an internal error.' },
    });
  });
});

describe('an assembly that is suspended and resumes', () => {
  /** Suspends an assembly that has begun but written nothing. @returns how to resume it until it ends */
  const stopped = async (id: string): Promise<() => Promise<void>> => {
    const { store, reached, letGo } = stopping((key) => key.includes('/parts/'));
    const assembly = endingWith(store).assemble(id);
    await reached;
    return async () => {
      letGo();
      await assembly;
    };
  };

  test('leaves a batch cancelled if it was cancelled in the meantime', async () => {
    const id = await rated();
    const goOn = await stopped(id);
    await api.call('POST', `/${id}/cancel`);
    await endingWith(api.store).assemble(id);
    expect(await statusOf(id)).toBe('cancelled');
    await goOn();
    expect([await statusOf(id), (await records.final(api.store, id))?.status]).toEqual(['cancelled', 'cancelled']);
  });

  test('leaves a batch completed if it failed, was retried and completed in the meantime', async () => {
    const id = await api.upload(listOf(30));
    const { epoch } = await state.fields(api.redis, id);
    const chunk = { index: 1, revision: 1, epoch };
    await api.rateChunk(id, 0, { revision: 1, epoch });
    await endingWith(api.store).failChunk(id, chunk, new Error('a bug'));
    const goOn = await stopped(id);
    await endingWith(api.store).assemble(id);
    expect((await api.call('POST', `/${id}/retry`)).status).toBe(202);
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'completed' });
    await goOn();
    expect([await statusOf(id), (await records.final(api.store, id))?.status]).toEqual(['completed', 'completed']);
    expect(await outputRows(id)).toBe(30);
  });

  test('ends the batch as cancelled if it finds a cancellation', async () => {
    const id = await rated();
    const goOn = await stopped(id);
    await api.call('POST', `/${id}/cancel`);
    await goOn();
    expect([await statusOf(id), await outputRows(id)]).toEqual(['cancelled', 9]);
  });
});

describe('an assembly that fails for good', () => {
  const ending = () => endingWith(api.store);

  test('ends the batch as failed with the reason, and a retry completes it', async () => {
    const id = await rated();
    const { epoch } = await state.fields(api.redis, id);
    await ending().failAssembly(id, epoch, Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    expect(await api.ended(id)).toMatchObject({
      status: 'failed',
      failure: { message: 'The output could not be put together: the disk is full.' },
    });
    await api.call('POST', `/${id}/retry`);
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'completed' });
  });

  test('also ends a batch that is being cancelled; a retry does what is missing', async () => {
    const id = await api.upload(listOf(9));
    await api.rateChunk(id, 0);
    await api.call('POST', `/${id}/cancel`);
    await ending().failAssembly(id, undefined, new Error('a bug'));
    expect(await statusOf(id)).toBe('failed');
    expect((await api.call('POST', `/${id}/retry`)).status).toBe(202);
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'completed', rows: { processed: 9 } });
  });

  test('ends nothing if it is of an earlier epoch', async () => {
    const id = await rated();
    await ending().failAssembly(id, 'another', new Error('a bug'));
    await ending().assemble(id, 'another');
    expect(await statusOf(id)).toBe('finalizing');
  });
});

describe('a batch that is cancelled', () => {
  test('does not wait for the next try of a chunk', async () => {
    const id = await api.upload(listOf(9));
    await mkdir(join(api.root, 'batches', id, 'parts', '00001.csv'), { recursive: true });
    await work();
    const waits = async () => (await api.queues.chunk.getDelayed())[0]?.attemptsMade ?? 0;
    await expect.poll(waits, { timeout: 20_000 }).toBeGreaterThan(3);
    const began = ownClockMs();
    await api.call('POST', `/${id}/cancel`);
    expect(await api.ended(id)).toMatchObject({ status: 'cancelled', rows: { processed: 6 } });
    // The next try would have been in 8 s.
    expect(ownClockMs() - began).toBeLessThan(5_000);
  });

  test('stays cancelled if the last try of a chunk fails in the meantime', async () => {
    const id = await api.upload(listOf(9));
    const { epoch } = await state.fields(api.redis, id);
    await state.begin(api.redis, id, now(), { revision: 1, epoch });
    await api.rateChunk(id, 0, { revision: 1, epoch });
    await state.cancel(api.redis, id);
    await endingWith(api.store).failChunk(id, { index: 1, revision: 1, epoch }, new Error('a bug'));
    expect(await statusOf(id)).toBe('cancelling');
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'cancelled', failure: null });
  });
});

test('everything that a completed batch needs survives a power cut', async () => {
  const written = new Map<string, boolean>();
  const root = await mkdtemp(join(tmpdir(), 'batches-'));
  const disk = createDiskStore(root);
  const store: Store = {
    ...disk,
    put: async (key, content, options) => {
      written.set(key.replace(/^batches\/[^/]+\/|^tariffs\/.*/, ''), options?.durable === true);
      return await disk.put(key, content, options);
    },
  };
  const own = await startBatchApi({ redisUrl: redis.url, store });
  const stop = await own.work();
  const id = await own.upload(listOf(4).replace(',02139,1.5', ',0213,1.5'));
  expect(await own.ended(id)).toMatchObject({ status: 'completed', rows: { faulted: 1 } });
  await stop();
  await own.close();
  await rm(root, { recursive: true });
  // A lost part summary is made again. told.json only says that the client was notified.
  const spared = [...written].flatMap(([key, durable]) => (durable ? [] : [key])).toSorted();
  expect(spared.filter((key) => key !== 'told.json')).toEqual(['parts/00000.json', 'parts/00001.json']);
  expect([...written.keys()]).toEqual(
    expect.arrayContaining(['parts/00000.csv', 'parts/00000.faults.csv', 'plan.json']),
  );
});

test('a retry that was interrupted between the store and Redis is completed by the next retry, or by the sweeper', async () => {
  const failed = async (): Promise<string> => {
    const id = await api.upload(listOf(9));
    await api.failChunk(id, { index: 1, revision: 1 });
    // As if the process died after the first of the two writes.
    await rm(join(api.root, 'batches', id, 'final.json'));
    expect(await statusOf(id)).toBe('failed');
    return id;
  };
  const first = await failed();
  expect((await api.call('POST', `/${first}/retry`)).status).toBe(202);
  const second = await failed();
  expect(await createSweeper({ ...api, now })()).toMatchObject({ restored: 1 });
  await work();
  for (const id of [first, second]) expect(await api.ended(id)).toMatchObject({ status: 'completed' });
});

describe('on a full disk', () => {
  let isFull = false;
  const fullStore = (): Store => ({
    ...api.store,
    put: async (key, content, options) => (isFull ? full() : await api.store.put(key, content, options)),
  });

  test('a batch can be cancelled, and ends when there is room', async () => {
    const id = await api.upload(listOf(30));
    isFull = true;
    await expect(createBatches({ ...api, store: fullStore(), now }).cancel(id)).rejects.toThrow('ENOSPC');
    isFull = false;
    expect(await statusOf(id)).toBe('cancelling');
    await work();
    expect(await api.ended(id)).toMatchObject({ status: 'cancelled', rows: { processed: 0 } });
  });

  test('an old batch still expires, because its files take the space', async () => {
    const stop = await work();
    const old = await api.upload(listOf(30));
    await api.ended(old);
    await stop();
    const removed: string[] = [];
    isFull = true;
    const store: Store = {
      ...fullStore(),
      remove: async (key) => {
        removed.push(key);
        // Removed files free space.
        isFull = false;
        await api.store.remove(key);
      },
    };
    const later = () => new Date(Date.now() + 8 * DAY_MS);
    expect(await createSweeper({ ...api, store, now: later, redisNow: async () => later() })()).toMatchObject({
      expired: 1,
    });
    expect(removed[0]).toBe(`batches/${old}/parts/`);
    expect((await records.final(api.store, old))?.status).toBe('expired');
    expect(await api.store.list(`batches/${old}/`)).toEqual(['batch.json', 'final.json']);
  });
});

test('an expiry that was interrupted after the write to Redis is completed in the store', async () => {
  const stop = await work();
  const id = await api.upload(listOf(9));
  await api.ended(id);
  await stop();
  const later = () => new Date(Date.now() + 8 * DAY_MS);
  const dead = () => Promise.reject(new Error('the process is dead'));
  const store: Store = { ...api.store, put: dead, remove: dead };
  await expect(createSweeper({ ...api, store, now: later, redisNow: async () => later() })()).rejects.toThrow(
    'batches could not be swept',
  );
  expect([await statusOf(id), (await records.final(api.store, id))?.status]).toEqual(['expired', 'completed']);
  await createSweeper({ ...api, now: later, redisNow: async () => later() })();
  expect([await statusOf(id), (await records.final(api.store, id))?.status]).toEqual(['expired', 'expired']);
  expect(await api.store.list(`batches/${id}/`)).toEqual(['batch.json', 'final.json']);
});

test('a batch that cannot be swept does not stop the sweep of others, and is logged', async () => {
  const ids = [await api.upload(listOf(9)), await api.upload(listOf(9))].toSorted();
  await api.queues.chunk.obliterate({ force: true });
  const [first = '', second = ''] = ids;
  const { epoch } = await state.fields(api.redis, second);
  const store: Store = {
    ...api.store,
    get: async (key, range, into) => (key.includes(first) ? full() : await api.store.get(key, range, into)),
    size: async (key) => (key.includes(first) ? full() : await api.store.size(key)),
  };
  const scheduler = createScheduler({ ...api, store });
  const failure = await createSweeper({ ...api, store, scheduler, now })().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect(failure).toMatchObject({ errors: [{ message: `batch ${first} could not be swept` }] });
  const jobs = await api.queues.chunk.getJobs(['prioritized']);
  expect(new Set(jobs.map(({ data }) => data.batchId))).toEqual(new Set([second]));
  expect(jobs[0]?.data.epoch).toBe(epoch);
});

test('a thorough sweep that fails is tried again', async () => {
  const stop = await work();
  const id = await api.upload(listOf(9));
  await api.ended(id);
  await stop();
  await api.store.remove(`batches/${id}/final.json`);
  // The store fails for a while: a file replaces its folder of batches.
  const inTheWay = join(api.root, 'batches', id, 'final.json');
  await mkdir(inTheWay);
  await api.redis.set('rates:known', 'another run');
  await work();
  const failures = () =>
    api.lines.filter(
      (line) => line.includes('"thorough":true') && line.includes('the check of all batches could not be finished'),
    );
  await expect.poll(() => failures().length, { timeout: 20_000 }).toBeGreaterThan(0);
  await rmdir(inTheWay);
  await expect.poll(() => records.final(api.store, id), { timeout: 20_000 }).toMatchObject({ status: 'completed' });
}, 60_000);
