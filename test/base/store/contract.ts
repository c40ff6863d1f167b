/** The tests that every store must pass, run against the store that `use` returns. */
import { describe, expect, test } from 'vitest';
import { getJson, MissingObject, putJson, type Store } from '../../../src/base/store/store.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}
const failing = async function* (): AsyncGenerator<Uint8Array> {
  yield bytes('half');
  throw new Error('the source broke');
};
/** Treats writes as abandoned that have not changed for this long. */
export const stillSince =
  (ms: number) =>
  (_key: string, since: Date): boolean =>
    since.getTime() < Date.now() + ms;
const MEGABYTE = 1024 * 1024;

/** Pieces with unique content, so that missing and repeated bytes show. */
export const numbered = (length: number, from = 0): Buffer => {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let at = 0; at < words.length; at++) words[at] = at + from;
  return Buffer.from(words.buffer).subarray(0, length);
};

export const readAll = async (store: Store, key: string, from?: number, to?: number): Promise<Buffer> => {
  const parts: Buffer[] = [];
  const range = from === undefined || to === undefined ? undefined : { from, to };
  for await (const part of store.stream(key, range)) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
};

/** @param use returns the store, which is empty at first */
export const testStore = (use: () => Store): void => {
  const read = async (key: string, from?: number, to?: number): Promise<string> =>
    (await readAll(use(), key, from, to)).toString();

  describe('an object', () => {
    test('is read as it was written, as a whole and in ranges up to its end', async () => {
      const store = use();
      expect(await store.put('a/b.txt', bytes('hello world'))).toBe(11);
      expect((await store.get('a/b.txt'))?.toString()).toBe('hello world');
      expect((await store.get('a/b.txt', { from: 6, to: 11 }))?.toString()).toBe('world');
      expect((await store.get('a/b.txt', { from: 6, to: 99 }))?.toString()).toBe('world');
      expect((await store.get('a/b.txt', { from: 11, to: 99 }))?.toString()).toBe('');
      expect((await store.get('a/b.txt', { from: 20, to: 99 }))?.toString()).toBe('');
      expect((await store.get('a/b.txt', { from: 5, to: 5 }))?.toString()).toBe('');
      expect(await read('a/b.txt')).toBe('hello world');
      expect(await read('a/b.txt', 0, 5)).toBe('hello');
      expect(await read('a/b.txt', 6, 99)).toBe('world');
      expect(await read('a/b.txt', 20, 99)).toBe('');
      expect(await read('a/b.txt', 5, 5)).toBe('');
      expect(await store.size('a/b.txt')).toBe(11);
    });

    test('reads a range into the caller’s memory', async () => {
      const store = use();
      await store.put('range', bytes('hello world'));
      const into = Buffer.alloc(5);
      expect((await store.get('range', { from: 6, to: 11 }, into))?.toString()).toBe('world');
      expect((await store.get('range', { from: 8, to: 13 }, into))?.toString()).toBe('rld');
    });

    test('is replaced as a whole', async () => {
      const store = use();
      await store.put('c', bytes('a long text'), { durable: true });
      await store.put('c', pieces('sh', '', 'ort'), { durable: true });
      expect((await store.get('c'))?.toString()).toBe('short');
    });

    test('of 12 MB is written in pieces of any size and read at any offset', async () => {
      const store = use();
      const all = numbered(12 * MEGABYTE + 5);
      const sizes = [1, 70_000, 6 * MEGABYTE, 3, 5 * MEGABYTE];
      const cut = async function* (): AsyncGenerator<Uint8Array> {
        let at = 0;
        for (const size of sizes) {
          yield all.subarray(at, at + size);
          at += size;
        }
        yield all.subarray(at);
      };
      expect(await store.put('d', cut())).toBe(12 * MEGABYTE + 5);
      expect(await store.size('d')).toBe(12 * MEGABYTE + 5);
      expect((await readAll(store, 'd')).equals(all)).toBe(true);
      const [from, to] = [5 * MEGABYTE - 3, 5 * MEGABYTE + 100_000];
      expect((await store.get('d', { from, to }))?.equals(all.subarray(from, to))).toBe(true);
    });

    test('exists even if it is empty', async () => {
      const store = use();
      expect(await store.put('e', pieces())).toBe(0);
      expect(await store.get('e')).toEqual(Buffer.alloc(0));
      expect(await store.put('e2', Buffer.alloc(0))).toBe(0);
      expect(await store.size('e2')).toBe(0);
      expect(await store.get('e2', { from: 0, to: 5 })).toEqual(Buffer.alloc(0));
      expect(await read('e2')).toBe('');
    });

    test('does not exist, or does not change, if its source fails; the error is that of the source', async () => {
      const store = use();
      await expect(store.put('f/g', failing())).rejects.toThrow('the source broke');
      expect(await store.list('f/')).toEqual([]);
      await store.put('f/g', bytes('old'));
      await expect(store.put('f/g', failing())).rejects.toThrow('the source broke');
      expect((await store.get('f/g'))?.toString()).toBe('old');
    });

    test('of many parts does not exist if its source fails', async () => {
      const store = use();
      const source = async function* (): AsyncGenerator<Uint8Array> {
        yield numbered(11 * MEGABYTE);
        throw new Error('the source broke late');
      };
      await expect(store.put('f/h', source())).rejects.toThrow('the source broke late');
      expect(await store.size('f/h')).toBeUndefined();
    });

    test('does not exist after an aborted write', async () => {
      const store = use();
      const signal = AbortSignal.abort(new Error('stopped'));
      await expect(store.put('h', pieces('text'), { signal })).rejects.toThrow('stopped');
      await expect(store.put('h', bytes('text'), { signal })).rejects.toThrow('stopped');
      const aborting = new AbortController();
      const source = async function* (): AsyncGenerator<Uint8Array> {
        yield numbered(6 * MEGABYTE);
        aborting.abort(new Error('stopped half way'));
        yield bytes('more');
      };
      await expect(store.put('h', source(), aborting)).rejects.toThrow('stopped half way');
      expect(await store.get('h')).toBeUndefined();
    });

    test('written concurrently has the complete content of one writer', async () => {
      const store = use();
      const texts = Array.from({ length: 10 }, (_, i) => String(i).repeat(100_000));
      await Promise.all(texts.map((text) => store.put('i', bytes(text))));
      expect(texts).toContain((await store.get('i'))?.toString());
    });
  });

  describe('a missing object', () => {
    test('is undefined, and named in the error of a stream', async () => {
      const store = use();
      expect(await store.get('no/such')).toBeUndefined();
      expect(await store.get('no/such', { from: 2, to: 4 })).toBeUndefined();
      expect(await store.size('no/such')).toBeUndefined();
      expect(await store.list('no/such/')).toEqual([]);
      await expect(read('no/such')).rejects.toThrow(MissingObject);
      await expect(read('no/such')).rejects.toThrow('there is no object no/such in the store');
    });

    test('is undefined below another object too', async () => {
      const store = use();
      await store.put('file', bytes('x'));
      expect(await store.get('file/below')).toBeUndefined();
      expect(await store.list('file/')).toEqual([]);
    });

    test('can be removed without an error', async () => {
      await use().remove('no/such');
      await use().remove('no/such/');
    });
  });

  test('copies an object, and neither changes with the other', async () => {
    const store = use();
    const large = numbered(6 * MEGABYTE);
    await store.put('copy/from', bytes('one'));
    await store.put('copy/empty', bytes(''));
    await store.put('copy/large', large);
    for (const name of ['from', 'empty', 'large']) await store.copy(`copy/${name}`, `copies/below/${name}`);
    await store.copy('copy/from', 'copies/below/from');
    await store.put('copy/from', bytes('another'));
    await store.remove('copy/large');
    expect((await store.get('copies/below/from'))?.toString()).toBe('one');
    expect((await store.get('copies/below/large'))?.equals(large)).toBe(true);
    expect(await store.size('copies/below/empty')).toBe(0);
    expect(await store.bytes('copies/')).toBe(2 * 4_096 + 4_096 * Math.ceil(large.length / 4_096));
    await store.put('copies/below/from', bytes('changed'));
    expect((await store.get('copy/from'))?.toString()).toBe('another');
    await expect(store.copy('copy/nothing', 'copies/nothing')).rejects.toThrow(MissingObject);
    expect(await store.size('copies/nothing')).toBeUndefined();
  });

  test('lists names below a prefix in order, folders with a slash', async () => {
    const store = use();
    for (const key of ['list/b', 'list/a/x', 'list/a/y', 'list/a.txt', 'listed', 'list/B'])
      await store.put(key, bytes(''));
    expect(await store.list('list/')).toEqual(['B', 'a.txt', 'a/', 'b']);
    expect(await store.list('list/a/')).toEqual(['x', 'y']);
  });

  test('removes one object, or everything below a prefix', async () => {
    const store = use();
    for (const key of ['gone/a/x', 'gone/b', 'gone.txt']) await store.put(key, bytes(''));
    await store.remove('gone/b');
    expect(await store.list('gone/')).toEqual(['a/']);
    await store.remove('gone/');
    expect(await store.list('gone/')).toEqual([]);
    expect(await store.size('gone.txt')).toBe(0);
  });

  test.each(['', '/etc/passwd', '../up', 'a/../../up', 'a//b', '.hidden', 'a/.hidden', 'a\0b', 'a b', 'a\\b'])(
    'the key %j is refused',
    async (key) => {
      const store = use();
      await expect(async () => store.put(key, bytes('x'))).rejects.toThrow('not a key of the store');
      await expect(async () => store.get(key)).rejects.toThrow('not a key of the store');
      await expect(async () => store.size(key)).rejects.toThrow('not a key of the store');
      await expect(async () => store.remove(key)).rejects.toThrow('not a key of the store');
      expect(() => store.stream(key)).toThrow('not a key of the store');
    },
  );

  test('keeps JSON, and returns undefined for a missing object', async () => {
    const store = use();
    await putJson(store, 'k.json', { a: [1, 'é'] });
    expect(await getJson(store, 'k.json')).toEqual({ a: [1, 'é'] });
    expect(await getJson(store, 'l.json')).toBeUndefined();
  });

  test('adds up the room of all objects below a prefix, at any depth', async () => {
    const store = use();
    expect(await store.bytes('sum/')).toBe(0);
    await store.put('sum/a', bytes('12'));
    await store.put('sum/b/c', Buffer.alloc(4_097));
    await store.put('sum/empty', bytes(''));
    await store.put('summary', bytes('6'));
    // In blocks of 4 KiB.
    expect(await store.bytes('sum/')).toBe(16_384);
  });

  test('leaves no object after a check', async () => {
    await use().check();
    expect(await use().list('check/')).toEqual([]);
  });

  test('sweeps objects of unfinished checks, and nothing else', async () => {
    const store = use();
    await store.put('check/left', bytes('ok'));
    await store.put('kept', bytes('x'));
    expect(await store.sweep(stillSince(-3_600_000))).toBe(0);
    expect(await store.sweep(stillSince(3_600_000))).toBe(1);
    expect(await store.list('check/')).toEqual([]);
    expect(await store.size('kept')).toBe(1);
  });
};
