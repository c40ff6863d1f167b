/** The state of a batch as text. */
import { isFinal } from '../../batch/status.ts';
import type { Batch } from '../calls.ts';

const STATES: Readonly<Record<Batch['status'], string>> = {
  queued: 'waiting',
  validating: 'reading',
  in_progress: 'rating',
  finalizing: 'finishing',
  completed: 'completed',
  failed: 'failed',
  cancelling: 'cancelling',
  cancelled: 'cancelled',
  expired: 'expired',
};

export const hasEnded = ({ status }: Batch): boolean => isFinal(status);

export const stateOf = ({
  status,
  outcome,
}: Batch): { readonly text: string; readonly kind: 'good' | 'warn' | 'bad' | 'none' | 'work' } => {
  if (status === 'completed') {
    if (outcome === 'all_faults') return { text: 'completed, all rows have faults', kind: 'bad' };
    return outcome === 'some_faults'
      ? { text: 'completed, some rows have faults', kind: 'warn' }
      : { text: 'completed, all rows quoted', kind: 'good' };
  }
  if (status === 'failed') return { text: STATES.failed, kind: 'bad' };
  return { text: STATES[status], kind: status === 'cancelled' || status === 'expired' ? 'none' : 'work' };
};

/** A shape for each kind, so that color is not needed. */
const MARKS = { good: '●', warn: '▲', bad: '■', none: '○', work: '◐' } as const;

export const BatchState = ({ batch }: { readonly batch: Batch }) => {
  const { text, kind } = stateOf(batch);
  return (
    <span class="batch-state">
      <span class={`batch-mark ${kind}`} aria-hidden="true">
        {MARKS[kind]}
      </span>
      <span>{text}</span>
    </span>
  );
};
