import type { Job } from 'bullmq';
import { expect, test } from 'vitest';
import { createJobWatch } from '../../../workers/worker.ts';

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
