/** The bytes that a client's batches hold, counted in Redis. */
import { describe, expect, test } from 'vitest';
import { countedShare, createLedger, LimitPassed, mostOutput, stored } from '../../src/batch/quota.ts';
import { keys } from '../../src/batch/records.ts';
import { type Backend, documentOf, idOf, redisAndStore } from './fixtures.ts';

let backend: Backend;
redisAndStore((fresh) => {
  backend = fresh;
});

describe('amounts and their sum', () => {
  const ledger = createLedger('amounts');
  const set = (name: string, amount: number, most?: number) => ledger.set(backend.redis, 'demo', name, amount, most);
  const add = (name: string, amount: number, most?: number) => ledger.add(backend.redis, 'demo', name, amount, most);
  const all = async () => [await ledger.names(backend.redis, 'demo'), await ledger.sum(backend.redis, 'demo')];

  test('can be set or increased', async () => {
    expect(await all()).toEqual([[], 0]);
    expect([await set('a', 5), await add('a', 2), await add('b', 10), await set('b', 1)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await all()).toEqual([['a', 'b'], 8]);
    expect([await ledger.of(backend.redis, 'demo', 'a'), await ledger.of(backend.redis, 'demo', 'c')]).toEqual([7, 0]);
  });

  test('are removed at zero, and the last one removes the key', async () => {
    await set('a', 5);
    await set('b', 7);
    await ledger.remove(backend.redis, 'demo', 'a');
    expect(await all()).toEqual([['b'], 7]);
    await add('b', -7);
    expect(await all()).toEqual([[], 0]);
    expect(await backend.redis.exists('amounts:{demo}')).toBe(0);
  });

  test('are refused if the sum would exceed its limit, and nothing changes', async () => {
    await set('a', 60, 100);
    expect(await set('b', 41, 100)).toBe(false);
    expect(await add('a', 41, 100)).toBe(false);
    expect(await all()).toEqual([['a'], 60]);
    expect([await set('b', 40, 100), await add('b', 1, 100)]).toEqual([true, false]);
    expect(await all()).toEqual([['a', 'b'], 100]);
  });

  test('may always decrease, even above a limit that was lowered', async () => {
    await set('a', 60);
    await set('b', 60);
    expect([await set('a', 61, 100), await set('a', 59, 100)]).toEqual([false, true]);
    expect(await all()).toEqual([['a', 'b'], 119]);
  });

  test('keep the limit under concurrent additions', async () => {
    const added = await Promise.all(Array.from({ length: 50 }, (_, at) => add(`batch ${at % 7}`, 3, 100)));
    expect(added.filter((taken) => taken)).toHaveLength(33);
    expect((await all())[1]).toBe(99);
  });

  test('are dropped if nobody works on them, at most every five seconds', async () => {
    await set('a', 5);
    await set('b', 7);
    const drop = () => ledger.dropDead(backend.redis, 'demo', async (name) => name === 'b');
    await drop();
    expect(await all()).toEqual([['b'], 7]);
    await set('a', 5);
    await drop();
    expect(await all()).toEqual([['b', 'a'], 12]);
    await backend.redis.del('amounts:{demo}:looked');
    await drop();
    expect(await all()).toEqual([['b'], 7]);
  });

  test('are exact beyond 2^40', async () => {
    await set('a', 2 ** 45 + 1);
    expect(await add('a', 1)).toBe(true);
    expect((await all())[1]).toBe(2 ** 45 + 2);
  });
});

describe('what a client stores', () => {
  const LIMITS = { bytesStored: 10 * 4_096, bytesInFlight: 1_000, outputPerInputByte: 100 };
  const write = (id: string, bytes: number) => backend.store.put(keys.input(id), Buffer.alloc(bytes));
  const admit = (id: string, ...sizes: number[]) => stored.admit(backend, 'demo', id, sizes, LIMITS);
  const sum = () => stored.sum(backend.redis, 'demo');

  test('is what lies in the folders of its batches in blocks of 4 KiB, and a block in Redis for each', async () => {
    const { store, redis } = backend;
    await write(idOf(1), 5_000);
    await write(idOf(2), 50);
    await stored.measure(store, redis, 'demo', idOf(1));
    await stored.measure(store, redis, 'demo', idOf(2));
    expect([await stored.names(redis, 'demo'), await sum()]).toEqual([[idOf(1), idOf(2)], 20_480]);
    expect(await stored.sum(redis, 'other')).toBe(0);
  });

  test('is measured again, unless there is a count', async () => {
    const { store, redis } = backend;
    await write(idOf(1), 300);
    await stored.set(redis, 'demo', idOf(1), 7);
    await stored.measureNew(store, redis, 'demo', idOf(1));
    expect(await sum()).toBe(7);
    await stored.measure(store, redis, 'demo', idOf(1));
    expect(await sum()).toBe(8_192);
    await stored.remove(redis, 'demo', idOf(1));
    await stored.measureNew(store, redis, 'demo', idOf(1));
    expect(await sum()).toBe(8_192);
  });

  test('admits announced bytes up to the limit', async () => {
    // A block for Redis and four for the object.
    for (const id of [idOf(1), idOf(2)]) {
      await stored.set(backend.redis, 'demo', id, 4_096);
      await admit(id, 4_096 * 3 + 1);
      await write(id, 4_096 * 3 + 1);
    }
    expect(await sum()).toBe(40_960);
    await expect(admit(idOf(2), 1)).rejects.toMatchObject({ name: 'LimitPassed', limit: 'bytesStored', most: 40_960 });
    expect(await sum()).toBe(40_960);
  });

  test('is measured before a refusal, because announced bytes may never have been written', async () => {
    await admit(idOf(1), 4_096 * 8, 1);
    await write(idOf(1), 100);
    await admit(idOf(1), 4_096 * 8);
    expect(await sum()).toBe(40_960);
  });
});

test('the failure names the limit that is exceeded, and the row', () => {
  expect(new LimitPassed('outputPerInputByte', 200, 17)).toMatchObject({
    message: 'the limit is 200 (outputPerInputByte)',
    limit: 'outputPerInputByte',
    most: 200,
    row: 17,
  });
});

test('rows may give one MiB of output, and above that a number of bytes for each byte of input', () => {
  const limits = { bytesStored: 0, bytesInFlight: 0, outputPerInputByte: 200 };
  expect([mostOutput(limits, 0), mostOutput(limits, 10)]).toEqual([1_048_576, 1_050_576]);
});

test.each([
  ['uncompressed', 1_000, 1_000, 1],
  ['compressed 2 to 1', 1_000, 500, 1],
  ['compressed 64 to 1', 6_400, 100, 1],
  ['compressed 128 to 1', 12_800, 100, 0.5],
])('of a list that was sent %s', (_how, inputBytes, sentBytes, weight) => {
  expect(countedShare(documentOf({ inputBytes, sentBytes }))).toBe(weight);
});
