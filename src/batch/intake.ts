/**
 * Letting a batch's chunks into the queue, and making what Redis holds of a batch again from the store: after it was
 * emptied, after a job was lost, after a worker died between two steps.
 */
import type { Redis } from 'ioredis';
import { addAssemble, addChunks, type Queues } from '../queue/jobs.ts';
import type { Store } from '../store/store.ts';
import { inFlight } from './in-flight.ts';
import { type BatchDocument, doneChunks, type FinalDocument, keys, records } from './records.ts';
import { failureField, LET_IN_ONLY, type Step, state } from './state.ts';
import { createWindow } from './window.ts';

export interface IntakeDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly queues: Queues;
}

export interface Intake {
  /** Takes a batch into the queue whose documents are in the store. */
  readonly enqueue: (document: BatchDocument) => Promise<void>;
  /** Makes the state in Redis again from the store. @returns false where the store has no such batch */
  readonly restore: (id: string) => Promise<boolean>;
  /** Holds what should be in the queue against what is, and adds what is missing. */
  readonly reconcile: (id: string) => Promise<void>;
  /** Adds the jobs that a step let in. */
  readonly follow: (id: string, step: Step) => Promise<void>;
  /** Takes a batch out of Redis; its files are not touched. */
  readonly forget: (id: string, clientId: string) => Promise<void>;
  /** How many chunks of one batch may be in the queue. */
  readonly window: () => Promise<number>;
}

/** Ids of a client's batches by the time they were created. */
export const clientIndex = (clientId: string): string => `rates:batches:${clientId}`;

/** The fields of a batch that is not final. */
const initialFields = (document: BatchDocument, status: string): Record<string, string> => ({
  clientId: document.clientId,
  status,
  revision: String(document.revision),
  filename: document.filename,
  tariff: document.tariffs.join(', '),
  options: JSON.stringify(document.options),
  rows: String(document.rows),
  chunks: String(document.chunks),
  processed: '0',
  quoted: '0',
  faulted: '0',
  next: '0',
  createdAt: document.createdAt,
});

/** The fields of how a batch ended. */
export const finalFields = (document: FinalDocument): Record<string, string> => ({
  status: document.status,
  processed: String(document.tally.processed),
  quoted: String(document.tally.quoted),
  faulted: String(document.tally.faulted),
  ...Object.fromEntries(Object.entries(document.tally.faults).map(([type, count]) => [`fault:${type}`, String(count)])),
  startedAt: document.startedAt ?? '',
  completedAt: document.completedAt,
  expiresAt: document.expiresAt,
  failure: failureField(document.failure),
});

export const createIntake = ({ store, redis, queues }: IntakeDeps): Intake => {
  const window = createWindow(redis);

  const follow = async (id: string, { next, letIn }: Step): Promise<void> => {
    await addChunks(queues, id, letIn);
    if (next === 'assemble') await addAssemble(queues, id);
  };

  const advance = async (id: string): Promise<Step> =>
    await state.advance(redis, id, await window(), LET_IN_ONLY, undefined);

  const register = async (document: BatchDocument, fields: Readonly<Record<string, string>>): Promise<void> => {
    await state.create(redis, document.id, fields);
    await redis.zadd(clientIndex(document.clientId), Date.parse(document.createdAt), document.id);
  };

  const count = ({ clientId, id, rows }: BatchDocument): Promise<void> => inFlight.restore(redis, clientId, id, rows);

  const restore = async (id: string): Promise<boolean> => {
    const document = await records.batch(store, id);
    if (document === undefined) return false;
    const final = await records.final(store, id);
    const cancelled = (await store.size(keys.cancel(id))) !== undefined;
    const status = final?.status ?? (cancelled ? 'cancelling' : 'queued');
    await register(document, {
      ...initialFields(document, status),
      ...(final === undefined ? {} : finalFields(final)),
    });
    if (final !== undefined) return true;
    await count(document);
    for (const index of await doneChunks(store, id)) {
      const part = await records.part(store, id, index);
      // A window of nothing: what is done is counted before anything is let in.
      if (part !== undefined) await state.advance(redis, id, 0, index, part);
    }
    await follow(id, await advance(id));
    return true;
  };

  const reconcile = async (id: string): Promise<void> => {
    for (const index of await state.open(redis, id)) {
      const part = await records.part(store, id, index);
      // Its worker wrote the part and died before it could say so.
      if (part === undefined) await addChunks(queues, id, [index]);
      else await follow(id, await state.advance(redis, id, await window(), index, part));
    }
    await follow(id, await advance(id));
  };

  return {
    enqueue: async (document) => {
      await register(document, initialFields(document, 'queued'));
      await count(document);
      await follow(document.id, await advance(document.id));
    },
    restore,
    reconcile,
    follow,
    forget: async (id, clientId) => {
      await redis.zrem(clientIndex(clientId), id);
      await inFlight.leave(redis, clientId, id);
      await state.remove(redis, id);
    },
    window,
  };
};
