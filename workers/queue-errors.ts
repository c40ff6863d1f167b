/**
 * Logs the errors of queues. BullMQ reports at each attempt to connect, for each queue, that Redis is unavailable. The connection
 * logs that once (src/base/redis/connection.ts), so it is left out here.
 */
import type { Logger } from '../src/base/log.ts';
import { isOutage, type Redis } from '../src/base/redis/connection.ts';

/** A queue may notice the loss of Redis first. The connection has this long to report it. */
const SETTLE_MS = 1_000;

/** If only a queue's own connection is lost, that is logged once, and again only after it was up for this long. */
const WELL_MS = 60_000;

/**
 * Watches a connection from now on. Call it before queues listen to the connection.
 * @param settleMs how long the connection has to report a loss that a queue reports
 * @returns a function that logs an error of a queue on the connection
 */
export const createQueueErrors = (
  redis: Pick<Redis, 'status' | 'on'>,
  log: Pick<Logger, 'warn'>,
  settleMs: number = SETTLE_MS,
): ((queue: string, error: Error) => void) => {
  /** The connection's last error while Redis is unavailable or refuses the credentials. */
  let reported: string | undefined;
  let queueLostAt = Number.NEGATIVE_INFINITY;
  let losses = 0;
  redis.on('close', () => {
    losses += 1;
  });
  redis.on('error', ({ message }: Error) => {
    reported = message;
  });
  redis.on('ready', () => {
    reported = undefined;
  });
  const isAway = (): boolean => reported !== undefined || redis.status !== 'ready';
  return (queue, error) => {
    const write = () => log.warn({ queue, err: error }, 'queue error');
    if (!isOutage(error)) {
      if (error.message !== reported) write();
      return;
    }
    const isRepeated = performance.now() - queueLostAt < WELL_MS;
    queueLostAt = performance.now();
    if (isRepeated || isAway()) return;
    const before = losses;
    setTimeout(() => {
      if (losses === before && !isAway()) write();
    }, settleMs).unref();
  };
};
