import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../../src/base/store/disk.ts';
import { openStore } from '../../../src/base/store/open.ts';
import { isOfStore, type Store } from '../../../src/base/store/store.ts';
import { folderForFile } from '../../folder.ts';
import { rounds } from '../../rounds.ts';
import { stillSince, testStore } from './contract.ts';

let root: string;
let store: Store;
folderForFile((made) => (root = made));
beforeAll(() => {
  store = createDiskStore(root);
});

testStore(() => store);

/** The mode, type and path of everything below a folder, such as `700 d batches`. */
const modesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const mode = ((await stat(path)).mode & 0o777).toString(8);
    return `${mode} ${entry.isDirectory() ? 'd' : 'f'} ${relative(folder, path)}`;
  });
  return (await Promise.all(lines)).toSorted();
};

describe('permissions', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'modes-'));
    await chmod(parent, 0o755);
  });
  afterEach(() => rm(parent, { recursive: true }));
  const open = (folder: string) => openStore({ storeUrl: pathToFileURL(folder).href, maxUploadBytes: 1 });
  const written = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('x');
  };

  test('are for the owner only, for new files and folders', async () => {
    const own = await open(join(parent, 'store'));
    await own.put('batches/b1/input.csv', written());
    await own.put('batches/b1/parts/00001.csv', Buffer.from('x'));
    expect(await modesIn(parent)).toEqual([
      '600 f store/batches/b1/input.csv',
      '600 f store/batches/b1/parts/00001.csv',
      '700 d store',
      '700 d store/batches',
      '700 d store/batches/b1',
      '700 d store/batches/b1/parts',
    ]);
  });
});

describe('a store on a disk', () => {
  test('leaves no temporary file after a failed write', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('the source broke');
    };
    await expect(store.put('failed/g', failing())).rejects.toThrow('the source broke');
    expect(await readdir(join(root, 'failed'))).toEqual([]);
    expect((await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('does not list unfinished writes, and sweeps abandoned ones', async () => {
    await store.put('aside/done', Buffer.from('x'));
    const left = join(root, 'aside', '.0123');
    await writeFile(left, 'half');
    expect(await store.list('aside/')).toEqual(['done']);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    expect(await store.sweep(stillSince(-3_600_000))).toBe(0);
    await utimes(left, anHourAgo, new Date(anHourAgo.getTime() - 1_000));
    expect(await store.sweep(stillSince(-3_600_000))).toBe(1);
    expect(await readdir(join(root, 'aside'))).toEqual(['done']);
  });

  test('removes a folder while a late writer still writes to it', async () => {
    const x = Buffer.from('x');
    for (let round = 0; round < rounds(5); round += 1) {
      const part = (index: number) => `late/${round}/parts/${index}`;
      await Promise.all(Array.from({ length: 30 }, (_, index) => store.put(part(index), x)));
      const writing = async (first: number): Promise<void> => {
        for (let index = first; index < first + 10; index += 1) await store.put(part(index), x);
      };
      const late = Promise.allSettled([100, 200, 300].map(writing));
      await store.remove(`late/${round}/`);
      // A writer whose folder disappears may fail. The sweep removes what one leaves that makes it again.
      await late;
    }
  });

  test('names the store if a folder never gets empty', () => {
    const error = Object.assign(new Error('ENOTEMPTY: directory not empty, rmdir'), { code: 'ENOTEMPTY' });
    expect(isOfStore(error)).toBe(true);
  });

  test('fails a check if its folder is a file', async () => {
    await store.put('a-file', Buffer.from('x'));
    await expect(createDiskStore(join(root, 'a-file')).check()).rejects.toThrow('ENOTDIR');
  });
});

test('a file: URL opens a folder; other protocols are rejected by name', async () => {
  await store.put('here', Buffer.from('x'));
  const opened = await openStore({ storeUrl: pathToFileURL(root).href, maxUploadBytes: 1 });
  expect(await opened.get('here')).toEqual(Buffer.from('x'));
  await expect(openStore({ storeUrl: 'ftp://host/path', maxUploadBytes: 1 })).rejects.toThrow(
    'the protocol ftp: is not supported',
  );
});
