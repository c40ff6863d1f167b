import { networkInterfaces } from 'node:os';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { checkRedis } from '../../../src/base/redis/check-redis.ts';
import { connect, waitUntilReady } from '../../../src/base/redis/connection.ts';
import { startInMemoryRedis, startLocalRedis } from '../../../src/base/redis/local-redis.ts';

const log = createLog({ level: 'silent', name: 'test' });
const options = { production: false, execArgv: ['--import', 'tsx'], env: process.env };

test('the in-memory Redis passes the check of Redis, and restarts empty at the same port', async () => {
  const first = await startInMemoryRedis(options);
  const connection = connect(first.url, 'producer', { log });
  await waitUntilReady(connection, 5_000);
  expect((await checkRedis(connection)).problems).toEqual([]);
  await connection.set('a', '1');
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toBe('signal SIGKILL');

  const second = await startInMemoryRedis(options, Number(new URL(first.url).port));
  expect(second.url).toBe(first.url);
  await waitUntilReady(connection, 5_000);
  expect(await connection.get('a')).toBeNull();
  connection.disconnect();
  await second.stop();
});

test('the in-memory Redis listens only on loopback', async () => {
  const inMemory = await startInMemoryRedis(options);
  const { port } = new URL(inMemory.url);
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
  const tries = outside === undefined ? [] : [outside];
  for (const host of [...tries, '::1']) {
    const redis = new Redis({ host, port: Number(port), lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => undefined);
    await expect(redis.connect()).rejects.toThrow('Connection is closed.');
  }
  await inMemory.stop();
});

test('the in-memory Redis sends a second reply without waiting for an acknowledgement', async () => {
  const inMemory = await startInMemoryRedis(options);
  const redis = new Redis(inMemory.url);
  await redis.ping();
  const timesMs: number[] = [];
  for (let time = 0; time < 20; time += 1) {
    const begun = performance.now();
    await Promise.all([redis.ping(), redis.ping()]);
    timesMs.push(performance.now() - begun);
  }
  expect(Math.min(...timesMs)).toBeLessThan(20);
  redis.disconnect();
  await inMemory.stop();
});

test('the in-memory Redis keeps an item that a disconnected client waited for', async () => {
  const inMemory = await startInMemoryRedis(options);
  const gone = new Redis(inMemory.url);
  await gone.ping();
  const waiting = gone.bzpopmin('queue', 5);
  const redis = new Redis(inMemory.url);
  const clients = async () => `${await redis.client('LIST')}`.trim().split('\n').length;
  expect(await clients()).toBe(2);
  gone.disconnect();
  await expect(waiting).rejects.toThrow('Connection is closed');
  await expect.poll(clients).toBe(1);
  await redis.zadd('queue', 1, 'a job');
  expect(await redis.zrange('queue', '0', '-1')).toEqual(['a job']);
  redis.disconnect();
  await inMemory.stop();
});

test('the in-memory Redis ignores SIGINT and SIGTERM, because other processes of the group still need it', async () => {
  const inMemory = await startInMemoryRedis(options);
  process.kill(inMemory.pid, 'SIGINT');
  process.kill(inMemory.pid, 'SIGTERM');
  const redis = new Redis(inMemory.url);
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
  await inMemory.stop();
  expect(await inMemory.exited).toBe('signal SIGKILL');
});

test('the in-memory Redis is refused in production, with a remedy', async () => {
  await expect(startInMemoryRedis({ ...options, production: true })).rejects.toThrow(
    'There is no Redis: neither redis-server nor valkey-server is on the PATH, and the in-memory Redis for trying things out ' +
      'is refused with NODE_ENV=production. Install one (apt-get install redis-server, brew install redis), or set ' +
      'REDIS_URL.',
  );
});

test('if no server is on the PATH, the in-memory Redis runs', async () => {
  const env = { ...process.env, PATH: '/nowhere' };
  const redis = await startLocalRedis({ ...options, dataDir: '/nowhere', env });
  expect(redis.kind).toBe('in-memory');
  await redis.stop();
});
