/**
 * Batches as they change, for whoever watches them. However many watch, a process has one subscription for notice of
 * changes, and reads a batch once for all who watch it: at a change, at most ten times a second (the latest state wins),
 * and now and then without one, for notice may be lost. While Redis is away nothing is told; when it is back, what is.
 */
import { createHash } from 'node:crypto';
import type { Redis } from '../redis/connection.ts';
import { createSlices } from '../time-slices.ts';
import type { Batches, FoundBatch } from './batches.ts';
import { CHANGES_CHANNEL } from './state-scripts.ts';

/** What of a batch is told: the same state has the same id, in every process. */
export interface BatchUpdate {
  readonly id: string;
  readonly batch: FoundBatch;
  /** The batch as clients see it, as JSON: written once for all who watch. */
  readonly json: string;
}

export interface SubscriptionDeps {
  /** A connection of its own, which waits for as long as Redis is away. */
  readonly events: Redis;
  readonly batches: Pick<Batches, 'find'>;
}

/** @param news undefined where the batch is no more, or the subscriptions are closed: nothing follows */
export type Watcher = (news: BatchUpdate | undefined) => void;

export interface Subscriptions {
  /** Tells of a batch from now on: its state soon, then every other that it comes to. @returns how to leave */
  readonly watch: (id: string, clientId: string, watcher: Watcher) => () => void;
  /** How many batches are watched. */
  readonly watched: () => number;
  /** Ends all watching, and that of whoever comes after. */
  readonly close: () => void;
}

const LEAST_MS = 100;
const POLL_MS = 5_000;
const AGAIN_MS = 1_000;

/** When it will be done moves with the clock, and is no change by itself. */
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

/** The feed of one batch. It looks at once, and then when it is told to. */
const openFeed = (find: () => Promise<FoundBatch | undefined>): Feed => {
  const watchers = new Set<Watcher>();
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking = false;
  let again = false;
  let ended = false;

  const tell = async (news: BatchUpdate | undefined): Promise<void> => {
    const slices = createSlices();
    for (const watcher of [...watchers]) {
      if (slices.isOver()) await slices.turn();
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
      // Redis is away, which its connection has told of.
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

export const createSubscriptions = ({ events, batches }: SubscriptionDeps): Subscriptions => {
  const subscriptions = new Map<string, Feed>();
  let closed = false;

  const lookAtAll = (): void => {
    for (const feed of subscriptions.values()) feed.look();
  };
  const onMessage = (_channel: string, id: string): void => subscriptions.get(id)?.look();
  const subscribe = (): void => {
    // What happened before the subscription stood is found by looking; a connection that broke is ready again later.
    events.subscribe(CHANGES_CHANNEL).then(lookAtAll, () => undefined);
  };
  events.on('message', onMessage);
  events.on('ready', subscribe);
  if (events.status === 'ready') subscribe();

  const watch: Subscriptions['watch'] = (id, clientId, watcher) => {
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
    watched: () => subscriptions.size,
    close: () => {
      closed = true;
      for (const feed of [...subscriptions.values()]) feed.end();
      subscriptions.clear();
      events.off('message', onMessage).off('ready', subscribe);
    },
  };
};
