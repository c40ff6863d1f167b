/** Times of the processor. Unlike time on the clock, they do not grow on a busy machine. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setImmediate as round } from 'node:timers/promises';

const SCHEDULED = '/proc/thread-self/schedstat';
/** Processor time of this thread in ms. A system that does not tell it counts the helpers of the garbage collector too. */
export const processorMs = (): number => {
  if (existsSync(SCHEDULED)) return Number(readFileSync(SCHEDULED, 'utf8').split(' ', 1)[0]) / 1_000_000;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Processor time of all child processes that have ended, in ms; 0 on a system that does not tell it. */
export const childrenMs = (): number => {
  if (!existsSync('/proc/self/stat')) return 0;
  // The fields after the program's name, in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[13]) + Number(fields[14]));
};

/** The longest turn of the event loop during some work, in ms of processor time. */
const busiest = async (work: () => Promise<unknown>): Promise<number> => {
  let most = 0;
  const working = work();
  let done = false;
  const ended = working.finally(() => {
    done = true;
  });
  for (let before = processorMs(); !done; ) {
    await round();
    const now = processorMs();
    most = Math.max(most, now - before);
    before = now;
  }
  await ended;
  return most;
};

/** The longest turn in the best of some tries, because garbage collection may hit any. */
export const longestTurnMs = async (work: () => Promise<unknown>): Promise<number> => {
  const tries: number[] = [];
  for (let i = 0; i < 6; i++) tries.push(await busiest(work));
  return Math.min(...tries);
};

/**
 * The time in ms on a clock that stands still while threads of this process are ready to run and wait for a processor.
 * Where the system does not tell that, it is an ordinary clock.
 */
export const ownClockMs = (): number => {
  const threads = existsSync('/proc/self/task') ? readdirSync('/proc/self/task') : [];
  const waited = threads.map((thread) => {
    try {
      return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1_000_000;
    } catch {
      // The thread has ended.
      return 0;
    }
  });
  return performance.now() - waited.reduce((sum, ms) => sum + ms, 0);
};
