import { expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { keepRunning } from '../../../src/base/process/keep-running.ts';

const log = createLog({ level: 'silent', name: 'test' });

/** A process that runs for `lifeMs` and records when it was started. */
const mortal = (lifeMs: number, started: number[]) => async () => {
  started.push(performance.now());
  const pid = started.length;
  let end: (how: string) => void = () => undefined;
  const exited = new Promise<string>((resolve) => {
    end = resolve;
  });
  const timer = setTimeout(() => end('old age'), lifeMs);
  const stop = async () => {
    clearTimeout(timer);
    end('stopped');
  };
  return { pid, exited, stop };
};

const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, index) => time - (times[index] ?? 0));

test('restarts a process that dies, after a pause that doubles up to a limit', async () => {
  const started: number[] = [];
  const deaths: string[] = [];
  const kept = await keepRunning({
    name: 'mortal',
    log,
    start: mortal(1, started),
    onExit: ({ pid }, how) => deaths.push(`${pid} ${how}`),
    pauses: { leastMs: 20, mostMs: 80, stableMs: 10_000 },
  });
  await expect.poll(() => started.length, { timeout: 5_000 }).toBe(6);
  await kept.stop(0);
  expect(deaths.slice(0, 2)).toEqual(['1 old age', '2 old age']);
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = gaps(started);
  expect([first >= 19, second >= 39, third >= 79, fourth >= 79, fifth >= 79]).toEqual(Array(5).fill(true));
  expect(fifth).toBeLessThan(300);
});

test('restarts a process after the shortest pause if it ran for a while', async () => {
  const started: number[] = [];
  const pauses = { leastMs: 20, mostMs: 10_000, stableMs: 25 };
  const kept = await keepRunning({ name: 'mortal', log, start: mortal(30, started), pauses });
  await expect.poll(() => started.length, { timeout: 5_000 }).toBe(8);
  await kept.stop(0);
  // If pauses grew, the last one alone would take 1,280 ms.
  expect(Math.max(...gaps(started))).toBeLessThan(600);
});

test('retries a failed restart, but not a failed first start', async () => {
  let starts = 0;
  const started: number[] = [];
  const shaky = async () => {
    starts += 1;
    if (starts === 2 || starts === 3) throw new Error('no room');
    return mortal(starts === 1 ? 1 : 60_000, started)();
  };
  const pauses = { leastMs: 5, mostMs: 20, stableMs: 10_000 };
  const kept = await keepRunning({ name: 'shaky', log, start: shaky, pauses });
  await expect.poll(() => started.length).toBe(2);
  expect(starts).toBe(4);
  await kept.stop(0);

  const never = () => Promise.reject(new Error('no room'));
  await expect(keepRunning({ name: 'never', log, start: never, pauses })).rejects.toThrow('no room');
});

test('does not restart a stopped process, even during a pause', async () => {
  const started: number[] = [];
  const pauses = { leastMs: 60_000, mostMs: 60_000, stableMs: 10 };
  const kept = await keepRunning({ name: 'mortal', log, start: mortal(1, started), pauses });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await kept.stop(0);
  expect(started.length).toBe(1);
});
