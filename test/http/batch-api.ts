/**
 * The whole batch path for a test file: a real API, a store in its own folder, the given Redis, and the workers that
 * the test starts in this process. Chunks are small, so that short lists have many.
 */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { connect, waitUntilReady } from '../../src/base/redis/connection.ts';
import { createDiskStore } from '../../src/base/store/disk.ts';
import type { Store } from '../../src/base/store/store.ts';
import { createSender } from '../../src/base/webhook/send.ts';
import { createBatches } from '../../src/batch/batches.ts';
import { createKeptMappings } from '../../src/batch/kept/mappings.ts';
import { openQueues } from '../../src/batch/queue/jobs.ts';
import { createScheduler } from '../../src/batch/scheduler.ts';
import { createShares } from '../../src/batch/shares.ts';
import type { ChunkOf } from '../../src/batch/state.ts';
import { createSubscriptions } from '../../src/batch/subscriptions.ts';
import type { BatchView } from '../../src/batch/view.ts';
import { type ChunkWork, createChunkWork } from '../../src/batch/work/chunk-work.ts';
import { createFinalizer } from '../../src/batch/work/finalize.ts';
import { createNotifications } from '../../src/batch/work/notifications.ts';
import { type Clients, limitsIn } from '../../src/catalog/clients/clients.ts';
import { createSnapshots } from '../../src/catalog/published/snapshots.ts';
import type { Schedule } from '../../src/catalog/tariff/schedule.ts';
import type { UploadLimits } from '../../src/http/batches/list-body.ts';
import type { FindDraft } from '../../src/http/batches/scenarios.ts';
import type { WebhookOptions } from '../../workers/webhook.ts';
import { startWorker, type WorkerDeps } from '../../workers/worker.ts';
import { soon, untilReached } from '../soon.ts';
import { type Answer, fixedTariffs, RATES, referenceSchedule, sampleClients, startApi } from './api.ts';

export const BATCHES = `${RATES}/batches`;
export const HEADER = 'order,warehouse_id,postalCode,weight_value,weight_units,shippingService,addressLine';

/** A list of `count` valid shipments of different weights, with `order` numbered from 1. */
export const listOf = (count: number): string =>
  [HEADER, ...Array.from({ length: count }, (_, i) => `A${i + 1},101,02139,${(i % 90) + 1}.5,LB,C1-GROUND,`), ''].join(
    '\n',
  );

export interface File {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface BatchApiOptions {
  readonly redisUrl: string;
  readonly limits?: Partial<UploadLimits>;
  readonly clients?: Clients;
  readonly now?: () => Date;
  /** Default: the reference tariff. */
  readonly schedule?: Schedule;
  /** Default: webhooks go to the clients' addresses, even private ones, with short pauses. */
  readonly webhooks?: Partial<WebhookOptions>;
  /** The folder for its store. Default: the system's temporary folder. */
  readonly parent?: string;
  /** A store to use instead of that folder. */
  readonly store?: Store;
  /** Bytes on the store's disk that uploads must leave free. Default: none. */
  readonly reserveBytes?: number;
  /** Drafts of agreements. Default: none. */
  readonly draft?: FindDraft;
  /** How long presigned URLs of the store are valid. Default: downloads pass through the API. */
  readonly presignSeconds?: number;
}

const LIMITS: UploadLimits = {
  maximumBytes: 8 * 1024 * 1024,
  maximumRows: 10_000,
  maximumRowBytes: 1024 * 1024,
  chunkRows: 3,
};
const RETENTION_DAYS = 7;

const startPath = async (options: BatchApiOptions) => {
  const { redisUrl, limits, now = () => new Date(), parent = tmpdir() } = options;
  const clients = options.clients ?? (await sampleClients());
  const root = await mkdtemp(join(parent, 'batches-'));
  const schedule = options.schedule ?? (await referenceSchedule());
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const store = options.store ?? createDiskStore(root);
  const redis = connect(redisUrl, 'producer', { log });
  await waitUntilReady(redis, 5_000);
  const queues = openQueues(redis);
  const scheduler = createScheduler({ store, redis, queues });
  const snapshots = createSnapshots(store);
  const batches = createBatches({ store, redis, scheduler, snapshots, now });
  const events = connect(redisUrl, 'events', { log });
  const subscriptions = createSubscriptions({ events, batches });
  const all = { ...LIMITS, ...limits };
  const api = await startApi({
    ...{ store, redis, batches, snapshots, subscriptions, shares: createShares(redis, now), now },
    clients: { current: () => clients, ...(options.draft !== undefined && { draft: options.draft }) },
    tariffs: fixedTariffs(schedule),
    maxList: all,
    presignSeconds: options.presignSeconds,
    reserveBytes: options.reserveBytes ?? 0,
    mappings: createKeptMappings(store, now),
  });
  const notifications = createNotifications({ store, redis, queues });
  const webhooks: WebhookOptions = {
    clients: { current: () => clients, refresh: async () => undefined },
    send: createSender({ allowPrivate: true }),
    pausesMs: Array.from({ length: 8 }, () => 1),
    ...options.webhooks,
  };
  const rateChunk: ChunkWork = createChunkWork({
    store,
    redis,
    scheduler,
    snapshots,
    maximumRowBytes: all.maximumRowBytes,
    limitsOf: (clientId) => limitsIn(clients, clientId),
    now,
  });

  const finalizer = createFinalizer({ store, redis, scheduler, notifications, retentionDays: RETENTION_DAYS, now });
  /** What workers do after the last try of a chunk has failed. */
  const failChunk = async (id: string, chunk: ChunkOf, error: unknown = new Error('a bug')): Promise<void> => {
    await finalizer.failChunk(id, chunk, error);
    await finalizer.assemble(id);
  };

  /** @param more replaces what the worker gets otherwise */
  const work = async (
    name = 'a worker',
    clock = now,
    more: Partial<Pick<WorkerDeps, 'redis' | 'onStandstill'>> = {},
  ): Promise<() => Promise<void>> => {
    const connection = more.redis ?? connect(redisUrl, 'worker', { log });
    const maxRowBytes = all.maximumRowBytes;
    const stop = await startWorker({
      name,
      redis: connection,
      store,
      snapshots,
      log,
      maxRowBytes,
      retentionDays: RETENTION_DAYS,
      mergesOutputs: options.presignSeconds !== undefined,
      webhooks,
      now: clock,
      onStandstill: (why) => {
        throw new Error(why);
      },
      ...more,
    });
    return async () => {
      await stop();
      connection.disconnect();
    };
  };
  const close = async (): Promise<void> => {
    subscriptions.close();
    await api.close();
    await queues.close();
    events.disconnect();
    redis.disconnect();
    await rm(root, { recursive: true, force: true });
  };
  return {
    snapshots,
    root,
    lines,
    store,
    redis,
    queues,
    scheduler,
    batches,
    notifications,
    subscriptions,
    events,
    api,
    rateChunk,
    failChunk,
    work,
    close,
  };
};

/** `work` starts a worker and returns a function that stops it. `rateChunk` does what a worker does with a chunk's job. */
export const startBatchApi = async (options: BatchApiOptions) => {
  const path = await startPath(options);
  const { api, root, lines } = path;
  const bearer = (token = api.token): { Authorization: string } => ({ Authorization: `Bearer ${token}` });

  const post = (body: RequestInit['body'], query = '', headers: Record<string, string> = {}): Promise<Answer> =>
    api.call(`${BATCHES}${query}`, { method: 'POST', headers: { ...bearer(), ...headers }, body: body ?? null });
  /** Uploads a list that must be accepted. @returns the batch's id */
  const upload = async (list: string | Uint8Array<ArrayBuffer>, query = ''): Promise<string> => {
    const { status, body } = await post(list, query, { 'Content-Type': 'text/csv' });
    if (status !== 202) throw new Error(`the list was refused: ${JSON.stringify(body)}`);
    return body.id;
  };
  const call = (method: string, below: string, token?: string): Promise<Answer> =>
    api.call(`${BATCHES}${below}`, { method, headers: bearer(token) });
  const file = async (below: string): Promise<File> => {
    const answer = await fetch(`${api.url}${BATCHES}${below}`, { headers: bearer() });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const until = (id: string, reached: (batch: BatchView) => boolean): Promise<BatchView> =>
    untilReached<BatchView>(
      async () => (await call('GET', `/${id}`)).body,
      reached,
      ({ status, rows }) => [status, rows],
      () => lines.slice(0, 3).join(''),
    );
  const ended = (id: string): Promise<BatchView> =>
    until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
  /** The folders of batches in the store: one for each batch that left anything there. */
  const folders = async (): Promise<readonly string[]> => {
    try {
      return await readdir(join(root, 'batches'));
    } catch {
      return []; // The first batch creates it.
    }
  };
  /** Waits until no job is left that could send a message. */
  const quiet = (): Promise<void> =>
    soon(async () => {
      const left = await path.queues.webhook.getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed');
      if (left > 0) throw new Error(`${left} messages are left`);
    });
  return { ...path, bearer, post, upload, call, file, until, ended, folders, quiet };
};

export type BatchApi = Awaited<ReturnType<typeof startBatchApi>>;
