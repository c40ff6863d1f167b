/**
 * Drafts of tariffs: operators upload the carriers' files, an import makes a tariff of them in a process of its own, and the
 * tariff can be compared and published. `records.ts` says how they are stored, so that every API process sees them.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { must } from '../../must.ts';
import { DAY_MS } from '../../tariff/days.ts';
import type { TariffDocument } from '../../tariff/document.ts';
import type { CompareResult } from '../../tariff/draft/tasks.ts';
import { fetchFolder, withTemporaryFolder } from './folders.ts';
import { type DraftDeps, importDraft } from './import.ts';
import {
  DRAFT_ID,
  type DraftFile,
  type DraftRecord,
  draftKeys,
  readDraft,
  readProgress,
  readResult,
  writeDraft,
} from './records.ts';
import { DraftRefused, missingDraft } from './refused.ts';
import { type DraftState, stateOf } from './state.ts';
import { DRAFT_LIMITS, type Measures, measured, requireFileName } from './uploads.ts';

/** Drafts that nobody has changed for so long are removed. */
const KEPT_MS = 60 * DAY_MS;
export interface Draft {
  readonly record: DraftRecord;
  readonly state: DraftState;
}

/** What an operator may change of a draft. */
export interface DraftChange {
  readonly name?: string | undefined;
  readonly effective?: string | undefined;
  readonly services?: readonly string[] | undefined;
  /** By the numbers of files; null takes it away. */
  readonly origins?: Readonly<Record<string, string | null>> | undefined;
}

/** All of these throw a {DraftRefused} if they are refused. */
export interface Drafts {
  /** Newest first. */
  readonly list: () => Promise<readonly Draft[]>;
  readonly get: (id: string) => Promise<Draft>;
  readonly create: (what: { readonly name: string; readonly effective: string }, by: string) => Promise<Draft>;
  readonly change: (id: string, change: DraftChange, by: string) => Promise<Draft>;
  readonly addFile: (id: string, file: string, content: Readable, by: string) => Promise<Draft>;
  readonly removeFile: (id: string, number: number, by: string) => Promise<Draft>;
  /** Begins to import, and resolves at once. */
  readonly import: (id: string, by: string) => Promise<Draft>;
  /** Compares a draft's tariff with another one. @throws {TaskRefused} if it takes too long */
  readonly compare: (id: string, before: TariffDocument, by: string) => Promise<CompareResult>;
  /** Uses the folder of a draft's tariff, which has the tariff's name. */
  readonly withFolder: <T>(id: string, use: (dir: string, draft: Draft) => Promise<T>) => Promise<T>;
  readonly discard: (id: string) => Promise<DraftRecord>;
}

const bytesOf = (files: readonly DraftFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

export const createDrafts = (deps: DraftDeps): Drafts => {
  const { store, now } = deps;
  /** Changes of a draft, one after another. */
  const turns = new Map<string, Promise<unknown>>();

  const inTurn = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const before = turns.get(id) ?? Promise.resolve();
    const own = before.then(work, work);
    turns.set(id, own);
    try {
      return await own;
    } finally {
      if (turns.get(id) === own) turns.delete(id);
    }
  };

  const recordOf = async (id: string): Promise<DraftRecord> => {
    const record = DRAFT_ID.test(id) ? await readDraft(store, id) : undefined;
    if (record === undefined) throw missingDraft();
    return record;
  };

  const withState = async (record: DraftRecord): Promise<Draft> => {
    const [progress, result] = [await readProgress(store, record.id), await readResult(store, record.id)];
    return { record, state: stateOf(record, progress, result, now()) };
  };

  const all = async (): Promise<DraftRecord[]> => {
    const ids = (await store.list(draftKeys.root)).map((name) => name.replace(/\/$/, ''));
    const records: DraftRecord[] = [];
    for (const id of ids) {
      const record = await readDraft(store, id);
      // Without a record, somebody is removing it.
      if (record === undefined) continue;
      const isOld = now().getTime() - Date.parse(record.changed.at) > KEPT_MS;
      if (isOld) await store.remove(draftKeys.draft(id));
      else records.push(record);
    }
    return records.sort((a, b) => (a.created.at < b.created.at ? 1 : -1));
  };

  /** Changes a draft that is not being imported. What an import depends on gets a new revision. */
  const edit = (
    id: string,
    by: string,
    how: (record: DraftRecord) => Partial<DraftRecord> | Promise<Partial<DraftRecord>>,
  ) =>
    inTurn(id, async () => {
      const { record, state } = await withState(await recordOf(id));
      if (state.is === 'importing')
        throw new DraftRefused('conflict', { draft: `is being imported by ${state.by}. Wait until it is done` });
      const changed = {
        ...record,
        ...(await how(record)),
        revision: record.revision + 1,
        changed: { at: now().toISOString(), by },
      };
      await writeDraft(store, changed);
      return await withState(changed);
    });

  const create: Drafts['create'] = async ({ name, effective }, by) => {
    if ((await all()).length >= DRAFT_LIMITS.drafts)
      throw new DraftRefused('limit', { drafts: `There are ${DRAFT_LIMITS.drafts} drafts. Discard one first` });
    const stamp = { at: now().toISOString(), by };
    const id = randomBytes(6).toString('hex');
    const record = { id, revision: 1, name, effective, services: [], files: [], created: stamp, changed: stamp };
    await writeDraft(store, record);
    return { record, state: { is: 'open' } };
  };

  const addFile: Drafts['addFile'] = async (id, file, content, by) => {
    requireFileName(file);
    const { files } = await recordOf(id);
    if (files.length >= DRAFT_LIMITS.files)
      throw new DraftRefused('tooLarge', { files: `${DRAFT_LIMITS.files} files in a draft` });
    // Unique, so that two uploads at once do not share a key.
    const number = randomBytes(4).readUInt32BE();
    const most = Math.min(DRAFT_LIMITS.fileBytes, DRAFT_LIMITS.bytes - bytesOf(files));
    const received: Measures[] = [];
    const body = measured(content, most, (measures) => received.push(measures));
    await store.put(draftKeys.file(id, number), body, { durable: true });
    const measures = must(received[0], 'the measures of an upload');
    try {
      return await edit(id, by, (record) => {
        const twin = record.files.find(({ sha256 }) => sha256 === measures.sha256);
        if (twin !== undefined) throw new DraftRefused('invalid', { file: `has the same content as ${twin.file}` });
        if (record.files.some((one) => one.file === file))
          throw new DraftRefused('invalid', { file: `has the name of another file: ${file}. Remove that one first` });
        if (bytesOf(record.files) + measures.bytes > DRAFT_LIMITS.bytes)
          throw new DraftRefused('tooLarge', { files: `${DRAFT_LIMITS.bytes} bytes in a draft` });
        return { files: [...record.files, { number, file, ...measures, origin: null }] };
      });
    } catch (error) {
      await store.remove(draftKeys.file(id, number));
      throw error;
    }
  };

  const removeFile: Drafts['removeFile'] = async (id, number, by) => {
    const draft = await edit(id, by, ({ files }) => {
      if (!files.some((one) => one.number === number)) throw missingDraft();
      return { files: files.filter((one) => one.number !== number) };
    });
    await store.remove(draftKeys.file(id, number));
    return draft;
  };

  const change: Drafts['change'] = (id, { name, effective, services, origins = {} }, by) =>
    edit(id, by, (record) => ({
      name: name ?? record.name,
      effective: effective ?? record.effective,
      services: [...(services ?? record.services)],
      files: record.files.map((file) => {
        const origin = origins[String(file.number)];
        return origin === undefined ? file : { ...file, origin };
      }),
    }));

  const begin: Drafts['import'] = (id, by) =>
    inTurn(id, async () => {
      const { record, state } = await withState(await recordOf(id));
      if (state.is === 'importing') throw new DraftRefused('conflict', { draft: `is being imported by ${state.by}` });
      if (record.files.length === 0) throw new DraftRefused('invalid', { files: 'there is no file to import' });
      await importDraft(deps, record, by);
      return await withState(record);
    });

  const withFolder: Drafts['withFolder'] = async (id, use) =>
    await withTemporaryFolder(async (dir) => {
      const draft = await withState(await recordOf(id));
      const { revision, name } = draft.record;
      const folder = join(dir, name);
      if (draft.state.is !== 'done' || !(await fetchFolder(store, draftKeys.folder(id, revision), folder)))
        throw new DraftRefused('invalid', { draft: 'has no tariff. Import its files first' });
      return await use(folder, draft);
    });

  const compare: Drafts['compare'] = (id, before, by) =>
    withFolder(id, async (after) => {
      const path = join(dirname(after), 'before.json');
      await writeFile(path, JSON.stringify(before));
      return await deps.tasks.compare({ kind: 'compare', before: path, after, origins: deps.origins() }, { by });
    });

  const discard: Drafts['discard'] = (id) =>
    inTurn(id, async () => {
      const { record, state } = await withState(await recordOf(id));
      if (state.is === 'importing')
        throw new DraftRefused('conflict', { draft: `is being imported by ${state.by}. Wait until it is done` });
      await store.remove(draftKeys.record(id));
      await store.remove(draftKeys.draft(id));
      return record;
    });

  return {
    list: async () => await Promise.all((await all()).map(withState)),
    get: async (id) => await withState(await recordOf(id)),
    create,
    change,
    addFile,
    removeFile,
    import: begin,
    compare,
    withFolder,
    discard,
  };
};
