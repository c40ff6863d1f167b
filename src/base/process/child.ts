/**
 * The start and the end of a serving process, which may be started by `rates serve`. A child process says when it is
 * ready. It ends when the channel to its parent closes, so it never outlives its parent.
 */
import type { Logger } from '../log.ts';

/** Tells the parent process, if there is one, that this process is ready, and its port if it listens. */
export const announceReady = (port?: number): void => {
  process.send?.({ type: 'ready', ...(port !== undefined && { port }) });
};

/** Exits when the parent does, while there is nothing to stop yet. @returns a function that turns this off, before `onStop` */
export const endWithParent = (): (() => void) => {
  const end = (): never => process.exit(1);
  process.on('disconnect', end);
  if (process.connected === false) end();
  return () => void process.off('disconnect', end);
};

/** Less than the time after which `rates serve` kills its processes. */
const STOP_TIMEOUT_MS = 6_000;

export interface OnStopOptions {
  readonly log: Logger;
  readonly timeoutMs?: number;
}

/**
 * Runs `stop` once, at SIGTERM, SIGINT, SIGHUP (the terminal was closed) or the end of the parent. Then the process exits
 * with 0, or with 1 if `stop` failed or took longer than `timeoutMs`.
 */
export const onStop = (stop: () => Promise<void>, { log, timeoutMs = STOP_TIMEOUT_MS }: OnStopOptions): void => {
  let stopping = false;
  const end = async (reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.warn({ timeoutMs }, 'stopped by force: it took too long');
      process.exit(1);
    }, timeoutMs);
    try {
      await stop();
      process.exit(0);
    } catch (err) {
      log.error({ err }, 'stopping failed');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  process.on('disconnect', () => end('the parent has ended'));
  if (process.connected === false) void end('the parent has ended');
};
