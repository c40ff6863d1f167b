import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from '../../../src/base/process/folder-lock.ts';
import { connect } from '../../../src/base/redis/connection.ts';
import { findRedisServer, type RunningRedis, startPrivateRedis } from '../../../src/base/redis/private-redis.ts';

const binary = findRedisServer(process.env['PATH']) ?? '';

test('searches the given PATH for a Redis', () => {
  expect(findRedisServer('/nowhere:/neither')).toBeUndefined();
  expect(findRedisServer(undefined)).toBeUndefined();
});

describe.skipIf(binary === '')('a private Redis (needs redis-server or valkey-server)', () => {
  let dir: string;
  const running: RunningRedis[] = [];
  const start = async (own = dir): Promise<RunningRedis> => {
    const redis = await startPrivateRedis({ binary, dir: own });
    running.push(redis);
    return redis;
  };
  const ask = async <T>({ url }: { url: string }, question: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
    redis.on('error', () => undefined);
    try {
      return await question(redis);
    } finally {
      redis.disconnect();
    }
  };
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'rates-private-'));
  });
  afterEach(async () => {
    for (const redis of running.splice(0)) await redis.stop();
    await rm(dir, { recursive: true, force: true });
  });

  test('listens on a socket of this user alone, and on no port, and stores data', async () => {
    const redis = await start();
    const settings = ['port', 'unixsocket', 'appendonly', 'appendfsync', 'maxmemory-policy', 'dir'];
    const told = await ask(redis, (it) => Promise.all(settings.map((name) => it.config('GET', name))));
    const path = join(await realpath(dir), 'redis.sock');
    expect(told).toEqual([
      ['port', '0'],
      ['unixsocket', path],
      ['appendonly', 'yes'],
      ['appendfsync', 'everysec'],
      ['maxmemory-policy', 'noeviction'],
      ['dir', await realpath(dir)],
    ]);
    expect(redis.url).toBe(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  test('has a short path for its socket if the folder’s is too long, in a folder of this user alone', async () => {
    const long = join(dir, 'long'.repeat(30));
    const redis = await start(long);
    await ask(redis, (it) => it.set('a', '1'));
    const folder = dirname(redis.url);
    expect(dirname(folder)).toBe(tmpdir());
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    // It is found there if it outlives its owner.
    const next = await start(long);
    expect([next.url, isAlive(redis.pid)]).toEqual([redis.url, false]);
    expect(await ask(next, (it) => it.get('a'))).toBe('1');
    await next.stop();
    await chmod(folder, 0o755);
    await expect(start(long)).rejects.toThrow(`${folder}, for the socket of the private Redis, is open to other users`);
    await rm(folder, { recursive: true });
  });

  test('works in a folder with signs that an address has', async () => {
    const odd = join(dir, '50% "#?é');
    const redis = await start(odd);
    const connection = connect(redis.url, 'worker', { log: pino({ level: 'silent' }) });
    expect(await connection.set('a', '1')).toBe('OK');
    connection.disconnect();
  });

  test('has its data after a stop, and after a kill -9 at the same address', async () => {
    const first = await start();
    await ask(first, (it) => it.set('a', '1'));
    await first.stop();
    expect(await readdir(dir)).toEqual(['appendonlydir']);

    const second = await start();
    expect(await ask(second, (it) => it.get('a'))).toBe('1');
    await ask(second, (it) => it.set('b', '2'));
    process.kill(second.pid, 'SIGKILL');
    expect(await second.exited).toBe('signal SIGKILL');

    const third = await start();
    expect(third.url).toBe(second.url);
    expect(await ask(third, (it) => it.mget('a', 'b'))).toEqual(['1', '2']);
  });

  test('that outlived its owner is shut down at the next start and keeps its data', async () => {
    const orphan = await start();
    await ask(orphan, (it) => it.set('a', '1'));
    const next = await start();
    expect(next.pid).not.toBe(orphan.pid);
    expect(isAlive(orphan.pid)).toBe(false);
    expect(await ask(next, (it) => it.get('a'))).toBe('1');
  });

  test('that outlived its owner and does not answer stops the start', async () => {
    const orphan = await start();
    process.kill(orphan.pid, 'SIGSTOP');
    try {
      await expect(startPrivateRedis({ binary, dir, orphanTimeoutMs: 1 })).rejects.toThrow('does not answer. End it');
    } finally {
      process.kill(orphan.pid, 'SIGCONT');
    }
  });

  test('of another data folder is left alone', async () => {
    const other = await start();
    const mine = await start(join(dir, 'mine'));
    await ask(other, (it) => it.set('a', '1'));
    await ask(mine, (it) => it.set('a', '2'));
    expect(await ask(other, (it) => it.get('a'))).toBe('1');
  });

  test('reports why it cannot start', async () => {
    const script = join(dir, 'redis-server');
    await writeFile(script, '#!/bin/sh\necho Bad directive\nexit 3\n', { mode: 0o755 });
    await expect(startPrivateRedis({ binary: script, dir })).rejects.toThrow(
      `${script} did not start (exit code 3): Bad directive`,
    );
  });
});

describe('the lock of a data folder', () => {
  test('is held by one process until a release or a kill -9', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'rates-lock-'));
    const held = await lockFolder(dir);
    expect(await lockFolder(dir)).toBeUndefined();
    await held?.release();

    const lockUrl = new URL('../../../src/base/process/folder-lock.ts', import.meta.url).href;
    const program = `const { lockFolder } = await import('${lockUrl}');
      console.log((await lockFolder('${dir}')) !== undefined); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(holder.stdout, 'data');
    expect(String(said)).toBe('true\n');
    expect(await lockFolder(dir)).toBeUndefined();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const again = await lockFolder(dir);
    expect(again).toBeDefined();
    await again?.release();
    await rm(dir, { recursive: true });
  });
});
