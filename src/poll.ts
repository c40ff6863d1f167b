/** Polling. */

export interface Polling {
  /** Resolves when the first call has ended. */
  readonly first: Promise<void>;
  /** Stops polling. It does not interrupt a running call. */
  readonly stop: () => void;
}

/**
 * Calls `check` now, and again `intervalMs` after each call has ended. It does not keep the process running.
 * @param check must not reject
 */
export const poll = (check: () => Promise<void>, intervalMs: number): Polling => {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const run = async (): Promise<void> => {
    await check();
    if (!stopped) timer = setTimeout(run, intervalMs).unref();
  };
  return {
    first: run(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
