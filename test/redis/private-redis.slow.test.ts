import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from '../../src/base/process/folder-lock.ts';
import { findRedisServer, type PrivateRedis, startPrivateRedis } from '../../src/base/redis/private-redis.ts';

const binary = findRedisServer(process.env['PATH']) ?? '';

test('searches the given PATH for a Redis', () => {
  expect(findRedisServer('/nowhere:/neither')).toBeUndefined();
  expect(findRedisServer(undefined)).toBeUndefined();
});

describe.skipIf(binary === '')('a private Redis (needs redis-server or valkey-server)', () => {
  let dir: string;
  const running: PrivateRedis[] = [];
  const start = async (options: { dir?: string; endpoint?: PrivateRedis['endpoint'] } = {}): Promise<PrivateRedis> => {
    const redis = await startPrivateRedis({ binary, dir, ...options });
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

  test('listens on loopback with a password and stores data', async () => {
    const redis = await start();
    const settings = ['bind', 'appendonly', 'appendfsync', 'maxmemory-policy', 'dir', 'protected-mode'];
    const told = await ask(redis, (it) => Promise.all(settings.map((name) => it.config('GET', name))));
    expect(told).toEqual([
      ['bind', '127.0.0.1'],
      ['appendonly', 'yes'],
      ['appendfsync', 'everysec'],
      ['maxmemory-policy', 'noeviction'],
      ['dir', await realpath(dir)],
      ['protected-mode', 'yes'],
    ]);
    const stranger = { url: `redis://127.0.0.1:${redis.endpoint.port}` };
    await expect(ask(stranger, (it) => it.get('a'))).rejects.toThrow('NOAUTH');
    expect((await stat(join(dir, 'endpoint.json'))).mode & 0o777).toBe(0o600);
  });

  test('has its data after a stop, and after a kill -9 at the same endpoint', async () => {
    const first = await start();
    await ask(first, (it) => it.set('a', '1'));
    await first.stop();
    expect(await readdir(dir)).toEqual(['appendonlydir']);

    const second = await start();
    expect(await ask(second, (it) => it.get('a'))).toBe('1');
    await ask(second, (it) => it.set('b', '2'));
    process.kill(second.pid, 'SIGKILL');
    expect(await second.exited).toBe('signal SIGKILL');

    const third = await start({ endpoint: second.endpoint });
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

  test('of another data folder is left alone, even if the folder is a copy', async () => {
    const other = await start();
    await ask(other, (it) => it.set('a', '1'));
    const copy = await mkdtemp(join(tmpdir(), 'rates-copy-'));
    await cp(dir, copy, { recursive: true });
    const mine = await start({ dir: copy });
    await ask(mine, (it) => it.set('a', '2'));
    expect(isAlive(other.pid)).toBe(true);
    expect(await ask(other, (it) => it.get('a'))).toBe('1');
    await mine.stop();
    await rm(copy, { recursive: true });
  });

  test('does not start if the required port is taken, and leaves the other server alone', async () => {
    const first = await start();
    await first.stop();
    const stranger = createServer((socket) => socket.end('-ERR no\r\n'));
    await once(stranger.listen(first.endpoint.port, '127.0.0.1'), 'listening');
    await expect(start({ endpoint: first.endpoint })).rejects.toThrow('No free port');
    expect(stranger.listening).toBe(true);
    stranger.close();
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

    const lockUrl = new URL('../../src/base/process/folder-lock.ts', import.meta.url).href;
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
