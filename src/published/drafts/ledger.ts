/** Reading and changing the records of drafts: changes of one draft come one after another. */
import { DAY_MS } from '../../tariff/days.ts';
import type { DraftDeps } from './import.ts';
import { DRAFT_ID, type DraftRecord, draftKeys, readDraft, readProgress, readResult, writeDraft } from './records.ts';
import { DraftRefused, missingDraft } from './refused.ts';
import { type DraftState, stateOf } from './state.ts';

/** Drafts that nobody has changed for so long are removed. */
const KEPT_MS = 60 * DAY_MS;

export interface Draft {
  readonly record: DraftRecord;
  readonly state: DraftState;
}

export interface Ledger {
  /** Does work on a draft when all earlier work on it has been done. */
  readonly inTurn: <T>(id: string, work: () => Promise<T>) => Promise<T>;
  /** @throws {DraftRefused} if there is no such draft */
  readonly get: (id: string) => Promise<Draft>;
  /** @throws {DraftRefused} also if it is being imported */
  readonly getIdle: (id: string) => Promise<Draft>;
  readonly withState: (record: DraftRecord) => Promise<Draft>;
  /** Newest first. Removes those that are too old. */
  readonly all: () => Promise<DraftRecord[]>;
  /**
   * Changes a draft. What an import depends on gets a new revision.
   * @throws {DraftRefused} if it is being imported, or `how` refuses
   */
  readonly edit: (id: string, by: string, how: (record: DraftRecord) => Partial<DraftRecord>) => Promise<Draft>;
}

export const createLedger = ({ store, now }: DraftDeps): Ledger => {
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

  const withState = async (record: DraftRecord): Promise<Draft> => {
    const [progress, result] = [await readProgress(store, record.id), await readResult(store, record.id)];
    return { record, state: stateOf(record, progress, result, now()) };
  };

  const get: Ledger['get'] = async (id) => {
    const record = DRAFT_ID.test(id) ? await readDraft(store, id) : undefined;
    if (record === undefined) throw missingDraft();
    return await withState(record);
  };

  const getIdle: Ledger['getIdle'] = async (id) => {
    const draft = await get(id);
    if (draft.state.is !== 'importing') return draft;
    throw new DraftRefused('conflict', { draft: `is being imported by ${draft.state.by}. Wait until it is done` });
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

  const edit: Ledger['edit'] = (id, by, how) =>
    inTurn(id, async () => {
      const { record } = await getIdle(id);
      const changed = {
        ...record,
        ...how(record),
        revision: record.revision + 1,
        changed: { at: now().toISOString(), by },
      };
      await writeDraft(store, changed);
      return await withState(changed);
    });

  return { inTurn, get, getIdle, withState, all, edit };
};
