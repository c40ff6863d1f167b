/** A worker process that completes chunks at once: only the queue and the batch state in Redis, without the store. */
import { type Job, Worker } from 'bullmq';
import { createLog } from '../../src/base/log.ts';
import { announceReady, onStop } from '../../src/base/process/child.ts';
import { connect } from '../../src/base/redis/connection.ts';
import { createDiskStore } from '../../src/base/store/disk.ts';
import { chunkJob, openQueues, PREFIX, QUEUE_NAMES, workerName } from '../../src/batch/queue/jobs.ts';
import { createScheduler } from '../../src/batch/scheduler.ts';
import { state } from '../../src/batch/state.ts';
import { countingWork } from '../../src/batch/work/chunk-work.ts';
import { beginWork } from '../../src/batch/work/finalize.ts';
import { SIGN_MS, signSlots } from '../../src/batch/workers.ts';
import { LOCK, SLOTS } from '../../workers/worker.ts';
import { emptyPart } from './replay.ts';

const [redisUrl = '', dataDir = ''] = process.argv.slice(2);
const log = createLog({ level: 'warn', name: 'empty-worker' });
const redis = connect(redisUrl, 'worker', { log });
const queues = openQueues(redis);
const scheduler = createScheduler({ store: createDiskStore(dataDir), redis, queues });
const now = (): Date => new Date();
const name = workerName(process.pid);

const work = countingWork(
  async (id: string, index: number, revision: number, epoch: string | undefined) => {
    const { status } = await beginWork({ redis, scheduler, now }, id, { revision, epoch });
    if (status !== 'in_progress') return undefined;
    const step = await state.advance(redis, id, revision, await scheduler.window(), index, emptyPart(index));
    await scheduler.follow(id, revision, step.next === 'assemble' ? { ...step, next: 'nothing' } : step);
    return { rows: 0, faulted: 0 };
  },
  { redis, log },
);
const processor = async (job: Job): Promise<void> => {
  const { batchId, index, revision, epoch } = chunkJob.parse(job.data);
  await work(batchId, index, revision, epoch);
};
const worker = new Worker(QUEUE_NAMES.chunk, processor, {
  connection: redis,
  prefix: PREFIX,
  name,
  concurrency: SLOTS,
  ...LOCK,
});
worker.on('error', (err) => log.warn({ err }, 'queue error'));
await signSlots(redis, name, SLOTS);
const signing = setInterval(() => void signSlots(redis, name, SLOTS), SIGN_MS);
onStop(
  async () => {
    clearInterval(signing);
    await worker.close();
    await queues.close();
    redis.disconnect();
  },
  { log },
);
announceReady();
