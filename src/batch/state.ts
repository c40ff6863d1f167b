/**
 * The moving part of a batch, in Redis: its status, its counts, and the window of chunks that are let into the queue.
 * All of it can be made again from the store. Every change is one atomic script, and setting the same chunk done twice
 * counts once.
 *
 * States of a batch, and what moves it:
 *   queued       created; no chunk has begun
 *   in_progress  `begin`: a worker took its first chunk
 *   finalizing   `advance`: the last chunk is done, the output is being put together; `reopen` where a part is lost
 *   completed    `finish`: the output can be downloaded
 *   cancelling   `cancel`: nothing new is let in; chunks that run end
 *   cancelled    `finish`: what was rated can be downloaded
 *   failed       `finish`: a chunk (or the assembly) failed for good; a retry makes the state again from the store
 *   expired      its files are gone
 * A completed batch goes back to queued with the next revision where rows of it are corrected (`revise`).
 * `validating` is over before a batch has a record: the file is read through while it is uploaded.
 *
 * States of a chunk: not let in (its index is at or after `next`, or it was given back), open (let in, not done), done.
 */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { script } from '../queue/script.ts';
import type { Failure, Part } from './records.ts';

/** Where notice of every change is published; the message is the batch's id. */
export const CHANGES_CHANNEL = 'rates:changes';

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

const keysOf = (id: string): string[] => Object.values(stateKeys(id));

const lua = (text: string) => script(text, createHash('sha1').update(text).digest('hex'));

const PUBLISH = `redis.call('PUBLISH', '${CHANGES_CHANNEL}', id)`;
const STATUS = `local status = redis.call('HGET', KEYS[1], 'status')`;

/** ARGV: id, then field and value pairs. Nothing where the batch is there already. */
const createScript = lua(`
local id = ARGV[1]
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
${PUBLISH}
return 1`);

/**
 * ARGV: id, now, the chunk's index or '', its revision. Returns the status that it finds, how often the chunk was begun,
 * and the batch's revision. Work of an earlier revision begins nothing.
 */
const beginScript = lua(`
local id = ARGV[1]
${STATUS}
local revision = redis.call('HGET', KEYS[1], 'revision') or '1'
if ARGV[3] ~= '' and status and revision ~= ARGV[4] then return {'superseded', 0, revision} end
if status == 'queued' then
  status = 'in_progress'
  redis.call('HSET', KEYS[1], 'status', status, 'startedAt', ARGV[2])
  ${PUBLISH}
end
local starts = 0
if status and ARGV[3] ~= '' then starts = redis.call('HINCRBY', KEYS[4], ARGV[3], 1) end
return {status or '', starts, revision}`);

/** ARGV: index. The chunk's work ended, if badly: its process was not ended by it. */
const endedScript = lua(`return redis.call('HDEL', KEYS[4], ARGV[1])`);

/**
 * ARGV: id, window, index, part ('' gives the chunk back undone), revision, processed, quoted, faulted, then fault type
 * and count pairs. Index -1 only lets in. Returns what is next ('', 'assemble', 'gone', or 'superseded' where the batch
 * is of another revision by now), then the indexes that were let in.
 */
const advanceScript = lua(`
local id, window, index, part = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
${STATUS}
if not status then return {'gone'} end
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[5] then return {'superseded'} end
local running = status == 'queued' or status == 'in_progress'
local ending = status == 'finalizing' or status == 'cancelling'
if index ~= '-1' and (running or ending) then
  redis.call('SREM', KEYS[2], index)
  redis.call('HDEL', KEYS[4], index)
  if part ~= '' and redis.call('HSETNX', KEYS[3], index, part) == 1 then
    redis.call('HINCRBY', KEYS[1], 'processed', ARGV[6])
    redis.call('HINCRBY', KEYS[1], 'quoted', ARGV[7])
    redis.call('HINCRBY', KEYS[1], 'faulted', ARGV[8])
    for i = 9, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], 'fault:' .. ARGV[i], ARGV[i + 1]) end
    ${PUBLISH}
  end
end
local chunks = tonumber(redis.call('HGET', KEYS[1], 'chunks'))
local result = {''}
if running then
  if redis.call('HLEN', KEYS[3]) == chunks then
    redis.call('HSET', KEYS[1], 'status', 'finalizing')
    ${PUBLISH}
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

/** ARGV: id. Returns the status before. */
const cancelScript = lua(`
local id = ARGV[1]
${STATUS}
if status == 'queued' or status == 'in_progress' or status == 'finalizing' then
  redis.call('HSET', KEYS[1], 'status', 'cancelling')
  ${PUBLISH}
end
return status or ''`);

/** ARGV: id, then field and value pairs. Sets how the batch ended; what it was worked on with goes. */
const finishScript = lua(`
local id = ARGV[1]
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
${PUBLISH}
return 1`);

/** ARGV: id. The assembly found parts missing: every chunk that is not done can be let in again. */
const reopenScript = lua(`
local id = ARGV[1]
${STATUS}
if status ~= 'finalizing' then return 0 end
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1], 'status', 'in_progress', 'next', 0)
${PUBLISH}
return 1`);

/** ARGV: index, processed, quoted, faulted, then fault type and count pairs. The chunk's part was lost: it is not done. */
const undoneScript = lua(`
if redis.call('HDEL', KEYS[3], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], 'processed', -ARGV[2])
  redis.call('HINCRBY', KEYS[1], 'quoted', -ARGV[3])
  redis.call('HINCRBY', KEYS[1], 'faulted', -ARGV[4])
  for i = 5, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], 'fault:' .. ARGV[i], -ARGV[i + 1]) end
end
return 1`);

/** ARGV: id, the revision that is corrected, then the fields of the new one. Nothing where it is not completed as that. */
const reviseScript = lua(`
local id = ARGV[1]
${STATUS}
if status ~= 'completed' or redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
${PUBLISH}
return 1`);

const countsOf = ({ tally }: Part): (string | number)[] => [
  tally.processed,
  tally.quoted,
  tally.faulted,
  ...Object.entries(tally.faults).flat(),
];

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const pairs = (fields: Readonly<Record<string, string>>): string[] => Object.entries(fields).flat();

export interface Begun {
  readonly status: string;
  readonly starts: number;
  readonly revision: number;
}

export interface Step {
  /** `superseded`: the batch is of another revision by now. */
  readonly next: 'nothing' | 'assemble' | 'gone' | 'superseded';
  /** Chunks that were let in: their jobs are to be added. */
  readonly letIn: readonly number[];
}

export const LET_IN_ONLY = -1;

export const state = {
  /** @returns false where the batch was there already */
  create: async (redis: Redis, id: string, fields: Readonly<Record<string, string>>): Promise<boolean> =>
    (await createScript.run(redis, keysOf(id), [id, ...pairs(fields)])) === 1,
  /**
   * @param index the chunk that is begun; none where the batch as a whole is
   * @returns the status (empty where the batch is not known, `superseded` where the chunk is of another revision), how
   * often the chunk was begun without an end, and the batch's revision
   */
  begin: async (redis: Redis, id: string, now: Date, index?: number, revision = 1): Promise<Begun> => {
    const [status = '', starts, current] = strings(
      await beginScript.run(redis, keysOf(id), [id, now.toISOString(), index ?? '', revision]),
    );
    return { status, starts: Number(starts), revision: Number(current) };
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
    const [next, ...letIn] = strings(await advanceScript.run(redis, keysOf(id), args));
    const known = next === 'assemble' || next === 'gone' || next === 'superseded';
    return { next: known ? next : 'nothing', letIn: letIn.map(Number) };
  },
  /** Begins a new revision of a completed batch. @returns false where it is not completed as `from` (any more) */
  revise: async (redis: Redis, id: string, from: number, fields: Readonly<Record<string, string>>): Promise<boolean> =>
    (await reviseScript.run(redis, keysOf(id), [id, from, ...pairs(fields)])) === 1,
  cancel: async (redis: Redis, id: string): Promise<string> => String(await cancelScript.run(redis, keysOf(id), [id])),
  finish: async (redis: Redis, id: string, fields: Readonly<Record<string, string>>): Promise<void> => {
    await finishScript.run(redis, keysOf(id), [id, ...pairs(fields)]);
  },
  reopen: async (redis: Redis, id: string): Promise<boolean> => (await reopenScript.run(redis, keysOf(id), [id])) === 1,
  undone: async (redis: Redis, id: string, index: number, part: Part): Promise<void> => {
    await undoneScript.run(redis, keysOf(id), [index, ...countsOf(part)]);
  },
  remove: async (redis: Redis, id: string): Promise<void> => {
    await redis.del(...keysOf(id));
  },
  fields: (redis: Redis, id: string): Promise<Record<string, string>> => redis.hgetall(stateKeys(id).state),
  /** Chunks done, with their parts as JSON. */
  done: (redis: Redis, id: string): Promise<Record<string, string>> => redis.hgetall(stateKeys(id).done),
  open: async (redis: Redis, id: string): Promise<readonly number[]> =>
    (await redis.smembers(stateKeys(id).open)).map(Number),
} as const;

export const failureField = (failure: Failure | null): string => (failure === null ? '' : JSON.stringify(failure));
