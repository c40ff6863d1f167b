/**
 * Time limits that hold. A plain timer ends the work: the garbage collector of Node 20 may take the signal of
 * `AbortSignal.timeout` out of `AbortSignal.any` before it fires (nodejs/node#57736), and then the work never ends.
 */

/**
 * Gives work a signal that aborts as `signal` does, or with a `TimeoutError` after `ms`.
 * @returns what the work returns
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
 * Awaits work for at most `ms`, then rejects. The work itself goes on: this is for work that does no harm if it ends
 * later, beside a second try of the same.
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
