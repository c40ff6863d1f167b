/**
 * What remains of a batch or comparison after the lists forget it: how it ended, and its summary. One object each,
 * `summaries/<day of its creation>/<id>.json`. Its id is enough to find it. Redis does not grow with summaries.
 */
import { z } from 'zod';
import { putJson, type Store } from '../../base/store/store.ts';
import { sumsSchema } from '../../lists/comparison/sums.ts';
import { mostAtOnce } from '../expiry.ts';
import { createdAt } from '../ids.ts';
import { batchDocument, finalDocument, readsJson, records } from '../records.ts';

const keptSummary = z.object({ document: batchDocument, final: finalDocument, sums: sumsSchema.optional() });
export type KeptSummary = z.output<typeof keptSummary>;

const FOLDER = 'summaries/';
const DAY_MS = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const keyOf = (id: string): string => `${FOLDER}${dayOf(createdAt(id))}/${id}.json`;

const read = readsJson(keptSummary, (key: string) => key);

/** Whether the first summary of a day has expired. */
const beginsOver = async (store: Store, day: string, isOver: (kept: KeptSummary) => boolean): Promise<boolean> => {
  const [first] = await store.list(`${FOLDER}${day}`);
  if (first === undefined) return false;
  const kept = await read(store, `${FOLDER}${day}${first}`);
  return kept === undefined || isOver(kept);
};

/** Removes the expired summaries of a day. @param isOver whether the files expired long enough ago */
const sweepDay = async (store: Store, day: string, isOver: (kept: KeptSummary) => boolean): Promise<void> => {
  for (const name of await store.list(`${FOLDER}${day}`)) {
    const key = `${FOLDER}${day}${name}`;
    const kept = await read(store, key);
    // Names sort by time. Later ones wait for the first that stays, so that a sweep reads few of them.
    if (kept !== undefined && !isOver(kept)) return;
    await store.remove(key);
  }
};

export const keptSummaries = {
  /** Saves what an expired batch still has. */
  keep: async (store: Store, id: string): Promise<void> => {
    const [document, final, sums] = await Promise.all([
      records.batch(store, id),
      records.final(store, id),
      records.sums(store, id),
    ]);
    if (document === undefined || final === undefined) return;
    await putJson(store, keyOf(id), { document, final, ...(sums && { sums }) }, { durable: true });
  },
  read: (store: Store, id: string): Promise<KeptSummary | undefined> => read(store, keyOf(id)),
  remove: (store: Store, id: string): Promise<void> => store.remove(keyOf(id)),
  /**
   * Removes summaries whose files expired more than this many days ago.
   * @param share as in `mostAtOnce`
   * @returns how many days of expired summaries stay, because they are too many at once
   */
  sweep: async (store: Store, now: Date, days: number, share: number): Promise<number> => {
    const before = now.getTime() - days * DAY_MS;
    const isOver = ({ final }: KeptSummary): boolean => Date.parse(final.expiresAt) <= before;
    const all = await store.list(FOLDER);
    const over: string[] = [];
    for (const day of all) if (day < `${dayOf(before)}/` && (await beginsOver(store, day, isOver))) over.push(day);
    if (over.length > mostAtOnce(all.length, share)) return over.length;
    for (const day of over) await sweepDay(store, day, isOver);
    return 0;
  },
} as const;
