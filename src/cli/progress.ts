/** The progress bar: one line on a terminal, redrawn in place. If stderr is not a terminal, only problems are shown. */
import { must } from '../base/must.ts';
import { count, counted, cut, printable } from './format.ts';
import { type Io, paintFor, say } from './io.ts';

export interface Reached {
  /** The activity, such as `rating`. */
  readonly doing: string;
  readonly done: number;
  /** Null if unknown. */
  readonly total: number | null;
  /** The unit of `done` and `total`. */
  readonly unit: 'rows' | 'bytes' | 'files';
  readonly faulted?: number;
}

export interface Progress {
  readonly show: (reached: Reached) => void;
  /** Shows why work is delayed, either instead of the bar or as an occasional line. */
  readonly trouble: (why: Error) => void;
  /** Removes the line. */
  readonly clear: () => void;
}

const REDRAW_MS = 100;
/** The pace is measured over this time, so that a pause is visible. */
const PACE_MS = 10_000;
/** The minimum time between two problem lines without a terminal. */
const TROUBLE_MS = 60_000;
const FALLBACK_COLUMNS = 80;

const duration = (seconds: number): string => {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

type Part = 'amountOfAll' | 'amount' | 'pace' | 'faults' | 'left';

/** From the widest to the narrowest. The least important parts are dropped first. */
const LAYOUTS: readonly { readonly bar: number; readonly parts: readonly Part[] }[] = [
  { bar: 24, parts: ['amountOfAll', 'pace', 'faults', 'left'] },
  { bar: 10, parts: ['amountOfAll', 'pace', 'faults', 'left'] },
  { bar: 10, parts: ['amount', 'pace', 'faults', 'left'] },
  { bar: 10, parts: ['amount', 'faults', 'left'] },
  { bar: 10, parts: ['amount', 'left'] },
  { bar: 10, parts: ['left'] },
  { bar: 0, parts: ['left'] },
  { bar: 0, parts: [] },
];

/** The text of the line. @param perSecond the pace in the same unit; 0 if unknown @param width the number of columns */
export const progressText = (reached: Reached, perSecond: number, width: number): string => {
  const { doing, done, total, unit, faulted } = reached;
  const amountText = unit === 'bytes' ? megabytes : count;
  const units = unit === 'bytes' ? '' : ` ${unit}`;
  if (total === null) return cut(`${doing}  ${amountText(done)}${units}`, width);
  const paceText = unit === 'bytes' ? `${megabytes(perSecond)}/s` : `${count(Math.round(perSecond))} rows/s`;
  const parts: Readonly<Record<Part, string>> = {
    amountOfAll: `${amountText(done)} of ${amountText(total)}${units}`,
    amount: `${amountText(done)}${units}`,
    pace: perSecond > 0 ? paceText : '',
    faults: faulted === undefined ? '' : counted(faulted, 'fault'),
    left: perSecond > 0 && done < total ? `${duration((total - done) / perSecond)} left` : '',
  };
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const percent = `${String(Math.floor(share * 100)).padStart(3)}%`;
  const lines = LAYOUTS.map((layout) => {
    const full = Math.floor(share * layout.bar);
    const bar = layout.bar === 0 ? '' : ` ${'█'.repeat(full)}${'░'.repeat(layout.bar - full)}`;
    return [`${doing}${bar} ${percent}`, ...layout.parts.map((part) => parts[part])].filter(Boolean).join('  ');
  });
  return lines.find((line) => line.length <= width) ?? cut(must(lines.at(-1), 'the shortest line'), width);
};

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Shows only problems, for output that is not a terminal. */
const silentProgress = (io: Pick<Io, 'stderr'>): Progress => {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    show: () => undefined,
    trouble: ({ message }) => {
      if (performance.now() - toldAt < TROUBLE_MS) return;
      toldAt = performance.now();
      say(io, `Trying again: ${message}`);
    },
    clear: () => undefined,
  };
};

export const createProgress = ({ stderr }: Pick<Io, 'stderr'>): Progress => {
  if (!stderr.isTTY) return silentProgress({ stderr });
  const paint = paintFor(stderr);
  let samples: Sample[] = [];
  let doing = '';
  let drawnAt = Number.NEGATIVE_INFINITY;

  const pace = (now: number, done: number): number => {
    samples = [...samples.filter(({ at }) => now - at < PACE_MS), { at: now, done }];
    const [first] = samples;
    return first === undefined || now === first.at ? 0 : ((done - first.done) / (now - first.at)) * 1_000;
  };

  // A line with the full width would wrap. Some terminals report 0 columns.
  const width = (): number => (stderr.columns || FALLBACK_COLUMNS) - 1;
  const draw = (text: string): void => {
    stderr.write(`\r${paint('cyan', printable(text))}\u001b[K`);
  };

  return {
    show: (reached) => {
      const now = performance.now();
      const isNew = reached.doing !== doing;
      if (!isNew && now - drawnAt < REDRAW_MS && reached.done !== reached.total) return;
      if (isNew) samples = [];
      doing = reached.doing;
      drawnAt = now;
      // Files differ too much in size for a pace.
      draw(progressText(reached, reached.unit === 'files' ? 0 : pace(now, reached.done), width()));
    },
    trouble: ({ message }) => {
      doing = 'trouble';
      draw(cut(`trying again: ${message}`, width()));
    },
    clear: () => {
      if (doing !== '') stderr.write('\r\u001b[K');
      doing = '';
    },
  };
};
