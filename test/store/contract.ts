/** What every store does alike, told as tests: each is run against the store that `use` gives. */
import { describe, expect, test } from 'vitest';
import { getJson, MissingObject, putJson, type Store } from '../../src/store/store.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}
const failing = async function* (): AsyncGenerator<Uint8Array> {
  yield bytes('half');
  throw new Error('the source broke');
};
/** Takes for left what has not moved for so long, from now. */
export const stillSince =
  (ms: number) =>
  (_key: string, since: Date): boolean =>
    since.getTime() < Date.now() + ms;
const MEGABYTE = 1024 * 1024;

/** Pieces that are alike nowhere, so that what is missing or twice shows. */
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

/** @param use the store, empty at the beginning */
export const testStore = (use: () => Store): void => {
  const read = async (key: string, from?: number, to?: number): Promise<string> =>
    (await readAll(use(), key, from, to)).toString();

  describe('an object', () => {
    test('is read as it was written, whole and in ranges, as far as it goes', async () => {
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

    test('may be read into memory that is given for a range of it', async () => {
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

    test('of 12 MB is written from pieces of any size, and read anywhere', async () => {
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

    test('that is empty is there', async () => {
      const store = use();
      expect(await store.put('e', pieces())).toBe(0);
      expect(await store.get('e')).toEqual(Buffer.alloc(0));
      expect(await store.put('e2', Buffer.alloc(0))).toBe(0);
      expect(await store.size('e2')).toBe(0);
      expect(await store.get('e2', { from: 0, to: 5 })).toEqual(Buffer.alloc(0));
      expect(await read('e2')).toBe('');
    });

    test('whose writing fails is not there, or stays as it was; the reason is its source’s own', async () => {
      const store = use();
      await expect(store.put('f/g', failing())).rejects.toThrow('the source broke');
      expect(await store.list('f/')).toEqual([]);
      await store.put('f/g', bytes('old'));
      await expect(store.put('f/g', failing())).rejects.toThrow('the source broke');
      expect((await store.get('f/g'))?.toString()).toBe('old');
    });

    test('of many parts whose source fails is not there', async () => {
      const store = use();
      const source = async function* (): AsyncGenerator<Uint8Array> {
        yield numbered(11 * MEGABYTE);
        throw new Error('the source broke late');
      };
      await expect(store.put('f/h', source())).rejects.toThrow('the source broke late');
      expect(await store.size('f/h')).toBeUndefined();
    });

    test('is not there after an aborted write', async () => {
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

    test('that is written by many at once is one of theirs, whole', async () => {
      const store = use();
      const texts = Array.from({ length: 10 }, (_, i) => String(i).repeat(100_000));
      await Promise.all(texts.map((text) => store.put('i', bytes(text))));
      expect(texts).toContain((await store.get('i'))?.toString());
    });
  });

  describe('what is not there', () => {
    test('is undefined, or named when it is streamed', async () => {
      const store = use();
      expect(await store.get('no/such')).toBeUndefined();
      expect(await store.get('no/such', { from: 2, to: 4 })).toBeUndefined();
      expect(await store.size('no/such')).toBeUndefined();
      expect(await store.list('no/such/')).toEqual([]);
      await expect(read('no/such')).rejects.toThrow(MissingObject);
      await expect(read('no/such')).rejects.toThrow('there is no object no/such in the store');
    });

    test('below an object is undefined too', async () => {
      const store = use();
      await store.put('file', bytes('x'));
      expect(await store.get('file/below')).toBeUndefined();
      expect(await store.list('file/')).toEqual([]);
    });

    test('is removed without complaint', async () => {
      await use().remove('no/such');
      await use().remove('no/such/');
    });
  });

  test('names below a prefix are listed in order, folders with a slash', async () => {
    const store = use();
    for (const key of ['list/b', 'list/a/x', 'list/a/y', 'list/a.txt', 'listed', 'list/B'])
      await store.put(key, bytes(''));
    expect(await store.list('list/')).toEqual(['B', 'a.txt', 'a/', 'b']);
    expect(await store.list('list/a/')).toEqual(['x', 'y']);
  });

  test('an object is removed, and all below a prefix with it', async () => {
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

  test('JSON is kept, and absent JSON is undefined', async () => {
    const store = use();
    await putJson(store, 'k.json', { a: [1, 'é'] });
    expect(await getJson(store, 'k.json')).toEqual({ a: [1, 'é'] });
    expect(await getJson(store, 'l.json')).toBeUndefined();
  });

  test('bytes are those of all objects below a prefix, however deep', async () => {
    const store = use();
    expect(await store.bytes('sum/')).toBe(0);
    await store.put('sum/a', bytes('12'));
    await store.put('sum/b/c', bytes('345'));
    await store.put('summary', bytes('6'));
    expect(await store.bytes('sum/')).toBe(5);
  });

  test('a check leaves nothing', async () => {
    await use().check();
    expect(await use().list('check/')).toEqual([]);
  });

  test('a sweep removes checks that never ended, and nothing else', async () => {
    const store = use();
    await store.put('check/left', bytes('ok'));
    await store.put('kept', bytes('x'));
    expect(await store.sweep(stillSince(-3_600_000))).toBe(0);
    expect(await store.sweep(stillSince(3_600_000))).toBe(1);
    expect(await store.list('check/')).toEqual([]);
    expect(await store.size('kept')).toBe(1);
  });
};
