/** The costs of processes, from /proc. */
import { readFileSync } from 'node:fs';

/** Linux reports hundredths of a second, whatever its timer (proc(5), `sysconf(_SC_CLK_TCK)`). */
const TICKS_PER_SECOND = 100;

/** Fields of `/proc/PID/stat` after the name in brackets, which may contain spaces. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** Processor seconds of processes since their start. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return sum + (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
  }, 0);
