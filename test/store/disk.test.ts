import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../src/store/disk.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { testStore } from './contract.ts';

let root: string;
let store: Store;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'store-'));
  store = createDiskStore(root);
});
afterAll(() => rm(root, { recursive: true }));

testStore(() => store);

describe('on a disk', () => {
  test('a failed write leaves nothing beside the object', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('the source broke');
    };
    await expect(store.put('failed/g', failing())).rejects.toThrow('the source broke');
    expect(await readdir(join(root, 'failed'))).toEqual([]);
    expect((await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('what is being written is not listed, and swept when its writer has long been gone', async () => {
    await store.put('aside/done', Buffer.from('x'));
    const left = join(root, 'aside', '.0123');
    await writeFile(left, 'half');
    expect(await store.list('aside/')).toEqual(['done']);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    expect(await store.sweep(anHourAgo)).toBe(0);
    await utimes(left, anHourAgo, new Date(anHourAgo.getTime() - 1_000));
    expect(await store.sweep(anHourAgo)).toBe(1);
    expect(await readdir(join(root, 'aside'))).toEqual(['done']);
  });

  test('a check fails where the folder is a file', async () => {
    await store.put('a-file', Buffer.from('x'));
    await expect(createDiskStore(join(root, 'a-file')).check()).rejects.toThrow();
  });
});

test('a file: URL opens a folder; another kind is refused by name', async () => {
  await store.put('here', Buffer.from('x'));
  const opened = await openStore({ storeUrl: pathToFileURL(root).href, maxUploadBytes: 1 });
  expect(await opened.get('here')).toEqual(Buffer.from('x'));
  await expect(openStore({ storeUrl: 'ftp://host/path', maxUploadBytes: 1 })).rejects.toThrow(
    'no store of this kind is built in: ftp:',
  );
});
