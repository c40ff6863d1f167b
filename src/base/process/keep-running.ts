/**
 * Keeps something running: restarts it whenever it ends on its own. The pause before a restart doubles each time up to a
 * limit, and is reset after a stable run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../log.ts';

/** Something that runs, such as a process. */
export interface Running {
  readonly pid: number;
  /** Resolves when it has ended, with a description of how. */
  readonly exited: Promise<string>;
  stop(timeoutMs: number): Promise<void>;
}

interface Pauses {
  readonly leastMs: number;
  readonly mostMs: number;
  /** After a run of this length, the next pause is `leastMs`. */
  readonly stableMs: number;
}

/** With the longest pause, a process is running and working again within 5 s. */
const PAUSES: Pauses = { leastMs: 100, mostMs: 2_000, stableMs: 30_000 };

export interface KeepRunningOptions<R extends Running> {
  /** The name in the log. */
  readonly name: string;
  readonly log: Logger;
  /** Starts it; resolves when it is ready. `previous` is the instance that ended. */
  readonly start: (previous?: R) => Promise<R>;
  /** Called for each instance that ended on its own, before the restart. */
  readonly onExit?: (ended: R, how: string) => void;
  readonly pauses?: Pauses;
}

export interface Kept<R extends Running> {
  /** The running instance, or the last one. */
  readonly current: () => R;
  /** Stops it, by force after `timeoutMs`, and does not restart it. A second call may use a shorter timeout. */
  stop(timeoutMs: number): Promise<void>;
}

/** Starts it, and from then on keeps it running. Rejects if the first start fails. */
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
      log.warn({ part: name, endedPid: running.pid, how, pauseMs }, 'ended on its own, restarting');
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
