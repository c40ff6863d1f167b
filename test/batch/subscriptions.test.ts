/** The updates that watchers of a batch receive. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Redis } from '../../src/base/redis/connection.ts';
import type { FoundBatch } from '../../src/batch/batches.ts';
import { CHANGES_CHANNEL } from '../../src/batch/state.ts';
import { type BatchUpdate, createSubscriptions, type Subscriptions, updateOf } from '../../src/batch/subscriptions.ts';
import { initialFields, readFields, viewOf } from '../../src/batch/view.ts';
import { openRedis } from '../redis.ts';
import { soon } from '../soon.ts';
import { type Backend, documentOf, idOf, redisAndStore } from './fixtures.ts';

const ID = idOf(1);

let backend: Backend;
redisAndStore((fresh) => {
  backend = fresh;
});

const foundWith = (fields: Readonly<Record<string, string>> = {}, now = '2026-06-01T12:10:00Z'): FoundBatch => {
  const raw = { ...initialFields(documentOf(), 'in_progress', 1), startedAt: '2026-06-01T12:00:00Z', ...fields };
  const read = readFields(raw);
  if (read === undefined) throw new Error('there are no fields');
  return { id: ID, fields: read, view: viewOf(ID, read, raw, new Date(now)) };
};

describe('an update of a batch', () => {
  test('is the batch as JSON, the same wherever it is seen', () => {
    const news = updateOf(foundWith());
    expect(JSON.parse(news.json)).toEqual(foundWith().view);
    expect(news.id).toMatch(/^[\w-]{22}$/);
    expect(updateOf(foundWith()).id).toBe(news.id);
  });

  test('differs after each row, but not with the time alone', () => {
    const [at, later] = [foundWith({ processed: '4' }), foundWith({ processed: '4' }, '2026-06-01T12:11:00Z')];
    expect(at.view.estimatedCompletionAt).not.toBe(later.view.estimatedCompletionAt);
    expect(updateOf(later).id).toBe(updateOf(at).id);
    expect(updateOf(foundWith({ processed: '5' })).id).not.toBe(updateOf(at).id);
  });
});

describe('watching', () => {
  let events: Redis;
  let subscriptions: Subscriptions;
  let found: FoundBatch | undefined;
  let looks: number;
  let isAway: boolean;
  const processedOf = (news: (BatchUpdate | undefined)[]) => news.map((one) => one?.batch.fields.processed);
  const change = (processed: string) => {
    found = foundWith({ processed });
    return backend.redis.publish(CHANGES_CHANNEL, ID);
  };
  const watch = (): { news: (BatchUpdate | undefined)[]; leave: () => void } => {
    const news: (BatchUpdate | undefined)[] = [];
    const leave = subscriptions.watch(ID, 'demo', (one) => void news.push(one));
    return { news, leave };
  };

  beforeEach(async () => {
    events = await openRedis(backend.url);
    [found, looks, isAway] = [foundWith(), 0, false];
    const find = async (id: string, clientId: string): Promise<FoundBatch | undefined> => {
      looks += 1;
      if (isAway) throw new Error('Redis is unavailable');
      return id === ID && clientId === 'demo' ? found : undefined;
    };
    subscriptions = createSubscriptions({ events, batches: { find } });
  });
  afterEach(() => {
    subscriptions.close();
    events.disconnect();
  });

  test('delivers the state soon, and each change that Redis publishes', async () => {
    const { news } = watch();
    await soon(() => expect(processedOf(news)).toContain(0));
    await change('3');
    await soon(() => expect(processedOf(news).at(-1)).toBe(3));
    await change('7');
    await soon(() => expect(processedOf(news).at(-1)).toBe(7));
  });

  test('reads once for all watchers, at most ten times a second', async () => {
    const all = [watch(), watch(), watch()];
    await soon(() => expect(all.every(({ news }) => news.length > 0)).toBe(true));
    const [before, begun] = [looks, performance.now()];
    for (let count = 0; count < 100; count += 1) await change(String(count));
    await soon(() => expect(all.map(({ news }) => processedOf(news).at(-1))).toEqual([99, 99, 99]));
    expect(looks - before).toBeLessThanOrEqual(2 + (performance.now() - begun) / 100);
    expect(subscriptions.watched()).toBe(1);
  });

  test('reports that the batch does not exist, or no longer does', async () => {
    const { news } = watch();
    await soon(() => expect(news).toHaveLength(1));
    found = undefined;
    await backend.redis.publish(CHANGES_CHANNEL, ID);
    await soon(() => expect(news.at(-1)).toBeUndefined());
  });

  test('ends for each watcher that leaves, and fully with the last', async () => {
    const [first, second] = [watch(), watch()];
    await soon(() => expect(second.news.length).toBeGreaterThan(0));
    first.leave();
    const heard = first.news.length;
    await change('5');
    await soon(() => expect(processedOf(second.news).at(-1)).toBe(5));
    expect([first.news.length, subscriptions.watched()]).toEqual([heard, 1]);
    second.leave();
    expect(subscriptions.watched()).toBe(0);
  });

  test('resumes by itself after Redis was unavailable', async () => {
    isAway = true;
    const { news } = watch();
    await soon(() => expect(looks).toBeGreaterThan(0));
    expect(news).toEqual([]);
    isAway = false;
    await soon(() => expect(processedOf(news)).toContain(0));
  });

  test('ends when the subscriptions are closed; later watchers end at once', async () => {
    const { news } = watch();
    await soon(() => expect(news.length).toBeGreaterThan(0));
    subscriptions.close();
    await soon(() => expect(news.at(-1)).toBeUndefined());
    expect([watch().news, subscriptions.watched()]).toEqual([[undefined], 0]);
  });
});
