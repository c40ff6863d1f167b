/**
 * Processes announce their changes through Redis, so that others load them at once. A message may be lost, so all processes
 * also check on their own. A message has the ids of documents that are known to be complete.
 */
import type { Logger } from '../../base/log.ts';
import type { Refresh } from '../../base/poll.ts';
import type { Redis } from '../../base/redis/connection.ts';

export const CHANNEL = 'rates:in-force';

/** @returns a refresh that also notifies the other processes */
export const announcing =
  ({ redis, log }: { readonly redis: Redis; readonly log: Pick<Logger, 'warn'> }, refresh: Refresh): Refresh =>
  async (ids = []) => {
    try {
      await redis.publish(CHANNEL, ids.join(' '));
    } catch (err) {
      // The others also check on their own.
      log.warn({ err }, 'a change was not announced');
    }
    await refresh(ids);
  };

/** Looks at each message, and when Redis is back. @param events a connection that waits while Redis is down */
export const hear = (events: Redis, look: (ids: readonly string[]) => void): void => {
  const subscribe = (): void => {
    // A look makes up for messages before the subscription. If subscribing fails, `ready` comes again later.
    events.subscribe(CHANNEL).then(
      () => look([]),
      () => undefined,
    );
  };
  events.on('message', (channel: string, text: string) => {
    if (channel === CHANNEL) look(text === '' ? [] : text.split(' '));
  });
  events.on('ready', subscribe);
  if (events.status === 'ready') subscribe();
};
