/**
 * Tariff drafts in the store: the files that an operator uploaded, and the result of importing them. Below
 * `tariff-drafts/<id>/`:
 *
 *   draft.json                 name, date, files; `revision` counts the changes that affect an import
 *   files/<n>                  the uploaded files
 *   progress.json              the running import, rewritten every few seconds
 *   result.json                the outcome of the last import, with its revision
 *   folders/<revision>/…       the tariff's folder: `index.json`, written last, has the path of each object
 */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { ToldError } from '../../base/failed.ts';
import { getJson, putJson, type Store } from '../../base/store/store.ts';
import { importResult, readingProgress } from './tasks.ts';

export const DRAFT_ID = /^[a-z0-9]{12}$/;
const ROOT = 'tariff-drafts/';

export const draftKeys = {
  root: ROOT,
  draft: (id: string): string => `${ROOT}${id}/`,
  record: (id: string): string => `${ROOT}${id}/draft.json`,
  file: (id: string, number: number): string => `${ROOT}${id}/files/${number}`,
  progress: (id: string): string => `${ROOT}${id}/progress.json`,
  result: (id: string): string => `${ROOT}${id}/result.json`,
  folders: (id: string): string => `${ROOT}${id}/folders/`,
  folder: (id: string, revision: number): string => `${ROOT}${id}/folders/${revision}/`,
};

const stamp = { at: z.iso.datetime(), by: z.string() };

export const draftFile = z.object({
  number: z.int(),
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** For a zone list that does not state it: a ZIP3 or a range of them. */
  origin: z.string().nullable(),
});
export type DraftFile = z.output<typeof draftFile>;

export const draftRecord = z.object({
  id: z.string().regex(DRAFT_ID),
  revision: z.int(),
  /** The tariff's name. */
  name: z.string(),
  /** The first day the tariff is in force, `YYYY-MM-DD`. */
  effective: z.string(),
  /** Requested services, from those that are imported only on request. */
  services: z.array(z.string()),
  files: z.array(draftFile),
  created: z.object(stamp),
  changed: z.object(stamp),
});
export type DraftRecord = z.output<typeof draftRecord>;

const progressRecord = readingProgress.extend({ ...stamp, revision: z.int(), seenAt: z.iso.datetime() });
export type ProgressRecord = z.output<typeof progressRecord>;

const resultRecord = z.object({
  ...stamp,
  revision: z.int(),
  outcome: z.union([importResult, z.object({ failed: z.string() })]),
});
export type ResultRecord = z.output<typeof resultRecord>;

/** @throws {ToldError} if another version of the service wrote it in another form */
const read = async <S extends z.ZodType>(store: Store, key: string, schema: S): Promise<z.output<S> | undefined> => {
  const { data, error } = schema.optional().safeParse(await getJson(store, key));
  if (error === undefined) return data;
  const folder = key.slice(0, key.indexOf('/', ROOT.length));
  throw new ToldError(
    `The store has a draft of a tariff that this version of the service cannot read: ${key}. Remove the folder ${folder} from the store.`,
    { cause: error },
  );
};

export const readDraft = (store: Store, id: string) => read(store, draftKeys.record(id), draftRecord);
export const readProgress = (store: Store, id: string) => read(store, draftKeys.progress(id), progressRecord);
export const readResult = (store: Store, id: string) => read(store, draftKeys.result(id), resultRecord);
export const writeDraft = (store: Store, record: DraftRecord) =>
  putJson(store, draftKeys.record(record.id), record, { durable: true });
export const writeProgress = (store: Store, id: string, record: ProgressRecord) =>
  putJson(store, draftKeys.progress(id), record);
export const writeResult = (store: Store, id: string, record: ResultRecord) =>
  putJson(store, draftKeys.result(id), record, { durable: true });

/* Copies folders between the store and this machine's disk: tariff folders of drafts, and their files. */

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
