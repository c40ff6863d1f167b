import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../src/store/disk.ts';
import { openStore } from '../../src/store/open.ts';
import { getJson, MissingObject, putJson, type Store } from '../../src/store/store.ts';

let root: string;
let store: Store;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'store-'));
  store = createDiskStore(root);
});
afterAll(() => rm(root, { recursive: true }));

const bytes = (text: string): Buffer => Buffer.from(text);
async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}
const read = async (key: string, from?: number, to?: number): Promise<string> => {
  const parts: Buffer[] = [];
  const range = from === undefined || to === undefined ? undefined : { from, to };
  for await (const part of store.stream(key, range)) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
};

describe('an object', () => {
  test('is read as it was written, whole and in ranges', async () => {
    expect(await store.put('a/b.txt', bytes('hello world'))).toBe(11);
    expect((await store.get('a/b.txt'))?.toString()).toBe('hello world');
    expect((await store.get('a/b.txt', { from: 6, to: 11 }))?.toString()).toBe('world');
    expect((await store.get('a/b.txt', { from: 6, to: 99 }))?.toString()).toBe('world');
    expect(await read('a/b.txt')).toBe('hello world');
    expect(await read('a/b.txt', 0, 5)).toBe('hello');
    expect(await read('a/b.txt', 5, 5)).toBe('');
    expect(await store.size('a/b.txt')).toBe(11);
  });

  test('is replaced as a whole', async () => {
    await store.put('c', bytes('a long text'), { durable: true });
    await store.put('c', pieces('sh', '', 'ort'), { durable: true });
    expect((await store.get('c'))?.toString()).toBe('short');
  });

  test('is written from pieces of any size', async () => {
    const long = 'x'.repeat(1_500_000);
    expect(await store.put('d', pieces(long, 'y', long, 'z'))).toBe(3_000_002);
    expect(await read('d')).toBe(`${long}y${long}z`);
  });

  test('that is empty is there', async () => {
    expect(await store.put('e', pieces())).toBe(0);
    expect(await store.get('e')).toEqual(Buffer.alloc(0));
  });

  test('whose writing fails is not there, nor anything of it', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes('half');
      throw new Error('the source broke');
    };
    await expect(store.put('f/g', failing())).rejects.toThrow('the source broke');
    expect(await readdir(join(root, 'f'))).toEqual([]);
    await store.put('f/g', bytes('old'));
    await expect(store.put('f/g', failing())).rejects.toThrow('the source broke');
    expect((await store.get('f/g'))?.toString()).toBe('old');
  });

  test('is not there after an aborted write', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(store.put('h', pieces('text'), { signal })).rejects.toThrow('stopped');
    expect(await store.get('h')).toBeUndefined();
  });

  test('that is written by many at once is one of theirs, whole', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(100_000));
    await Promise.all(texts.map((text) => store.put('i', bytes(text))));
    expect(texts).toContain((await store.get('i'))?.toString());
    expect((await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('what is not there', () => {
  test('is undefined, or named when it is streamed', async () => {
    expect(await store.get('no/such')).toBeUndefined();
    expect(await store.size('no/such')).toBeUndefined();
    expect(await store.list('no/such/')).toEqual([]);
    await expect(read('no/such')).rejects.toThrow(MissingObject);
    await expect(read('no/such')).rejects.toThrow('there is no object no/such in the store');
  });

  test('below an object is undefined too', async () => {
    await store.put('file', bytes('x'));
    expect(await store.get('file/below')).toBeUndefined();
    expect(await store.list('file/')).toEqual([]);
  });

  test('is removed without complaint', async () => {
    await store.remove('no/such');
    await store.remove('no/such/');
  });
});

test('names below a prefix are listed in order, folders with a slash, what is being written not at all', async () => {
  await store.put('list/b', bytes(''));
  await store.put('list/a/x', bytes(''));
  await store.put('list/a/y', bytes(''));
  await writeFile(join(root, 'list', '.0123'), 'half');
  expect(await store.list('list/')).toEqual(['a/', 'b']);
  expect(await store.list('list/a/')).toEqual(['x', 'y']);
});

test('all below a prefix is removed with it', async () => {
  await store.put('gone/a/x', bytes(''));
  await store.put('gone/b', bytes(''));
  await store.remove('gone/');
  expect(await store.list('gone/')).toEqual([]);
});

test.each(['', '/etc/passwd', '../up', 'a/../../up', 'a//b', '.hidden', 'a/.hidden', 'a\0b', 'a b', 'a\\b'])(
  'the key %j is refused',
  async (key) => {
    await expect(store.put(key, bytes('x'))).rejects.toThrow('not a key of the store');
    await expect(store.get(key)).rejects.toThrow('not a key of the store');
  },
);

test('JSON is kept, and absent JSON is undefined', async () => {
  await putJson(store, 'k.json', { a: [1, 'é'] });
  expect(await getJson(store, 'k.json')).toEqual({ a: [1, 'é'] });
  expect(await getJson(store, 'l.json')).toBeUndefined();
});

describe('check', () => {
  test('leaves nothing', async () => {
    await store.check();
    expect(await store.list('check/')).toEqual([]);
  });

  test('fails where the folder is a file', async () => {
    await expect(createDiskStore(join(root, 'k.json')).check()).rejects.toThrow();
  });
});

test('a file: URL opens a folder; another kind is refused by name', async () => {
  const opened = openStore(pathToFileURL(root).href);
  expect(await opened.get('c')).toEqual(bytes('short'));
  expect(() => openStore('ftp://host/path')).toThrow('no store of this kind is built in: ftp:');
});
