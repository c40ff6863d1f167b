/**
 * Decides which job is next: start-time fair queueing (Goyal, Vin and Cheng 1996). The jobs of each client have turns 1, 2,
 * 3 and so on, and a queue takes the lowest turn first: one job of each waiting client, then the next of each, regardless of
 * how many jobs a client has. A new client begins at the current turn of the queue, so that idle time earns nothing. Adding
 * a job costs the same regardless of how many wait.
 *
 * The turn of a job is its priority in BullMQ. A job that is tried again has no priority, so it goes first. Its turn came
 * earlier.
 */
import type { Job, Queue } from 'bullmq';
import type { Redis } from '../../base/redis/connection.ts';
import { script } from '../../base/redis/script.ts';

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
