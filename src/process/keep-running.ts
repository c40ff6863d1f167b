/**
 * Keeps something running: what ends by itself is started again, after a pause that doubles with each time up to a
 * limit, and is short again once it has run for a while.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../log.ts';

/** Something that runs, such as a process. `exited` settles when it has ended, with how, in words. */
export interface Running {
  readonly pid: number;
  readonly exited: Promise<string>;
  stop(timeoutMs: number): Promise<void>;
}

interface Pauses {
  readonly leastMs: number;
  readonly mostMs: number;
  /** Having run for so long, it counts as well: the next pause is the least. */
  readonly stableMs: number;
}

/** The longest pause leaves time to be running again, and at work, within 5 s of an end. */
const PAUSES: Pauses = { leastMs: 100, mostMs: 2_000, stableMs: 30_000 };

export interface KeepRunningOptions<R extends Running> {
  /** What it is, for the log. */
  readonly name: string;
  readonly log: Logger;
  /** Starts it, resolving when it is ready. `previous` is the one that ended. */
  readonly start: (previous?: R) => Promise<R>;
  /** Told of each one that ended by itself, before the next is started. */
  readonly onExit?: (ended: R, how: string) => void;
  readonly pauses?: Pauses;
}

export interface Kept<R extends Running> {
  /** The one that runs now, or ran last. */
  readonly current: () => R;
  /** Ends it, by force after `timeoutMs`, and starts no other. A second call may be less patient. */
  stop(timeoutMs: number): Promise<void>;
}

/** Starts it, rejecting where that fails, and from then on keeps it running. */
export const keepRunning = async <R extends Running>(options: KeepRunningOptions<R>): Promise<Kept<R>> => {
  const { name, log, start, pauses = PAUSES } = options;
  const stopping = new AbortController();
  let running = await start();

  const startAgain = async (leastPauseMs: number): Promise<number> => {
    for (let pauseMs = leastPauseMs; ; pauseMs = Math.min(pauseMs * 2, pauses.mostMs)) {
      await sleep(pauseMs, undefined, { signal: stopping.signal });
      try {
        running = await start(running);
        return pauseMs;
      } catch (err) {
        log.error({ err, part: name }, 'start failed');
      }
    }
  };

  const watch = async (): Promise<void> => {
    let pauseMs = 0;
    for (;;) {
      const readyAt = performance.now();
      const how = await running.exited;
      if (stopping.signal.aborted) return;
      const wasStable = performance.now() - readyAt >= pauses.stableMs;
      pauseMs = wasStable || pauseMs === 0 ? pauses.leastMs : Math.min(pauseMs * 2, pauses.mostMs);
      log.warn({ part: name, endedPid: running.pid, how, pauseMs }, 'ended by itself, starting it again');
      options.onExit?.(running, how);
      pauseMs = await startAgain(pauseMs);
      log.info({ part: name, newPid: running.pid }, 'running again');
      if (stopping.signal.aborted) await running.stop(0);
    }
  };

  const watching = watch().catch((err: unknown) => {
    if (!stopping.signal.aborted) log.fatal({ err, part: name }, 'no longer kept running');
  });

  const stop = async (timeoutMs: number): Promise<void> => {
    stopping.abort();
    await running.stop(timeoutMs);
    await watching;
  };
  return { current: () => running, stop };
};
