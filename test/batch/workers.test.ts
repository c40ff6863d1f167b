/** What worker processes share through Redis: signs of life, and the usage that the last sweep found. */
import { describe, expect, test } from 'vitest';
import { aliveWorkers, createWindow, signSlots, totals, unsignSlots } from '../../src/batch/workers.ts';
import { type Backend, redisAndStore } from './fixtures.ts';

let backend: Backend;
redisAndStore((fresh) => {
  backend = fresh;
});

/** Lets time pass for the slots of a worker. */
const silentFor = async (worker: string, slots: number, ms: number): Promise<void> => {
  const [seconds = 0] = await backend.redis.time();
  for (let slot = 0; slot < slots; slot += 1)
    await backend.redis.zadd('rates:slots', Number(seconds) * 1_000 - ms, `${worker}/${slot}`);
};

describe('the number of chunks of one batch in the queue', () => {
  const size = () => createWindow(backend.redis)();

  test('is at least four', async () => {
    expect(await size()).toBe(4);
    await signSlots(backend.redis, 'one', 1);
    expect(await size()).toBe(4);
  });

  test('is twice the slots of all live workers', async () => {
    await signSlots(backend.redis, 'one', 2);
    await signSlots(backend.redis, 'two', 3);
    expect(await size()).toBe(10);
    await signSlots(backend.redis, 'two', 3);
    expect(await size()).toBe(10);
    await unsignSlots(backend.redis, 'one', 2);
    expect(await size()).toBe(6);
  });

  test('does not count a worker that is silent for more than ten seconds', async () => {
    await signSlots(backend.redis, 'one', 3);
    await silentFor('two', 3, 9_000);
    await silentFor('three', 3, 12_000);
    expect(await size()).toBe(12);
    expect(await aliveWorkers(backend.redis)).toEqual(new Set(['one', 'two']));
  });

  test('is counted at most once a second by one process', async () => {
    const counted = createWindow(backend.redis);
    expect(await counted()).toBe(4);
    await signSlots(backend.redis, 'one', 8);
    expect([await counted(), await size()]).toEqual([4, 16]);
  });
});

test('the next sign of life drops slots that are silent for long', async () => {
  await silentFor('one', 1, 99_000);
  await silentFor('two', 1, 102_000);
  await signSlots(backend.redis, 'three', 1);
  expect(await backend.redis.zrange('rates:slots', '0', '-1')).toEqual(['one/0', 'three/0']);
});

test('a worker may have a slash in its name', async () => {
  await signSlots(backend.redis, 'host/1', 2);
  expect(await aliveWorkers(backend.redis)).toEqual(new Set(['host/1']));
});

test('the usage of all clients is zero before the first sweep, then what the last sweep found', async () => {
  expect(await totals.read(backend.redis)).toEqual({ bytesInFlight: 0, bytesStored: 0 });
  await totals.write(backend.redis, { bytesInFlight: 5, bytesStored: 2 ** 41 });
  expect(await totals.read(backend.redis)).toEqual({ bytesInFlight: 5, bytesStored: 2 ** 41 });
});
