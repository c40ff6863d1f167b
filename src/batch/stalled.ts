/** Gathers, while a sweep looks at all batches, those that have not moved for a minute. */
import type { Redis } from '../redis/connection.ts';
import type { StalledBatches } from './sweep-turn.ts';

const STALLED_S = 60;
const MOST_NAMED = 10;

export interface StalledSoFar {
  /** Looks at a batch that is not final. */
  readonly look: (id: string, fields: Readonly<Record<string, string>>) => void;
  readonly found: () => StalledBatches;
}

/** When a batch last moved. One of an earlier version of the service does not say: it counts from its beginning. */
const movedAt = ({ movedAt: moved, createdAt = '' }: Readonly<Record<string, string>>): number =>
  moved === undefined ? Date.parse(createdAt) / 1_000 : Number(moved);

export const gatherStalled = async (redis: Redis): Promise<StalledSoFar> => {
  const now = Number((await redis.time())[0]);
  const found: StalledBatches['oldest'] = [];
  return {
    look: (id, { status = '', ...fields }) => {
      const seconds = Math.floor(now - movedAt(fields));
      if (seconds >= STALLED_S) found.push({ id, status, seconds });
    },
    found: () => {
      const counts: Record<string, number> = {};
      for (const { status } of found) counts[status] = (counts[status] ?? 0) + 1;
      const waits = (status: string): number => (status === 'queued' ? 1 : 0);
      const oldest = found
        .toSorted((a, b) => waits(a.status) - waits(b.status) || b.seconds - a.seconds)
        .slice(0, MOST_NAMED);
      return { counts, oldest };
    },
  };
};
