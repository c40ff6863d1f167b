import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lookOften } from '../src/poll.ts';
import { soon } from './soon.ts';

test('looks once before it is there, then again and again, never twice at once, until it is stopped', async () => {
  let looks = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const look = async (): Promise<void> => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await sleep(5);
    looks += 1;
    atOnce -= 1;
  };
  const { looked, stop } = lookOften(look, 1);
  await looked;
  expect(looks).toBeGreaterThan(0);
  await soon(() => expect(looks).toBeGreaterThan(3));
  expect(mostAtOnce).toBe(1);
  stop();
  // One that is under way ends yet.
  await sleep(20);
  const then = looks;
  await sleep(30);
  expect(looks).toBe(then);
});
