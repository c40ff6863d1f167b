/**
 * The state of a batch in Redis: its status, its counts, and the window of chunks that are in the queue. All of it can be
 * rebuilt from the store. Each change is one atomic script, which records its time. A chunk that is marked as done twice
 * counts once.
 *
 * The states of a batch, and what leads to them:
 *   queued       created; no chunk has begun
 *   in_progress  `begin`: a worker took its first chunk
 *   finalizing   `advance`: the last chunk is done, and the output is being assembled. `reopen` goes back if a part is lost.
 *                `fail`: a chunk failed permanently, and the parts so far are being assembled. `notFailed` goes back to
 *                in_progress if the failure cannot be written because the disk is full. Then the batch waits
 *   completed    `finish`: the output can be downloaded
 *   cancelling   `cancel`: no chunk is admitted. Waiting chunks are returned, and running chunks finish
 *   cancelled    `finish`: what was rated can be downloaded
 *   failed       `finish`: a chunk or the assembly failed permanently, even after a cancellation. A retry rebuilds the
 *                state from the store, with a new epoch. Work of the previous epoch no longer counts
 *   expired      `expire`: its files are gone
 * If rows of a completed batch are corrected, it goes back to queued with the next revision (`revise`).
 * `validating` ends before a batch has a record, because the file is checked during the upload.
 *
 * The states of a chunk: not admitted (its index is at or after `next`, or it was returned), open (admitted, not done), done.
 */
import { z } from 'zod';
import { must } from '../base/must.ts';
import type { Redis } from '../base/redis/connection.ts';
import type { Epoch } from './queue/jobs.ts';
import { type Failure, failure, type Part } from './records.ts';
import {
  advanceScript,
  beginScript,
  cancelScript,
  createScript,
  deletedScript,
  expireScript,
  failScript,
  finishScript,
  notFailedScript,
  notifiedScript,
  reopenScript,
  reviseScript,
  undoneScript,
} from './state-scripts.ts';

export const stateKeys = (id: string) =>
  ({
    state: `rates:{${id}}:state`,
    /** Chunks that are admitted and not done. */
    open: `rates:{${id}}:open`,
    /** Chunks that are done, with their parts. */
    done: `rates:{${id}}:done`,
  }) as const;

/** Fields of the hash, by name. */
type Fields = Readonly<Record<string, string>>;

const keysOf = (id: string): string[] => Object.values(stateKeys(id));

const countsOf = ({ tally }: Part): (string | number)[] => [
  tally.processed,
  tally.quoted,
  tally.faulted,
  ...Object.entries(tally.faults).flat(),
];

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const pairs = (fields: Fields): string[] => Object.entries(fields).flat();

/** Returns an epoch from Redis, where an empty text means no epoch. */
export const epochOf = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** A chunk, and the epoch that it is rated for. An undefined epoch means any. */
export interface ChunkOf extends Epoch {
  readonly index: number;
}

export interface Begun extends Epoch {
  readonly status: string;
}

export interface Step {
  readonly epoch: string | undefined;
  /** The client of the batch. Its jobs take this client's turns. */
  readonly clientId: string | undefined;
  /** `superseded`: the batch already has another revision. */
  readonly next: 'nothing' | 'assemble' | 'gone' | 'superseded';
  /** Admitted chunks, whose jobs must be added. */
  readonly admitted: readonly number[];
}

export const ADMIT_ONLY = -1;

/** What failed permanently, and the message for clients. Without an index, it is the assembly; otherwise a chunk. */
export interface Failing {
  readonly index?: number | undefined;
  readonly failure: Failure;
}

const failingSchema = z.object({ index: z.int().optional(), failure });

/** @returns the failure that the batch is ending with, if any */
export const readFailing = ({ failing }: Fields): Failing | undefined =>
  failing === undefined ? undefined : failingSchema.parse(JSON.parse(failing));

/** @returns whether the batch is the same as when the work on it began */
export const isUnchanged = (fields: Fields, { status, revision, epoch }: Begun): boolean =>
  fields['status'] === status && fields['revision'] === String(revision) && epochOf(fields['epoch']) === epoch;

export const state = {
  /** @returns false if the batch already exists */
  create: async (redis: Redis, id: string, fields: Fields): Promise<boolean> =>
    (await createScript.run(redis, keysOf(id), [id, ...pairs(fields)])) === 1,
  /**
   * @param chunk the chunk to begin; undefined for the whole batch
   * @returns the status (empty if Redis does not know the batch, `superseded` if the chunk has another revision or epoch),
   * and the batch's revision and epoch
   */
  begin: async (redis: Redis, id: string, now: Date, chunk?: Epoch): Promise<Begun> => {
    const of = [chunk?.revision ?? '', chunk?.epoch ?? ''];
    const [status, revision, epoch] = strings(await beginScript.run(redis, keysOf(id), [id, now.toISOString(), ...of]));
    return {
      status: must(status, 'the status of a batch'),
      revision: Number(revision),
      epoch: epochOf(epoch),
    };
  },
  /** Marks a chunk of a revision as done, or returns it if there is no part. Then admits the next chunks. */
  advance: async (
    redis: Redis,
    id: string,
    revision: number,
    window: number,
    index: number,
    part: Part | undefined,
  ): Promise<Step> => {
    const text = part === undefined ? '' : JSON.stringify(part);
    const counts = part === undefined ? [0, 0, 0] : countsOf(part);
    const args = [id, window, index, text, revision, ...counts];
    const [next, epoch, clientId, ...admitted] = strings(await advanceScript.run(redis, keysOf(id), args));
    const known = next === 'assemble' || next === 'gone' || next === 'superseded';
    const of = { epoch: epochOf(epoch), clientId: clientId === '' ? undefined : clientId };
    return { next: known ? next : 'nothing', admitted: admitted.map(Number), ...of };
  },
  /** Begins a new revision of a completed batch. @returns false if `from` is not its completed revision */
  revise: async (redis: Redis, id: string, from: number, fields: Fields): Promise<boolean> =>
    (await reviseScript.run(redis, keysOf(id), [id, from, ...pairs(fields)])) === 1,
  /**
   * Starts to end a batch as failed.
   * @returns `cancelling` if it is being cancelled, where a failed chunk does not matter; `over` if it can no longer fail
   */
  fail: async (
    redis: Redis,
    id: string,
    { revision, epoch }: Epoch,
    failing: Failing,
  ): Promise<'failing' | 'cancelling' | 'over'> => {
    const args = [id, failing.index ?? '', revision, epoch ?? '', JSON.stringify(failing)];
    const answer = await failScript.run(redis, keysOf(id), args);
    if (answer === 1) return 'failing';
    return answer === 2 ? 'cancelling' : 'over';
  },
  /** Undoes `fail` if the batch could not be ended. */
  notFailed: async (redis: Redis, id: string, failing: Failing): Promise<void> => {
    await notFailedScript.run(redis, keysOf(id), [id, JSON.stringify(failing), failing.index === undefined ? 0 : 1]);
  },
  cancel: async (redis: Redis, id: string): Promise<string> => String(await cancelScript.run(redis, keysOf(id), [id])),
  /** Does nothing if the batch has ended or has another epoch. */
  finish: async (redis: Redis, id: string, { revision, epoch }: Epoch, fields: Fields): Promise<void> => {
    await finishScript.run(redis, keysOf(id), [id, revision, epoch ?? '', ...pairs(fields)]);
  },
  expire: async (redis: Redis, id: string, revision: number, fields: Fields): Promise<void> => {
    await expireScript.run(redis, keysOf(id), [id, revision, ...pairs(fields)]);
  },
  /** Records which end of the batch the client was notified of, if Redis knows the batch. */
  notified: async (redis: Redis, id: string, notificationId: string): Promise<void> => {
    await notifiedScript.run(redis, keysOf(id), [notificationId]);
  },
  reopen: async (redis: Redis, id: string): Promise<boolean> => (await reopenScript.run(redis, keysOf(id), [id])) === 1,
  /** Records that a batch is being removed, if Redis knows it. */
  deleted: async (redis: Redis, id: string): Promise<void> => {
    await deletedScript.run(redis, keysOf(id), []);
  },
  undone: async (redis: Redis, id: string, index: number, part: Part): Promise<void> => {
    await undoneScript.run(redis, keysOf(id), [index, ...countsOf(part)]);
  },
  remove: async (redis: Redis, id: string): Promise<void> => {
    await redis.del(...keysOf(id));
  },
  fields: (redis: Redis, id: string): Promise<Record<string, string>> => redis.hgetall(stateKeys(id).state),
  /** Returns the finished chunks, with their parts as JSON. */
  done: (redis: Redis, id: string): Promise<Record<string, string>> => redis.hgetall(stateKeys(id).done),
  clientOf: async (redis: Redis, id: string): Promise<string | undefined> =>
    (await redis.hget(stateKeys(id).state, 'clientId')) ?? undefined,
  open: async (redis: Redis, id: string): Promise<readonly number[]> =>
    (await redis.smembers(stateKeys(id).open)).map(Number),
} as const;
