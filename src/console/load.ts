/** Something that a page needs from the service: asked for when the page opens, and again when what it depends on changes. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiFault } from './api.ts';

export type Loaded<T> =
  | { readonly state: 'loading'; readonly data?: T }
  | { readonly state: 'done'; readonly data: T }
  | { readonly state: 'failed'; readonly fault: ApiFault; readonly data?: T };

/** What went wrong, as a fault to show; what is no fault is a bug of the page. */
export const asFault = (error: unknown): ApiFault =>
  error instanceof ApiFault ? error : new ApiFault(0, 'page', `This page failed: ${String(error)}. Reload it.`);

/**
 * Loads by `load`, which is given up when `inputs` change. The last data stays to be shown while new data is loaded.
 * @returns the data as far as it is there, and how to load it again
 */
export const useLoad = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> & { readonly reload: () => void } => {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => {
    const leaving = new AbortController();
    const kept = ({ data }: Loaded<T>): { data?: T } => (data === undefined ? {} : { data });
    setLoaded((before) => ({ state: 'loading', ...kept(before) }));
    load(leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) setLoaded({ state: 'done', data });
      },
      (error: unknown) => {
        if (!leaving.signal.aborted)
          setLoaded((before) => ({ state: 'failed', fault: asFault(error), ...kept(before) }));
      },
    );
    return () => leaving.abort();
  }, [...inputs, turn]);
  return { ...loaded, reload };
};
