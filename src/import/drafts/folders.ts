/** Folders in the store: the folder of a draft's tariff, and a draft's files, as they are needed on this machine's disk. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { getJson, putJson, type Store } from '../../base/store/store.ts';

const index = z.object({ paths: z.array(z.string()) });

/** Uses an empty folder that is removed afterwards. */
export const withTemporaryFolder = async <T>(use: (dir: string) => Promise<T>): Promise<T> => {
  const dir = await mkdtemp(join(tmpdir(), 'rates-draft-'));
  try {
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

/** Writes an object to a file. */
export const fetchObject = async (store: Store, key: string, path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await pipeline(store.stream(key), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
};

/** Puts a folder under a prefix that ends in `/`. It is there when its index is. */
export const putFolder = async (store: Store, prefix: string, dir: string): Promise<void> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
  for (const [at, path] of paths.entries())
    await store.put(`${prefix}${at}`, await readFile(join(dir, path)), { durable: true });
  await putJson(store, `${prefix}index.json`, { paths }, { durable: true });
};

/** Writes a folder of the store to a new folder. @returns false if it is not there */
export const fetchFolder = async (store: Store, prefix: string, dir: string): Promise<boolean> => {
  const json = await getJson(store, `${prefix}index.json`);
  if (json === undefined) return false;
  const { paths } = index.parse(json);
  for (const [at, path] of paths.entries()) await fetchObject(store, `${prefix}${at}`, join(dir, path));
  return true;
};
