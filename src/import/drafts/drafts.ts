/**
 * Drafts of tariffs. Operators upload the carriers' files, and a separate process imports them into a tariff, which can be
 * compared and published. `records.ts` describes how drafts are stored so that every API process sees them.
 */
import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { ToldError } from '../../base/failed.ts';
import { must } from '../../base/must.ts';
import type { TariffDocument } from '../../catalog/tariff/document.ts';
import { type DraftDeps, importDraft } from './import.ts';
import { createLedger, type Draft, DraftRefused, filesWithoutOrigin, type Ledger, missingDraft } from './ledger.ts';
import {
  type DraftFile,
  type DraftRecord,
  draftKeys,
  fetchFolder,
  withTemporaryFolder,
  writeDraft,
} from './records.ts';
import type { CompareResult } from './tasks.ts';

/** All carriers' files for one year are 21 files, 7 MB in total. */
export const DRAFT_LIMITS = {
  drafts: 20,
  files: 150,
  fileBytes: 50 * 1024 * 1024,
  bytes: 100 * 1024 * 1024,
  uploadMs: 600_000,
} as const;

/** File names without a path. */
const FILE_NAME = /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u;
/** A disk allows 255 bytes, and names of unfinished files are longer than this. */
const NAME_BYTES = 200;

/** @throws {DraftRefused} */
const requireFileName = (file: string): void => {
  if (Buffer.byteLength(file) > NAME_BYTES || !FILE_NAME.test(file))
    throw new DraftRefused('invalid', {
      name: 'must be the name of a file, of at most 200 bytes (letters beyond a to z have several), without a path and not beginning with a period',
    });
};

type Measures = Pick<DraftFile, 'bytes' | 'sha256'>;

/**
 * Counts and hashes bytes as they pass.
 * @throws {DraftRefused} during reading, if there are none or more than `most`, or if they take too long
 */
async function* measured(
  content: AsyncIterable<Buffer>,
  most: number,
  onEnd: (measures: Measures) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const lateAt = performance.now() + DRAFT_LIMITS.uploadMs;
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > most) throw new DraftRefused('tooLarge', { file: `${most} bytes` });
    if (performance.now() > lateAt) throw new DraftRefused('invalid', { file: 'did not arrive within ten minutes' });
    hash.update(piece);
    yield piece;
  }
  if (bytes === 0) throw new DraftRefused('invalid', { file: 'is empty' });
  onEnd({ bytes, sha256: hash.digest('hex') });
}

/** The fields of a draft that an operator may change, or has seen. */
export interface DraftFields {
  readonly name?: string | undefined;
  readonly effective?: string | undefined;
  readonly services?: readonly string[] | undefined;
  /** By file number; null removes it. */
  readonly origins?: Readonly<Record<string, string | null>> | undefined;
}

/** All methods throw a {DraftRefused} or a {ToldError} if the action is refused. */
export type Drafts = ReturnType<typeof createDrafts>;

const bytesOf = (files: readonly DraftFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

const filesOf = ({ store }: DraftDeps, { get, edit }: Ledger) => {
  const addFile = async (id: string, file: string, content: Readable, by: string): Promise<Draft> => {
    requireFileName(file);
    const { files } = (await get(id)).record;
    if (files.length >= DRAFT_LIMITS.files)
      throw new DraftRefused('tooLarge', { files: `${DRAFT_LIMITS.files} files in a draft` });
    // Unique, so that two simultaneous uploads do not share a key.
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

  const removeFile = async (id: string, number: number, by: string): Promise<Draft> => {
    const draft = await edit(id, by, ({ files }) => {
      if (!files.some((one) => one.number === number)) throw missingDraft();
      return { files: files.filter((one) => one.number !== number) };
    });
    await store.remove(draftKeys.file(id, number));
    return draft;
  };

  return { addFile, removeFile };
};

const tariffsOf = (deps: DraftDeps, ledger: Ledger) => {
  const { store } = deps;
  const { inTurn, get, getIdle, withState } = ledger;

  /** Begins an import without waiting for it. */
  const begin = (id: string, by: string): Promise<Draft> =>
    inTurn(id, async (confirm) => {
      const { record } = await getIdle(id);
      if (record.files.length === 0) throw new DraftRefused('invalid', { files: 'there is no file to import' });
      await confirm();
      await importDraft(deps, record, by);
      return await withState(record);
    });

  /** Uses a local copy of the draft's tariff folder. The copy has the tariff's name. */
  const withFolder = async <T>(id: string, use: (dir: string, draft: Draft) => Promise<T>): Promise<T> =>
    await withTemporaryFolder(async (dir) => {
      const draft = await get(id);
      const { revision, name } = draft.record;
      const folder = join(dir, name);
      if (draft.state.is !== 'done' || !(await fetchFolder(store, draftKeys.folder(id, revision), folder)))
        throw new DraftRefused('invalid', { draft: 'has no tariff. Import its files first' });
      return await use(folder, draft);
    });

  /**
   * Compares a draft's tariff with another one.
   * @param replaces whether it replaces the other tariff
   * @throws {TaskRefused} if it takes too long
   */
  const compare = (id: string, before: TariffDocument, replaces: boolean, by: string): Promise<CompareResult> =>
    withFolder(id, async (after) => {
      const path = join(dirname(after), 'before.json');
      await writeFile(path, JSON.stringify(before));
      const task = { kind: 'compare', before: path, after, replaces, origins: deps.origins() } as const;
      return await deps.tasks.compare(task, { by });
    });

  return { import: begin, withFolder, compare };
};

type Value = string | null | undefined;

const shown = (value: Value): string => (value === undefined || value === null || value === '' ? 'none' : value);

/** @throws {ToldError} if somebody else has changed a field since the operator saw it */
const requireSeen = (record: DraftRecord, wanted: DraftFields, seen: DraftFields): void => {
  const problems: string[] = [];
  const { at, by } = record.changed;
  const check = (field: string, current: Value, asked: Value, before: Value): void => {
    if (asked === undefined || current === asked || current === before) return;
    problems.push(`The ${field} is now ${shown(current)}. You saw ${shown(before)} and asked for ${shown(asked)}.`);
  };
  check('name', record.name, wanted.name, seen.name);
  check('first day', record.effective, wanted.effective, seen.effective);
  check(
    'list of services on request',
    record.services.join(', '),
    wanted.services?.join(', '),
    seen.services?.join(', '),
  );
  for (const [number, origin] of Object.entries(wanted.origins ?? {})) {
    const file = record.files.find((one) => String(one.number) === number);
    if (file === undefined) problems.push('Somebody has removed a file whose origin you gave.');
    else check(`origin of ${file.file}`, file.origin, origin, seen.origins?.[number]);
  }
  if (problems.length === 0) return;
  problems.push(`${by} was the last to change the draft, at ${at}.`);
  throw new ToldError([...problems, 'Look at it again, then repeat your change if it is still right.'].join(' '));
};

export const createDrafts = (deps: DraftDeps) => {
  const { store, now } = deps;
  const ledger = createLedger(deps);
  const { inTurn, get, getIdle, withState, all, removeOld, edit } = ledger;

  // One at a time, so that simultaneous calls do not exceed the limit.
  const create = ({ name, effective }: Pick<DraftRecord, 'name' | 'effective'>, by: string): Promise<Draft> =>
    inTurn('new', async (confirm) => {
      if ((await removeOld()) >= DRAFT_LIMITS.drafts)
        throw new ToldError(`There are ${DRAFT_LIMITS.drafts} drafts. Discard one first.`);
      const stamp = { at: now().toISOString(), by };
      const id = randomBytes(6).toString('hex');
      const record = { id, revision: 1, name, effective, services: [], files: [], created: stamp, changed: stamp };
      await confirm();
      await writeDraft(store, record);
      return { record, state: { is: 'open' } };
    });

  /** @param seen what the operator saw in the changed fields. Refused if somebody else has changed one since */
  const change = (id: string, wanted: DraftFields, seen: DraftFields, by: string): Promise<Draft> => {
    const { name, effective, services, origins = {} } = wanted;
    const how = (record: DraftRecord) => {
      requireSeen(record, wanted, seen);
      return {
        name: name ?? record.name,
        effective: effective ?? record.effective,
        services: [...(services ?? record.services)],
        files: record.files.map((file) => {
          const origin = origins[String(file.number)];
          return origin === undefined ? file : { ...file, origin };
        }),
      };
    };
    const isOrigins = name === undefined && effective === undefined && services === undefined;
    return edit(id, by, how, (draft) => {
      const asked = filesWithoutOrigin(draft).map(({ number }) => String(number));
      return isOrigins && draft.state.is === 'importing' && Object.keys(origins).every((one) => asked.includes(one));
    });
  };

  const discard = (id: string): Promise<DraftRecord> =>
    inTurn(id, async (confirm) => {
      const { record } = await getIdle(id);
      await confirm();
      await store.remove(draftKeys.record(id));
      await store.remove(draftKeys.draft(id));
      return record;
    });

  return {
    /** Newest first. */
    list: async () => await Promise.all((await all()).map(withState)),
    get,
    create,
    change,
    discard,
    ...filesOf(deps, ledger),
    ...tariffsOf(deps, ledger),
  };
};
