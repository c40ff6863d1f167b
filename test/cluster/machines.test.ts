/**
 * The service on eight machines. During a batch, each is killed or disconnected, except the last two (Redis and the
 * store), which are suspended. It runs the build (`npm run build`).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { writeList } from '../bench/batch.ts';
import { BUILT } from '../bench/service.ts';
import { difference, type Truth, truthOf } from '../soak/expected-output.ts';
import { type Datacenter, openDatacenter } from './datacenter.ts';
import { type Caller, createCaller } from './failover-client.ts';
import { hasNamespaces, NETWORK_PACKAGES } from './network.ts';
import type { Program } from './program.ts';
import { hasSwift, SWIFT_PACKAGES } from './swift.ts';

const ROWS = 150_000;
const CHUNK_ROWS = 400;
const AWAY_MS = 20_000;
const TEST_MS = 900_000;

const missing = [
  ...(hasSwift() ? [] : SWIFT_PACKAGES),
  ...((await hasNamespaces()) ? [] : ['root', ...NETWORK_PACKAGES]),
  ...(BUILT.every((path) => existsSync(path)) ? [] : ['the result of `npm run build`']),
];
if (missing.length > 0) console.warn(`The tests on separate machines are skipped: they need ${missing.join(', ')}.`);

describe.skipIf(missing.length > 0)('on separate machines', () => {
  let list: string;
  let truth: Truth;
  let datacenter: Datacenter;

  beforeAll(async () => {
    datacenter = await openDatacenter(CHUNK_ROWS);
    list = join(datacenter.folder, 'list.csv');
    await writeList(list, ROWS);
    truth = await truthOf(list, join(datacenter.folder, 'truth.csv'));
  }, 300_000);
  afterAll(async () => {
    await datacenter?.close();
  }, 60_000);

  /** Waits until this fraction of the batch is done. The batch must not have ended by then. */
  const at = async (caller: Caller, id: string, part: number): Promise<void> => {
    for (;;) {
      const { status, rows } = await caller.batch(id);
      expect(status).toMatch(/^(?:queued|in_progress)$/);
      if (rows.processed >= part * ROWS) return;
      await sleep(100);
    }
  };
  const killed = async (program: Program): Promise<void> => {
    await program.kill();
    await sleep(1_000);
    await program.start();
  };
  const without = async (away: () => Promise<void>, back: () => Promise<void>, ms: number): Promise<void> => {
    await away();
    await sleep(ms);
    await back();
  };
  const unplugged = ({ host }: Program, ms: number): Promise<void> =>
    without(
      () => host.link('down'),
      () => host.link('up'),
      ms,
    );
  const stopped = ({ host }: Program, ms: number): Promise<void> =>
    without(
      () => host.signal('SIGSTOP'),
      () => host.signal('SIGCONT'),
      ms,
    );

  test(
    'a batch gives the same bytes despite kills and broken links of workers and APIs, and 20 s without the store and Redis each',
    async () => {
      const { apis, workers, redis, store, urls, client } = datacenter;
      const [api1, api2] = apis;
      const [worker1, worker2, worker3] = workers;
      const [url1, url2] = urls;
      if (!api1 || !api2 || !worker1 || !worker2 || !worker3 || url1 === undefined || url2 === undefined)
        throw new Error('machines are missing');
      onTestFailed(async () => {
        for (const { host, said } of [...apis, ...workers])
          console.log(`${host.name}: ${(await said()).slice(-2_000)}`);
      });
      const over = new AbortController();
      const caller = await createCaller([url1, url2], client, over.signal);
      const begun = performance.now();
      const tell = async (what: string): Promise<void> => {
        const { rows } = await caller.batch(id);
        console.log(`${((performance.now() - begun) / 1_000).toFixed(0)} s, ${rows.processed} rows: ${what}`);
      };
      const { id } = await caller.upload(list);
      const watching = caller.watch(url2, id);
      const others: Promise<void>[] = [];
      onTestFinished(async () => {
        over.abort(new Error('the test is over'));
        await Promise.allSettled([watching, ...others]);
      });
      const reach = async (part: number, what: string): Promise<void> => {
        await at(caller, id, part);
        await tell(what);
      };
      await reach(0.05, 'a worker is killed');
      others.push(killed(worker1));
      await reach(0.1, 'a worker is cut off');
      others.push(unplugged(worker2, 2 * AWAY_MS));
      await reach(0.15, 'a worker is disconnected from Redis only');
      others.push(
        without(
          () => worker3.host.cut(redis.host, 'cut'),
          () => worker3.host.cut(redis.host, 'joined'),
          2 * AWAY_MS,
        ),
      );
      await reach(0.2, 'an API is killed');
      await killed(api1);
      await reach(0.3, 'the other API is cut off');
      others.push(unplugged(api2, AWAY_MS));
      await reach(0.4, 'the store is suspended');
      await stopped(store, AWAY_MS);
      await reach(0.5, 'Redis is suspended');
      await stopped(redis, AWAY_MS);
      await reach(0.6, 'the store is cut off');
      await unplugged(store, AWAY_MS);
      await reach(0.7, 'Redis is cut off');
      await unplugged(redis, AWAY_MS);
      await Promise.all(others);
      await tell('all are back');

      const { told, streams } = await watching;
      const counts = told.map(({ rows }) => rows.processed);
      await tell(`done, watched by ${streams} streams with ${told.length} events`);
      expect(told.at(-1)?.status).toBe('completed');
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      const { status, rows, failure } = await caller.batch(id);
      expect({ status, failure, rows }).toEqual({
        status: 'completed',
        failure: null,
        rows: { total: ROWS, processed: ROWS, quoted: ROWS - truth.faulted, faulted: truth.faulted },
      });
      expect(difference(truth, await caller.file(id, 'output'), await caller.file(id, 'faults'))).toBe(undefined);
    },
    TEST_MS,
  );
});
