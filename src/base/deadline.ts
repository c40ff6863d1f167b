/**
 * Reliable time limits, with a plain timer. In Node 20 the garbage collector may remove the signal of `AbortSignal.timeout`
 * from `AbortSignal.any` before it fires (nodejs/node#57736); then the work would never end.
 */

/**
 * Runs work with a signal that aborts when `signal` does, or with a `TimeoutError` after `ms`.
 * @returns the result of the work
 */
export const withDeadline = async <T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted();
  const limited = new AbortController();
  const abort = (): void => limited.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const late = (): void => limited.abort(new DOMException(`it took longer than ${ms} ms`, 'TimeoutError'));
  const timer = setTimeout(late, ms);
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
};

/**
 * Waits for work for at most `ms`, then rejects. The work itself continues, so it must be harmless if it ends late, even
 * during a second try.
 */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
