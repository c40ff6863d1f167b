/**
 * The scripts that change what Redis holds of a batch, each in one atomic step. KEYS are those of `stateKeys`, in order:
 * the state's hash, the chunks that are open, those that are done with their parts, and how often each was begun.
 */
import { script } from '../redis/script.ts';

/** Where notice of every change is published; the message is the batch's id. */
export const CHANGES_CHANNEL = 'rates:changes';

/** Notes when the batch moved, in seconds by the clock of Redis, and tells of the change. */
const MOVED = `redis.call('HSET', KEYS[1], 'movedAt', redis.call('TIME')[1])
redis.call('PUBLISH', '${CHANGES_CHANNEL}', id)`;
const STATUS = `local status = redis.call('HGET', KEYS[1], 'status')`;

/** ARGV: id, then field and value pairs. Nothing where the batch is there already. */
export const createScript = script(`
local id = ARGV[1]
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
${MOVED}
return 1`);

/**
 * ARGV: id, now, the chunk's index or '', its revision, its round or '' for any. Returns the status that it finds, how
 * often the chunk was begun, and the batch's revision and round. Work of an earlier revision or round begins nothing.
 */
export const beginScript = script(`
local id = ARGV[1]
${STATUS}
local revision = redis.call('HGET', KEYS[1], 'revision') or '1'
local round = redis.call('HGET', KEYS[1], 'round') or ''
local isOf = revision == ARGV[4] and (ARGV[5] == '' or round == ARGV[5])
if ARGV[3] ~= '' and status and not isOf then return {'superseded', 0, revision, round} end
if status == 'queued' then
  status = 'in_progress'
  redis.call('HSET', KEYS[1], 'status', status, 'startedAt', ARGV[2])
  ${MOVED}
end
local starts = 0
if status and ARGV[3] ~= '' then starts = redis.call('HINCRBY', KEYS[4], ARGV[3], 1) end
return {status or '', starts, revision, round}`);

/** ARGV: index. The chunk's work ended, if badly: its process was not ended by it. */
export const endedScript = script(`return redis.call('HDEL', KEYS[4], ARGV[1])`);

/**
 * ARGV: id, window, index, part ('' gives the chunk back undone), revision, processed, quoted, faulted, then fault type
 * and count pairs. Index -1 only lets in. Returns what is next ('', 'assemble', 'gone', or 'superseded' where the batch
 * is of another revision by now), then the batch's round, its client and the indexes that were let in.
 */
export const advanceScript = script(`
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
    ${MOVED}
  end
end
local chunks = tonumber(redis.call('HGET', KEYS[1], 'chunks'))
local result = {'', redis.call('HGET', KEYS[1], 'round') or '', redis.call('HGET', KEYS[1], 'clientId') or ''}
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
 * ARGV: id, the chunk's index or '' for the assembly, its revision, its round or '' for any, how it failed. What failed for good
 * has the batch put together and ended as failed: the first of several, while its round lasts, and no chunk that another
 * has done. Returns 1, 0 where there is nothing to end so, 2 where the batch is being cancelled, which it fails not.
 */
export const failScript = script(`
local id = ARGV[1]
${STATUS}
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[3] then return 0 end
if ARGV[4] ~= '' and redis.call('HGET', KEYS[1], 'round') ~= ARGV[4] then return 0 end
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

/**
 * ARGV: id, how it failed, whether it was a chunk (1 or 0). The batch could not be ended as failed: it waits, as it was
 * before.
 */
export const notFailedScript = script(`
local id = ARGV[1]
${STATUS}
if redis.call('HGET', KEYS[1], 'failing') ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], 'failing')
if ARGV[3] == '1' and status == 'finalizing' then
  redis.call('HSET', KEYS[1], 'status', 'in_progress')
  ${MOVED}
end
return 1`);

/** ARGV: id. Returns the status before. */
export const cancelScript = script(`
local id = ARGV[1]
${STATUS}
if status == 'queued' or status == 'in_progress' or status == 'finalizing' then
  redis.call('HSET', KEYS[1], 'status', 'cancelling')
  ${MOVED}
end
return status or ''`);

/** The fields of ARGV from here on say how the batch's revision ended; what it was worked on with goes. */
const setEnd = (from: number): string => `
for i = ${from}, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('HDEL', KEYS[1], 'failing')
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
${MOVED}
return 1`;

/**
 * ARGV: id, revision, round or '', then field and value pairs. Nothing where it has ended, or was begun anew: a worker that
 * was stopped meanwhile and goes on ends nothing of others.
 */
export const finishScript = script(`
local id = ARGV[1]
${STATUS}
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
if (redis.call('HGET', KEYS[1], 'round') or '') ~= ARGV[3] then return 0 end
if status ~= 'in_progress' and status ~= 'finalizing' and status ~= 'cancelling' then return 0 end
${setEnd(4)}`);

/** ARGV: id, revision, then field and value pairs. The batch has ended before, and is of that revision. */
export const expireScript = script(`
local id = ARGV[1]
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
${setEnd(3)}`);

/** ARGV: the notice. Its client was told of the batch's end. */
export const notifiedScript = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'told', ARGV[1]) end
return 1`);

/** Its files are being removed. */
export const deletedScript = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'deleted', '1') end
return 1`);

/** ARGV: id. The assembly found parts missing: every chunk that is not done can be let in again. */
export const reopenScript = script(`
local id = ARGV[1]
${STATUS}
if status ~= 'finalizing' or redis.call('HEXISTS', KEYS[1], 'failing') == 1 then return 0 end
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1], 'status', 'in_progress', 'next', 0)
${MOVED}
return 1`);

/**
 * ARGV: index, processed, quoted, faulted, then fault type and count pairs. The chunk's part was lost: it is not done.
 * `0 - n`, because Lua writes the negative of 0 as `-0`, which Redis takes for no integer.
 */
export const undoneScript = script(`
if redis.call('HDEL', KEYS[3], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], 'processed', 0 - ARGV[2])
  redis.call('HINCRBY', KEYS[1], 'quoted', 0 - ARGV[3])
  redis.call('HINCRBY', KEYS[1], 'faulted', 0 - ARGV[4])
  for i = 5, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], 'fault:' .. ARGV[i], 0 - ARGV[i + 1]) end
end
return 1`);

/** ARGV: id, the revision that is corrected, then the fields of the new one. Nothing unless it is completed as that. */
export const reviseScript = script(`
local id = ARGV[1]
${STATUS}
if status ~= 'completed' or redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
${MOVED}
return 1`);
