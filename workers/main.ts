/**
 * A worker process: takes jobs from the queues and does them, at a lower scheduling priority than the API, so that single
 * quotes stay quick while a batch runs.
 */
import { constants, setPriority } from 'node:os';
import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { createBatches } from '../src/batch/batches.ts';
import { createChunkWork } from '../src/batch/chunk-work.ts';
import { createEnding } from '../src/batch/ending.ts';
import { createIntake } from '../src/batch/intake.ts';
import { createSnapshots } from '../src/batch/snapshot.ts';
import { createSweeper } from '../src/batch/sweep.ts';
import { SIGN_OF_LIFE_MS, signSlots, unsignSlots } from '../src/batch/window.ts';
import { announceReady, onStop } from '../src/cli/child.ts';
import { type Config, readConfig } from '../src/config.ts';
import { createLog, type Logger } from '../src/log.ts';
import { openQueues, PREFIX, QUEUE_NAMES, workerName } from '../src/queue/jobs.ts';
import { connect } from '../src/queue/redis.ts';
import { openStore } from '../src/store/open.ts';
import { createAssembleProcessor } from './assemble.ts';
import { createChunkProcessor } from './chunk.ts';
import { createSweepProcessor, noticeEmptied, scheduleSweeps } from './sweep.ts';

/** Two chunks at a time: one is read, written and told of while the other is rated. */
const SLOTS = 2;

/** A job whose worker is gone is freed by its lock's end, or at once by whoever saw the worker's process end. */
const lockOptions = { lockDuration: 60_000, stalledInterval: 2_000, maxStalledCount: 1_000 } as const;

const startWorkers = (
  connection: Redis,
  name: string,
  log: Logger,
  processors: Record<keyof typeof QUEUE_NAMES, (job: Job) => Promise<unknown>>,
) => {
  const start = (queue: keyof typeof QUEUE_NAMES, concurrency: number): Worker => {
    const worker = new Worker(QUEUE_NAMES[queue], processors[queue], {
      connection,
      prefix: PREFIX,
      name,
      concurrency,
      ...lockOptions,
    });
    worker.on('error', (error) => log.warn({ queue, err: error }, 'queue error'));
    return worker;
  };
  return [start('chunk', SLOTS), start('assemble', SLOTS), start('sweep', 1)];
};

/** Signs the worker's slots and looks whether Redis was emptied, every two seconds. */
const keepSigning = (
  redis: Redis,
  name: string,
  log: Logger,
  queues: ReturnType<typeof openQueues>,
): (() => Promise<void>) => {
  const sign = async (): Promise<void> => {
    try {
      await signSlots(redis, name, SLOTS, Date.now());
      await noticeEmptied(redis, queues);
    } catch (error) {
      log.warn({ err: error }, 'sign of life failed');
    }
  };
  const timer = setInterval(() => void sign(), SIGN_OF_LIFE_MS);
  void sign();
  return async () => {
    clearInterval(timer);
    await unsignSlots(redis, name, SLOTS);
  };
};

const main = async (config: Config): Promise<void> => {
  if (config.redisUrl === undefined) throw new Error('REDIS_URL is needed; rates serve brings a Redis of its own');
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const log = createLog({ level: config.logLevel, name: 'worker' });
  const name = workerName(process.pid);
  const redis = connect(config.redisUrl, 'worker', { log });
  const store = openStore(config.storeUrl);
  const queues = openQueues(redis);
  const now = (): Date => new Date();
  const intake = createIntake({ store, redis, queues });
  const batches = createBatches({ store, redis, intake, now });
  const { maxRowBytes: maximumRowBytes, retentionDays } = config;
  const snapshots = createSnapshots(store);
  const rateChunk = createChunkWork({ store, redis, intake, snapshots, maximumRowBytes, now });
  const ending = createEnding({ store, redis, intake, retentionDays, now });
  const workers = startWorkers(redis, name, log, {
    chunk: createChunkProcessor({ rateChunk, ending, log }),
    assemble: createAssembleProcessor({ ending, log }),
    sweep: createSweepProcessor(createSweeper({ store, redis, intake, batches, now }), log),
  });
  const stopSigning = keepSigning(redis, name, log, queues);
  await scheduleSweeps(queues);
  onStop(
    async () => {
      await Promise.all([...workers.map((worker) => worker.close()), stopSigning()]);
      await queues.close();
      redis.disconnect();
    },
    { log },
  );
  announceReady();
  log.info({ name }, 'worker ready');
};

await main(readConfig(process.env));
