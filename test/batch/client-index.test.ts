/** The batches of a client, and how many are running, as Redis counts them. */
import { describe, expect, test } from 'vitest';
import { bytesInFlight, clientIndex, cursorOf, inFlight, readCursor, useOf } from '../../src/batch/client-index.ts';
import { stored } from '../../src/batch/quota.ts';
import { stateKeys } from '../../src/batch/state.ts';
import { type Backend, idOf, redisAndStore } from './fixtures.ts';

let backend: Backend;
redisAndStore((fresh) => {
  backend = fresh;
});

const CREATED = '2026-06-01T12:00:00.000Z';
const at = (second: number): string => new Date(Date.parse(CREATED) + 1_000 * second).toISOString();

describe('the list of a client’s batches', () => {
  const add = (number: number, createdAt: string) => clientIndex.add(backend.redis, 'demo', idOf(number), createdAt);
  const page = async (limit: number, cursor?: string) => {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const { entries, more } = await clientIndex.page(backend.redis, 'demo', limit, after);
    return [entries.map(({ id }) => id), more];
  };

  test('comes in pages, with the newest batch first', async () => {
    for (const number of [2, 3, 1]) await add(number, at(number));
    expect(await page(2)).toEqual([[idOf(3), idOf(2)], true]);
    expect(await page(2, cursorOf(at(2), idOf(2)))).toEqual([[idOf(1)], false]);
    expect(await page(3)).toEqual([[idOf(3), idOf(2), idOf(1)], false]);
    expect(await page(3, cursorOf(at(1), idOf(1)))).toEqual([[], false]);
  });

  test('lists batches of the same millisecond once each, across pages', async () => {
    for (const number of [1, 2, 3, 4, 5]) await add(number, CREATED);
    const seen: unknown[] = [];
    let cursor: string | undefined;
    for (let more = true; more; ) {
      const { entries, more: goesOn } = await clientIndex.page(
        backend.redis,
        'demo',
        2,
        cursor ? readCursor(cursor) : undefined,
      );
      seen.push(...entries.map(({ id }) => id));
      cursor = cursorOf(CREATED, entries.at(-1)?.id ?? '');
      more = goesOn;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map(idOf));
  });

  test('continues at the same time if the last batch of the page is gone', async () => {
    for (const number of [1, 2, 3]) await add(number, at(number));
    await clientIndex.remove(backend.redis, 'demo', idOf(2));
    expect(await page(2, cursorOf(at(2), idOf(2)))).toEqual([[idOf(1)], false]);
  });

  test('lists each batch once, with the fields of its state, or without fields if Redis has lost it', async () => {
    await backend.redis.hset(stateKeys(idOf(1)).state, { status: 'queued', filename: 'june, "2".csv' });
    await add(1, CREATED);
    await add(1, CREATED);
    await add(2, CREATED);
    expect((await clientIndex.page(backend.redis, 'demo', 9, undefined)).entries).toEqual([
      { id: idOf(2), fields: {} },
      { id: idOf(1), fields: { status: 'queued', filename: 'june, "2".csv' } },
    ]);
    expect(await clientIndex.all(backend.redis, 'demo')).toEqual([idOf(1), idOf(2)]);
  });

  test('is empty for a client without batches; a client is known after its first upload', async () => {
    expect(await page(5)).toEqual([[], false]);
    await clientIndex.addClient(backend.redis, 'new');
    await add(1, CREATED);
    expect((await clientIndex.clients(backend.redis)).toSorted()).toEqual(['demo', 'new']);
    expect((await clientIndex.page(backend.redis, 'new', 5, undefined)).entries).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['text that is not base64', '%%%'],
    ['another text', Buffer.from('hello').toString('base64url')],
    ['a text without a time', Buffer.from(`x ${idOf(1)}`).toString('base64url')],
    ['a text without a batch id', Buffer.from('1780315200000 ../../etc').toString('base64url')],
    ['surplus text', Buffer.from(`1780315200000 ${idOf(1)} x`).toString('base64url')],
  ])('rejects a cursor of %s', (_what, cursor) => {
    expect(readCursor(cursor)).toBeUndefined();
  });

  test('has cursors of time and id', () => {
    expect(readCursor(cursorOf(CREATED, idOf(7)))).toEqual({ score: Date.parse(CREATED), id: idOf(7) });
  });
});

describe('running work', () => {
  const LIMITS = { batchesInFlight: 2, rowsInFlight: 100, batchesStored: 3 };
  const NOW = new Date('2026-06-01T12:00:00Z');
  /** The id of a batch that was created this many seconds ago. */
  const madeBefore = (seconds: number): string =>
    `b${(NOW.getTime() - seconds * 1_000).toString(36).padStart(9, '0')}${'0'.repeat(16)}`;
  const enter = (id: string, rows: number) => inFlight.enter(backend.redis, 'demo', id, rows, LIMITS, NOW);
  const counts = () => inFlight.counts(backend.redis, 'demo');
  const set = (id: string, status: string) => backend.redis.hset(stateKeys(id).state, { status });

  test('counts each batch once, and its rows', async () => {
    expect([await enter(idOf(1), 40), await enter(idOf(1), 40), await enter(idOf(2), 60)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await counts()).toEqual({ batches: 2, rows: 100 });
    await inFlight.leave(backend.redis, 'demo', idOf(1));
    await inFlight.leave(backend.redis, 'demo', idOf(1));
    expect(await counts()).toEqual({ batches: 1, rows: 60 });
    await inFlight.leave(backend.redis, 'demo', idOf(2));
    expect(await counts()).toEqual({ batches: 0, rows: 0 });
  });

  test('is refused over the number of stored batches, unless it is one of them', async () => {
    for (const id of [1, 2, 3]) await stored.set(backend.redis, 'demo', idOf(id), 900);
    expect([await enter(idOf(4), 1), await enter(idOf(3), 1)]).toEqual(['batchesStored', undefined]);
    await stored.remove(backend.redis, 'demo', idOf(1));
    expect(await enter(idOf(4), 1)).toBeUndefined();
  });

  test('no longer counts a batch without rows after its end', async () => {
    await inFlight.restore(backend.redis, 'demo', idOf(1), { rows: 0, bytes: 5 });
    expect(await counts()).toEqual({ batches: 1, rows: 0 });
    await inFlight.leave(backend.redis, 'demo', idOf(1));
    expect([await counts(), await backend.redis.exists('rates:inflight:{demo}')]).toEqual([{ batches: 0, rows: 0 }, 0]);
  });

  test('refuses a batch by the limit that it would exceed', async () => {
    const [first, second, third] = [madeBefore(1), madeBefore(2), madeBefore(3)];
    await enter(first, 40);
    expect(await enter(second, 61)).toBe('rowsInFlight');
    expect(await enter(second, 60)).toBeUndefined();
    expect(await enter(third, 0)).toBe('batchesInFlight');
    expect(await counts()).toEqual({ batches: 2, rows: 100 });
  });

  test.each(['completed', 'failed', 'cancelled', 'expired'])('does not count a batch that is %s', async (status) => {
    const [ended, next] = [madeBefore(1), madeBefore(0)];
    await enter(ended, 90);
    await set(ended, status);
    expect(await enter(next, 90)).toBeUndefined();
    expect(await counts()).toEqual({ batches: 1, rows: 90 });
  });

  test('drops a batch that was not created within a minute, and no other', async () => {
    const [young, old, running] = [madeBefore(59), madeBefore(61), madeBefore(3_600)];
    await set(running, 'in_progress');
    for (const id of [young, old, running]) await inFlight.restore(backend.redis, 'demo', id, { rows: 30, bytes: 9 });
    expect(await enter(madeBefore(0), 10)).toBe('batchesInFlight');
    expect(await counts()).toEqual({ batches: 2, rows: 60 });
    expect(await bytesInFlight.names(backend.redis, 'demo')).toEqual([young, running]);
  });

  test('is checked at most every five seconds, however often a client asks', async () => {
    await enter(madeBefore(1), 90);
    expect(await enter(madeBefore(0), 90)).toBe('rowsInFlight');
    await set(madeBefore(1), 'completed');
    expect(await enter(madeBefore(0), 90)).toBe('rowsInFlight');
    expect(await backend.redis.pttl('rates:inflight:{demo}:looked')).toBeGreaterThan(0);
    await backend.redis.del('rates:inflight:{demo}:looked');
    expect(await enter(madeBefore(0), 90)).toBeUndefined();
  });

  test('counts a batch that Redis had lost again, whatever the limits, unless it has ended since', async () => {
    const flight = { rows: 500, bytes: 4_000 };
    await inFlight.recount(backend.redis, 'demo', idOf(1), flight);
    await inFlight.recount(backend.redis, 'demo', idOf(1), flight);
    await set(idOf(2), 'completed');
    await inFlight.recount(backend.redis, 'demo', idOf(2), flight);
    expect([await counts(), await bytesInFlight.sum(backend.redis, 'demo')]).toEqual([
      { batches: 1, rows: 500 },
      4_000,
    ]);
  });

  test('counts the bytes of uploads and of batches, up to a limit', async () => {
    await inFlight.restore(backend.redis, 'demo', idOf(1), { rows: 1, bytes: 600 });
    expect(await bytesInFlight.set(backend.redis, 'demo', 'upload', 401, 1_000)).toBe(false);
    expect(await bytesInFlight.set(backend.redis, 'demo', 'upload', 400, 1_000)).toBe(true);
    await inFlight.leave(backend.redis, 'demo', idOf(1));
    expect(await bytesInFlight.names(backend.redis, 'demo')).toEqual(['upload']);
  });

  test('is reported together with the bytes that the client stores', async () => {
    await inFlight.restore(backend.redis, 'demo', idOf(1), { rows: 7, bytes: 600 });
    await stored.set(backend.redis, 'demo', idOf(1), 900);
    expect(await useOf(backend.redis, 'demo')).toEqual({
      batchesInFlight: 1,
      rowsInFlight: 7,
      bytesInFlight: 600,
      bytesStored: 900,
      batchesStored: 1,
    });
    expect(await useOf(backend.redis, 'other')).toEqual({
      batchesInFlight: 0,
      rowsInFlight: 0,
      bytesInFlight: 0,
      bytesStored: 0,
      batchesStored: 0,
    });
  });
});
