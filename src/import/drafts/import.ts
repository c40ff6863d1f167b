/** Imports a draft's files: fetches them, runs the process, and stores the result. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../base/log.ts';
import type { Redis } from '../../base/redis/connection.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { Store } from '../../base/store/store.ts';
import type { CoveredOrigin } from '../../catalog/tariff/coverage.ts';
import type { TariffDocument } from '../../catalog/tariff/document.ts';
import {
  type DraftRecord,
  draftKeys,
  fetchObject,
  putFolder,
  type ResultRecord,
  readDraft,
  withTemporaryFolder,
  writeProgress,
  writeResult,
} from './records.ts';
import {
  type DraftTasks,
  type ImportResult,
  type ImportTask,
  type ReadingProgress,
  type TaskOptions,
  TaskRefused,
} from './tasks.ts';

/** Interval at which progress reaches the pages and answers reach the import. */
const BEAT_MS = 1_000;

export interface DraftDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly tasks: DraftTasks;
  /** The clients' warehouses in the United States. */
  readonly origins: () => readonly CoveredOrigin[];
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly now: () => Date;
  /** The folder of the tariff that an import with this name adds to, if tariffs are in a folder. */
  readonly baseOf: (name: string) => string | undefined;
  /** The published tariff with this name and first day, if tariffs are published. */
  readonly publishedOf: (name: string, effective: string) => TariffDocument | undefined;
}

/** Imports in a folder on this machine. */
const importOnDisk = async (
  { store, tasks, origins, baseOf, publishedOf }: DraftDeps,
  { id, revision, name, effective, services, files }: DraftRecord,
  dir: string,
  options: TaskOptions,
): Promise<ImportResult> => {
  const fetched: ImportTask['files'][number][] = [];
  for (const { number, file, origin } of files) {
    const path = join(dir, 'files', String(number), file);
    await fetchObject(store, draftKeys.file(id, number), path);
    fetched.push({ path, origin: origin ?? undefined, answer: answerPath(dir, number) });
  }
  const into = join(dir, name);
  const document = publishedOf(name, effective);
  const published = document === undefined ? undefined : join(dir, 'published.json');
  if (published !== undefined) await writeFile(published, JSON.stringify(document));
  const request = { kind: 'import', files: fetched, name, effective, services, published, into } as const;
  const result = await tasks.import({ ...request, base: baseOf(name), origins: origins() }, options);
  if (!('refused' in result) && result.tariff !== null) await putFolder(store, draftKeys.folder(id, revision), into);
  return result;
};

const answerPath = (dir: string, number: number): string => join(dir, `${number}.answer`);

/** Passes origins that operators entered during the import to its process. */
const passAnswers = async (
  { store }: DraftDeps,
  id: string,
  dir: string,
  waiting: readonly string[],
): Promise<void> => {
  const { files = [] } = (waiting.length === 0 ? undefined : await readDraft(store, id)) ?? {};
  for (const { number, file, origin } of files)
    if (origin !== null && waiting.includes(file)) await replaceFile(answerPath(dir, number), origin, 0o600);
};

/** Begins to import a draft. Resolves when its progress is stored. The import continues in the background. */
export const importDraft = async (deps: DraftDeps, record: DraftRecord, by: string): Promise<void> => {
  const { store, now, log } = deps;
  const { id, revision } = record;
  const begun = { at: now().toISOString(), by, revision };
  let progress: ReadingProgress = { read: 0, of: record.files.length, reading: [], waiting: [] };
  const beat = (): Promise<unknown> => writeProgress(store, id, { ...begun, ...progress, seenAt: now().toISOString() });
  await store.remove(draftKeys.folders(id));
  await beat();

  const run = async (): Promise<ResultRecord['outcome']> => {
    try {
      return await withTemporaryFolder(async (dir) => {
        const onProgress = (reached: ReadingProgress): void => {
          progress = reached;
        };
        const beating = setInterval(() => {
          Promise.all([beat(), passAnswers(deps, id, dir, progress.waiting)]).catch((err: unknown) =>
            log.warn({ err, draft: id }, 'the progress of an import was not stored'),
          );
        }, BEAT_MS);
        return await importOnDisk(deps, record, dir, { by, onProgress }).finally(() => clearInterval(beating));
      });
    } catch (error) {
      if (error instanceof TaskRefused) return { failed: error.message };
      log.error({ err: error, draft: id }, 'an import of a tariff failed');
      return { failed: 'The import failed because of a fault of this service. Its log says why.' };
    }
  };

  const work = async (): Promise<void> => {
    const outcome = await run();
    await writeResult(store, id, { at: now().toISOString(), by, revision, outcome });
  };
  work().catch((err: unknown) => log.error({ err, draft: id }, 'the result of an import was not stored'));
};
