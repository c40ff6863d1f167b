/** Faults by type, and findings about the columns of a list. */
import type { Batch } from '../calls.ts';
import { findingText, guidanceOf } from '../guide.ts';
import { Lines } from './feedback.tsx';
import { count, counted } from './format.ts';

interface FaultKindsProps {
  /** Rows by fault type. */
  readonly faults: Readonly<Record<string, number>>;
  /** Set while the counts still change, so that the order stays the same. */
  readonly counting?: boolean;
  /** The fault type whose rows are shown. */
  readonly chosen?: string | undefined;
  /** Undefined if there are no rows to show. */
  readonly onChoose?: ((type: string) => void) | undefined;
  /** Corrected rows that are not sent yet, by fault type. */
  readonly corrected?: ReadonlyMap<string, number>;
}

const NONE: ReadonlyMap<string, number> = new Map();

/** Largest first. */
export const byCount = (faults: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(faults).sort(([, a], [, b]) => b - a);

export const FaultKinds = ({ faults, counting = false, chosen, onChoose, corrected = NONE }: FaultKindsProps) => (
  <ul class="plain fields long fault-kinds">
    {(counting ? Object.entries(faults) : byCount(faults)).map(([type, rows]) => {
      const { title, advice } = guidanceOf(type);
      const unsent = corrected.get(type) ?? 0;
      return (
        <li key={type} class={type === chosen ? 'card chosen' : 'card'}>
          <span class="figure-value">{count(rows)}</span>
          <div>
            <p class="fault-title">{title}</p>
            <p class="hint">{advice}</p>
            {unsent === 0 ? null : (
              <p class="hint tone accent fault-corrected">{counted(unsent, 'row')} corrected, not sent yet</p>
            )}
            {onChoose === undefined ? null : (
              <button type="button" class="button quiet" aria-pressed={type === chosen} onClick={() => onChoose(type)}>
                {type === chosen ? 'Rows shown below' : 'Show the rows'}
                <span class="visually-hidden">: {title}</span>
              </button>
            )}
          </div>
        </li>
      );
    })}
  </ul>
);

interface ColumnFindingsProps {
  readonly findings: Batch['findings'];
  /** What to do about them on this page. */
  readonly advice: string;
}

export const ColumnFindings = ({ findings, advice }: ColumnFindingsProps) => {
  // Pages offer repairs in another place.
  const told = findings.filter(({ type }) => type !== 'column.repairable');
  return told.length === 0 ? null : (
    <details>
      <summary>{counted(told.length, 'note')} about the columns</summary>
      <div class="stack small hint">
        <Lines of={told.map(({ message }) => findingText(message))} />
        <p>{advice}</p>
      </div>
    </details>
  );
};
