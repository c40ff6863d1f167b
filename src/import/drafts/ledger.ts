/** Reads and changes the records of drafts. Changes of one draft happen one at a time across all API processes. */
import { ToldError } from '../../base/failed.ts';
import { agreedNow, type Confirm, LockLost, underLock } from '../../base/redis/lock.ts';
import { RedisAway } from '../../catalog/published/pointer.ts';
import { DAY_MS } from '../../catalog/tariff/days.ts';
import type { DraftDeps } from './import.ts';
import {
  DRAFT_ID,
  type DraftFile,
  type DraftRecord,
  draftKeys,
  type ProgressRecord,
  type ResultRecord,
  readDraft,
  readProgress,
  readResult,
  writeDraft,
} from './records.ts';
import type { ReadingProgress } from './tasks.ts';

/** Why a change was refused. `missing`: no such draft. */
export type DraftRefusal = 'missing' | 'invalid' | 'tooLarge';

export class DraftRefused extends Error {
  override readonly name = 'DraftRefused';
  readonly why: DraftRefusal;
  /** Problems by field, in words for users. */
  readonly problems: Readonly<Record<string, string>>;

  constructor(why: DraftRefusal, problems: Readonly<Record<string, string>>) {
    super(`${why}: ${Object.entries(problems).flat().join(' ')}`);
    this.why = why;
    this.problems = problems;
  }
}

export const missingDraft = (): DraftRefused => new DraftRefused('missing', { draft: 'does not exist' });

/** After this silence, an import's process counts as gone. */
const SILENT_MS = 20_000;

/** `open`: files or options have changed since the last import, or nothing was imported yet. */
export type DraftState =
  | { readonly is: 'open' }
  | { readonly is: 'importing'; readonly progress: ReadingProgress; readonly by: string }
  | { readonly is: 'interrupted' }
  | { readonly is: 'done'; readonly result: ResultRecord };

const stateOf = (
  { revision }: DraftRecord,
  progress: ProgressRecord | undefined,
  result: ResultRecord | undefined,
  now: Date,
): DraftState => {
  // A result is written when its import ends, so later progress belongs to another import.
  const isNewer = progress !== undefined && (result === undefined || progress.at > result.at);
  if (isNewer && progress.revision === revision) {
    const { by, seenAt } = progress;
    return now.getTime() - Date.parse(seenAt) < SILENT_MS ? { is: 'importing', progress, by } : { is: 'interrupted' };
  }
  return result?.revision === revision ? { is: 'done', result } : { is: 'open' };
};

/** Drafts that nobody has changed for this long are removed. */
const KEPT_MS = 60 * DAY_MS;

export interface Draft {
  readonly record: DraftRecord;
  readonly state: DraftState;
}

/** Files that lack their origin, as reported by the running import or the last one. */
export const filesWithoutOrigin = ({ record, state }: Draft): DraftFile[] => {
  const outcome = state.is === 'done' ? state.result.outcome : undefined;
  const refused = outcome !== undefined && 'refused' in outcome ? outcome.refused : [];
  const names =
    state.is === 'importing' ? state.progress.waiting : refused.filter((one) => one.lacksOrigin).map((one) => one.file);
  return record.files.filter(({ file, origin }) => origin === null && names.includes(file));
};

export type Ledger = ReturnType<typeof createLedger>;

export const createLedger = ({ store, redis, now }: DraftDeps) => {
  /**
   * Does work on a draft after all earlier work on it.
   * @param work calls `confirm` before each write
   * @throws {ToldError} if others work on it for too long
   */
  const inTurn = async <T>(id: string, work: (confirm: Confirm) => Promise<T>): Promise<T> => {
    if (redis.status !== 'ready') throw new RedisAway();
    try {
      return await underLock(redis, `tariff-draft:${id}`, work);
    } catch (error) {
      if (!(error instanceof LockLost)) throw error;
      throw new ToldError('The draft is being changed by somebody else. Try again.');
    }
  };

  const withState = async (record: DraftRecord): Promise<Draft> => {
    const [progress, result] = [await readProgress(store, record.id), await readResult(store, record.id)];
    return { record, state: stateOf(record, progress, result, now()) };
  };

  /** @throws {DraftRefused} if there is no such draft */
  const get = async (id: string): Promise<Draft> => {
    const record = DRAFT_ID.test(id) ? await readDraft(store, id) : undefined;
    if (record === undefined) throw missingDraft();
    return await withState(record);
  };

  const idle = (draft: Draft): Draft => {
    if (draft.state.is !== 'importing') return draft;
    throw new ToldError(`The draft is being imported by ${draft.state.by}. Wait until it is done.`);
  };

  /** @throws {DraftRefused} if it does not exist @throws {ToldError} if it is being imported */
  const getIdle = async (id: string): Promise<Draft> => idle(await get(id));

  /** Newest first. */
  const all = async (): Promise<DraftRecord[]> => {
    const ids = (await store.list(draftKeys.root)).map((name) => name.replace(/\/$/, ''));
    const records: DraftRecord[] = [];
    for (const id of ids) {
      const record = await readDraft(store, id);
      // No record means that somebody is removing it.
      if (record !== undefined) records.push(record);
    }
    return records.sort((a, b) => (a.created.at < b.created.at ? 1 : -1));
  };

  /** Removes drafts that nobody has changed for too long. @returns how many stay */
  const removeOld = async (): Promise<number> => {
    const records = await all();
    const at = (await agreedNow(redis, now)).getTime();
    const old = records.filter(({ changed }) => at - Date.parse(changed.at) > KEPT_MS);
    for (const { id } of old) await store.remove(draftKeys.draft(id));
    return records.length - old.length;
  };

  /**
   * Changes a draft. Gives it a new revision if an import depends on the change.
   * @param isAnswer whether the change is for the running import, which continues with it
   * @throws {ToldError} if it is being imported @throws {DraftRefused} if `how` refuses
   */
  const edit = (
    id: string,
    by: string,
    how: (record: DraftRecord) => Partial<DraftRecord>,
    isAnswer: (draft: Draft) => boolean = () => false,
  ): Promise<Draft> =>
    inTurn(id, async (confirm) => {
      const draft = await get(id);
      const { record } = draft;
      const revision = isAnswer(draft) ? record.revision : idle(draft).record.revision + 1;
      const changed = { ...record, ...how(record), revision, changed: { at: now().toISOString(), by } };
      await confirm();
      await writeDraft(store, changed);
      return await withState(changed);
    });

  return { inTurn, get, getIdle, withState, all, removeOld, edit };
};
