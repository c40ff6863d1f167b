import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test } from 'vitest';
import { findRedisServer, startPrivateRedis } from '../../src/base/redis/private-redis.ts';
import { somePort } from '../../src/base/redis/some-port.ts';
import { STOOD_STILL } from '../../src/cli/exit.ts';
import { refuseConnections } from '../base/redis/refused.ts';
import { folderForEachTest } from '../folder.ts';
import { soon } from '../soon.ts';
import { childrenOf } from './processes.ts';
import { ROOT, rates, startRates } from './rates.ts';

const binary = findRedisServer(process.env['PATH']) ?? '';
/** Nothing listens here: the discard port. */
const NO_REDIS = 'redis://someone:s3cret@127.0.0.1:9';

let dir: string;
folderForEachTest((made) => (dir = made));
/** What a failed test leaves running would keep the whole run from its end. */
const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of left.splice(0)) await end();
});

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly redis?: string;
}

/** The worker itself, as its parent starts it, and its log lines. */
const startLogged = (redisUrl: string): { readonly child: ChildProcess; readonly lines: readonly Line[] } => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'src', 'cli', 'main.ts'), 'worker', '--no-restart'],
    {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dir, REDIS_URL: redisUrl, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'inherit', 'pipe'],
    },
  );
  left.push(() => child.kill('SIGKILL'));
  const lines: Line[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => void lines.push(JSON.parse(line)));
  return { child, lines };
};

/** The number of log lines per message, above `info` or about Redis. */
const logCounts = (lines: readonly Line[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { level, msg } of lines)
    if (level !== 'info' || msg.startsWith('Redis')) counts[msg] = (counts[msg] ?? 0) + 1;
  return counts;
};

test('an unreachable Redis is reported once, with its address and advice', async () => {
  const { port, count, stop } = await refuseConnections();
  left.push(stop);
  const { child, lines } = startLogged(`redis://someone:s3cret@127.0.0.1:${port}`);
  await soon(() => expect(count()).toBeGreaterThan(5));
  expect(logCounts(lines)).toEqual({ 'Redis is unavailable: is it running, and is REDIS_URL right?': 1 });
  expect(lines[0]).toMatchObject({ redis: `redis://127.0.0.1:${port}` });
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
});

test('a worker whose parent is killed while it waits for Redis ends too', async () => {
  const parent = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'src', 'cli', 'main.ts'), 'worker'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dir, REDIS_URL: NO_REDIS, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  await once(parent.stderr, 'data');
  const [worker] = childrenOf(parent.pid ?? 0, 'worker');
  expect(worker).toBeDefined();
  parent.kill('SIGKILL');
  await soon(() => expect(() => process.kill(worker?.pid ?? 0, 0)).toThrow('ESRCH'));
});

test('without REDIS_URL it does not start', async () => {
  const { code, stderr } = await rates(['worker'], { env: { REDIS_URL: '' } });
  expect([code, stderr]).toEqual([1, expect.stringContaining('REDIS_URL is not set')]);
});

describe.skipIf(binary === '')('on a private Redis (needs redis-server or valkey-server)', () => {
  test('it reports the loss and the return of Redis once', async () => {
    let server = await startPrivateRedis({ binary, dir });
    const { child, lines } = startLogged(server.url);
    await soon(() => expect(lines.map(({ msg }) => msg)).toContain('worker ready'));
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    await soon(() => expect(logCounts(lines)).toEqual({ 'Redis is unavailable': 1 }));
    const { count, stop } = await refuseConnections(server.url);
    left.push(stop);
    // Several tries of each of its nine connections.
    await soon(() => expect(count()).toBeGreaterThan(45));
    expect(logCounts(lines)).toEqual({ 'Redis is unavailable': 1 });
    await stop();
    server = await startPrivateRedis({ binary, dir });
    left.push(server.stop);
    await soon(() => expect(logCounts(lines)).toEqual({ 'Redis is unavailable': 1, 'Redis is available again': 1 }));
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(logCounts(lines)).toEqual({ 'Redis is unavailable': 1, 'Redis is available again': 1 });
  });

  test('it is restarted after it stalled', async () => {
    const server = await startPrivateRedis({ binary, dir });
    const mark = join(dir, 'stood-still');
    const first = join(dir, 'first.mjs');
    await writeFile(
      first,
      `import { existsSync, writeFileSync } from 'node:fs';
      const isFirst = process.argv.includes('--no-restart') && !existsSync('${mark}');
      if (isFirst) writeFileSync('${mark}', '');
      if (isFirst) process.exit(${STOOD_STILL});`,
    );
    const env = { DATA_DIR: dir, REDIS_URL: server.url, LOG_LEVEL: 'info', NODE_OPTIONS: `--import ${first}` };
    const child = startRates(['worker'], env);
    let log = '';
    child.stderr?.on('data', (text) => (log += text));
    await soon(() => expect(log).toContain('worker ready'));
    expect(existsSync(mark)).toBe(true);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await server.stop();
  });

  test('it is started again after it was killed, and the log says so', async () => {
    const server = await startPrivateRedis({ binary, dir });
    const child = startRates(['worker'], { DATA_DIR: dir, REDIS_URL: server.url, LOG_LEVEL: 'info' });
    let log = '';
    child.stderr?.on('data', (text) => (log += text));
    await soon(() => expect(log).toContain('worker ready'));
    const [worker] = childrenOf(child.pid ?? 0, 'worker');
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await soon(() => expect(log.match(/worker ready/g)).toHaveLength(2));
    expect(log).toMatch(/SIGKILL.*ended on its own, restarting/);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await server.stop();
  });

  test('it ends in plain words, without the password, if Redis refuses access', async () => {
    const server = await startPrivateRedis({ binary, dir });
    const port = somePort();
    const redis = new Redis(server.url);
    await redis.config('SET', 'port', port);
    await redis.config('SET', 'requirepass', 'other');
    redis.disconnect();
    const { code, stderr } = await rates(['worker'], { env: { REDIS_URL: `redis://:s3cret@127.0.0.1:${port}` } });
    await server.stop();
    expect([code, stderr]).toEqual([
      1,
      `Redis at redis://127.0.0.1:${port} refuses the user and password of REDIS_URL (WRONGPASS): are they right?\n`,
    ]);
  });

  test.each(['worker', 'api', 'serve'])(
    'rates %s does not start on a Redis that may evict keys, and says so',
    async (command) => {
      const server = await startPrivateRedis({ binary, dir });
      left.push(server.stop);
      const redis = new Redis(server.url);
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      redis.disconnect();
      const { code, stdout, stderr } = await rates([command], {
        env: { REDIS_URL: server.url, DATA_DIR: dir, PORT: '0' },
      });
      const says = 'Redis evicts keys when its memory is full (maxmemory-policy allkeys-lru): set it to noeviction.\n';
      expect([code, stdout.toString(), stderr]).toEqual([1, '', says]);
    },
  );

  test('an API alone warns of a Redis that loses its data at a restart', async () => {
    const server = await startPrivateRedis({ binary, dir });
    left.push(server.stop);
    const redis = new Redis(server.url);
    await redis.config('SET', 'appendonly', 'no');
    redis.disconnect();
    const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'src', 'cli', 'main.ts'), 'api'], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dir, REDIS_URL: server.url, LOG_LEVEL: 'warn', PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    left.push(() => child.kill('SIGKILL'));
    const [line] = await once(createInterface({ input: child.stderr }), 'line');
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      msg: 'Redis saves nothing to disk, so a restart of Redis delays queued work: set appendonly yes.',
    });
  });

  test('it ends in plain words if Redis has no such database, and never uses another one', async () => {
    const server = await startPrivateRedis({ binary, dir });
    const { code, stderr } = await rates(['worker'], { env: { REDIS_URL: `${server.url}?db=99` } });
    const redis = new Redis(server.url);
    const keys = await redis.keys('*');
    redis.disconnect();
    await server.stop();
    const words = `refuses the database of REDIS_URL (ERR DB index is out of range): is it right?\n`;
    expect([code, stderr, keys]).toEqual([1, `Redis at ${server.url}?db=99 ${words}`, []]);
  });
});
