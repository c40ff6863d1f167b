import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { STOOD_STILL } from '../../src/cli/exit.ts';
import { findRedisServer, startPrivateRedis } from '../../src/redis/private-redis.ts';
import { createQueueErrors } from '../../workers/queue-errors.ts';
import { soon } from '../soon.ts';
import { childrenOf } from './processes.ts';
import { ROOT, rates, startRates } from './rates.ts';

const binary = findRedisServer(process.env['PATH']) ?? '';
/** Nothing listens here: the discard port. */
const NO_REDIS = 'redis://someone:s3cret@127.0.0.1:9';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'worker-'));
});
/** What a failed test leaves running would keep the whole run from its end. */
const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of left.splice(0)) await end();
  await rm(dir, { recursive: true, force: true });
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

/** Listens instead of Redis, and resets each connection. `count` tells how many there were. */
const refuseConnections = async (port = 0) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.resetAndDestroy();
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  left.push(() => server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server listens on no port.');
  return { port: address.port, count: () => connections, stop: () => once(server.close(), 'close') };
};

test('an unreachable Redis is reported once, with its address and advice', async () => {
  const { port, count } = await refuseConnections();
  const { child, lines } = startLogged(`redis://someone:s3cret@127.0.0.1:${port}`);
  await soon(() => expect(count()).toBeGreaterThan(5));
  expect(logCounts(lines)).toEqual({ 'Redis is away: is it running, and is REDIS_URL right?': 1 });
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
    await soon(() => expect(logCounts(lines)).toEqual({ 'Redis is away': 1 }));
    const { count, stop } = await refuseConnections(server.endpoint.port);
    // Several tries of each of its nine connections.
    await soon(() => expect(count()).toBeGreaterThan(45));
    expect(logCounts(lines)).toEqual({ 'Redis is away': 1 });
    await stop();
    server = await startPrivateRedis({ binary, dir, endpoint: server.endpoint });
    left.push(server.stop);
    await soon(() => expect(logCounts(lines)).toEqual({ 'Redis is away': 1, 'Redis is back': 1 }));
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(logCounts(lines)).toEqual({ 'Redis is away': 1, 'Redis is back': 1 });
  });

  test('it is started again after it ended because it stalled', async () => {
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

  test('it ends in plain words, without the password, if Redis refuses access', async () => {
    const server = await startPrivateRedis({ binary, dir });
    const { port } = server.endpoint;
    const { code, stderr } = await rates(['worker'], { env: { REDIS_URL: `redis://:s3cret@127.0.0.1:${port}` } });
    await server.stop();
    expect([code, stderr]).toEqual([
      1,
      `Redis at redis://127.0.0.1:${port} refuses the user and password of REDIS_URL (WRONGPASS): are they right?\n`,
    ]);
  });
});

describe('an error of a queue', () => {
  const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { syscall: 'connect' });
  const started = () => {
    const redis = Object.assign(new EventEmitter(), { status: 'ready' as const });
    const logged: string[] = [];
    const log = { warn: ({ err }: { err: Error }) => void logged.push(err.message) };
    return { redis, logged, queueError: createQueueErrors(redis as never, log as never, 1) };
  };

  test('is not logged if it only repeats that Redis is away', () => {
    const { redis, logged, queueError } = started();
    redis.emit('error', new Error('WRONGPASS who are you'));
    queueError('chunk', new Error('WRONGPASS who are you'));
    queueError('chunk', refused());
    queueError('chunk', new Error('Connection is closed.'));
    queueError('chunk', new Error('could not renew lock for job 7'));
    redis.emit('ready');
    queueError('chunk', new Error('WRONGPASS who are you'));
    expect(logged).toEqual(['could not renew lock for job 7', 'WRONGPASS who are you']);
  });

  test('is logged once if only its own connection is lost', async () => {
    const { logged, queueError } = started();
    for (const queue of ['chunk', 'assemble', 'chunk']) queueError(queue, refused());
    await expect.poll(() => logged).toEqual(['connect ECONNREFUSED 127.0.0.1:9']);
  });

  test('is not logged if the connection reports the loss a moment later, even if Redis is soon back', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { redis, logged, queueError } = started();
    queueError('chunk', refused());
    redis.emit('close');
    redis.emit('ready');
    vi.runAllTimers();
    vi.useRealTimers();
    expect(logged).toEqual([]);
  });
});
