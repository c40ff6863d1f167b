import { afterEach, describe, expect, test } from 'vitest';
import { lockWhenFree } from '../../src/process/folder-lock.ts';
import { type Followed, follow } from '../../src/published/follow.ts';
import { createPointers, type Pointer, type Pointers, versionOf } from '../../src/published/pointer.ts';
import { soon } from '../soon.ts';
import { noRedis, type Setup, setUpForEachTest } from './setup.ts';

const KEY = 'rates:published:clients';
const COPY = 'published/clients.json';

let setup: Setup;
let pointers: Pointers;
setUpForEachTest((fresh) => {
  setup = fresh;
  pointers = createPointers('clients', setup.deps);
});

const pointerTo = (sequence: number, content = 'x'): Pointer => ({
  sequence,
  version: versionOf(sequence, content),
  at: '2026-03-01T00:00:00.000Z',
  by: 'ann@laptop',
});

const moveTo = async (sequence: number, content?: string) =>
  expect(await pointers.move(await pointers.latest(), pointerTo(sequence, content))).toBe(true);
const inRedis = async () => JSON.parse((await setup.deps.redis.get(KEY)) ?? 'null')?.sequence;
const inStore = async () => JSON.parse(String((await setup.deps.store.get(COPY)) ?? 'null'))?.sequence;

describe('the pointer', () => {
  test('does not exist before the first publication, and is then in Redis and in the store', async () => {
    expect(await pointers.latest()).toBeUndefined();
    await moveTo(1);
    expect(await pointers.inRedis()).toMatchObject(pointerTo(1));
    expect([await inRedis(), await inStore()]).toEqual([1, 1]);
  });

  test('is moved by only one of two concurrent processes', async () => {
    await moveTo(1);
    const seen = await pointers.latest();
    expect(
      (await Promise.all([pointers.move(seen, pointerTo(2, 'a')), pointers.move(seen, pointerTo(2, 'b'))])).sort(),
    ).toEqual([false, true]);
    expect([await inRedis(), await inStore()]).toEqual([2, 2]);
  });

  test('is moved only in the store on a single machine, by one of two concurrent commands', async () => {
    const { store, log } = setup.deps;
    const lock = async () => {
      const held = await lockWhenFree(setup.dir);
      if (held === undefined) throw new Error('the lock is never free');
      return held;
    };
    const alone = createPointers('clients', { store, log, lock });
    expect(await alone.move(await alone.latest(), pointerTo(1))).toBe(true);
    const seen = await alone.latest();
    expect(
      (await Promise.all([alone.move(seen, pointerTo(2, 'a')), alone.move(seen, pointerTo(2, 'b'))])).sort(),
    ).toEqual([false, true]);
    expect([await inRedis(), await inStore()]).toEqual([undefined, 2]);
  });

  test('is read from the store at the next check if only the store has the move', async () => {
    const loaded: string[] = [];
    const load = async (version: string) => loaded.push(version);
    const followed = await follow({ ...setup.deps, kind: 'clients', load, intervalMs: 20, readsPerCopy: 1 });
    await setup.deps.store.put(COPY, Buffer.from(JSON.stringify(pointerTo(1))));
    await soon(() => expect(loaded).toEqual([pointerTo(1).version]));
    await soon(async () => expect(await inRedis()).toBe(1));
    followed.close();
  });

  test('is restored from the store if Redis was emptied', async () => {
    await moveTo(1);
    await moveTo(2);
    await setup.deps.redis.del(KEY);
    expect(await pointers.inRedis()).toBeUndefined();
    expect(await pointers.latest()).toMatchObject(pointerTo(2));
    expect(await inRedis()).toBe(2);
  });

  test('is restored from the store if Redis lost its last moves', async () => {
    await moveTo(1);
    const before = (await setup.deps.redis.get(KEY)) ?? '';
    await moveTo(2);
    await setup.deps.redis.set(KEY, before);
    expect(await pointers.latest()).toMatchObject(pointerTo(2));
    expect(await inRedis()).toBe(2);
  });

  test('is copied to the store by the next reader if the copy is missing', async () => {
    await moveTo(1);
    const before = await setup.deps.store.get(COPY);
    await moveTo(2);
    await setup.deps.store.put(COPY, before ?? Buffer.alloc(0));
    expect(await pointers.latest()).toMatchObject(pointerTo(2));
    expect(await inStore()).toBe(2);
  });

  test('is read from the store while Redis is away, and cannot be moved', async () => {
    await moveTo(1);
    const away = noRedis();
    const blind = createPointers('clients', { ...setup.deps, redis: away });
    expect(await blind.latest()).toMatchObject(pointerTo(1));
    await expect(blind.move(await blind.latest(), pointerTo(2))).rejects.toThrow('Redis is away');
    away.disconnect();
  });

  test('is not reported as missing if neither Redis nor the store can be read', async () => {
    const away = noRedis();
    await expect(createPointers('clients', { ...setup.deps, redis: away }).latest()).rejects.toThrow('Redis is away');
    away.disconnect();
  });
});

describe('a follower', () => {
  let followed: Followed<string> | undefined;
  afterEach(() => followed?.close());

  const start = async (load = async (version: string) => version, deps = setup.deps): Promise<Followed<string>> => {
    followed = await follow({ ...deps, kind: 'clients', load, intervalMs: 20 });
    return followed;
  };

  test('loads each published version', async () => {
    const { current } = await start();
    expect(current()).toBeUndefined();
    await moveTo(1);
    await soon(() => expect(current()).toBe(versionOf(1, 'x')));
    await moveTo(2);
    await soon(() => expect(current()).toBe(versionOf(2, 'x')));
  });

  test('restores the pointer if Redis is emptied', async () => {
    await moveTo(1);
    await start();
    await setup.deps.redis.del(KEY);
    await soon(async () => expect(await inRedis()).toBe(1));
  });

  test('keeps the loaded version while Redis is away, and logs that once', async () => {
    await moveTo(1);
    const { current } = await start();
    setup.deps.redis.disconnect();
    await soon(() => expect(setup.warnings).toEqual(['cannot read what is published']));
    await setup.deps.redis.connect();
    await moveTo(2);
    await soon(() => expect(current()).toBe(versionOf(2, 'x')));
    expect(setup.warnings).toHaveLength(1);
  });

  test('starts from the copy while Redis is away', async () => {
    await moveTo(1);
    const away = noRedis();
    expect((await start(undefined, { ...setup.deps, redis: away })).current()).toBe(versionOf(1, 'x'));
    away.disconnect();
  });

  test('does not claim that nothing is published if it cannot know', async () => {
    const away = noRedis();
    const { current } = await start(undefined, { ...setup.deps, redis: away });
    expect(current).toThrow('the store could not provide the published clients');
    away.disconnect();
  });

  test('keeps the last usable version, and reports an unusable one once', async () => {
    await moveTo(1);
    const { current, failure } = await start(async (version) => {
      if (version === versionOf(2, 'x')) throw new Error('it is broken');
      return version;
    });
    await moveTo(2);
    await soon(() => expect(failure()).toMatchObject({ message: 'it is broken' }));
    await moveTo(3);
    await soon(() => expect(current()).toBe(versionOf(3, 'x')));
    expect([failure(), setup.warnings]).toEqual([undefined, ['a published version cannot be used']]);
  });
});
