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
import { script } from '../base/redis/script.ts';
import type { Epoch } from './queue/jobs.ts';
import { type Failure, failure, type Part } from './records.ts';

/** The channel for all changes. The message is the id of the batch. */
export const CHANGES_CHANNEL = 'rates:changes';

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

/**
 * A script that changes the state of a batch in one atomic step. KEYS: the hash of the state, the open chunks, the done ones.
 * ARGV begins with the id. `status` is false if the batch has none.
 */
const stateScript = (lua: string) => {
  const { run } = script(`
local id, status = ARGV[1], redis.call('HGET', KEYS[1], 'status')
${lua}`);
  return (redis: Redis, id: string, ...args: readonly (string | number)[]): Promise<unknown> =>
    run(redis, Object.values(stateKeys(id)), [id, ...args]);
};

/** Records when the batch moved, in seconds by the clock of Redis, and publishes the change. */
const MOVED = `redis.call('HSET', KEYS[1], 'movedAt', redis.call('TIME')[1])
redis.call('PUBLISH', '${CHANGES_CHANNEL}', id)`;

/** Sets the fields in ARGV from `from` on, which are pairs of name and value. */
const setFields = (from: number): string =>
  `for i = ${from}, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end`;

/** The same for the end of a revision. Removes the state of its chunks. */
const setEnd = (from: number): string => `
${setFields(from)}
redis.call('HDEL', KEYS[1], 'failing')
redis.call('DEL', KEYS[2], KEYS[3])
${MOVED}
return 1`;

/** ARGV: id, then the fields. */
const createScript = stateScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
${setFields(2)}
${MOVED}
return 1`);

/**
 * ARGV: id, now, the revision of a chunk or '' for the batch as a whole, its epoch or '' for any. Returns the status, and
 * the batch's revision and epoch. Work of an earlier revision or epoch does not begin.
 */
const beginScript = stateScript(`
local revision = redis.call('HGET', KEYS[1], 'revision') or '1'
local epoch = redis.call('HGET', KEYS[1], 'epoch') or ''
local isOf = revision == ARGV[3] and (ARGV[4] == '' or epoch == ARGV[4])
if ARGV[3] ~= '' and status and not isOf then return {'superseded', revision, epoch} end
if status == 'queued' then
  status = 'in_progress'
  redis.call('HSET', KEYS[1], 'status', status, 'startedAt', ARGV[2])
  ${MOVED}
end
return {status or '', revision, epoch}`);

/**
 * ARGV: id, window, index, part ('' returns the chunk undone), revision, processed, quoted, faulted, then fault type and
 * count pairs. Index -1 only admits chunks. Returns the next step ('', 'assemble', 'gone', or 'superseded' if the batch has
 * another revision), then the batch's epoch, its client and the indexes of the admitted chunks.
 */
const advanceScript = stateScript(`
local window, index, part = tonumber(ARGV[2]), ARGV[3], ARGV[4]
if not status then return {'gone'} end
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[5] then return {'superseded'} end
local running = status == 'queued' or status == 'in_progress'
local ending = status == 'finalizing' or status == 'cancelling'
if index ~= '-1' and (running or ending) then
  redis.call('SREM', KEYS[2], index)
  if part ~= '' and redis.call('HSETNX', KEYS[3], index, part) == 1 then
    redis.call('HINCRBY', KEYS[1], 'processed', ARGV[6])
    redis.call('HINCRBY', KEYS[1], 'quoted', ARGV[7])
    redis.call('HINCRBY', KEYS[1], 'faulted', ARGV[8])
    for i = 9, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], 'fault:' .. ARGV[i], ARGV[i + 1]) end
    ${MOVED}
  end
end
local chunks = tonumber(redis.call('HGET', KEYS[1], 'chunks'))
local result = {'', redis.call('HGET', KEYS[1], 'epoch') or '', redis.call('HGET', KEYS[1], 'clientId') or ''}
if running then
  if redis.call('HLEN', KEYS[3]) == chunks then
    redis.call('HSET', KEYS[1], 'status', 'finalizing')
    ${MOVED}
    result[1] = 'assemble'
  else
    local next = tonumber(redis.call('HGET', KEYS[1], 'next'))
    local open = redis.call('SCARD', KEYS[2])
    while open < window and next < chunks do
      if redis.call('HEXISTS', KEYS[3], next) == 0 then
        redis.call('SADD', KEYS[2], next)
        result[#result + 1] = next
        open = open + 1
      end
      next = next + 1
    end
    redis.call('HSET', KEYS[1], 'next', next)
  end
elseif status == 'finalizing' or (status == 'cancelling' and redis.call('SCARD', KEYS[2]) == 0) then
  result[1] = 'assemble'
end
return result`);

/**
 * ARGV: id, the chunk's index or '' for the assembly, its revision, its epoch or '' for any, how it failed. Called after the
 * last attempt. The batch is assembled and ends as failed. Only the first failure of an epoch counts. A chunk that another
 * worker has finished does not fail. Returns 1; 0 if the batch cannot fail; 2 if it is being cancelled, where a failed chunk
 * does not matter.
 */
const failScript = stateScript(`
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[3] then return 0 end
if ARGV[4] ~= '' and redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[4] then return 0 end
if ARGV[2] == '' then
  if status ~= 'finalizing' and status ~= 'cancelling' then return 0 end
else
  if status == 'cancelling' then return 2 end
  if status ~= 'queued' and status ~= 'in_progress' then return 0 end
  if redis.call('HEXISTS', KEYS[3], ARGV[2]) == 1 then return 0 end
  redis.call('HSET', KEYS[1], 'status', 'finalizing')
end
redis.call('HSET', KEYS[1], 'failing', ARGV[5])
${MOVED}
return 1`);

/** ARGV: id, how it failed, whether a chunk failed (1 or 0). The batch goes back to the state before the failure. */
const notFailedScript = stateScript(`
if redis.call('HGET', KEYS[1], 'failing') ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], 'failing')
if ARGV[3] == '1' and status == 'finalizing' then
  redis.call('HSET', KEYS[1], 'status', 'in_progress')
  ${MOVED}
end
return 1`);

/** Returns the previous status. */
const cancelScript = stateScript(`
if status == 'queued' or status == 'in_progress' or status == 'finalizing' then
  redis.call('HSET', KEYS[1], 'status', 'cancelling')
  ${MOVED}
end
return status or ''`);

/** ARGV: id, revision, epoch or '', then the fields of the end. */
const finishScript = stateScript(`
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
if (redis.call('HGET', KEYS[1], 'epoch') or '') ~= ARGV[3] then return 0 end
if status ~= 'in_progress' and status ~= 'finalizing' and status ~= 'cancelling' then return 0 end
${setEnd(4)}`);

/** ARGV: id, revision, then the fields of the end. */
const expireScript = stateScript(`
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
${setEnd(3)}`);

/** ARGV: id, a field and its value. Does nothing if Redis does not know the batch. */
const markScript = stateScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[2], ARGV[3]) end
return 1`);

/** The assembly found missing parts. Every unfinished chunk can be admitted again. */
const reopenScript = stateScript(`
if status ~= 'finalizing' or redis.call('HEXISTS', KEYS[1], 'failing') == 1 then return 0 end
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1], 'status', 'in_progress', 'next', 0)
${MOVED}
return 1`);

/**
 * ARGV: id, index, processed, quoted, faulted, then fault type and count pairs. The chunk's part was lost, so it is not done.
 * `0 - n`, because Lua writes the negative of 0 as `-0`, which Redis does not accept as an integer.
 */
const undoneScript = stateScript(`
if redis.call('HDEL', KEYS[3], ARGV[2]) == 1 then
  redis.call('HINCRBY', KEYS[1], 'processed', 0 - ARGV[3])
  redis.call('HINCRBY', KEYS[1], 'quoted', 0 - ARGV[4])
  redis.call('HINCRBY', KEYS[1], 'faulted', 0 - ARGV[5])
  for i = 6, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], 'fault:' .. ARGV[i], 0 - ARGV[i + 1]) end
end
return 1`);

/** ARGV: id, the revision to correct, then the fields of the new one. */
const reviseScript = stateScript(`
if status ~= 'completed' or redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
${setFields(3)}
${MOVED}
return 1`);

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
    (await createScript(redis, id, ...pairs(fields))) === 1,
  /**
   * @param chunk the chunk to begin; undefined for the whole batch
   * @returns the status (empty if Redis does not know the batch, `superseded` if the chunk has another revision or epoch),
   * and the batch's revision and epoch
   */
  begin: async (redis: Redis, id: string, now: Date, chunk?: Epoch): Promise<Begun> => {
    const reply = await beginScript(redis, id, now.toISOString(), chunk?.revision ?? '', chunk?.epoch ?? '');
    const [status, revision, epoch] = strings(reply);
    return { status: must(status, 'the status of a batch'), revision: Number(revision), epoch: epochOf(epoch) };
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
    const reply = await advanceScript(redis, id, window, index, text, revision, ...counts);
    const [next, epoch, clientId, ...admitted] = strings(reply);
    const known = next === 'assemble' || next === 'gone' || next === 'superseded';
    const of = { epoch: epochOf(epoch), clientId: clientId === '' ? undefined : clientId };
    return { next: known ? next : 'nothing', admitted: admitted.map(Number), ...of };
  },
  /** Begins a new revision of a completed batch. @returns false if `from` is not its completed revision */
  revise: async (redis: Redis, id: string, from: number, fields: Fields): Promise<boolean> =>
    (await reviseScript(redis, id, from, ...pairs(fields))) === 1,
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
    const answer = await failScript(redis, id, failing.index ?? '', revision, epoch ?? '', JSON.stringify(failing));
    if (answer === 1) return 'failing';
    return answer === 2 ? 'cancelling' : 'over';
  },
  /** Undoes `fail` if the batch could not be ended. The batch waits. */
  notFailed: (redis: Redis, id: string, failing: Failing): Promise<unknown> =>
    notFailedScript(redis, id, JSON.stringify(failing), failing.index === undefined ? 0 : 1),
  cancel: async (redis: Redis, id: string): Promise<string> => String(await cancelScript(redis, id)),
  /**
   * Does nothing if the batch has ended or has another epoch. So a worker that wakes up after a suspension cannot end the
   * work of others.
   */
  finish: (redis: Redis, id: string, { revision, epoch }: Epoch, fields: Fields): Promise<unknown> =>
    finishScript(redis, id, revision, epoch ?? '', ...pairs(fields)),
  /** Does nothing if the batch has another revision. */
  expire: (redis: Redis, id: string, revision: number, fields: Fields): Promise<unknown> =>
    expireScript(redis, id, revision, ...pairs(fields)),
  /** Records which end of the batch the client was notified of, if Redis knows the batch. */
  notified: (redis: Redis, id: string, notificationId: string): Promise<unknown> =>
    markScript(redis, id, 'told', notificationId),
  /** Records that the files of a batch are being removed, if Redis knows it. */
  deleted: (redis: Redis, id: string): Promise<unknown> => markScript(redis, id, 'deleted', '1'),
  reopen: async (redis: Redis, id: string): Promise<boolean> => (await reopenScript(redis, id)) === 1,
  undone: (redis: Redis, id: string, index: number, part: Part): Promise<unknown> =>
    undoneScript(redis, id, index, ...countsOf(part)),
  remove: (redis: Redis, id: string): Promise<unknown> => redis.del(...Object.values(stateKeys(id))),
  fields: (redis: Redis, id: string): Promise<Record<string, string>> => redis.hgetall(stateKeys(id).state),
  /** Returns the finished chunks, with their parts as JSON. */
  done: (redis: Redis, id: string): Promise<Record<string, string>> => redis.hgetall(stateKeys(id).done),
  clientOf: async (redis: Redis, id: string): Promise<string | undefined> =>
    (await redis.hget(stateKeys(id).state, 'clientId')) ?? undefined,
  open: async (redis: Redis, id: string): Promise<readonly number[]> =>
    (await redis.smembers(stateKeys(id).open)).map(Number),
} as const;
