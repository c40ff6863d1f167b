/** Processor time that the host of this virtual machine gave to others. */
import { existsSync, readFileSync } from 'node:fs';

const FILE = '/proc/stat';
/** user, nice, system, idle, iowait, irq, softirq, steal (proc(5)). The kernel adds guests to user and nice. */
const FIELDS = 8;

/** Only Linux tells it. Elsewhere all is 0. */
const ticks = (): { readonly stolen: number; readonly all: number } => {
  if (!existsSync(FILE)) return { stolen: 0, all: 0 };
  const [line = ''] = readFileSync(FILE, 'utf8').split('\n', 1);
  const fields = line
    .trim()
    .split(/\s+/)
    .slice(1, FIELDS + 1)
    .map(Number);
  return { stolen: fields[FIELDS - 1] ?? 0, all: fields.reduce((sum, field) => sum + field, 0) };
};

/** @returns a function that returns the share of all processor time, 0 to 1, that was stolen since this call */
export const stolenSince = (): (() => number) => {
  const before = ticks();
  return () => {
    const now = ticks();
    return (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
  };
};
