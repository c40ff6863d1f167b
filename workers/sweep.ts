/** Sweeps: at start, every minute, and at once where Redis turns out to have been emptied. */
import type { Redis } from 'ioredis';
import type { Swept } from '../src/batch/sweep.ts';
import type { Logger } from '../src/log.ts';
import type { Queues } from '../src/queue/jobs.ts';

const EVERY_MS = 60_000;
/** Its absence says that Redis has forgotten everything. */
const KNOWN = 'rates:known';

export const createSweepProcessor = (sweep: () => Promise<Swept>, log: Logger) => async (): Promise<Swept> => {
  const swept = await sweep();
  if (Object.values(swept).some((count) => count > 0)) log.info({ ...swept }, 'swept');
  return swept;
};

/** Has the sweeper run every minute, and now. */
export const scheduleSweeps = async (queues: Queues): Promise<void> => {
  await queues.sweep.upsertJobScheduler(
    'every-minute',
    { every: EVERY_MS },
    { opts: { removeOnComplete: true, removeOnFail: true } },
  );
  await queues.sweep.add('now', {}, { jobId: 'now', removeOnComplete: true, removeOnFail: true });
};

/** Schedules sweeps again where Redis was emptied. */
export const noticeEmptied = async (redis: Redis, queues: Queues): Promise<void> => {
  if ((await redis.set(KNOWN, '1', 'NX')) === 'OK') await scheduleSweeps(queues);
};
