import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { BatchView } from '../../src/batch/view.ts';
import type { Client } from '../../src/catalog/clients/clients.ts';
import { openRedis, serversOf, type TestRedis } from '../redis.ts';
import { soon } from '../soon.ts';
import { sampleClients } from './api.ts';
import { BATCHES, type BatchApi, listOf, startBatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let redis: TestRedis;
let api: BatchApi;
batchApiForFile((started) => ({ redis, api } = started));

interface Event {
  readonly id: string;
  readonly event: string;
  readonly batch: BatchView;
}

const eventOf = (block: string): Event => {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return { id: fields['id'] ?? '', event: fields['event'] ?? '', batch: JSON.parse(fields['data'] ?? '') };
};

interface Watched {
  readonly status: number;
  readonly headers: Headers;
  readonly events: Event[];
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

const watch = async (id: string, headers: Record<string, string> = {}, url = api.api.url): Promise<Watched> => {
  const leaving = new AbortController();
  const answer = await fetch(`${url}${BATCHES}/${id}/events`, {
    headers: { ...api.bearer(), ...headers },
    signal: leaving.signal,
  });
  const events: Event[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    for await (const piece of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const blocks = (text + piece).split('\n\n');
      text = blocks.pop() ?? '';
      events.push(...blocks.filter((block) => block.startsWith('id: ')).map(eventOf));
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return { status: answer.status, headers: answer.headers, events, ended, leave: () => leaving.abort() };
};

const statuses = ({ events }: Watched): string[] => [...new Set(events.map(({ batch }) => batch.status))];

test('sends the batch first, then its changes, and ends when the batch has ended', async () => {
  const id = await api.upload(listOf(40));
  const watched = await watch(id);
  expect([watched.status, watched.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  await soon(() => expect(watched.events).toHaveLength(1));
  expect(watched.events[0]).toMatchObject({ event: 'batch', batch: { id, status: 'queued', rows: { total: 40 } } });
  const stop = await api.work();
  await watched.ended;
  await stop();
  expect(statuses(watched)).toContain('in_progress');
  const last = watched.events.at(-1);
  expect(last?.batch).toEqual((await api.call('GET', `/${id}`)).body);
  expect(last?.batch).toMatchObject({ status: 'completed', rows: { processed: 40 } });
  expect(new Set(watched.events.map((event) => event.id)).size).toBe(watched.events.length);
});

test('a watcher that reconnects gets only what is new, and nothing after the end', async () => {
  const id = await api.upload(listOf(3));
  const first = await watch(id);
  await soon(() => expect(first.events).toHaveLength(1));
  const known = first.events[0]?.id ?? '';
  first.leave();
  const again = await watch(id, { 'Last-Event-ID': known });
  await sleep(300);
  expect(again.events).toEqual([]);
  await api.call('POST', `/${id}/cancel`);
  const stop = await api.work();
  await again.ended;
  await stop();
  expect(statuses(again).at(-1)).toBe('cancelled');
  const end = await watch(id);
  await end.ended;
  expect(end.events).toEqual([again.events.at(-1)]);
  const none = await watch(id, { 'Last-Event-ID': end.events[0]?.id ?? '' });
  expect(none.status).toBe(204);
});

test('fast changes are sent at most ten times a second, and the last one always', async () => {
  const id = await api.upload(listOf(3));
  const watched = await watch(id);
  const control = await openRedis(redis.url);
  const begun = performance.now();
  for (let processed = 1; processed <= 300; processed += 1) {
    await control.hset(`rates:{${id}}:state`, 'processed', processed);
    await control.publish('rates:changes', id);
    await sleep(3);
  }
  const seconds = (performance.now() - begun) / 1_000;
  await soon(() => expect(watched.events.at(-1)?.batch.rows.processed).toBe(300));
  expect(watched.events.length).toBeLessThanOrEqual(10 * seconds + 3);
  expect(watched.events.length).toBeGreaterThan(3);
  control.disconnect();
  watched.leave();
});

test('a change whose message was lost is sent within seconds', async () => {
  const id = await api.upload(listOf(3));
  const watched = await watch(id);
  await soon(() => expect(watched.events).toHaveLength(1));
  const control = await openRedis(redis.url);
  await sleep(200);
  await control.hset(`rates:{${id}}:state`, 'processed', 2);
  await vi.waitFor(() => expect(watched.events.at(-1)?.batch.rows.processed).toBe(2), { timeout: 7_000 });
  control.disconnect();
  watched.leave();
});

test('200 watchers share one subscription, and leave nothing when they disappear', async () => {
  const id = await api.upload(listOf(3));
  const control = await openRedis(redis.url);
  // Other test files have their own databases on the same server, and their own APIs.
  const database = /(?:\/|db=)(\d+)$/.exec(redis.url)?.[1] ?? '0';
  const named = async (): Promise<string[]> => {
    const lists = await Promise.all(serversOf(control).map((server) => server.client('LIST')));
    return lists
      .flatMap((list) => String(list).split('\n'))
      .filter(
        (line) => /name=\S*rates-events/.test(line) && line.includes(` db=${database} `) && line.includes(' sub=1'),
      );
  };
  if (redis.isReal) expect(await named()).toHaveLength(1);
  const all = await Promise.all(Array.from({ length: 200 }, () => watch(id)));
  await vi.waitFor(() => expect(all.every(({ events }) => events.length === 1)).toBe(true), { timeout: 5_000 });
  expect(api.subscriptions.watched()).toBe(1);
  if (redis.isReal) expect(await named()).toHaveLength(1);
  await control.hset(`rates:{${id}}:state`, 'processed', 1);
  await control.publish('rates:changes', id);
  await vi.waitFor(() => expect(all.every(({ events }) => events.length === 2)).toBe(true), { timeout: 5_000 });
  for (const { leave } of all) leave();
  await vi.waitFor(() => expect(api.subscriptions.watched()).toBe(0), { timeout: 5_000 });
  expect(api.events.listenerCount('message')).toBe(1);
  control.disconnect();
});

describe('a stream ends within two seconds of', () => {
  const session = async ({ api: { url } }: BatchApi): Promise<Record<string, string>> => {
    const signedIn = await fetch(`${url}/console/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_id: 'demo', client_secret: 'demo-secret' }),
    });
    return { Cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  };
  const bearer = async (own: BatchApi): Promise<Record<string, string>> => own.bearer();
  type Ended = readonly [
    what: string,
    by: typeof session,
    end: (clients: Map<string, Client>, ahead: () => void) => void,
  ];
  const without = (part: Partial<Client>) => (clients: Map<string, Client>) => {
    const demo = clients.get('demo');
    if (demo !== undefined) clients.set('demo', { ...demo, ...part });
  };
  const ends: Ended[] = [
    ['its client', bearer, (clients) => clients.delete('demo')],
    ['the secret of its token', bearer, without({ secrets: [] })],
    ['its client’s scope', bearer, without({ scopes: new Set(['quote'] as const) })],
    ['its token', bearer, (_clients, ahead) => ahead()],
    ['the client of its session', session, (clients) => clients.delete('demo')],
  ];

  test.each(ends)('the end of %s', async (_what, by, end) => {
    const clients = new Map(await sampleClients());
    let aheadMs = 0;
    const now = () => new Date(Date.now() + aheadMs);
    const own = await startBatchApi({ redisUrl: redis.url, clients, now });
    const id = await own.upload(listOf(3));
    const headers = await by(own);
    const prefix = 'Cookie' in headers ? '/console' : '';
    const watched = await watch(id, { Authorization: '', ...headers }, `${own.api.url}${prefix}`);
    await soon(() => expect(watched.events).toHaveLength(1));
    let isOver = false;
    void watched.ended.then(() => {
      isOver = true;
    });
    expect(isOver).toBe(false);
    end(clients, () => {
      aheadMs = 3_600_000;
    });
    await vi.waitFor(() => expect(isOver).toBe(true), { timeout: 2_000 });
    expect(own.subscriptions.watched()).toBe(0);
    await own.close();
  });
});

test('a batch of another client cannot be watched', async () => {
  const id = await api.upload(listOf(1));
  const token = await api.api.tokenOf('other', 'other-secret');
  const { status, body } = await api.call('GET', `/${id}/events`, token);
  expect([status, body.fault.type]).toEqual([404, 'request.notFound']);
  expect(api.subscriptions.watched()).toBe(0);
});

test('HEAD is answered without a stream', async () => {
  const id = await api.upload(listOf(1));
  const headers = api.bearer();
  const answer = await fetch(`${api.api.url}${BATCHES}/${id}/events`, { method: 'HEAD', headers });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  await soon(() => expect(api.subscriptions.watched()).toBe(0));
});

test('the stream ends if its batch is deleted', async () => {
  const id = await api.upload(listOf(1));
  const watched = await watch(id);
  await soon(() => expect(watched.events).toHaveLength(1));
  await api.batches.remove(id, 'demo');
  await watched.ended;
  expect(watched.events).toHaveLength(1);
}, 10_000);

test('streams survive a broken connection to Redis', async () => {
  const id = await api.upload(listOf(3));
  const watched = await watch(id);
  await soon(() => expect(watched.events).toHaveLength(1));
  api.events.disconnect(true);
  const control = await openRedis(redis.url);
  await control.hset(`rates:{${id}}:state`, 'processed', 2);
  await vi.waitFor(() => expect(watched.events.at(-1)?.batch.rows.processed).toBe(2), { timeout: 2_000 });
  await control.hset(`rates:{${id}}:state`, 'processed', 3);
  await control.publish('rates:changes', id);
  await vi.waitFor(() => expect(watched.events.at(-1)?.batch.rows.processed).toBe(3), { timeout: 1_000 });
  control.disconnect();
  watched.leave();
});

test('streams end when the service stops, which does not wait for them', async () => {
  const own = await startBatchApi({ redisUrl: redis.url });
  const id = await own.upload(listOf(3));
  const watched = await watch(id, own.bearer(), own.api.url);
  await soon(() => expect(watched.events).toHaveLength(1));
  await own.close();
  // A stream that has not ended by itself is cut off, which makes this reject.
  await expect(watched.ended).resolves.toBeUndefined();
});
