/** What processes cost, from /proc. */
import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever its own clock does (proc(5), `sysconf(_SC_CLK_TCK)`). */
const TICKS_PER_SECOND = 100;

/** Fields of `/proc/PID/stat` behind the name in brackets, which may hold spaces itself. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** Seconds of a processor that processes have had since their start. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return sum + (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
  }, 0);
