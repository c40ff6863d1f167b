/** Reads of one client do not slow down others: limits by client, one round trip for a list, and work in short slices. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { createDiskStore } from '../../src/base/store/disk.ts';
import type { Store } from '../../src/base/store/store.ts';
import { longestTurnMs } from '../processor-time.ts';
import { redisForFile, type TestRedis } from '../redis.ts';
import { sampleClients, withDemo } from './api.ts';
import { BATCHES, type BatchApi, type BatchApiOptions, HEADER, listOf, startBatchApi } from './batch-api.ts';

let redis: TestRedis;
redisForFile((made) => (redis = made));

const withLimits = async (
  limits: Record<string, number>,
  run: (api: BatchApi) => Promise<void>,
  options: Partial<BatchApiOptions> = {},
) => {
  const clients = withDemo(await sampleClients(), { limits });
  const api = await startBatchApi({ redisUrl: redis.url, clients, ...options });
  const stop = await api.work();
  try {
    await run(api);
  } finally {
    await stop();
    await api.close();
  }
};

describe('limits', () => {
  test('reads: a fourth over three a minute is refused, with the time of the next try, but downloads and other calls are not', () =>
    withLimits({ readsPerMinute: 3 }, async (api) => {
      const id = await api.upload(listOf(1));
      await expect.poll(async () => (await api.batches.find(id, 'demo'))?.view.status).toBe('completed');
      const answers = [];
      for (const below of ['', `/${id}`, `/${id}/summary`, '?limit=100']) answers.push(await api.call('GET', below));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      const [first, , , last] = answers;
      expect(first?.headers.get('ratelimit')).toMatch(/^"reads";r=2;t=(?:60|59)$/);
      expect(last?.body.fault).toMatchObject({ type: 'request.rateLimited', arguments: { limit: 'reads' } });
      expect(last?.headers.get('ratelimit-policy')).toBe('"reads";q=3;w=60');
      expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(50);
      expect((await api.file(`/${id}/output`)).status).toBe(200);
      const other = await api.api.tokenOf('other', 'other-secret');
      expect((await api.call('GET', '', other)).status).toBe(200);
    }));

  test('downloads: a third over two a minute is refused', () =>
    withLimits({ downloadsPerMinute: 2 }, async (api) => {
      const id = await api.upload(listOf(1));
      await api.ended(id);
      const [output, faults] = [`/${id}/output`, `/${id}/faults`];
      expect((await api.file(output)).headers.get('ratelimit')).toMatch(/^"downloads";r=1;/);
      expect([(await api.file(faults)).status, (await api.file(output)).status]).toEqual([200, 429]);
    }));

  test('changes: a fourth delete, cancel or retry over three a minute is refused, even after the batch has ended', () =>
    withLimits({ changesPerMinute: 3 }, async (api) => {
      const id = await api.upload(listOf(1));
      await api.ended(id);
      const answers = [];
      for (const [method, below] of [
        ['POST', `/${id}/cancel`],
        ['POST', `/${id}/retry`],
        ['DELETE', '/b0000000000000000000'],
        ['DELETE', `/${id}`],
      ] as const)
        answers.push(await api.call(method, below));
      expect(answers.map(({ status }) => status)).toEqual([409, 409, 404, 429]);
      expect(answers[3]?.body.fault.arguments).toEqual({ limit: 'changes' });
      expect((await api.call('GET', `/${id}`)).status).toBe(200);
    }));

  test('reads at once: some of forty concurrent lists are refused, and other clients do not wait', () =>
    withLimits({ readsAtOnce: 4 }, async (api) => {
      const other = await api.api.tokenOf('other', 'other-secret');
      const asked = Array.from({ length: 40 }, () => api.call('GET', '?limit=100'));
      const theirs = await api.call('GET', '', other);
      const answers = await Promise.all(asked);
      expect(theirs.status).toBe(200);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status === 200).length).toBe(40 - refused.length);
      expect(refused.length).toBeLessThan(40);
      expect(refused[0]?.body.fault.arguments).toEqual({ limit: 'readsAtOnce' });
      expect(refused[0]?.headers.get('retry-after')).toBe('1');
      expect((await api.call('GET', '')).status).toBe(200);
    }));

  test('downloads at once: a second over one is refused until the first has ended or is aborted', async () => {
    const root = await mkdtemp(join(tmpdir(), 'gated-'));
    const disk = createDiskStore(root);
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const stream: Store['stream'] = (...of) =>
      Readable.from(
        (async function* () {
          await gate;
          yield* disk.stream(...of);
        })(),
      );
    await withLimits(
      { downloadsAtOnce: 1 },
      async (api) => {
        const id = await api.upload(listOf(1));
        await api.ended(id);
        const below = `${BATCHES}/${id}/output`;
        const leaving = new AbortController();
        const left = await fetch(`${api.api.url}${below}`, { headers: api.bearer(), signal: leaving.signal });
        const refused = await api.call('GET', `/${id}/output`);
        expect([left.status, refused.status]).toEqual([200, 429]);
        expect(refused.body.fault.arguments).toEqual({ limit: 'downloadsAtOnce' });
        leaving.abort();
        const first = await vi.waitFor(async () => {
          const answer = await fetch(`${api.api.url}${below}`, { headers: api.bearer() });
          if (answer.status !== 200) throw new Error('the place is still taken');
          return answer;
        });
        open();
        expect(await first.text()).toContain('C1-GROUND');
        // The server sees the end of an answer slightly later than its reader.
        await vi.waitFor(async () => expect((await api.file(`/${id}/output`)).status).toBe(200));
      },
      { store: { ...disk, stream } },
    );
    await rm(root, { recursive: true });
  });
});

test('a list of a hundred batches takes one Redis command, and does not read the store', () =>
  withLimits({}, async (api) => {
    for (let i = 0; i < 100; i++) await api.upload(listOf(1));
    await expect.poll(async () => (await api.batches.list('demo', 1, undefined)).views[0]?.status).toBe('completed');
    await expect
      .poll(async () => (await api.batches.list('demo', 100, undefined)).views.every((b) => b.status === 'completed'))
      .toBe(true);
    const [commands, sizes] = [vi.spyOn(api.redis, 'sendCommand'), vi.spyOn(api.store, 'size')];
    const callsOfOneList = async (): Promise<readonly number[]> => {
      vi.clearAllMocks();
      expect((await api.batches.list('demo', 100, undefined)).views.length).toBe(100);
      return [commands.mock.calls.length, sizes.mock.calls.length];
    };
    // The service and the worker may still be busy with the end of the last batch.
    await expect.poll(callsOfOneList).toEqual([1, 0]);
    vi.restoreAllMocks();
  }));

const MIB = 1024 * 1024;

describe('a download by a caller that', () => {
  const ROWS = 10_000;
  const LONG_CHUNKS = { limits: { chunkRows: 5_000, maximumBytes: 64 * MIB } };
  /** The operating system buffers up to 37 MB between both sides. The rest waits in the service. */
  const NOTE = 'x'.repeat(5_500);
  const get = (api: BatchApi, path: string): Socket => {
    const { hostname, port } = new URL(api.api.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const { Authorization } = api.bearer();
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${Authorization}\r\nConnection: close\r\n\r\n`,
    );
    return socket;
  };
  const ended = async (api: BatchApi): Promise<string> => {
    const [header = '', ...rows] = listOf(ROWS).split('\n');
    const id = await api.upload(
      [`note,${header}`, ...rows.map((row) => (row === '' ? '' : `${NOTE},${row}`))].join('\n'),
    );
    expect((await api.ended(id)).status).toBe('completed');
    return id;
  };

  test('leaves in the middle lets its file be closed', async () => {
    const root = await mkdtemp(join(tmpdir(), 'left-'));
    const disk = createDiskStore(root);
    let open = 0;
    async function* stream(...of: Parameters<Store['stream']>): ReturnType<Store['stream']> & AsyncGenerator<Buffer> {
      open += 1;
      try {
        yield* disk.stream(...of);
      } finally {
        open -= 1;
      }
    }
    await withLimits(
      {},
      async (api) => {
        const socket = get(api, `${BATCHES}/${await ended(api)}/output`);
        await once(socket, 'readable');
        socket.pause();
        await expect.poll(() => open).toBe(1);
        socket.destroy();
        await expect.poll(() => open).toBe(0);
      },
      { ...LONG_CHUNKS, store: { ...disk, stream } },
    );
    await rm(root, { recursive: true });
  });
});

describe('the event loop keeps turning while', () => {
  const csv = { 'Content-Type': 'text/csv' };
  /** Processor time of the thread in ms, including the sender's. Blocking code took hundreds. */
  const MOST_MS = 60;

  test.each([
    ['only line ends', '', '\n', 'has more than 10000 blank rows before its header'],
    ['only separators', '', ',\n', 'has more than 10000 blank rows before its header'],
    ['line ends below a header', `${HEADER}\n`, '\n', 'has only a header row; add at least one shipment'],
    ['separators below a header', `${HEADER}\n`, ',\r\n', 'has only a header row; add at least one shipment'],
  ])('a list of %s is previewed', (_what, head, row, problem) =>
    withLimits({}, async (api) => {
      const body = head + row.repeat((4 * MIB) / row.length);
      const most = await longestTurnMs(async () => {
        const answer = await api.post(body, '?preview=true', csv);
        expect([answer.status, answer.body.fault.arguments]).toEqual([422, { file: problem }]);
      });
      expect(most).toBeLessThan(MOST_MS);
    }),
  );

  const BLANK = { type: 'createBatch.invalidFile', arguments: { file: expect.stringMatching(/^has more than 10000/) } };
  const LONG = { type: 'createBatch.invalidFile', arguments: { header: 'is longer than 1048576 bytes' } };
  test.each([
    ['line ends', '\n', BLANK],
    ['one line', 'x', LONG],
    ['quotes', '"', LONG],
    ['separators', ',', LONG],
    ['other separators', ';', LONG],
  ])('a list of only %s is previewed', (_what, text, fault) =>
    withLimits({}, async (api) => {
      const body = text.repeat(4 * MIB);
      const most = await longestTurnMs(async () => {
        const answer = await api.post(body, '?preview=true', csv);
        expect([answer.status, answer.body.fault]).toEqual([422, expect.objectContaining(fault)]);
      });
      expect(most).toBeLessThan(MOST_MS);
    }),
  );
});
