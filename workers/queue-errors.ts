/**
 * What goes wrong with the queues, in the log. BullMQ has each queue say anew, at every try to connect, that Redis is away,
 * which the connection itself tells of once (src/redis/connection.ts): that alone is not repeated.
 */
import type { Logger } from '../src/log.ts';
import type { Redis } from '../src/redis/connection.ts';

/** What the client says of a connection that is lost, or cannot be had, where it is not an error of the system. */
const LOST =
  /^(?:Connection is closed|Socket timeout|Command aborted|Command timed out|All sentinels are unreachable|None of startup nodes is available|Failed to refresh slots cache|Cluster is(?:n't ready| disconnect| ended)|Node is disconnected|Reached the max retries)/;

/** Whether an error says no more than that Redis is not reached. */
const isOutage = (error: Error): boolean => 'syscall' in error || LOST.test(error.message);

/** A connection of a queue's own that is lost alone is told of once, and again when it had been well for so long. */
const WELL_MS = 60_000;

/**
 * Follows a connection from now on: to be called before queues listen to it.
 * @returns how to log an error of one of the queues on it
 */
export const createQueueErrors = (
  redis: Pick<Redis, 'status' | 'on'>,
  log: Pick<Logger, 'warn'>,
): ((queue: string, error: Error) => void) => {
  /** Why Redis is away, in the words that the connection was given; it may be that it lets nobody in. */
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
