/** Following what changes outside: looking now, and again and again. */

/**
 * Looks now, and again so long after each look has ended. Nothing is kept running by it.
 * @param look must not reject
 * @returns how to stop, once it has looked for the first time
 */
export const lookOften = async (look: () => Promise<void>, intervalMs: number): Promise<() => void> => {
  await look();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): NodeJS.Timeout => setTimeout(lookAgain, intervalMs).unref();
  const lookAgain = async (): Promise<void> => {
    await look();
    if (timer !== undefined) timer = wait();
  };
  timer = wait();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
};
