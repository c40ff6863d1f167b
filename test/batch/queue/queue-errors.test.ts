import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { Redis } from '../../../src/base/redis/connection.ts';
import { createQueueErrors } from '../../../workers/worker.ts';
import { openRedis, redisForFile, type TestRedis } from '../../redis.ts';

let server: TestRedis;
let redis: Redis;
redisForFile((made) => (server = made));
afterEach(() => redis.disconnect());

const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { syscall: 'connect' });

const started = async () => {
  redis = await openRedis(server.url);
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).err.message) });
  return { logged, queueError: createQueueErrors(redis, log, 1) };
};

test('an error of a queue is not logged if it only repeats that Redis is unavailable', async () => {
  const { logged, queueError } = await started();
  redis.emit('error', new Error('WRONGPASS who are you'));
  queueError('chunk', new Error('WRONGPASS who are you'));
  queueError('chunk', refused());
  queueError('chunk', new Error('Connection is closed.'));
  queueError('chunk', new Error('could not renew lock for job 7'));
  redis.emit('ready');
  queueError('chunk', new Error('WRONGPASS who are you'));
  expect(logged).toEqual(['could not renew lock for job 7', 'WRONGPASS who are you']);
});

test('it is logged once if only its own connection is lost', async () => {
  const { logged, queueError } = await started();
  for (const queue of ['chunk', 'assemble', 'chunk']) queueError(queue, refused());
  await expect.poll(() => logged).toEqual(['connect ECONNREFUSED 127.0.0.1:9']);
});

test('it is not logged if the connection reports the loss a moment later, even if Redis is soon back', async () => {
  const { logged, queueError } = await started();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  queueError('chunk', refused());
  redis.emit('close');
  redis.emit('ready');
  vi.runAllTimers();
  vi.useRealTimers();
  expect(logged).toEqual([]);
});
