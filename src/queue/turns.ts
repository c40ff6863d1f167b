/**
 * Whose job is next. Each client's jobs have turns, 1, 2, 3 and so on, and a queue does the lowest turn first: one job of
 * each client that waits, then the next of each, however many one of them has. A client that comes anew begins at the
 * turn that the queue has come to, so nobody is owed for time in which they asked for nothing (start-time fair queueing,
 * Goyal, Vin and Cheng 1996). A job costs the same however many wait.
 *
 * A job's turn is its priority in BullMQ. One that is tried again has none and goes before all others, for its turn has
 * passed.
 */
import type { Job, Queue } from 'bullmq';
import type { Redis } from '../redis/connection.ts';
import { script } from '../redis/script.ts';

/** BullMQ's highest priority. */
const LAST = 2 ** 21 - 1;
/** Turns are counted from 1 again when the queue has come this far without having been empty. */
const FAR = 2 ** 20;
/** In a waiting job's score its priority stands above these bits, which count jobs of the same priority. */
const UNIT = 2 ** 32;

/**
 * KEYS: turns, which are each client's next and, under '', the one that the queue has come to; the queue's waiting jobs
 * with turns; then jobs. ARGV: the client, FAR. Returns the turn of each job, or 0 for one that is in the queue already.
 */
const TAKE = `
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
return taken`;
const takeScript = script(TAKE);

/**
 * Takes the next turns of a client for jobs that are about to be added.
 * @returns the turn of each job; undefined for one that is in the queue already
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

/** Has a job that is worked on go before others when it is tried again. */
export const keepTurn = async (job: Job): Promise<void> => {
  await job.changePriority({ priority: 0 });
};
