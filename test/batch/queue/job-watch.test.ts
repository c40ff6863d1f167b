import type { Job } from 'bullmq';
import { expect, test } from 'vitest';
import { createJobWatch, IDLE_CHECKS } from '../../../workers/job-watch.ts';

const jobOf = (id: string): Job => Object.assign(Object.create(null), { queueName: 'chunk', id });

test('a job that outlasts its checks is named, and one that ends in time is not', async () => {
  const watch = createJobWatch();
  let end = (): void => undefined;
  const hangs = watch.watching(() => new Promise<void>((resolve) => (end = resolve)), 3);
  const quick = watch.watching(async () => 'done', 3);
  const hanging = hangs(jobOf('a-1'));
  expect(await quick(jobOf('a-2'))).toBe('done');
  expect([watch.check(), watch.check(), watch.check()]).toEqual([undefined, undefined, undefined]);
  expect(watch.check()).toBe('the job chunk/a-1 does not end');
  end();
  await hanging;
  expect(watch.check()).toBeUndefined();
});

test('a job that fails is no longer watched', async () => {
  const watch = createJobWatch();
  const fails = watch.watching(() => Promise.reject(new Error('no')), 0);
  await expect(fails(jobOf('a-1'))).rejects.toThrow('no');
  expect(watch.check()).toBeUndefined();
});

test('a queue whose jobs wait while a slot is free is named after many checks without a job taken', async () => {
  const watch = createJobWatch();
  const work = watch.watching(async () => undefined, 3);
  const check = (due: number, slots = 1) => watch.checkTaking({ queue: 'chunk', slots, due });
  const checks = (due: number, slots?: number) => Array.from({ length: IDLE_CHECKS }, () => check(due, slots));
  expect([check(2), ...checks(2)].filter(Boolean)).toEqual(['it takes no jobs from the queue chunk, where 2 wait']);
  await work(jobOf('a-1'));
  expect(checks(2).filter(Boolean)).toEqual([]);
  expect(check(0)).toBeUndefined();
  expect(checks(2).slice(0, -1).filter(Boolean)).toEqual([]);
  expect(check(0)).toBeUndefined();
  expect(checks(2, 0).filter(Boolean)).toEqual([]);
});
