import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue, QueueEvents } from 'bullmq';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/base/config/settings.ts';
import { createLog } from '../../src/base/log.ts';
import { connect, waitUntilReady } from '../../src/base/redis/connection.ts';
import { findRedisServer } from '../../src/base/redis/private-redis.ts';
import { type Service, type ServiceDeps, startService, type WorkerExit } from '../../src/cli/serve/supervisor.ts';
import { folderForEachTest } from '../folder.ts';
import { childrenOf, processes } from './processes.ts';

// Each test starts several processes from their sources.
vi.setConfig({ testTimeout: 90_000 });

const log = createLog({ level: 'silent', name: 'test' });
const fixture = (name: string) => ({ main: join(import.meta.dirname, 'fixtures', `${name}.ts`), args: [] });
const programs = { api: fixture('api'), worker: fixture('worker') };

const services: Service[] = [];
let dataDir: string;
let said: string[];

const start = async (
  settings: Record<string, string> = {},
  deps: Partial<Pick<ServiceDeps, 'programs' | 'onWorkerExit'>> = {},
): Promise<Service> => {
  const env = { PATH: process.env['PATH'], PORT: '0', WORKERS: '2', DATA_DIR: dataDir, ...settings };
  const tell = (line: string) => void said.push(line);
  const service = await startService(readConfig({ ...env, CLIENTS_FILE: import.meta.filename }), {
    ...{ env, execArgv: ['--import', 'tsx'], log, tell, programs },
    ...deps,
  });
  services.push(service);
  return service;
};

const apiPid = async ({ url }: Service): Promise<string> => {
  try {
    return await (await fetch(url)).text();
  } catch {
    return 'none';
  }
};

/** The result of a test job: the number doubled. */
const double = async ({ redisUrl }: Service, number: number): Promise<unknown> => {
  const producer = connect(redisUrl, 'producer', { log });
  const listener = connect(redisUrl, 'events', { log });
  await waitUntilReady(producer, 5_000);
  const queue = new Queue('doubling', { connection: producer });
  const events = new QueueEvents('doubling', { connection: listener });
  events.on('error', () => undefined);
  try {
    await events.waitUntilReady();
    return await (await queue.add('double', { number })).waitUntilFinished(events, 10_000);
  } finally {
    await events.close();
    await queue.close();
    producer.disconnect();
    listener.disconnect();
  }
};

folderForEachTest((made) => (dataDir = made));
beforeEach(() => {
  said = [];
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  expect(childrenOf(process.pid, 'fixtures')).toEqual([]);
});

test('without any Redis installed, the in-memory Redis serves, and says so once', async () => {
  const service = await start({ PATH: '/nowhere' });
  expect(said).toEqual([expect.stringContaining('an in-memory Redis runs instead')]);
  expect(await double(service, 21)).toBe(42);
  const [inMemory] = childrenOf(process.pid, 'in-memory-redis-process');
  process.kill(inMemory?.pid ?? 0, 'SIGKILL');
  const others = () => childrenOf(process.pid, 'in-memory-redis-process').filter(({ pid }) => pid !== inMemory?.pid);
  await expect.poll(() => others().length, { timeout: 5_000 }).toBe(1);
  expect(await double(service, 4)).toBe(8);
});

test('the API gets a small heap limit, which the operator can override', async () => {
  const heapMb = async ({ url }: Service) => Number(await (await fetch(`${url}/heap`)).text());
  // The effective limit differs between versions of Node, because each adds its own young generation.
  const limitMb = (mb: number) => {
    const script = 'console.log(require("node:v8").getHeapStatistics().heap_size_limit / 2 ** 20)';
    return Math.round(
      Number(execFileSync(process.execPath, [`--max-old-space-size=${mb}`, '--max-semi-space-size=4', '-e', script])),
    );
  };
  const service = await start({ WORKERS: '1' });
  expect(await heapMb(service)).toBe(limitMb(512));
  await service.stop();
  const other = await start({ WORKERS: '1', NODE_OPTIONS: '--max-old-space-size=700' });
  expect(await heapMb(other)).toBe(limitMb(700));
});

test('a process that cannot start fails the start, and nothing is left running', async () => {
  const before = childrenOf(process.pid).map(({ pid }) => pid);
  const broken = { ...programs, worker: fixture('broken') };
  await expect(start({}, { programs: broken })).rejects.toThrow(/broken\.ts did not start: exit code 3/);
  const left = childrenOf(process.pid).filter(
    ({ pid, command }) => !before.includes(pid) && !command.startsWith('ps '),
  );
  expect(left).toEqual([]);
});

test('the parent adds nothing if a process has printed why it failed', async () => {
  const main = join(dataDir, 'failing.mjs');
  await writeFile(main, 'process.exit(1); // It would have said why.\n');
  const failing = { ...programs, api: { main, args: [] } };
  await expect(start({}, { programs: failing })).rejects.toMatchObject({ message: '', exitCode: 1 });
});

test('a port that becomes free while waiting is used', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  setTimeout(() => other.close(), 1_000);
  expect(new URL((await start({ PORT: String(port) })).url).port).toBe(String(port));
});

test('a process that does not end is killed', async () => {
  const service = await start({ WORKERS: '1' }, { programs: { ...programs, worker: fixture('stubborn') } });
  await service.stop(300);
});

test('a second stop with a shorter timeout takes effect', async () => {
  const service = await start({ WORKERS: '1' }, { programs: { ...programs, worker: fixture('stubborn') } });
  // Longer than the test may take.
  await Promise.all([service.stop(900_000), service.stop(0)]);
});

test('an unreachable Redis is reported with its address and advice, without the password', async () => {
  await expect(start({ REDIS_URL: 'redis://someone:s3cret@127.0.0.1:1/2' })).rejects.toThrow(
    /^Redis at redis:\/\/127\.0\.0\.1:1\/2 did not answer within 5 s \(connect ECONNREFUSED 127\.0\.0\.1:1\): is it running, and is REDIS_URL right\?$/,
  );
});

describe.skipIf(findRedisServer(process.env['PATH']) === undefined)('on a private Redis', () => {
  test('API, workers and Redis run in one process group, and only worker command lines contain worker', async () => {
    const service = await start();
    expect(await double(service, 21)).toBe(42);
    expect(said).toEqual([]);
    const ours = childrenOf(process.pid).filter(({ command }) => /fixtures|redis\.sock/.test(command));
    const mine = processes().find(({ pid }) => pid === process.pid);
    expect(new Set(ours.map(({ group }) => group))).toEqual(new Set([mine?.group]));
    expect(ours.filter(({ command }) => command.includes('worker')).length).toBe(2);
  });

  test('killed processes are restarted: Redis with its jobs, a worker with a notice, the API on its port', async () => {
    const exits: WorkerExit[] = [];
    const service = await start({}, { onWorkerExit: (exit) => exits.push(exit) });
    const [redis] = childrenOf(process.pid, service.redisUrl);
    process.kill(redis?.pid ?? 0, 'SIGKILL');
    const others = () => childrenOf(process.pid, service.redisUrl).filter(({ pid }) => pid !== redis?.pid);
    await expect.poll(() => others().length, { timeout: 5_000 }).toBe(1);
    expect(await double(service, 1)).toBe(2);

    const [worker] = childrenOf(process.pid, 'fixtures/worker');
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => exits.length).toBe(1);
    expect(exits[0]).toEqual({ name: expect.stringMatching(/^worker-[12]$/), pid: worker?.pid, how: 'signal SIGKILL' });
    await expect.poll(() => childrenOf(process.pid, 'fixtures/worker').length, { timeout: 5_000 }).toBe(2);
    expect(await double(service, 2)).toBe(4);

    const first = await apiPid(service);
    process.kill(Number(first), 'SIGKILL');
    await expect.poll(() => apiPid(service), { timeout: 10_000, interval: 100 }).toMatch(/^\d+$/);
    expect(await apiPid(service)).not.toBe(first);
  });

  test('two services run at once on two data folders, but not on one', async () => {
    const one = await start();
    const otherDir = await mkdtemp(join(tmpdir(), 'rates-other-'));
    const other = await start({ DATA_DIR: otherDir, WORKERS: '1' });
    expect(await Promise.all([double(one, 1), double(other, 2)])).toEqual([2, 4]);
    await expect(start()).rejects.toThrow(
      `Another service uses ${dataDir}. Stop it, or choose another folder with DATA_DIR.`,
    );
    expect(await double(one, 3)).toBe(6);
    await other.stop();
    await rm(otherDir, { recursive: true });
  });
});
