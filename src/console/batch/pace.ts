/** How fast a batch goes, smoothed, so that a figure that comes in leaps can be read. */
import { useEffect, useRef, useState } from 'preact/hooks';

const SAMPLE_MS = 1_000;
/** How long what was counts for. */
const MEMORY_S = 6;

/**
 * @param processed rows that are done
 * @param running nothing is measured while it is not
 * @returns rows per second; undefined before there is a pace
 */
export const usePace = (processed: number, running: boolean): number | undefined => {
  const now = useRef(processed);
  now.current = processed;
  const [pace, setPace] = useState<number>();
  useEffect(() => {
    setPace(undefined);
    if (!running) return undefined;
    let [rows, at] = [now.current, performance.now()];
    const sample = (): void => {
      const seconds = (performance.now() - at) / 1_000;
      const fresh = Math.max(0, now.current - rows) / seconds;
      [rows, at] = [now.current, performance.now()];
      setPace((before) => {
        if (before === undefined) return fresh === 0 ? undefined : fresh;
        return before + (fresh - before) * (1 - Math.exp(-seconds / MEMORY_S));
      });
    };
    const timer = setInterval(sample, SAMPLE_MS);
    return () => clearInterval(timer);
  }, [running]);
  return pace;
};
