/**
 * What a process that serves, alone or started by `rates serve`, does at its beginning and its end. Started by another,
 * it says when it is ready, and it ends when the channel to its parent closes: none outlives its parent.
 */
import type { Logger } from '../log.ts';

/** Tells the process that started this one, if one waits for it, that it is ready, and where it listens if it does. */
export const announceReady = (port?: number): void => {
  process.send?.({ type: 'ready', ...(port !== undefined && { port }) });
};

/** Has the process end with its parent while there is nothing yet to stop. @returns how to leave that to `onStop` */
export const endWithParent = (): (() => void) => {
  const end = (): never => process.exit(1);
  process.on('disconnect', end);
  if (process.connected === false) end();
  return () => void process.off('disconnect', end);
};

/** Below the time that `rates serve` gives its processes before it ends them by force. */
const STOP_TIMEOUT_MS = 6_000;

export interface OnStopOptions {
  readonly log: Logger;
  readonly timeoutMs?: number;
}

/**
 * Runs `stop` once, at SIGTERM, SIGINT, SIGHUP (the terminal was closed) or the end of the parent, and then ends the process: with 0 when all was
 * finished, with 1 when `stop` failed or took longer than `timeoutMs`.
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
