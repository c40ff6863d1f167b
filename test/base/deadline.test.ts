import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withDeadline } from '../../src/base/deadline.ts';
import { collectGarbage } from '../garbage.ts';

const NEVER = new AbortController().signal;

/** Ends only with the signal. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

test('work ends at its deadline or with the reason of the outer signal, even after a garbage collection', async () => {
  const outer = new AbortController();
  const ending = withDeadline(100, NEVER, untilAborted).catch((error: Error) => error.name);
  const stopped = withDeadline(60_000, outer.signal, untilAborted).catch((error: Error) => error.message);
  await collectGarbage();
  expect(await Promise.race([ending, sleep(5_000, 'it still runs')])).toBe('TimeoutError');
  outer.abort(new Error('the process stops'));
  expect(await stopped).toBe('the process stops');
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
