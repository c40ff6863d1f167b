import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { poll } from '../../src/base/poll.ts';
import { soon } from '../soon.ts';

test('calls at once, then repeatedly and never concurrently, until it is stopped', async () => {
  let calls = 0;
  let running = 0;
  let mostRunning = 0;
  const check = async (): Promise<void> => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await sleep(5);
    calls += 1;
    running -= 1;
  };
  const { first, stop } = poll(check, 1);
  await first;
  expect(calls).toBeGreaterThan(0);
  await soon(() => expect(calls).toBeGreaterThan(3));
  expect(mostRunning).toBe(1);
  stop();
  // A running call still ends.
  await sleep(20);
  const then = calls;
  await sleep(30);
  expect(calls).toBe(then);
});
