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

/** If only a queue's own connection is lost, that is logged once, and again after it was up for so long. */
const WELL_MS = 60_000;

/**
 * Watches a connection from now on. Call it before queues listen to the connection.
 * @returns how to log an error of one of the queues on it
 */
export const createQueueErrors = (
  redis: Pick<Redis, 'status' | 'on'>,
  log: Pick<Logger, 'warn'>,
): ((queue: string, error: Error) => void) => {
  /** The connection's last error while Redis is away, or refuses the credentials. */
  let told: string | undefined;
  let lostAt = Number.NEGATIVE_INFINITY;
  redis.on('error', ({ message }: Error) => {
    told = message;
  });
  redis.on('ready', () => {
    told = undefined;
  });
  return (queue, error) => {
    if (isOutage(error)) {
      const isKnown = told !== undefined || redis.status !== 'ready' || performance.now() - lostAt < WELL_MS;
      lostAt = performance.now();
      if (isKnown) return;
    } else if (error.message === told) return;
    log.warn({ queue, err: error }, 'queue error');
  };
};
