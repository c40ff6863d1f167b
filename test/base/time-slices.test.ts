import { expect, it } from 'vitest';
import { type InSlices, inSlices } from '../../src/base/time-slices.ts';

it('gives a turn of the event loop to quotes once its tasks together have used their time', async () => {
  let begun = 0;
  function* work(): InSlices<void> {
    begun += 1;
    const until = performance.now() + 2;
    while (performance.now() < until);
    yield;
  }
  const both = [inSlices(work()), inSlices(work())];
  expect(begun).toBe(1);
  await Promise.all(both);
  expect(begun).toBe(2);
});
