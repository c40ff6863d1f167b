/** CPU priorities of processes. Single quotes have priority over everything else. */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Returns the threads of a process. Without `/proc`, the priority of a process applies to all its threads. */
const threadsOf = (pid: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
};

/**
 * Lowers the CPU priority of a process, as `nice` does, for all its threads and for those that they start later. On
 * Linux each thread has its own priority and inherits it from the thread that starts it.
 * @param by steps of niceness. With 5 it gets a third of the share of a process with the old priority, with 10 a tenth
 */
export const lowerPriority = (pid: number, by: number): void => {
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, Math.min(getPriority(thread) + by, constants.priority.PRIORITY_LOW));
    } catch {
      // The thread has ended, or the system forbids the change. Then its priority stays.
    }
  }
};
