/**
 * The scripts that change the state of a batch in Redis, each in one atomic step. KEYS are the values of `stateKeys`, in
 * order: the hash of the state, the open chunks, and the chunks that are done with their parts.
 */
import { script } from '../base/redis/script.ts';

/** The channel for all changes. The message is the id of the batch. */
export const CHANGES_CHANNEL = 'rates:changes';

/** Records when the batch moved, in seconds by the clock of Redis, and publishes the change. */
const MOVED = `redis.call('HSET', KEYS[1], 'movedAt', redis.call('TIME')[1])
redis.call('PUBLISH', '${CHANGES_CHANNEL}', id)`;
const STATUS = `local status = redis.call('HGET', KEYS[1], 'status')`;

/** ARGV: id, then field and value pairs. Does nothing if the batch exists. */
export const createScript = script(`
local id = ARGV[1]
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
${MOVED}
return 1`);

/**
 * ARGV: id, now, the revision of a chunk or '' for the batch as a whole, its epoch or '' for any. Returns the status, and
 * the batch's revision and epoch. Work of an earlier revision or epoch does not begin.
 */
export const beginScript = script(`
local id = ARGV[1]
${STATUS}
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
export const advanceScript = script(`
local id, window, index, part = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
${STATUS}
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
export const failScript = script(`
local id = ARGV[1]
${STATUS}
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

/**
 * ARGV: id, how it failed, whether a chunk failed (1 or 0). The batch could not end as failed. It goes back to the state
 * before the failure and waits.
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

/** ARGV: id. Returns the previous status. */
export const cancelScript = script(`
local id = ARGV[1]
${STATUS}
if status == 'queued' or status == 'in_progress' or status == 'finalizing' then
  redis.call('HSET', KEYS[1], 'status', 'cancelling')
  ${MOVED}
end
return status or ''`);

/** ARGV from `from` on: the fields of the revision's end. Removes the state of its chunks. */
const setEnd = (from: number): string => `
for i = ${from}, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('HDEL', KEYS[1], 'failing')
redis.call('DEL', KEYS[2], KEYS[3])
${MOVED}
return 1`;

/**
 * ARGV: id, revision, epoch or '', then field and value pairs. Does nothing if the batch has ended or has another epoch. So
 * a worker that wakes up after a suspension cannot end the work of others.
 */
export const finishScript = script(`
local id = ARGV[1]
${STATUS}
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
if (redis.call('HGET', KEYS[1], 'epoch') or '') ~= ARGV[3] then return 0 end
if status ~= 'in_progress' and status ~= 'finalizing' and status ~= 'cancelling' then return 0 end
${setEnd(4)}`);

/** ARGV: id, revision, then field and value pairs. Does nothing if the batch has another revision. */
export const expireScript = script(`
local id = ARGV[1]
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
${setEnd(3)}`);

/** ARGV: id of the notification. Records that the client was notified of the batch's end. */
export const notifiedScript = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'told', ARGV[1]) end
return 1`);

/** Records that the files of the batch are being removed. */
export const deletedScript = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'deleted', '1') end
return 1`);

/** ARGV: id. The assembly found missing parts. Every unfinished chunk can be admitted again. */
export const reopenScript = script(`
local id = ARGV[1]
${STATUS}
if status ~= 'finalizing' or redis.call('HEXISTS', KEYS[1], 'failing') == 1 then return 0 end
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1], 'status', 'in_progress', 'next', 0)
${MOVED}
return 1`);

/**
 * ARGV: index, processed, quoted, faulted, then fault type and count pairs. The chunk's part was lost, so it is not done. `0
 * - n`, because Lua writes the negative of 0 as `-0`, which Redis does not accept as an integer.
 */
export const undoneScript = script(`
if redis.call('HDEL', KEYS[3], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], 'processed', 0 - ARGV[2])
  redis.call('HINCRBY', KEYS[1], 'quoted', 0 - ARGV[3])
  redis.call('HINCRBY', KEYS[1], 'faulted', 0 - ARGV[4])
  for i = 5, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], 'fault:' .. ARGV[i], 0 - ARGV[i + 1]) end
end
return 1`);

/** ARGV: id, the revision to correct, then the fields of the new one. Does nothing unless that revision is completed. */
export const reviseScript = script(`
local id = ARGV[1]
${STATUS}
if status ~= 'completed' or redis.call('HGET', KEYS[1], 'revision') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
${MOVED}
return 1`);
