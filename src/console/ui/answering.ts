/** Whether the service answers. A call that takes long, a lost connection and a running batch ask; the frame of the pages says it. */
import { useEffect, useState } from 'preact/hooks';

/** Together less than two seconds, after which people wonder. */
const PATIENCE_MS = 750;
const PROBE_MS = 750;

const listeners = new Set<(isAway: boolean) => void>();
let [isAsking, isAway] = [false, false];

const tell = (now: boolean): void => {
  isAway = now;
  for (const listener of listeners) listener(now);
};

const answers = (): Promise<boolean> =>
  fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Asks until the service answers. */
export const askIfItAnswers = async (): Promise<void> => {
  if (isAsking) return;
  isAsking = true;
  while (!(await answers())) {
    tell(true);
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  }
  isAsking = false;
  tell(false);
};

/** Asks as long as something that runs is watched on a page in sight. @returns a function that ends it */
export const keepAsking = (): (() => void) => {
  const timer = setInterval(() => {
    if (!document.hidden) void askIfItAnswers();
  }, PATIENCE_MS);
  return () => clearInterval(timer);
};

export const useAway = (): boolean => {
  const [now, setNow] = useState(isAway);
  useEffect(() => {
    listeners.add(setNow);
    return () => void listeners.delete(setNow);
  }, []);
  return now;
};
