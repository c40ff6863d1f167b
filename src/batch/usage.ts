/** What clients use of their limits: of one as it is now, and of all together as the last sweep found it. */
import type { Redis } from '../redis/connection.ts';
import { inFlight } from './in-flight.ts';
import { stored } from './quota.ts';

export interface Use {
  readonly batchesInFlight: number;
  readonly rowsInFlight: number;
  readonly bytesInFlight: number;
  readonly bytesStored: number;
}

export const useOf = async (redis: Redis, clientId: string): Promise<Use> => {
  const [counts, bytesInFlight, bytesStored] = await Promise.all([
    inFlight.counts(redis, clientId),
    inFlight.bytes(redis, clientId),
    stored.sum(redis, clientId),
  ]);
  return { batchesInFlight: counts.batches, rowsInFlight: counts.rows, bytesInFlight, bytesStored };
};

const TOTALS = 'rates:use';

export interface Totals {
  readonly bytesInFlight: number;
  readonly bytesStored: number;
}

export const totals = {
  write: async (redis: Redis, { bytesInFlight, bytesStored }: Totals): Promise<void> => {
    await redis.hset(TOTALS, { bytesInFlight, bytesStored });
  },
  read: async (redis: Redis): Promise<Totals> => {
    const { bytesInFlight = '0', bytesStored = '0' } = await redis.hgetall(TOTALS);
    return { bytesInFlight: Number(bytesInFlight), bytesStored: Number(bytesStored) };
  },
} as const;
