/** Waits of tests that allow for a busy machine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { ownClockMs } from './processor-time.ts';

/** Waits until a check passes. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });

const STANDSTILL_MS = 10_000;

/**
 * Watches something that changes until it is as expected. Time in which this process waits for a processor does not count.
 * @param moving the part that changes on the way
 * @param more what the error says besides
 * @throws if it stands still
 */
export const untilReached = async <T>(
  look: () => Promise<T>,
  reached: (seen: T) => boolean,
  moving: (seen: T) => unknown,
  more: () => string,
): Promise<T> => {
  let last = '';
  for (let moved = { atMs: 0, ownMs: 0 }; ; await sleep(10)) {
    const seen = await look();
    if (reached(seen)) return seen;
    const now = JSON.stringify(moving(seen));
    if (now !== last) moved = { atMs: performance.now(), ownMs: ownClockMs() };
    last = now;
    // The second clock costs more to read.
    if (performance.now() - moved.atMs > STANDSTILL_MS && ownClockMs() - moved.ownMs > STANDSTILL_MS)
      throw new Error(`it stands still: ${JSON.stringify(seen)} ${more()}`);
  }
};
