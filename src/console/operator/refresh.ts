/** Data that loads itself again, until the operator pauses it. A page that nobody sees waits. */
import { useEffect, useState } from 'preact/hooks';
import { type Loaded, useLoad } from '../api.ts';

export interface Refreshed {
  readonly reload: () => void;
  readonly isPaused: boolean;
  readonly pause: (isPaused: boolean) => void;
}

/** @param everyMs how long to wait after each answer */
export const useRefreshed = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  everyMs: number,
): Loaded<T> & Refreshed => {
  const [isPaused, pause] = useState(false);
  const [isHidden, setHidden] = useState(document.hidden);
  const loaded = useLoad(load, inputs);
  const { state, reload } = loaded;
  useEffect(() => {
    const look = (): void => setHidden(document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => {
    if (state === 'loading' || isPaused || isHidden) return undefined;
    const timer = setTimeout(reload, everyMs);
    return () => clearTimeout(timer);
  }, [state, loaded.data, isPaused, isHidden, everyMs, reload]);
  return { ...loaded, isPaused, pause };
};
