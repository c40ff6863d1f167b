/** CPU priorities of processes. Single quotes have priority over everything else. */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** The threads of a process. Where the system has no `/proc`, the priority of a process is that of all its threads. */
const threadsOf = (pid: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
};

/**
 * Lowers the CPU priority of a process, as `nice` does: all its threads now, and those that they start later. On Linux each
 * thread has its own priority, and a thread inherits that of the thread that starts it.
 * @param by steps of niceness: with 5 it gets a third of the share of a process with the priority of before, with 10 a tenth
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
