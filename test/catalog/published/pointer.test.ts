import { afterEach, describe, expect, test } from 'vitest';
import { type Followed, follow } from '../../../src/catalog/published/follow.ts';
import {
  COPY_KEY,
  createPointers,
  type Pointers,
  REDIS_KEY,
  versionOf,
} from '../../../src/catalog/published/pointer.ts';
import { soon } from '../../soon.ts';
import { noRedis, type Setup, setUpForEachTest } from './setup.ts';

let setup: Setup;
let pointers: Pointers;
setUpForEachTest((fresh) => {
  setup = fresh;
  pointers = createPointers(setup.deps);
});

const WHO = { by: 'ann@laptop', now: new Date('2026-03-01T00:00:00.000Z') };
const version = (sequence: number, content = 'x') => ({ clients: versionOf(sequence, content) });
/** The pointer after so many moves. */
const pointerTo = (sequence: number) => ({
  sequence,
  clients: {
    sequence,
    ...{ version: versionOf(sequence, 'x'), newest: versionOf(sequence, 'x') },
    at: '2026-03-01T00:00:00.000Z',
    by: 'ann@laptop',
    move: sequence,
  },
});

const moveTo = async (sequence: number, content?: string) =>
  expect(await pointers.move(await pointers.latest(), version(sequence, content), WHO)).toBe(true);
const inRedis = async () => JSON.parse((await setup.deps.redis.get(REDIS_KEY)) ?? 'null')?.sequence;
const inStore = async () => JSON.parse(String((await setup.deps.store.get(COPY_KEY)) ?? 'null'))?.sequence;

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
      (
        await Promise.all([pointers.move(seen, version(2, 'a'), WHO), pointers.move(seen, version(2, 'b'), WHO)])
      ).sort(),
    ).toEqual([false, true]);
    expect([await inRedis(), await inStore()]).toEqual([2, 2]);
  });

  test('is moved only in the store on a single machine, from what it was', async () => {
    const { store, log } = setup.deps;
    const alone = createPointers({ store, log });
    expect(await alone.move(await alone.latest(), version(1), WHO)).toBe(true);
    const seen = await alone.latest();
    expect(await alone.move(seen, version(2, 'a'), WHO)).toBe(true);
    expect(await alone.move(seen, version(2, 'b'), WHO)).toBe(false);
    expect([await inRedis(), await inStore()]).toEqual([undefined, 2]);
  });

  test('is read from the store at the next check if only the store has the move', async () => {
    const loaded: string[] = [];
    const load = async (one: string) => () => void loaded.push(one);
    const sources = [{ kind: 'clients', load }] as const;
    const followed = await follow({ ...setup.deps, sources, intervalMs: 20, readsPerCopy: 1 });
    await setup.deps.store.put(COPY_KEY, Buffer.from(JSON.stringify(pointerTo(1))));
    await soon(() => expect(loaded).toEqual([versionOf(1, 'x')]));
    await soon(async () => expect(await inRedis()).toBe(1));
    followed.close();
  });

  test('is restored from the store if Redis was emptied', async () => {
    await moveTo(1);
    await moveTo(2);
    await setup.deps.redis.del(REDIS_KEY);
    expect(await pointers.inRedis()).toBeUndefined();
    expect(await pointers.latest()).toMatchObject(pointerTo(2));
    expect(await inRedis()).toBe(2);
  });

  test('is restored from the store if Redis lost its last moves', async () => {
    await moveTo(1);
    const before = (await setup.deps.redis.get(REDIS_KEY)) ?? '';
    await moveTo(2);
    await setup.deps.redis.set(REDIS_KEY, before);
    expect(await pointers.latest()).toMatchObject(pointerTo(2));
    expect(await inRedis()).toBe(2);
  });

  test('is copied to the store by the next reader if the copy is missing', async () => {
    await moveTo(1);
    const before = await setup.deps.store.get(COPY_KEY);
    await moveTo(2);
    await setup.deps.store.put(COPY_KEY, before ?? Buffer.alloc(0));
    expect(await pointers.latest()).toMatchObject(pointerTo(2));
    expect(await inStore()).toBe(2);
  });

  test('is read from the store while Redis is unavailable, and cannot be moved', async () => {
    await moveTo(1);
    const away = noRedis();
    const blind = createPointers({ ...setup.deps, redis: away });
    expect(await blind.latest()).toMatchObject(pointerTo(1));
    await expect(blind.move(await blind.latest(), version(2), WHO)).rejects.toThrow('Redis is unavailable');
    away.disconnect();
  });

  test('is not reported as missing if neither Redis nor the store can be read', async () => {
    const away = noRedis();
    await expect(createPointers({ ...setup.deps, redis: away }).latest()).rejects.toThrow('Redis is unavailable');
    away.disconnect();
  });
});

describe('a follower', () => {
  let followed: Followed | undefined;
  afterEach(() => followed?.close());

  const start = async (load: (version: string) => Promise<void> = async () => undefined, deps = setup.deps) => {
    let held: string | undefined;
    const own = async (one: string) => {
      await load(one);
      return () => {
        held = one;
      };
    };
    const live = await follow({ ...deps, sources: [{ kind: 'clients', load: own }], intervalMs: 20 });
    followed = live;
    const current = () => {
      live.requireKnown('clients');
      return held;
    };
    return { current, failure: () => live.failure('clients'), refresh: () => live.refresh('clients') };
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
    await setup.deps.redis.del(REDIS_KEY);
    await soon(async () => expect(await inRedis()).toBe(1));
  });

  test('keeps the loaded version while Redis is unavailable, and logs that once', async () => {
    await moveTo(1);
    const { current } = await start();
    setup.deps.redis.disconnect();
    await soon(() => expect(setup.warnings).toEqual(['cannot read what is published']));
    await setup.deps.redis.connect();
    await moveTo(2);
    await soon(() => expect(current()).toBe(versionOf(2, 'x')));
    expect(setup.warnings).toHaveLength(1);
  });

  test('starts from the copy while Redis is unavailable', async () => {
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
    const { current, failure } = await start(async (one) => {
      if (one === versionOf(2, 'x')) throw new Error('it is broken');
    });
    await moveTo(2);
    await soon(() => expect(failure()).toMatchObject({ message: 'it is broken' }));
    await moveTo(3);
    await soon(() => expect(current()).toBe(versionOf(3, 'x')));
    expect([failure(), setup.warnings]).toEqual([undefined, ['a published version cannot be used']]);
  });
});
