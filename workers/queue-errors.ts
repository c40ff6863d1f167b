/**
 * Logs the errors of queues. BullMQ reports at each attempt to connect, for each queue, that Redis is away. The connection
 * logs that once (src/redis/connection.ts), so it is left out here.
 */
import type { Logger } from '../src/log.ts';
import type { Redis } from '../src/redis/connection.ts';

/** Messages of the client for a lost or failed connection, other than system errors. */
const LOST =
  /^(?:Connection is closed|Socket timeout|Command aborted|Command timed out|All sentinels are unreachable|None of startup nodes is available|Failed to refresh slots cache|Cluster is(?:n't ready| disconnect| ended)|Node is disconnected|Reached the max retries)/;

/** Whether an error only says that Redis cannot be reached. */
const isOutage = (error: Error): boolean => 'syscall' in error || LOST.test(error.message);

/** A queue may see the loss of Redis before the connection does. So long the connection has to report it. */
const SETTLE_MS = 1_000;

/** If only a queue's own connection is lost, that is logged once, and again after it was up for so long. */
const WELL_MS = 60_000;

/**
 * Watches a connection from now on. Call it before queues listen to the connection.
 * @param settleMs how long the connection has to report a loss that a queue reports
 * @returns how to log an error of one of the queues on it
 */
export const createQueueErrors = (
  redis: Pick<Redis, 'status' | 'on'>,
  log: Pick<Logger, 'warn'>,
  settleMs: number = SETTLE_MS,
): ((queue: string, error: Error) => void) => {
  /** The connection's last error while Redis is away, or refuses the credentials. */
  let told: string | undefined;
  let queueLostAt = Number.NEGATIVE_INFINITY;
  let losses = 0;
  redis.on('close', () => {
    losses += 1;
  });
  redis.on('error', ({ message }: Error) => {
    told = message;
  });
  redis.on('ready', () => {
    told = undefined;
  });
  const isAway = (): boolean => told !== undefined || redis.status !== 'ready';
  return (queue, error) => {
    const write = () => log.warn({ queue, err: error }, 'queue error');
    if (!isOutage(error)) {
      if (error.message !== told) write();
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
