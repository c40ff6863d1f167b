/** Following what changes outside: looking now, and again and again. */

export interface Looking {
  /** When it has looked for the first time. */
  readonly looked: Promise<void>;
  /** Looks no more; a look that is under way ends by itself. */
  readonly stop: () => void;
}

/**
 * Looks now, and again so long after each look has ended. No process is kept running by it.
 * @param look must not reject
 */
export const lookOften = (look: () => Promise<void>, intervalMs: number): Looking => {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const lookAgain = async (): Promise<void> => {
    await look();
    if (!stopped) timer = setTimeout(lookAgain, intervalMs).unref();
  };
  return {
    looked: lookAgain(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
