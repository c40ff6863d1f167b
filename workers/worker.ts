/** The workers of one process: they take jobs from the queues and do them. */
import { type Job, Worker } from 'bullmq';
import { createBatches } from '../src/batch/batches.ts';
import { createChunkWork } from '../src/batch/chunk-work.ts';
import { createEnding } from '../src/batch/ending.ts';
import { createIntake } from '../src/batch/intake.ts';
import { createJoin } from '../src/batch/joined.ts';
import { metered } from '../src/batch/meter.ts';
import { createNotices } from '../src/batch/notice.ts';
import type { Snapshots } from '../src/batch/snapshot.ts';
import { createSweeper } from '../src/batch/sweep.ts';
import { aliveWorkers, SIGN_OF_LIFE_MS, signSlots, unsignSlots } from '../src/batch/window.ts';
import { causedBy, type Logger } from '../src/log.ts';
import { lookOften } from '../src/look-often.ts';
import { causedJob, openQueues, PREFIX, QUEUE_NAMES, type Queues } from '../src/queue/jobs.ts';
import type { Redis } from '../src/queue/redis.ts';
import type { Store } from '../src/store/store.ts';
import { createAssembleProcessor } from './assemble.ts';
import { createChunkProcessor } from './chunk.ts';
import { createInHand, type InHand, type Processor } from './in-hand.ts';
import { createQueueErrors } from './queue-errors.ts';
import { createSweepProcessor, noticeLoss, scheduleSweeps } from './sweep.ts';
import { createWebhookProcessor, pauseAfter, type WebhookOptions } from './webhook.ts';

export interface WorkerDeps {
  readonly name: string;
  /** A worker's connection: it waits for as long as Redis is away. */
  readonly redis: Redis;
  readonly store: Store;
  readonly snapshots: Snapshots;
  readonly log: Logger;
  readonly maxRowBytes: number;
  readonly retentionDays: number;
  /** Whether outputs are put together in the store, for it to give them out itself. */
  readonly joining?: boolean;
  readonly webhooks: WebhookOptions;
  readonly now: () => Date;
}

/** Two chunks at a time: one is read, written and told of while the other is rated. */
export const SLOTS = 2;
/** Messages on their way wait for their receivers, and cost next to nothing. */
const WEBHOOK_SLOTS = 16;

/**
 * A job whose worker is gone is freed at once by whoever saw the worker's process end, else when its signs of life have
 * stayed away, and at the latest by its lock's end.
 */
export const LOCK = { lockDuration: 60_000, stalledInterval: 1_500, maxStalledCount: 1_000 } as const;

type QueueName = keyof typeof QUEUE_NAMES;
type Processors = Readonly<Record<QueueName, Processor>>;

const startWorkers = (deps: WorkerDeps, inHand: InHand, processors: Processors): readonly Worker[] => {
  const { redis, name, log, webhooks } = deps;
  const settings = { backoffStrategy: (attemptsMade: number) => pauseAfter(webhooks.pausesMs, attemptsMade) };
  const logError = createQueueErrors(redis, log);
  const start = (queue: QueueName, concurrency: number): Worker => {
    const options = { connection: redis, prefix: PREFIX, name, concurrency, settings, ...LOCK };
    const work = (job: Job) => causedBy(causedJob.parse(job.data).requestId, () => processors[queue](job));
    const worker = new Worker(QUEUE_NAMES[queue], inHand.holding(work), options);
    worker.on('error', (error) => logError(queue, error));
    return worker;
  };
  return [start('chunk', SLOTS), start('assemble', SLOTS), start('sweep', 1), start('webhook', WEBHOOK_SLOTS)];
};

/**
 * Signs the worker's slots, and beside that looks whether Redis has lost something and frees jobs that were lost. While
 * Redis is away one of each waits for it, no more: what two looks find is two seconds apart.
 */
const keepSigning = ({ redis, name, log }: WorkerDeps, queues: Queues, inHand: InHand): (() => Promise<void>) => {
  const sign = async (): Promise<void> => {
    await signSlots(redis, name, SLOTS).catch((err: unknown) => log.warn({ err }, 'sign of life failed'));
  };
  const look = async (): Promise<void> => {
    try {
      await noticeLoss(redis, queues);
      const lost = await inHand.freeLost(redis, queues, await aliveWorkers(redis));
      if (lost > 0) log.warn({ jobs: lost }, 'jobs that nobody works on freed');
    } catch (err) {
      log.warn({ err }, 'look for what was lost failed');
    }
  };
  const repeated = [sign, look].map((work) => lookOften(work, SIGN_OF_LIFE_MS));
  return async () => {
    for (const { stop } of repeated) stop();
    await unsignSlots(redis, name, SLOTS);
  };
};

/** Sweeps when Redis is back: of a step that it did before it went, the answer may be lost, and with it what was let in. */
const sweepWhenBack = ({ redis, log }: WorkerDeps, queues: Queues): (() => void) => {
  const sweep = (): void => {
    scheduleSweeps(queues).catch((error: unknown) => log.warn({ err: error }, 'sweep not asked for'));
  };
  redis.on('ready', sweep);
  return () => void redis.off('ready', sweep);
};

/** @returns how to stop: jobs under way are finished first, but for messages on their way, which others send */
export const startWorker = async (deps: WorkerDeps): Promise<() => Promise<void>> => {
  const { redis, store, snapshots, log, now, maxRowBytes: maximumRowBytes, retentionDays } = deps;
  const queues = openQueues(redis);
  const intake = createIntake({ store, redis, queues });
  const batches = createBatches({ store, redis, intake, now });
  const rateChunk = metered(createChunkWork({ store, redis, intake, snapshots, maximumRowBytes, now }), deps);
  const notices = createNotices({ store, redis, queues });
  const join = deps.joining === true ? createJoin(store, log) : undefined;
  const ending = createEnding({ store, redis, intake, notices, join, retentionDays, now });
  const stopping = new AbortController();
  const inHand = createInHand(deps.name);
  const workers = startWorkers(deps, inHand, {
    chunk: createChunkProcessor({ rateChunk, ending, log }),
    assemble: createAssembleProcessor({ ending, log }),
    sweep: createSweepProcessor(createSweeper({ store, redis, intake, batches, notices, now }), log),
    webhook: createWebhookProcessor({ ...deps.webhooks, redis, notices, log, now, stopping: stopping.signal }),
  });
  const stopSigning = keepSigning(deps, queues, inHand);
  await scheduleSweeps(queues);
  const stopSweeping = sweepWhenBack(deps, queues);
  return async () => {
    stopSweeping();
    stopping.abort(new Error('the worker is stopping'));
    await Promise.all(workers.map((worker) => worker.close()));
    // Until now it was alive: what it was finishing was its own.
    await stopSigning();
    await queues.close();
  };
};
