/** Checks whether the service answers: during long calls, after lost connections, and while a batch runs. The frame shows it. */
import { useEffect, useState } from 'preact/hooks';

/** Together less than two seconds. After that, people start to wonder. */
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

/** Probes the service until it answers. */
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

/** Probes the service while the page is visible and watches something that runs. @returns a function that stops it */
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
