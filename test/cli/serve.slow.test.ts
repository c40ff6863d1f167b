import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findRedisServer } from '../../src/base/redis/private-redis.ts';
import { folderForEachTest } from '../folder.ts';
import { childrenOf, type Process, processes } from './processes.ts';
import { ROOT, rates, startRates } from './rates.ts';

// Each test starts several processes from their sources.
vi.setConfig({ testTimeout: 90_000 });

const fixture = join(import.meta.dirname, 'fixtures', 'serve.ts');
const hasRedis = findRedisServer(process.env['PATH']) !== undefined;

let dataDir: string;
const started: ChildProcess[] = [];

interface Served {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly line: string;
  /** The processes of its Redis, API and worker. */
  readonly parts: readonly Process[];
}

/** Runs it as the leader of a process group, as a terminal does. */
const serve = async (env: NodeJS.ProcessEnv = {}): Promise<Served> => {
  const settings = { PORT: '0', WORKERS: '1', DATA_DIR: dataDir, REDIS_URL: '', LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, ['--import', 'tsx', fixture], {
    env: { ...process.env, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  started.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const pid = child.pid ?? 0;
  // tsx compiles changed sources in a separate process.
  const parts = childrenOf(pid).filter(({ command }) => !command.includes('esbuild'));
  return { child, pid, line: String(line), parts };
};

const alive = (pids: readonly Process[]): readonly string[] =>
  processes()
    .filter(({ pid }) => pids.some((one) => one.pid === pid))
    .map(({ command }) => command);

const signalled = async ({ child, pid }: Served, signal: NodeJS.Signals, target = pid): Promise<unknown> => {
  const exit = once(child, 'exit');
  process.kill(target, signal);
  const [code] = await exit;
  return code;
};

folderForEachTest((made) => (dataDir = made));
afterEach(() => {
  for (const { pid, exitCode, signalCode } of started.splice(0)) {
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  }
});

test('it prints its address, and SIGTERM ends all of it with exit code 0', async () => {
  const served = await serve();
  expect(served.line).toMatch(/^Shipping rates are served at http:\/\/127\.0\.0\.1:\d+$/);
  expect(served.parts.length).toBe(3);
  expect(await signalled(served, 'SIGTERM')).toBe(0);
  expect(alive(served.parts)).toEqual([]);
});

test.each([
  ['JSON', '', /^\{"level":"info",.*"name":"(api|worker|serve)".*\}$/],
  ['text, if LOG_FORMAT says so', 'text', /^[\d:.]{12} info {2}(api|worker|serve)\[\d+\]: /],
])('without a terminal, all its processes log %s', async (_what, LOG_FORMAT, form) => {
  const settings = { PORT: '0', WORKERS: '1', DATA_DIR: dataDir, REDIS_URL: '', LOG_LEVEL: 'info', LOG_FORMAT };
  const child = startRates(['serve'], settings);
  if (child.stdout === null || child.stderr === null) throw new Error('it has no pipes');
  const logged = text(child.stderr);
  await once(createInterface({ input: child.stdout }), 'line');
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
  const lines = (await logged).trimEnd().split('\n');
  expect(lines.filter((line) => !form.test(line))).toEqual([]);
  const names = lines.map((line) => form.exec(line)?.[1]);
  expect([...new Set(names)].toSorted()).toEqual(['api', 'serve', 'worker']);
});

test.each([
  ['a Ctrl-C', 'SIGINT'],
  ['a closed terminal', 'SIGHUP'],
] as const)('%s, which reaches every process of the group, ends all of it with exit code 0', async (_, signal) => {
  const served = await serve();
  expect(await signalled(served, signal, -served.pid)).toBe(0);
  expect(alive(served.parts)).toEqual([]);
});

describe('it does not start and says why once:', () => {
  const refused = async (env: NodeJS.ProcessEnv) => {
    const settings = { PORT: '0', WORKERS: '2', DATA_DIR: dataDir, REDIS_URL: '', LOG_LEVEL: 'info' };
    const { code, stderr, stdout } = await rates(['serve'], { env: { ...settings, ...env } });
    expect([code, stdout.toString()]).toEqual([1, '']);
    return stderr;
  };

  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect(await refused({ PORT: String(port) })).toBe(
      `Port ${port} is in use. Choose another with PORT; 0 takes any free port.\n`,
    );
    other.close();
  });

  test('a broken clients file', async () => {
    const file = join(dataDir, 'clients.json');
    await writeFile(file, '{');
    expect(await refused({ CLIENTS_FILE: file })).toBe(
      `${file} cannot be used:\n  it is not JSON: line 1, column 2: Expected property name or '}'\n`,
    );
  });

  test('sample secrets beyond loopback', async () => {
    const file = join(dataDir, 'clients.json');
    await cp(join(ROOT, 'samples', 'clients.json'), file);
    expect(await refused({ CLIENTS_FILE: file, HOST: '0.0.0.0' })).toBe(
      `${file} cannot be used:\n  it contains a sample secret, which is public: listen on 127.0.0.1 only\n`,
    );
  });
});

test('on the in-memory Redis, a kill -9 leaves no process behind', async () => {
  const served = await serve({ PATH: '/nowhere' });
  expect(served.parts.length).toBe(3);
  await signalled(served, 'SIGKILL');
  await expect.poll(() => alive(served.parts), { timeout: 15_000 }).toEqual([]);
});

describe.skipIf(!hasRedis)('on a private Redis (needs redis-server or valkey-server)', () => {
  test('after kill -9 and a new start, no process of the first one is left', async () => {
    const first = await serve();
    await signalled(first, 'SIGKILL');
    const redis = first.parts.filter(({ command }) => command.includes('redis.sock'));
    await expect.poll(() => alive(first.parts), { timeout: 15_000 }).toEqual(redis.map(({ command }) => command));

    const second = await serve();
    expect(alive(first.parts)).toEqual([]);
    expect(await signalled(second, 'SIGTERM')).toBe(0);
    expect(alive(second.parts)).toEqual([]);
  });

  test('kill -9 of the process group leaves no process behind', async () => {
    const served = await serve();
    await signalled(served, 'SIGKILL', -served.pid);
    await expect.poll(() => alive(served.parts), { timeout: 15_000 }).toEqual([]);
  });
});
