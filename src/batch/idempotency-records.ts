/**
 * Which idempotency keys have made a batch, in the store, by the day. Redis judges a key; what it says of the last ones
 * may be lost with it, and then nobody would know that the batch was made. Below `keys/<day>/<digest>.json`.
 */
import { z } from 'zod';
import { getJson, putJson, type Store } from '../store/store.ts';

const takenKey = z.object({ batchId: z.string(), content: z.string() });
export type TakenKey = z.output<typeof takenKey>;

const FOLDER = 'keys/';
const DAY_MS = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const keyOf = (digest: string, time: number): string => `${FOLDER}${dayOf(time)}/${digest}.json`;

export const takenKeys = {
  /** To be noted before the batch is made: one that names no batch says nothing. */
  note: async (store: Store, digest: string, taken: TakenKey, now: Date): Promise<void> => {
    await putJson(store, keyOf(digest, now.getTime()), taken, { durable: true });
  },
  /** What was noted of a key within a day, and it may be up to two. */
  find: async (store: Store, digest: string, now: Date): Promise<TakenKey | undefined> => {
    const days = [now.getTime(), now.getTime() - DAY_MS];
    const [today, before] = await Promise.all(days.map((time) => getJson(store, keyOf(digest, time))));
    return takenKey.optional().parse(today ?? before);
  },
  /** Removes what is older than that. */
  sweep: async (store: Store, now: Date): Promise<void> => {
    const kept = [now.getTime(), now.getTime() - DAY_MS].map((time) => `${dayOf(time)}/`);
    // Another machine's clock may be ahead.
    for (const day of await store.list(FOLDER))
      if (!kept.includes(day) && day < `${dayOf(now.getTime())}/`) await store.remove(`${FOLDER}${day}`);
  },
} as const;
