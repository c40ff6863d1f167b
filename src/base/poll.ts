/**
 * Checks for changes now. Everything that was written before is in force when it resolves.
 * @param ids documents that were just written as a whole, so their folders need not be quiet first
 * @throws the error that prevented the check
 */
export type Refresh = (ids?: readonly string[]) => Promise<void>;

export interface Polling<T> {
  /** Resolves when the first call has ended. */
  readonly first: Promise<T>;
  /** Resolves when a call has ended that began after this moment. Callers at the same time share it. */
  readonly now: () => Promise<T>;
  /** Stops polling. It does not interrupt a running call. */
  readonly stop: () => void;
}

/**
 * Calls `check` now, and again `intervalMs` after each call has ended. It does not keep the process running.
 * @param check must not reject
 */
export const poll = <T>(check: () => Promise<T>, intervalMs: number): Polling<T> => {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const run = (): Promise<T> => {
    clearTimeout(timer);
    running = check().finally(() => {
      running = undefined;
      if (!stopped && next === undefined) timer = setTimeout(run, intervalMs).unref();
    });
    return running;
  };
  const afterRunning = async (before: Promise<T>): Promise<T> => {
    await before;
    next = undefined;
    return await run();
  };
  return {
    first: run(),
    now: () => {
      if (next === undefined && running === undefined) return run();
      if (running !== undefined) next ??= afterRunning(running);
      return next ?? run();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
