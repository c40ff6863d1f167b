import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withDeadline } from '../src/base/deadline.ts';
import { collectGarbage } from './garbage.ts';

const NEVER = new AbortController().signal;

/** Ends only with the signal. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

test('work that takes too long is ended, even after a garbage collection', async () => {
  const ending = withDeadline(100, NEVER, untilAborted).catch((error: Error) => error.name);
  await collectGarbage();
  expect(await Promise.race([ending, sleep(5_000, 'it still runs')])).toBe('TimeoutError');
});

test('work ends with the outer signal, and with its reason', async () => {
  const outer = new AbortController();
  const ending = withDeadline(60_000, outer.signal, untilAborted);
  await collectGarbage();
  outer.abort(new Error('the process stops'));
  await expect(ending).rejects.toThrow('the process stops');
});

test('work is not started if the outer signal is aborted', async () => {
  let begun = false;
  const work = async (): Promise<void> => {
    begun = true;
  };
  await expect(withDeadline(60_000, AbortSignal.abort(new Error('stopped')), work)).rejects.toThrow('stopped');
  expect(begun).toBe(false);
});

test('the result of work in time is returned, and no timer is left', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  expect(await withDeadline(60_000, NEVER, async () => 'done')).toBe('done');
  expect(timers()).toBe(before);
});
