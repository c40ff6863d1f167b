import { expect, test, vi } from 'vitest';
import { createBoundedMap, createLoadCache } from '../../src/base/bounded-cache.ts';

test('a new entry takes the place of the one that was added first', () => {
  const map = createBoundedMap<number>(2);
  for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, at);
  expect(['a', 'b', 'c'].map(map.get)).toEqual([undefined, 1, 2]);
  map.delete('b');
  expect(map.get('b')).toBeUndefined();
});

test('setting a key again keeps the other entries', () => {
  const map = createBoundedMap<number>(2);
  for (const key of ['a', 'b', 'b']) map.set(key, 1);
  expect(map.get('a')).toBe(1);
});

test('calls with the same key share one load', async () => {
  const load = vi.fn(async () => 'value');
  const cached = createLoadCache<string>(2);
  expect(await Promise.all([cached('a', load), cached('a', load)])).toEqual(['value', 'value']);
  await cached('a', load);
  expect(load).toHaveBeenCalledTimes(1);
  await cached('b', load);
  await cached('c', load);
  await cached('a', load);
  expect(load).toHaveBeenCalledTimes(4);
});

test('a load that fails, or whose value is not kept, is tried again', async () => {
  const cached = createLoadCache<string | undefined>(2, (value) => value !== undefined);
  await expect(cached('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cached('a', async () => undefined)).toBeUndefined();
  expect(await cached('a', async () => 'there')).toBe('there');
  expect(await cached('a', async () => 'not asked')).toBe('there');
});
