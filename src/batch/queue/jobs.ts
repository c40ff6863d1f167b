/**
 * The queues: their names, the data of their jobs, their order, and how a job is tried again. A job has only ids. Everything
 * else is in the store, so a job can be lost, added twice or run twice at once without harm.
 *
 * Start-time fair queueing decides which job is next (Goyal, Vin and Cheng 1996). The jobs of each client have turns 1, 2, 3
 * and so on, and a queue takes the lowest turn first: one job of each waiting client, then the next of each, regardless of
 * how many jobs a client has. A new client begins at the current turn of the queue, so that idle time earns nothing. Adding
 * a job costs the same regardless of how many wait. The turn of a job is its priority in BullMQ. A job that is tried again has
 * no priority, so it goes first. Its turn came earlier.
 */
import { hostname } from 'node:os';
import { type Job, type JobsOptions, Queue } from 'bullmq';
import { z } from 'zod';
import { cause } from '../../base/log.ts';
import type { Redis } from '../../base/redis/connection.ts';
import { script } from '../../base/redis/script.ts';

/** All keys of the queues are in one hash slot. */
export const PREFIX = '{rates}';

/** The request that caused the job. Absent if the sweeper caused it. */
const requestId = z.string().optional();
export const causedJob = z.object({ requestId });

/** @see Epoch */
export const chunkJob = z.object({
  batchId: z.string(),
  index: z.int(),
  revision: z.int(),
  epoch: z.string().optional(),
  requestId,
});
/** `noticeId`: id of the notification. */
export const webhookJob = z.object({
  noticeId: z.string(),
  batchId: z.string(),
  revision: z.int(),
  clientId: z.string(),
  requestId,
});
export const assembleJob = z.object({ batchId: z.string(), epoch: z.string().optional(), requestId });
export type ChunkJob = z.output<typeof chunkJob>;
export type AssembleJob = z.output<typeof assembleJob>;
export type WebhookJob = z.output<typeof webhookJob>;

/** About four minutes in total, so that a full disk or an unreachable store has time to recover. */
export const ATTEMPTS = 9;
const jobOptions = {
  attempts: ATTEMPTS,
  backoff: { type: 'exponential', delay: 500 },
  removeOnComplete: true,
  removeOnFail: true,
} as const;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after each failed attempt at a webhook: about 24 hours in total. */
export const WEBHOOK_PAUSES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
] as const;
export const WEBHOOK_ATTEMPTS = WEBHOOK_PAUSES_MS.length + 1;

/** Queue events are only for inspection by operators. The in-memory Redis copies all of them at each new one. */
const EVENTS_KEPT = 100;

export type Queues = ReturnType<typeof openQueues> & {
  /** The request that causes the jobs added through this. Undefined: the request that causes the current work, if any. */
  readonly requestId?: string;
};

export const QUEUE_NAMES = { chunk: 'chunk', assemble: 'assemble', webhook: 'webhook' } as const;

/** The name under which a worker process takes jobs. */
export const workerName = (pid: number): string => `${hostname()}-${pid}`;

/** The work on a revision of a batch, from its start or a retry to its end. */
export interface Epoch {
  readonly revision: number;
  /** New each time the work begins again. Undefined: any. */
  readonly epoch?: string | undefined;
}

/** An epoch and the client that owns the batch. If the client is unknown, the batch has its own turns. */
export interface Owned extends Epoch {
  readonly clientId?: string | undefined;
}

/**
 * Each epoch has its own job ids. A worker may still run a job of an earlier epoch. If the ids were the same, that job's
 * attempts, delay and end would count for the new epoch.
 */
const epochId = (batchId: string, { revision, epoch = `r${revision}` }: Epoch): string => `${batchId}-${epoch}`;
const chunkJobId = (batchId: string, of: Epoch, index: number): string => `${epochId(batchId, of)}-${index}`;

const causeOf = ({ requestId }: Queues): { readonly requestId?: string } =>
  requestId === undefined ? cause() : { requestId };

/** Adds jobs of a client, each with its turn. A job that is already in the queue stays unchanged. */
const addInTurn = async (
  { connection }: Queues,
  queue: Queue,
  clientId: string,
  jobs: readonly { readonly jobId: string; readonly data: object }[],
  options: JobsOptions,
): Promise<void> => {
  const ids = jobs.map(({ jobId }) => jobId);
  const turns = await takeTurns(connection, queue, clientId, ids);
  const added = jobs.flatMap(({ jobId, data }, at) => {
    const priority = turns[at];
    return priority === undefined ? [] : [{ name: queue.name, data, opts: { ...options, jobId, priority } }];
  });
  if (added.length > 0) await queue.addBulk(added);
};

/** Adds chunks to the queue. A chunk that is already in the queue stays unchanged. */
export const addChunks = async (
  queues: Queues,
  batchId: string,
  { revision, epoch, clientId = batchId }: Owned,
  indexes: readonly number[],
): Promise<void> => {
  if (indexes.length === 0) return;
  const data = { batchId, revision, ...(epoch !== undefined && { epoch }), ...causeOf(queues) };
  const jobs = indexes.map((index) => ({
    jobId: chunkJobId(batchId, { revision, epoch }, index),
    data: { ...data, index },
  }));
  await addInTurn(queues, queues.chunk, clientId, jobs, jobOptions);
};

/** Removes waiting chunks and their attempts from the queue. A chunk being rated stays. @returns the removed chunks */
export const removeChunks = async (
  queues: Queues,
  batchId: string,
  of: Epoch,
  indexes: readonly number[],
): Promise<readonly number[]> => {
  const removed = await Promise.all(indexes.map((index) => queues.chunk.remove(chunkJobId(batchId, of, index))));
  return indexes.filter((_, at) => removed[at] === 1);
};

export const addAssemble = async (queues: Queues, batchId: string, of: Owned): Promise<void> => {
  const { epoch, clientId = batchId } = of;
  const data = { batchId, ...(epoch !== undefined && { epoch }), ...causeOf(queues) };
  await addInTurn(queues, queues.assemble, clientId, [{ jobId: epochId(batchId, of), data }], jobOptions);
};

const webhookOptions = {
  attempts: WEBHOOK_ATTEMPTS,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
} as const;

/** Queues the notification of a batch's end. A notification that is already in the queue stays unchanged. */
export const addWebhook = async (
  queues: Queues,
  { id: noticeId, batchId, revision }: { readonly id: string; readonly batchId: string; readonly revision: number },
  clientId: string,
): Promise<void> => {
  const data = { noticeId, batchId, revision, clientId, ...causeOf(queues) };
  await addInTurn(queues, queues.webhook, clientId, [{ jobId: noticeId, data }], webhookOptions);
};

/** @param connection a producer's connection, which fails at once while Redis is unavailable */
export const openQueues = (connection: Redis) => {
  // The service checks Redis at its start, so no queue checks it again. A call fails at once while Redis is unavailable.
  const options = {
    connection,
    prefix: PREFIX,
    skipVersionCheck: true,
    skipWaitingForReady: true,
    streams: { events: { maxLen: EVENTS_KEPT } },
  } as const;
  const chunk = new Queue<ChunkJob>(QUEUE_NAMES.chunk, options);
  const assemble = new Queue<AssembleJob>(QUEUE_NAMES.assemble, options);
  const webhook = new Queue<WebhookJob>(QUEUE_NAMES.webhook, options);
  const all: readonly Queue[] = [chunk, assemble, webhook];
  // The listener of the connection logs errors. A queue without a listener would throw.
  for (const queue of all) queue.on('error', () => undefined);
  return {
    connection,
    chunk,
    assemble,
    webhook,
    all,
    close: async () => {
      await Promise.all(all.map((queue) => queue.close()));
    },
  };
};

/** A delayed job is due by then, even if the clocks of the machines differ. */
const OVERDUE_MS = 30_000;
/** In BullMQ, the score of a delayed job is its time times this. */
const DELAYED_UNIT = 0x1000;

/** Returns the number of jobs in a queue that a free worker would take. */
export const dueJobs = async (queues: Queues, name: keyof typeof QUEUE_NAMES): Promise<number> => {
  const queue: Queue = queues[name];
  if (await queue.isPaused()) return 0;
  const overdue = (Date.now() - OVERDUE_MS) * DELAYED_UNIT;
  const [waiting, delayed] = await Promise.all([
    queue.getJobCountByTypes('wait', 'prioritized'),
    queues.connection.zcount(queue.toKey('delayed'), '-inf', overdue),
  ]);
  return waiting + delayed;
};

/** BullMQ's highest priority. */
const LAST = 2 ** 21 - 1;
/** If a queue that is never empty reaches this turn, its turns restart at 1. */
const FAR = 2 ** 20;
/** The score of a waiting job is its priority times this, plus a count of the jobs with the same priority. */
const UNIT = 2 ** 32;

/**
 * KEYS: turns (the next one of each client, and the queue's current one under ''); the waiting jobs of the queue with their
 * turns; then jobs. ARGV: the client, FAR. Returns the turn of each job, or 0 for a job that is already in the queue.
 */
const takeScript = script(`
local turns, waiting, client, far = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
local head = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
local now = 1
if #head == 0 then
  redis.call('DEL', turns)
else
  now = math.max(tonumber(redis.call('ZSCORE', turns, '') or 1), math.floor(tonumber(head[2]) / ${UNIT}))
  redis.call('ZREMRANGEBYSCORE', turns, '-inf', now)
end
if now > far then
  local down = 1 - now
  local score = string.format('%.0f', down * ${UNIT})
  for _, job in ipairs(redis.call('ZRANGE', waiting, 0, -1)) do redis.call('ZINCRBY', waiting, score, job) end
  for _, name in ipairs(redis.call('ZRANGE', turns, 0, -1)) do redis.call('ZINCRBY', turns, down, name) end
  now = 1
end
local turn = math.max(now, tonumber(redis.call('ZSCORE', turns, client) or now))
local taken = {}
for i = 3, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    taken[i - 2] = 0
  else
    taken[i - 2] = math.min(turn, ${LAST})
    turn = math.min(turn + 1, ${LAST})
  end
end
redis.call('ZADD', turns, now, '', turn, client)
return taken`);

/**
 * Takes the next turns of a client for jobs that are about to be added.
 * @returns the turn of each job; undefined for a job that is already in the queue
 */
export const takeTurns = async (
  redis: Redis,
  queue: Queue,
  clientId: string,
  jobIds: readonly string[],
  far: number = FAR,
): Promise<readonly (number | undefined)[]> => {
  const keys = [`rates:turns:${queue.toKey('')}`, queue.toKey('prioritized'), ...jobIds.map((id) => queue.toKey(id))];
  const taken = await takeScript.run(redis, keys, [clientId, far]);
  return Array.isArray(taken) ? taken.map((turn) => (turn === 0 ? undefined : Number(turn))) : [];
};

/** Lets a running job go before others when it is tried again. */
export const keepTurn = async (job: Job): Promise<void> => {
  await job.changePriority({ priority: 0 });
};
