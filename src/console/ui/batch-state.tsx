/** The state of a batch or a comparison as text. */
import { isFinal } from '../../batch/status.ts';
import type { Batch } from '../calls.ts';
import { Progress } from './feedback.tsx';

const STATES: Readonly<Record<Batch['status'], string>> = {
  queued: 'Waiting',
  validating: 'Reading',
  in_progress: 'Rating',
  finalizing: 'Finishing',
  completed: 'Completed',
  failed: 'Failed',
  cancelling: 'Cancelling',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

export const hasEnded = ({ status }: Pick<Batch, 'status'>): boolean => isFinal(status);

/** A mark for each kind, so that color is not needed. */
const MARKS = { good: '●', warn: '▲', bad: '■', none: '○', accent: '◐' } as const;

type Kind = keyof typeof MARKS;

export const Mark = ({ kind }: { readonly kind: Kind }) => (
  <span class={`tone ${kind}`} aria-hidden="true">
    {MARKS[kind]}
  </span>
);

interface Shown {
  readonly text: string;
  readonly kind: Kind;
}

const COMPLETED = {
  batch: {
    all_quoted: { text: 'Completed, all quoted', kind: 'good' },
    some_faults: { text: 'Completed with problems', kind: 'warn' },
    all_faults: { text: 'Completed, only problems', kind: 'bad' },
  },
  // A row counts as quoted if it has a price on all sides.
  comparison: {
    all_quoted: { text: 'Completed, all rows compared', kind: 'good' },
    some_faults: { text: 'Completed, some rows not compared', kind: 'good' },
    all_faults: { text: 'Completed, no row compared', kind: 'warn' },
  },
} as const;

export type Noun = keyof typeof COMPLETED;

export const stateOf = ({ status, outcome }: Pick<Batch, 'status' | 'outcome'>, noun: Noun = 'batch'): Shown => {
  if (status === 'completed') return COMPLETED[noun][outcome ?? 'all_quoted'];
  if (status === 'failed') return { text: STATES.failed, kind: 'bad' };
  return { text: STATES[status], kind: status === 'cancelled' || status === 'expired' ? 'none' : 'accent' };
};

interface BatchStateProps {
  readonly batch: Pick<Batch, 'status' | 'outcome'>;
  readonly noun?: Noun;
}

export const BatchState = ({ batch, noun }: BatchStateProps) => {
  const { text, kind } = stateOf(batch, noun);
  return (
    <span class="state">
      <Mark kind={kind} />
      <span>{text}</span>
    </span>
  );
};

interface RunStateProps {
  readonly run: Pick<Batch, 'status' | 'outcome' | 'rows'>;
  readonly noun?: Noun;
  readonly name: string;
}

/** The state in a table of runs. A running one has a progress bar. */
export const RunState = ({ run, noun = 'batch', name }: RunStateProps) => (
  <div class="stack tiny batch-state-cell">
    <BatchState batch={run} noun={noun} />
    {run.status === 'in_progress' ? (
      <Progress label={`Rows done of ${name}`} value={run.rows.processed} max={run.rows.total ?? 0} />
    ) : null}
  </div>
);
