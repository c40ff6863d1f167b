/** Copies folders between the store and this machine's disk: tariff folders of drafts, and their files. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { getJson, putJson, type Store } from '../../base/store/store.ts';

const index = z.object({ paths: z.array(z.string()) });

/** Uses an empty folder, then removes it. */
export const withTemporaryFolder = async <T>(use: (dir: string) => Promise<T>): Promise<T> => {
  const dir = await mkdtemp(join(tmpdir(), 'rates-draft-'));
  try {
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

/** Writes an object of the store to a file. */
export const fetchObject = async (store: Store, key: string, path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await pipeline(store.stream(key), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
};

/** Stores a folder under a prefix that ends in `/`. The index comes last and completes it. */
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

/** Copies a folder of the store to a new folder. @returns false if it does not exist */
export const fetchFolder = async (store: Store, prefix: string, dir: string): Promise<boolean> => {
  const json = await getJson(store, `${prefix}index.json`);
  if (json === undefined) return false;
  const { paths } = index.parse(json);
  for (const [at, path] of paths.entries()) await fetchObject(store, `${prefix}${at}`, join(dir, path));
  return true;
};
