/** Each transition of batches and chunks that the header of src/batch/state.ts lists, on Redis alone. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Redis } from '../../src/base/redis/connection.ts';
import type { Part } from '../../src/batch/records.ts';
import { ADMIT_ONLY, CHANGES_CHANNEL, readFailing, state, stateKeys } from '../../src/batch/state.ts';
import { EMPTY_TALLY } from '../../src/lists/output/tally.ts';
import { openRedis, redisForFile, type TestRedis } from '../redis.ts';

let server: TestRedis;
let redis: Redis;
redisForFile((made) => (server = made));
beforeAll(async () => {
  redis = await openRedis(server.url);
  return () => redis.disconnect();
});

const ID = 'b0000000000000000000000001';
const NOW = new Date('2026-06-01T12:00:00Z');
const CHUNKS = 4;
const WINDOW = 2;

/** A part of ten rows, one with a fault. */
const PART: Part = {
  bytes: 1_000,
  faultBytes: 100,
  revision: 1,
  tally: { ...EMPTY_TALLY, processed: 10, quoted: 9, faulted: 1, faults: { 'row.malformed': 1 } },
};

const created = (revision = 1) => ({
  status: 'queued',
  revision: String(revision),
  chunks: String(CHUNKS),
  processed: '0',
  quoted: '0',
  faulted: '0',
  next: '0',
});
const admitted = () => state.advance(redis, ID, 1, WINDOW, ADMIT_ONLY, undefined);
const begin = () => state.begin(redis, ID, NOW, { revision: 1 });
const done = (index: number, revision = 1) => state.advance(redis, ID, revision, WINDOW, index, PART);
const returnChunk = (index: number) => state.advance(redis, ID, 1, WINDOW, index, undefined);
const finish = (status: string, revision = 1, epoch?: string) =>
  state.finish(redis, ID, { revision, epoch }, { status });
const failing = (index?: number) => ({
  ...(index !== undefined && { index }),
  failure: { message: `It failed at ${index}.` },
});
/** A chunk fails for good, or the assembly. */
const fail = (index?: number) => state.fail(redis, ID, { revision: 1 }, failing(index));
const status = async () => (await state.fields(redis, ID))['status'];
const counts = async () => {
  const { processed, quoted, faulted, 'fault:row.malformed': malformed = '0' } = await state.fields(redis, ID);
  return [processed, quoted, faulted, malformed].map(Number);
};
const open = async () => [...(await state.open(redis, ID))].toSorted();
const begunWith = async (...indexes: number[]): Promise<void> => {
  await admitted();
  await begin();
  for (const index of indexes) await done(index);
};

const finished = async (how: string): Promise<void> => {
  await begunWith(0);
  await finish(how);
};

beforeEach(async () => {
  await server.clear();
  await state.create(redis, ID, created());
});

describe('a batch', () => {
  test('is created once', async () => {
    expect(await state.create(redis, ID, { ...created(), status: 'in_progress' })).toBe(false);
    expect(await status()).toBe('queued');
  });

  test('goes from queued to in_progress when a worker takes its first chunk, and keeps that time', async () => {
    await admitted();
    expect(await status()).toBe('queued');
    expect(await begin()).toEqual({ status: 'in_progress', revision: 1 });
    await state.begin(redis, ID, new Date('2026-06-02T12:00:00Z'), { revision: 1 });
    expect(await state.fields(redis, ID)).toMatchObject({
      status: 'in_progress',
      startedAt: '2026-06-01T12:00:00.000Z',
    });
  });

  test('goes from in_progress to finalizing with its last chunk, and requests its assembly each time', async () => {
    await begunWith(0, 1, 2);
    expect(await status()).toBe('in_progress');
    expect(await done(3)).toEqual({ next: 'assemble', admitted: [] });
    expect(await status()).toBe('finalizing');
    expect(await admitted()).toEqual({ next: 'assemble', admitted: [] });
  });

  test('goes from finalizing to completed, and its working data is removed', async () => {
    await begunWith(0, 1, 2, 3);
    await finish('completed');
    expect(await status()).toBe('completed');
    const { open: openKey, done: doneKey } = stateKeys(ID);
    expect(await redis.exists(openKey, doneKey)).toBe(0);
  });

  test('goes back from finalizing to in_progress if a part is lost, and admits only that chunk', async () => {
    await begunWith(0, 1, 2, 3);
    await state.undone(redis, ID, 2, PART);
    expect(await state.reopen(redis, ID)).toBe(true);
    expect([await status(), await counts()]).toEqual(['in_progress', [30, 27, 3, 3]]);
    expect(await admitted()).toEqual({ next: 'nothing', admitted: [2] });
    expect(await done(2)).toEqual({ next: 'assemble', admitted: [] });
    expect(await counts()).toEqual([40, 36, 4, 4]);
  });

  test('is not reopened unless it is finalizing', async () => {
    await begunWith(0);
    expect(await state.reopen(redis, ID)).toBe(false);
    expect(await status()).toBe('in_progress');
  });

  test.each([
    ['queued', async () => undefined],
    ['in_progress', () => begunWith(0)],
    ['finalizing', () => begunWith(0, 1, 2, 3)],
  ])('goes from %s to cancelling', async (before, reach) => {
    await reach();
    expect(await state.cancel(redis, ID)).toBe(before);
    expect(await status()).toBe('cancelling');
    expect(await state.cancel(redis, ID)).toBe('cancelling');
  });

  test('admits nothing while cancelling, and is assembled when the running chunks have ended', async () => {
    await begunWith(0);
    expect(await open()).toEqual([1, 2]);
    await state.cancel(redis, ID);
    expect(await done(1)).toEqual({ next: 'nothing', admitted: [] });
    expect(await returnChunk(2)).toEqual({ next: 'assemble', admitted: [] });
    expect(await counts()).toEqual([20, 18, 2, 2]);
    await finish('cancelled');
    expect(await status()).toBe('cancelled');
  });

  test.each(['completed', 'cancelled', 'failed', 'expired'])('that is %s stays so', async (final) => {
    await finished(final);
    await finish('completed');
    expect(await state.cancel(redis, ID)).toBe(final);
    expect((await begin()).status).toBe(final);
    expect(await done(1)).toEqual({ next: 'nothing', admitted: [] });
    expect([await status(), await counts()]).toEqual([final, [10, 9, 1, 1]]);
  });

  test('goes from in_progress to finalizing to failed, and a retry starts it again', async () => {
    await begunWith(0);
    expect(await fail(1)).toBe('failing');
    expect(await status()).toBe('finalizing');
    await finish('failed');
    expect(readFailing(await state.fields(redis, ID))).toBe(undefined);
    await state.remove(redis, ID);
    expect(await state.create(redis, ID, created())).toBe(true);
    expect(await state.advance(redis, ID, 1, 0, 0, PART)).toEqual({ next: 'nothing', admitted: [] });
    expect(await admitted()).toEqual({ next: 'nothing', admitted: [1, 2] });
    expect(await counts()).toEqual([10, 9, 1, 1]);
  });

  test('fails with the first chunk that fails, but not if another worker has done that chunk', async () => {
    await begunWith(0);
    expect([await fail(0), await status()]).toEqual(['over', 'in_progress']);
    expect([await fail(2), await fail(1)]).toEqual(['failing', 'over']);
    expect(readFailing(await state.fields(redis, ID))).toEqual(failing(2));
    expect(await done(1)).toEqual({ next: 'assemble', admitted: [] });
    expect(await admitted()).toEqual({ next: 'assemble', admitted: [] });
    expect(await state.reopen(redis, ID)).toBe(false);
  });

  test('returns to in_progress if it cannot be ended as failed, and another chunk may fail it', async () => {
    await begunWith(0);
    await fail(1);
    await state.notFailed(redis, ID, failing(2));
    expect(await status()).toBe('finalizing');
    await state.notFailed(redis, ID, failing(1));
    expect([await status(), await open()]).toEqual(['in_progress', [1, 2]]);
    expect(await fail(2)).toBe('failing');
  });

  test('goes from finalizing to failed with its assembly, and stays finalizing if that cannot be written', async () => {
    await begunWith(0, 1, 2, 3);
    expect(await fail()).toBe('failing');
    await state.notFailed(redis, ID, failing());
    expect([await status(), readFailing(await state.fields(redis, ID))]).toEqual(['finalizing', undefined]);
    await fail();
    await finish('failed');
    expect(await status()).toBe('failed');
  });

  test('fails only with its assembly while it is being cancelled', async () => {
    await begunWith(0);
    await state.cancel(redis, ID);
    expect([await fail(1), await status()]).toEqual(['cancelling', 'cancelling']);
    expect(await fail()).toBe('failing');
    await finish('failed');
    expect(await status()).toBe('failed');
  });

  test('does not fail with its assembly before there is one', async () => {
    await begunWith(0);
    expect(await fail()).toBe('over');
  });

  test('ignores workers that still work on the epoch before a retry', async () => {
    await state.remove(redis, ID);
    await state.create(redis, ID, { ...created(), epoch: 'second' });
    const of = (epoch?: string) => ({ index: 0, revision: 1, epoch });
    expect((await state.begin(redis, ID, NOW, of('first'))).status).toBe('superseded');
    expect(await state.fail(redis, ID, of('first'), failing(0))).toBe('over');
    expect(await status()).toBe('queued');
    expect(await state.begin(redis, ID, NOW, of('second'))).toMatchObject({ status: 'in_progress', epoch: 'second' });
    await finish('failed', 1, 'first');
    expect(await status()).toBe('in_progress');
    expect(await admitted()).toMatchObject({ admitted: [0, 1], epoch: 'second' });
    expect(await state.fail(redis, ID, of('second'), failing(0))).toBe('failing');
    await finish('failed', 1, 'second');
    expect(await status()).toBe('failed');
  });

  test('goes from completed to expired', async () => {
    await finished('completed');
    await state.expire(redis, ID, 2, { status: 'expired' });
    expect(await status()).toBe('completed');
    await state.expire(redis, ID, 1, { status: 'expired' });
    expect(await status()).toBe('expired');
  });

  test('goes from completed to queued with the next revision, once', async () => {
    await finished('completed');
    expect(await state.revise(redis, ID, 1, created(2))).toBe(true);
    expect(await state.revise(redis, ID, 1, created(2))).toBe(false);
    expect(await state.fields(redis, ID)).toMatchObject({ status: 'queued', revision: '2' });
  });

  test('ignores workers that still work on an earlier revision', async () => {
    await finished('completed');
    await state.revise(redis, ID, 1, created(2));
    expect((await begin()).status).toBe('superseded');
    expect(await done(0)).toEqual({ next: 'superseded', admitted: [] });
    await finish('completed');
    expect(await state.fields(redis, ID)).toMatchObject({ status: 'queued', processed: '0' });
  });

  test('reports that Redis has lost it', async () => {
    await state.remove(redis, ID);
    expect((await begin()).status).toBe('');
    expect(await done(0)).toEqual({ next: 'gone', admitted: [] });
    await finish('completed');
    expect(await redis.exists(...Object.values(stateKeys(ID)))).toBe(0);
  });

  test('publishes its id at each change', async () => {
    const listener = await openRedis(server.url);
    const heard: string[] = [];
    // Other test files have their own batches on the same server.
    listener.on('message', (_channel, id: string) => void (['begun', ID].includes(id) && heard.push(id)));
    await listener.subscribe(CHANGES_CHANNEL);
    // In a Cluster, messages of earlier tests may still arrive. Those of one node arrive in order.
    await redis.eval(`return redis.call('PUBLISH', ARGV[1], 'begun')`, 1, stateKeys(ID).state, CHANGES_CHANNEL);
    await expect.poll(() => heard.at(-1)).toBe('begun');
    heard.length = 0;
    await admitted();
    await begin();
    await done(0);
    await done(0);
    await state.cancel(redis, ID);
    await finish('cancelled');
    await expect.poll(() => heard).toEqual([ID, ID, ID, ID]);
    listener.disconnect();
  });
});

describe('a chunk', () => {
  test('is admitted within the window; each finished chunk admits the next', async () => {
    expect(await admitted()).toEqual({ next: 'nothing', admitted: [0, 1] });
    expect(await admitted()).toEqual({ next: 'nothing', admitted: [] });
    expect(await done(1)).toEqual({ next: 'nothing', admitted: [2] });
    expect(await open()).toEqual([0, 2]);
  });

  test('counts once if it is done twice', async () => {
    await admitted();
    await done(0);
    expect(await done(0)).toEqual({ next: 'nothing', admitted: [] });
    expect([await counts(), await open()]).toEqual([
      [10, 9, 1, 1],
      [1, 2],
    ]);
  });

  test('is not admitted if it is already done', async () => {
    await done(1);
    expect(await open()).toEqual([0, 2]);
  });

  test('is not done if it is given back, and may be done later', async () => {
    await admitted();
    await state.cancel(redis, ID);
    await returnChunk(0);
    expect([await open(), await counts()]).toEqual([[1], [0, 0, 0, 0]]);
    await done(0);
    expect(await counts()).toEqual([10, 9, 1, 1]);
  });

  test('is taken back once if it is undone twice', async () => {
    await begunWith(0, 1);
    await state.undone(redis, ID, 1, PART);
    await state.undone(redis, ID, 1, PART);
    expect(await counts()).toEqual([10, 9, 1, 1]);
  });
});
