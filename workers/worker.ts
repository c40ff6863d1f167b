/** The workers of one process. They take jobs from the queues and run them. */
import { type Job, Worker } from 'bullmq';
import type { Config } from '../src/base/config/settings.ts';
import { within } from '../src/base/deadline.ts';
import { causedBy, type Logger } from '../src/base/log.ts';
import { must } from '../src/base/must.ts';
import { poll } from '../src/base/poll.ts';
import { isOutage, type Redis } from '../src/base/redis/connection.ts';
import { MOST_SENDING } from '../src/base/webhook/receiver-slots.ts';
import { createBatches } from '../src/batch/batches.ts';
import { createMerge } from '../src/batch/output/output.ts';
import {
  ATTEMPTS,
  assembleJob,
  causedJob,
  chunkJob,
  dueJobs,
  keepTurn,
  openQueues,
  PREFIX,
  QUEUE_NAMES,
  type Queues,
} from '../src/batch/queue/jobs.ts';
import { LimitPassed } from '../src/batch/quota.ts';
import { type Context, createScheduler } from '../src/batch/scheduler.ts';
import { createSweeper, type SweepDeps } from '../src/batch/sweep.ts';
import { type ChunkSummary, type ChunkWork, countingWork, createChunkWork } from '../src/batch/work/chunk-work.ts';
import { createFinalizer, type Finalizer } from '../src/batch/work/finalize.ts';
import { createNotifications } from '../src/batch/work/notifications.ts';
import { SIGN_MS, type StalledBatches, signSlots, sweepTurn, unsignSlots } from '../src/batch/workers.ts';
import { limitsIn } from '../src/catalog/clients/clients.ts';
import { createJobWatch, type JobWatch, type Processor } from './job-watch.ts';
import { createSweeping, type Sweeping } from './sweep.ts';
import { createWebhookProcessor, pauseAfter, type WebhookOptions } from './webhook.ts';

/** `redis` is a connection with the role `worker`, which waits while Redis is unavailable. */
export interface WorkerDeps
  extends Pick<Context, 'store' | 'redis' | 'snapshots' | 'now' | 'log'>,
    Pick<Config, 'maxRowBytes' | 'retentionDays'>,
    Partial<Pick<Config, 'summaryRetentionDays' | 'expiryShare'>> {
  readonly name: string;
  /** Whether outputs are merged in the store, so that the store can serve them itself. */
  readonly mergesOutputs?: boolean;
  readonly webhooks: WebhookOptions;
  /** Called if this process is stuck, with the reason. It must then exit. */
  readonly onStandstill: (why: string) => void;
}

/** Two chunks at a time: one does I/O while the other is rated. */
export const SLOTS = 2;
/**
 * A worker renews the locks of its jobs. A job of a dead worker goes back to the queue when its lock has expired, within
 * about twelve seconds. A worker that was suspended for longer does the job a second time, which is harmless.
 */
export const LOCK = { lockDuration: 10_000, stalledInterval: 1_500, maxStalledCount: 1_000 } as const;

/** The time limit of each repeated check, so that a lost reply does not stop the repetition. */
const CHECK_MS = 20_000;

/** By queue: concurrent jobs, and the checks (one each `SIGN_MS`) within which a job ends: ten minutes or an hour. */
const WORK = {
  chunk: { slots: SLOTS, longest: 300 },
  assemble: { slots: SLOTS, longest: 1_800 },
  webhook: { slots: MOST_SENDING, longest: 300 },
} as const satisfies Record<keyof typeof QUEUE_NAMES, { readonly slots: number; readonly longest: number }>;

type Ending = Pick<Context, 'log'> & { readonly finalizer: Finalizer };

const createChunkProcessor =
  (rateChunk: ChunkWork, { finalizer, log }: Ending) =>
  async (job: Job): Promise<ChunkSummary | undefined> => {
    const { batchId, index, revision, epoch } = chunkJob.parse(job.data);
    const begun = performance.now();
    try {
      const summary = await rateChunk(batchId, index, { revision, epoch, deaths: job.stalledCounter });
      if (summary !== undefined)
        log.info({ batchId, index, ...summary, ms: Math.round(performance.now() - begun) }, 'chunk rated');
      return summary;
    } catch (error) {
      if (error instanceof LimitPassed) {
        log.warn({ batchId, index, limit: error.limit, most: error.most, row: error.row }, 'chunk over a limit');
        await finalizer.failChunk(batchId, { index, revision, epoch }, error);
        return undefined;
      }
      const last = job.attemptsMade + 1 >= ATTEMPTS;
      log.error({ batchId, index, attempt: job.attemptsMade + 1, last, err: error }, 'rows could not be rated');
      if (last) await finalizer.failChunk(batchId, { index, revision, epoch }, error);
      throw error;
    }
  };

/** Assembles the output of a batch and completes the batch. */
const createAssembleProcessor =
  ({ finalizer, log }: Ending) =>
  async (job: Job): Promise<void> => {
    const { batchId, epoch } = assembleJob.parse(job.data);
    try {
      await finalizer.assemble(batchId, epoch);
      log.info({ batchId }, 'batch assembled');
    } catch (error) {
      const last = job.attemptsMade + 1 >= ATTEMPTS;
      log.error({ batchId, attempt: job.attemptsMade + 1, last, err: error }, 'an output could not be written');
      if (last) await finalizer.failAssembly(batchId, epoch, error);
      throw error;
    }
  };

/** A queue may notice the loss of Redis first. The connection has this long to report it. */
const SETTLE_MS = 1_000;

/** If only a queue's own connection is lost, that is logged once, and again only after it was up for this long. */
const WELL_MS = 60_000;

/**
 * Logs the errors of queues. BullMQ reports at each attempt to connect, for each queue, that Redis is unavailable. The
 * connection logs that once, so it is left out here. Watches a connection from now on. Call it before queues listen to the connection.
 * @param settleMs how long the connection has to report a loss that a queue reports
 * @returns a function that logs an error of a queue on the connection
 */
export const createQueueErrors = (
  redis: Pick<Redis, 'status' | 'on'>,
  log: Pick<Logger, 'warn'>,
  settleMs: number = SETTLE_MS,
): ((queue: string, error: Error) => void) => {
  /** The connection's last error while Redis is unavailable or refuses the credentials. */
  let reported: string | undefined;
  let queueLostAt = Number.NEGATIVE_INFINITY;
  let losses = 0;
  redis.on('close', () => {
    losses += 1;
  });
  redis.on('error', ({ message }: Error) => {
    reported = message;
  });
  redis.on('ready', () => {
    reported = undefined;
  });
  const isAway = (): boolean => reported !== undefined || redis.status !== 'ready';
  return (queue, error) => {
    const write = () => log.warn({ queue, err: error }, 'queue error');
    if (!isOutage(error)) {
      if (error.message !== reported) write();
      return;
    }
    const isRepeated = performance.now() - queueLostAt < WELL_MS;
    queueLostAt = performance.now();
    if (isRepeated || isAway()) return;
    const before = losses;
    setTimeout(() => {
      if (losses === before && !isAway()) write();
    }, settleMs).unref();
  };
};

type QueueName = keyof typeof QUEUE_NAMES;
const QUEUES = ['chunk', 'assemble', 'webhook'] as const satisfies readonly QueueName[];
type Processors = Readonly<Record<QueueName, Processor>>;

const startWorkers = (deps: WorkerDeps, jobWatch: JobWatch, processors: Processors): readonly Worker[] => {
  const { redis, name, log, webhooks } = deps;
  const settings = { backoffStrategy: (attemptsMade: number) => pauseAfter(webhooks.pausesMs, attemptsMade) };
  const logError = createQueueErrors(redis, log);
  const start = (queue: QueueName): Worker => {
    const options = { connection: redis, prefix: PREFIX, name, concurrency: WORK[queue].slots, settings, ...LOCK };
    const work = async (job: Job): Promise<unknown> => {
      try {
        return await causedBy(causedJob.parse(job.data).requestId, () => processors[queue](job));
      } catch (error) {
        await keepTurn(job).catch((err: unknown) => log.warn({ err, queue, jobId: job.id }, 'a job lost its turn'));
        throw error;
      }
    };
    const worker = new Worker(QUEUE_NAMES[queue], jobWatch.watching(work, WORK[queue].longest), options);
    worker.on('error', (error) => logError(queue, error));
    return worker;
  };
  return QUEUES.map(start);
};

interface Checked {
  readonly queues: Queues;
  readonly jobWatch: JobWatch;
  readonly sweeping: Sweeping;
  readonly stopping: AbortSignal;
}

/** Every few seconds, sends signs of life, sweeps in its turn, and checks that jobs are taken and end. */
const startChecks = (deps: WorkerDeps, { queues, jobWatch, sweeping, stopping }: Checked): (() => Promise<void>) => {
  const { redis, name, log, onStandstill } = deps;
  const checks: readonly (readonly [what: string, check: () => Promise<void>])[] = [
    ['sign of life', () => signSlots(redis, name, SLOTS)],
    ['turn to sweep', sweeping.sweepInTurn],
  ];
  const repeated = checks.map(([what, check]) =>
    poll(async () => {
      // While Redis is unavailable, checks would only pile up. The connection logs the outage.
      if (redis.status !== 'ready') return;
      await within(CHECK_MS, check()).catch((err: unknown) => {
        if (redis.status === 'ready') log.warn({ err }, `${what} failed`);
      });
    }, SIGN_MS),
  );
  /** A worker that stops takes no jobs. While Redis is unavailable, nobody does. */
  const notTaking = async (): Promise<string | undefined> => {
    if (stopping.aborted || redis.status !== 'ready') return undefined;
    const due = await within(CHECK_MS, Promise.all(QUEUES.map((queue) => dueJobs(queues, queue)))).catch(() => []);
    return due
      .map((jobs, at) => {
        const queue = must(QUEUES[at], 'a queue');
        return jobWatch.checkTaking({ queue, slots: WORK[queue].slots, due: jobs });
      })
      .find((why) => why !== undefined);
  };
  const watch = poll(async () => {
    const why = jobWatch.check() ?? (await notTaking());
    if (why !== undefined) onStandstill(why);
  }, SIGN_MS);
  return async () => {
    for (const { stop } of [...repeated, watch]) stop();
    await sweeping.ended();
    await unsignSlots(redis, name, SLOTS);
  };
};

/**
 * Asks for a sweep now and whenever Redis is back. The reply to a step just before the outage may be lost, together
 * with the chunks that the step admitted.
 */
const sweepWhenBack = ({ redis, log }: WorkerDeps, sweeping: Sweeping): (() => void) => {
  const ask = (): void => {
    within(CHECK_MS, sweeping.ask().then(sweeping.sweepInTurn)).catch((err: unknown) =>
      log.warn({ err }, 'no sweep asked for'),
    );
  };
  redis.on('ready', ask);
  ask();
  return () => void redis.off('ready', ask);
};

/** Seconds that the clocks may differ without a warning. */
const CLOCK_S = 60;

const createWorkerSweeping = (deps: WorkerDeps, sweepDeps: Omit<SweepDeps, 'onStalled' | 'onExpiry'>): Sweeping => {
  const { name, redis, log } = deps;
  const onStalled = async (stalled: StalledBatches): Promise<void> => {
    if (stalled.oldest.length > 0) log.warn({ ...stalled }, 'batches that have not moved for a minute');
    await sweepTurn.end(redis, stalled);
  };
  const onExpiry: SweepDeps['onExpiry'] = ({ held, clockAhead }) => {
    if (Math.abs(clockAhead) > CLOCK_S) log.warn({ clockAhead }, 'the clocks of this machine and of Redis differ');
    if (held > 0)
      log.warn({ held }, 'old batches are not removed: too many at once. Check the clock, then see EXPIRY_SHARE');
  };
  return createSweeping({ name, redis, log, sweep: createSweeper({ ...sweepDeps, onStalled, onExpiry }) });
};

/** @returns a function that stops the workers. Running jobs end first, except deliveries, which other processes send */
export const startWorker = async (deps: WorkerDeps): Promise<() => Promise<void>> => {
  const { redis, store, snapshots, log, now, maxRowBytes: maximumRowBytes, retentionDays } = deps;
  const queues = openQueues(redis);
  const scheduler = createScheduler({ store, redis, queues });
  const batches = createBatches({ store, redis, scheduler, snapshots, now });
  const { clients } = deps.webhooks;
  const limitsOf = (clientId: string) => limitsIn(clients.current(), clientId);
  const workOnChunk = createChunkWork({ store, redis, scheduler, snapshots, maximumRowBytes, limitsOf, now });
  const rateChunk = countingWork<Parameters<ChunkWork>>(async (...chunk) => {
    // A retry uses limits that were just raised. If clients cannot be read, the log says so and known limits apply.
    await clients.refresh().catch(() => undefined);
    return await workOnChunk(...chunk);
  }, deps);
  const notifications = createNotifications({ store, redis, queues });
  const join = deps.mergesOutputs === true ? createMerge(store, log) : undefined;
  const finalizer = createFinalizer({ store, redis, scheduler, notifications, join, retentionDays, now });
  const stopping = new AbortController();
  const jobWatch = createJobWatch();
  const workers = startWorkers(deps, jobWatch, {
    chunk: createChunkProcessor(rateChunk, { finalizer, log }),
    assemble: createAssembleProcessor({ finalizer, log }),
    webhook: createWebhookProcessor({ ...deps.webhooks, redis, notifications, log, now, stopping: stopping.signal }),
  });
  const sweeping = createWorkerSweeping(deps, {
    ...{ store, redis, scheduler, batches, notifications, now },
    summaryDays: deps.summaryRetentionDays,
    expiryShare: deps.expiryShare,
  });
  const stopChecks = startChecks(deps, { queues, jobWatch, sweeping, stopping: stopping.signal });
  const stopAsking = sweepWhenBack(deps, sweeping);
  return async () => {
    stopAsking();
    stopping.abort(new Error('the worker is stopping'));
    await Promise.all(workers.map((worker) => worker.close()));
    // Stopped last, because the worker was alive until its jobs had ended.
    await stopChecks();
    await queues.close();
  };
};
