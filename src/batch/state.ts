/**
 * The moving part of a batch, in Redis: its status, its counts, and the window of chunks that are let into the queue.
 * All of it can be made again from the store. Every change is one atomic script, which notes when it was; setting the same
 * chunk done twice counts once.
 *
 * States of a batch, and what moves it:
 *   queued       created; no chunk has begun
 *   in_progress  `begin`: a worker took its first chunk
 *   finalizing   `advance`: the last chunk is done, the output is being put together; `reopen` where a part is lost.
 *                `fail`: a chunk failed for good, what there is is being put together; `notFailed` where that cannot be
 *                written (the disk is full): the batch is in progress again, and waits
 *   completed    `finish`: the output can be downloaded
 *   cancelling   `cancel`: nothing new is let in; chunks that wait are given back, those that run end, well or badly
 *   cancelled    `finish`: what was rated can be downloaded
 *   failed       `finish`: a chunk failed for good, or the assembly (of a batch that is cancelled too); a retry makes the
 *                state again from the store, of another epoch: what is still worked on of the epoch before is for nothing
 *   expired      `expire`: its files are gone
 * A completed batch goes back to queued with the next revision where rows of it are corrected (`revise`).
 * `validating` is over before a batch has a record: the file is read through while it is uploaded.
 *
 * States of a chunk: not let in (its index is at or after `next`, or it was given back), open (let in, not done), done.
 */
import { z } from 'zod';
import type { Epoch } from '../queue/jobs.ts';
import type { Redis } from '../redis/connection.ts';
import { type Failure, failure, type Part } from './records.ts';
import {
  advanceScript,
  beginScript,
  cancelScript,
  createScript,
  deletedScript,
  endedScript,
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
    /** Chunks that are let in and not done. */
    open: `rates:{${id}}:open`,
    /** Chunks that are done, with their parts. */
    done: `rates:{${id}}:done`,
    /** How often each chunk was begun and has not ended since, well or badly. */
    starts: `rates:{${id}}:starts`,
  }) as const;

/** Fields of the state's hash, by name. */
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

/** The epoch as Redis has it in the field `round`. No epoch is an empty text. */
export const epochOf = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** A chunk, and the work that it is rated for; a epoch that is absent stands for any. */
export interface ChunkOf extends Epoch {
  readonly index: number;
}

export interface Begun extends Epoch {
  readonly status: string;
  readonly starts: number;
}

export interface Step {
  readonly epoch: string | undefined;
  /** The batch's client, whose turns its jobs take. */
  readonly clientId: string | undefined;
  /** `superseded`: the batch is of another revision by now. */
  readonly next: 'nothing' | 'assemble' | 'gone' | 'superseded';
  /** Chunks that were let in: their jobs are to be added. */
  readonly admitted: readonly number[];
}

export const ADMIT_ONLY = -1;

/** What failed for good: a chunk, or where there is none the assembly; and what is said of it. */
export interface Failing {
  readonly index?: number | undefined;
  readonly failure: Failure;
}

const failingSchema = z.object({ index: z.int().optional(), failure });

/** @returns what the batch is being ended as failed for, if it is */
export const readFailing = ({ failing }: Fields): Failing | undefined =>
  failing === undefined ? undefined : failingSchema.parse(JSON.parse(failing));

/** @returns whether a batch of these fields is still as someone found it who began to work on it */
export const isUnchanged = (fields: Fields, { status, revision, epoch }: Omit<Begun, 'starts'>): boolean =>
  fields['status'] === status && fields['revision'] === String(revision) && epochOf(fields['round']) === epoch;

export const state = {
  /** @returns false where the batch was there already */
  create: async (redis: Redis, id: string, fields: Fields): Promise<boolean> =>
    (await createScript.run(redis, keysOf(id), [id, ...pairs(fields)])) === 1,
  /**
   * @param chunk the chunk that is begun; none where the batch as a whole is
   * @returns the status (empty where the batch is not known, `superseded` where the chunk is of another revision or
   * epoch), how often the chunk was begun without an end, and the batch's revision and epoch
   */
  begin: async (redis: Redis, id: string, now: Date, chunk?: ChunkOf): Promise<Begun> => {
    const of = [chunk?.index ?? '', chunk?.revision ?? '', chunk?.epoch ?? ''];
    const [status = '', starts, revision, epoch] = strings(
      await beginScript.run(redis, keysOf(id), [id, now.toISOString(), ...of]),
    );
    return { status, starts: Number(starts), revision: Number(revision), epoch: epochOf(epoch) };
  },
  ended: async (redis: Redis, id: string, index: number): Promise<void> => {
    await endedScript.run(redis, keysOf(id), [index]);
  },
  /** Sets a chunk of a revision done (or gives it back, without a part) and lets in the next. */
  advance: async (
    redis: Redis,
    id: string,
    revision: number,
    window: number,
    index: number,
    part: Part | undefined,
  ): Promise<Step> => {
    const [text, ...counts] = part === undefined ? ['', 0, 0, 0] : [JSON.stringify(part), ...countsOf(part)];
    const args = [id, window, index, text ?? '', revision, ...counts];
    const [next, epoch, clientId, ...admitted] = strings(await advanceScript.run(redis, keysOf(id), args));
    const known = next === 'assemble' || next === 'gone' || next === 'superseded';
    const of = { epoch: epochOf(epoch), clientId: clientId === '' ? undefined : clientId };
    return { next: known ? next : 'nothing', admitted: admitted.map(Number), ...of };
  },
  /** Begins a new revision of a completed batch. @returns false where it is not completed as `from` (any more) */
  revise: async (redis: Redis, id: string, from: number, fields: Fields): Promise<boolean> =>
    (await reviseScript.run(redis, keysOf(id), [id, from, ...pairs(fields)])) === 1,
  /**
   * Has a batch ended as failed.
   * @returns `cancelling` where it is being cancelled, which a chunk fails not; `over` where there is nothing to end so
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
  /** After `fail`, where the batch could not be ended. */
  notFailed: async (redis: Redis, id: string, failing: Failing): Promise<void> => {
    await notFailedScript.run(redis, keysOf(id), [id, JSON.stringify(failing), failing.index === undefined ? 0 : 1]);
  },
  cancel: async (redis: Redis, id: string): Promise<string> => String(await cancelScript.run(redis, keysOf(id), [id])),
  /** Nothing where it has ended already, or is of another epoch. */
  finish: async (redis: Redis, id: string, { revision, epoch }: Epoch, fields: Fields): Promise<void> => {
    await finishScript.run(redis, keysOf(id), [id, revision, epoch ?? '', ...pairs(fields)]);
  },
  expire: async (redis: Redis, id: string, revision: number, fields: Fields): Promise<void> => {
    await expireScript.run(redis, keysOf(id), [id, revision, ...pairs(fields)]);
  },
  /** Notes which end of the batch its client was told of, where the batch is known. */
  notified: async (redis: Redis, id: string, notificationId: string): Promise<void> => {
    await notifiedScript.run(redis, keysOf(id), [notificationId]);
  },
  reopen: async (redis: Redis, id: string): Promise<boolean> => (await reopenScript.run(redis, keysOf(id), [id])) === 1,
  /** Notes that a batch is being removed, where it is known. */
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
  /** Chunks done, with their parts as JSON. */
  done: (redis: Redis, id: string): Promise<Record<string, string>> => redis.hgetall(stateKeys(id).done),
  clientOf: async (redis: Redis, id: string): Promise<string | undefined> =>
    (await redis.hget(stateKeys(id).state, 'clientId')) ?? undefined,
  open: async (redis: Redis, id: string): Promise<readonly number[]> =>
    (await redis.smembers(stateKeys(id).open)).map(Number),
} as const;
