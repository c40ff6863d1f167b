/** Running uploads: signs of life, and the bytes that are counted for them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/base/store/store.ts';
import { bytesInFlight, clientIndex } from '../../src/batch/client-index.ts';
import { stored } from '../../src/batch/quota.ts';
import { stateKeys } from '../../src/batch/state.ts';
import { aliveUploads, beginUpload, type Uploading } from '../../src/batch/uploads.ts';
import { type Backend, idOf, redisAndStore } from './fixtures.ts';

const MIB = 1024 * 1024;
const LIMITS = { bytesStored: 100 * MIB, bytesInFlight: 50 * MIB, outputPerInputByte: 100 };

let backend: Backend;
let free: number;
let looks: number;
const begun: Uploading[] = [];
redisAndStore((fresh) => {
  backend = fresh;
});
beforeEach(() => {
  free = 1_000 * MIB;
  looks = 0;
});
afterEach(async () => {
  await Promise.all(begun.splice(0).map((upload) => upload.end(false)));
});

const begin = async (expected: number, name = 'upload'): Promise<Uploading> => {
  const { redis } = backend;
  const store: Store = {
    ...backend.store,
    free: async () => {
      looks += 1;
      return free;
    },
  };
  const upload = await beginUpload({ store, redis, reserveBytes: 10 * MIB }, 'demo', name, LIMITS, expected);
  begun.push(upload);
  return upload;
};
const counted = async () => [await bytesInFlight.sum(backend.redis, 'demo'), await stored.sum(backend.redis, 'demo')];

describe('an upload', () => {
  test('is alive until its end, and has a known client', async () => {
    const upload = await begin(5);
    expect(await aliveUploads(backend.redis)).toEqual(new Set(['upload']));
    expect(await clientIndex.clients(backend.redis)).toEqual(['demo']);
    await upload.end(false);
    expect([await aliveUploads(backend.redis), await counted()]).toEqual([new Set(), [0, 0]]);
  });

  test('counts with its expected size, or one byte, and hands the count over to its batch', async () => {
    const upload = await begin(5 * MIB);
    expect(await counted()).toEqual([5 * MIB, 5 * MIB]);
    await begin(0, 'other');
    expect(await counted()).toEqual([5 * MIB + 1, 5 * MIB + 1]);
    await upload.end(true);
    expect(await counted()).toEqual([5 * MIB + 1, 5 * MIB + 1]);
  });

  test('counts again in steps of 4 MiB when it exceeds the expected size, and at its end', async () => {
    const upload = await begin(0);
    await upload.received(3 * MIB, false);
    expect(await counted()).toEqual([1, 1]);
    await upload.received(4 * MIB, false);
    expect(await counted()).toEqual([4 * MIB, 4 * MIB]);
    await upload.received(7 * MIB, false);
    expect(await counted()).toEqual([4 * MIB, 4 * MIB]);
    await upload.received(7 * MIB, true);
    expect(await counted()).toEqual([7 * MIB, 7 * MIB]);
    // Less than was counted, like a list with a declared length that is too large.
    await upload.received(6 * MIB, true);
    expect(await counted()).toEqual([6 * MIB, 6 * MIB]);
  });

  test('is refused when it exceeds the limit, even if it declared less', async () => {
    const upload = await begin(1);
    await upload.received(48 * MIB, false);
    await expect(upload.received(52 * MIB, false)).rejects.toMatchObject({ limit: 'bytesInFlight', most: 50 * MIB });
    expect(await counted()).toEqual([48 * MIB, 48 * MIB]);
  });

  test('is refused over a limit, and leaves nothing', async () => {
    await expect(begin(51 * MIB)).rejects.toMatchObject({ limit: 'bytesInFlight' });
    await stored.set(backend.redis, 'demo', idOf(1), 90 * MIB);
    await expect(begin(11 * MIB)).rejects.toMatchObject({ limit: 'bytesStored', most: 100 * MIB });
    expect([await aliveUploads(backend.redis), await counted()]).toEqual([new Set(), [0, 90 * MIB]]);
  });

  test('is refused if the store would keep less than its reserve, at its start and while it arrives', async () => {
    free = 30 * MIB;
    await expect(begin(21 * MIB)).rejects.toMatchObject({ name: 'NearlyFull' });
    const upload = await begin(20 * MIB);
    free = 9 * MIB;
    looks = 0;
    await upload.received(3 * MIB, false);
    expect(looks).toBe(0);
    await expect(upload.received(4 * MIB, false)).rejects.toMatchObject({ name: 'NearlyFull' });
  });
});

describe('a count that blocks uploads', () => {
  const hold = (name: string) => bytesInFlight.set(backend.redis, 'demo', name, 40 * MIB);

  test('is dropped if no process receives the upload anymore, or its batch has ended', async () => {
    await hold('dead');
    await begin(20 * MIB);
    expect(await bytesInFlight.names(backend.redis, 'demo')).toEqual(['upload']);
    await backend.redis.del('rates:inflight-bytes:{demo}:looked');
    await backend.redis.hset(stateKeys(idOf(1)).state, { status: 'completed' });
    await hold(idOf(1));
    await begin(30 * MIB, 'second');
    expect(await bytesInFlight.names(backend.redis, 'demo')).toEqual(['upload', 'second']);
  });

  test('stays while the upload is received, or its batch runs', async () => {
    await begin(30 * MIB, 'first');
    await expect(begin(30 * MIB, 'second')).rejects.toMatchObject({ limit: 'bytesInFlight' });
    await backend.redis.del('rates:inflight-bytes:{demo}:looked');
    await backend.redis.hset(stateKeys(idOf(1)).state, { status: 'in_progress' });
    await bytesInFlight.set(backend.redis, 'demo', idOf(1), 20 * MIB);
    await expect(begin(1, 'third')).rejects.toMatchObject({ limit: 'bytesInFlight' });
    expect(await bytesInFlight.names(backend.redis, 'demo')).toEqual(['first', idOf(1)]);
  });

  test('is checked at most every five seconds', async () => {
    await bytesInFlight.dropDead(backend.redis, 'demo', async () => true);
    await hold('dead');
    await expect(begin(20 * MIB)).rejects.toMatchObject({ limit: 'bytesInFlight' });
  });
});

test('an upload without a sign of life for ten minutes is dead', async () => {
  const [seconds = 0] = await backend.redis.time();
  const ago = (ms: number): number => Number(seconds) * 1_000 - ms;
  await backend.redis.zadd('rates:uploads', ago(590_000), 'slow', ago(602_000), 'dead');
  expect(await aliveUploads(backend.redis)).toEqual(new Set(['slow']));
  expect(await backend.redis.zrange('rates:uploads', '0', '-1')).toEqual(['slow']);
});
