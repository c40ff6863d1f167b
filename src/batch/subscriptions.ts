/**
 * Subscriptions to changes of batches. A process subscribes once to the channel of changes, however many subscribers there
 * are. It reads a batch once for all its subscribers: after a change, at most ten times a second, where the latest state
 * wins; and every few seconds without a change, because messages may be lost. While Redis is unavailable, nothing is sent.
 * Afterward the current state is sent.
 */
import { createHash } from 'node:crypto';
import type { Redis } from '../base/redis/connection.ts';
import { isTurnOver, turn } from '../base/time-slices.ts';
import type { Batches, FoundBatch } from './batches.ts';
import { CHANGES_CHANNEL } from './state.ts';

/** A state of a batch. The same state has the same id in every process. */
export interface BatchUpdate {
  readonly id: string;
  readonly batch: FoundBatch;
  /** The batch as clients see it, as JSON, made once for all subscribers. */
  readonly json: string;
}

/** @param update undefined if the batch is gone or the subscriptions are closed. Then nothing follows */
export type Watcher = (update: BatchUpdate | undefined) => void;

const LEAST_MS = 100;
const POLL_MS = 5_000;
const AGAIN_MS = 1_000;

/** The estimated completion time moves with the clock. That alone does not count as a change. */
export const updateOf = (batch: FoundBatch): BatchUpdate => {
  const state = JSON.stringify({ ...batch.view, estimatedCompletionAt: null });
  const id = createHash('sha256').update(state).digest('base64url').slice(0, 22);
  return { id, batch, json: JSON.stringify(batch.view) };
};

interface Feed {
  readonly watchers: Set<Watcher>;
  readonly look: () => void;
  readonly end: () => void;
}

/** The subscribers of one batch. The batch is read after each `look`, and every few seconds. */
const openFeed = (find: () => Promise<FoundBatch | undefined>): Feed => {
  const watchers = new Set<Watcher>();
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking = false;
  let again = false;
  let ended = false;

  const tell = async (news: BatchUpdate | undefined): Promise<void> => {
    for (const watcher of [...watchers]) {
      if (isTurnOver()) await turn();
      if (watchers.has(watcher)) watcher(news);
    }
  };

  const lookIn = (ms: number): void => {
    clearTimeout(timer);
    if (!ended) timer = setTimeout(() => void lookNow(), ms);
  };

  const lookNow = async (): Promise<void> => {
    looking = true;
    again = false;
    lookedAt = performance.now();
    let next = POLL_MS;
    try {
      const found = await find();
      if (!ended) await tell(found === undefined ? undefined : updateOf(found));
    } catch {
      // Redis is unavailable. Its connection has logged that.
      next = AGAIN_MS;
    }
    looking = false;
    lookIn(again ? LEAST_MS : next);
  };

  return {
    watchers,
    look: () => {
      if (looking) again = true;
      else lookIn(Math.max(0, lookedAt + LEAST_MS - performance.now()));
    },
    end: () => {
      ended = true;
      clearTimeout(timer);
      void tell(undefined);
    },
  };
};

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/** @param events a separate connection, which waits while Redis is unavailable */
export const createSubscriptions = ({ events, batches }: { events: Redis; batches: Pick<Batches, 'find'> }) => {
  const subscriptions = new Map<string, Feed>();
  let closed = false;

  const lookAtAll = (): void => {
    for (const feed of subscriptions.values()) feed.look();
  };
  const onMessage = (_channel: string, id: string): void => subscriptions.get(id)?.look();
  const subscribe = (): void => {
    // Reading the batches finds changes from before the subscription. If this fails, `ready` comes again later.
    events.subscribe(CHANGES_CHANNEL).then(lookAtAll, () => undefined);
  };
  events.on('message', onMessage);
  events.on('ready', subscribe);
  if (events.status === 'ready') subscribe();

  /** Sends the state of a batch soon, then each later state. @returns the function to unsubscribe */
  const watch = (id: string, clientId: string, watcher: Watcher): (() => void) => {
    if (closed) {
      watcher(undefined);
      return () => undefined;
    }
    const feed = subscriptions.get(id) ?? openFeed(() => batches.find(id, clientId));
    subscriptions.set(id, feed);
    feed.watchers.add(watcher);
    feed.look();
    return () => {
      feed.watchers.delete(watcher);
      if (feed.watchers.size > 0 || subscriptions.get(id) !== feed) return;
      subscriptions.delete(id);
      feed.end();
    };
  };

  return {
    watch,
    /** Returns how many batches have subscribers. */
    watched: () => subscriptions.size,
    /** Ends all subscriptions. Later ones end at once. */
    close: (): void => {
      closed = true;
      for (const feed of [...subscriptions.values()]) feed.end();
      subscriptions.clear();
      events.off('message', onMessage).off('ready', subscribe);
    },
  };
};
