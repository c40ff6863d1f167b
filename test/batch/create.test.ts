/** Idempotency keys that created a batch, as the store records them. */
import { describe, expect, test } from 'vitest';
import { idempotencyRecords } from '../../src/batch/create.ts';
import { createdAt, newBatchId } from '../../src/batch/ids.ts';
import { type Backend, idOf, redisAndStore } from './fixtures.ts';

let backend: Backend;
redisAndStore((fresh) => {
  backend = fresh;
});

describe('an idempotency key', () => {
  const TAKEN = { batchId: idOf(1), content: 'sha' };
  const NOON = '2026-06-10T12:00:00Z';
  const note = (digest: string, at: string) => idempotencyRecords.note(backend.store, digest, TAKEN, new Date(at));
  const find = (digest: string, at: string) => idempotencyRecords.find(backend.store, digest, new Date(at));

  test('is found for at least a day, and at most two', async () => {
    await note('key', NOON);
    expect(await find('key', NOON)).toEqual(TAKEN);
    expect(await find('key', '2026-06-11T23:59:59Z')).toEqual(TAKEN);
    expect(await find('key', '2026-06-12T00:00:00Z')).toBeUndefined();
    expect(await find('other', NOON)).toBeUndefined();
  });

  test('that is used again returns what it was used for last', async () => {
    await note('key', '2026-06-09T12:00:00Z');
    const later = { batchId: idOf(2), content: 'other' };
    await idempotencyRecords.note(backend.store, 'key', later, new Date(NOON));
    expect(await find('key', NOON)).toEqual(later);
  });

  test('is swept after that; a key from a clock that is ahead stays', async () => {
    for (const day of ['08', '09', '10', '11']) await note('key', `2026-06-${day}T12:00:00Z`);
    await idempotencyRecords.sweep(backend.store, new Date(NOON));
    expect((await backend.store.list('keys/')).toSorted()).toEqual(['2026-06-09/', '2026-06-10/', '2026-06-11/']);
  });
});

test('batch ids contain the time of creation, sort by it, and are unique', () => {
  const instants = ['2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.001Z', '2031-01-01T00:00:00.000Z'];
  const ids = instants.map((at) => newBatchId(new Date(at)));
  expect(ids.map((id) => new Date(createdAt(id)).toISOString())).toEqual(instants);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 1_000 }, () => newBatchId(new Date(0)))).size).toBe(1_000);
});
