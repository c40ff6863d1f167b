import { expect, test } from 'vitest';
import { isOfRedis, isOutage } from '../../../src/base/redis/connection.ts';

// What ioredis says of a call while the masters of a Cluster change.
test.each([
  'Connection is closed.',
  "Cluster isn't ready and enableOfflineQueue options is false",
  'Too many Cluster redirections. Last error: Error: Connection is closed.',
])('%s: Redis is unavailable, and the call can be made again', (message) => {
  expect([isOutage(new Error(message)), isOfRedis(new Error(message))]).toEqual([true, true]);
});

test('an error of our own is no outage', () => {
  expect(isOutage(new Error('Cannot read properties of undefined'))).toBe(false);
});
