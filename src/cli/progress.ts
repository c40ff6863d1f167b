/** The progress bar: one line on a terminal, redrawn in place; nothing where stderr is none. */
import { count, counted, type Io, paintFor } from './io.ts';

interface Reached {
  /** What is being done. */
  readonly doing: string;
  readonly done: number;
  /** Null where it is not known how much there is. */
  readonly total: number | null;
  /** Of `done`, as people count it: rows, or bytes. */
  readonly unit: 'rows' | 'bytes';
  readonly faulted?: number;
}

export interface Progress {
  readonly show: (reached: Reached) => void;
  /** Takes the line away. */
  readonly clear: () => void;
}

const REDRAW_MS = 100;
/** Pace is that of the last seconds, so that a pause shows. */
const PACE_MS = 10_000;
const BAR = 24;

const duration = (seconds: number): string => {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * The line's text.
 * @param perSecond the pace, in the same unit; 0 where there is none yet
 */
const progressText = ({ doing, done, total, unit, faulted }: Reached, perSecond: number): string => {
  const amount = unit === 'bytes' ? megabytes : count;
  const rows = unit === 'bytes' ? '' : ' rows';
  if (total === null) return `${doing}  ${amount(done)}${rows}`;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * BAR);
  const parts = [
    `${doing} ${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${String(Math.floor(share * 100)).padStart(3)} %`,
    `${amount(done)} of ${amount(total)}${rows}`,
  ];
  if (perSecond > 0)
    parts.push(unit === 'bytes' ? `${megabytes(perSecond)}/s` : `${count(Math.round(perSecond))} rows/s`);
  if (faulted !== undefined) parts.push(counted(faulted, 'fault'));
  if (perSecond > 0 && done < total) parts.push(`${duration((total - done) / perSecond)} left`);
  return parts.join('  ');
};

interface Sample {
  readonly at: number;
  readonly done: number;
}

export const createProgress = ({ stderr }: Pick<Io, 'stderr'>): Progress => {
  if (!stderr.isTTY) return { show: () => undefined, clear: () => undefined };
  const paint = paintFor(stderr);
  let samples: Sample[] = [];
  let doing = '';
  let drawnAt = Number.NEGATIVE_INFINITY;

  const pace = (now: number, done: number): number => {
    samples = [...samples.filter(({ at }) => now - at < PACE_MS), { at: now, done }];
    const [first] = samples;
    return first === undefined || now === first.at ? 0 : ((done - first.done) / (now - first.at)) * 1_000;
  };

  return {
    show: (reached) => {
      const now = performance.now();
      const isNew = reached.doing !== doing;
      if (!isNew && now - drawnAt < REDRAW_MS && reached.done !== reached.total) return;
      if (isNew) samples = [];
      doing = reached.doing;
      drawnAt = now;
      const text = progressText(reached, pace(now, reached.done));
      stderr.write(`\r${paint('cyan', [...text].slice(0, stderr.columns - 1).join(''))}\u001b[K`);
    },
    clear: () => {
      if (doing !== '') stderr.write('\r\u001b[K');
      doing = '';
    },
  };
};
