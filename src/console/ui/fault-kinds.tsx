/** Faults by kind: how many rows, what it means, what to do. */
import { guidanceOf } from '../fault-guide.ts';
import { count } from './format.ts';

interface FaultKindsProps {
  /** Rows by fault type. */
  readonly faults: Readonly<Record<string, number>>;
  /** Whether they are still being counted: their order then stays. */
  readonly counting?: boolean;
  /** The kind whose rows are shown. */
  readonly chosen?: string | undefined;
  /** Absent: there are no rows to show. */
  readonly onChoose?: ((type: string) => void) | undefined;
}

/** The most first. */
export const byCount = (faults: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(faults).sort(([, a], [, b]) => b - a);

export const FaultKinds = ({ faults, counting = false, chosen, onChoose }: FaultKindsProps) => (
  <ul class="fault-kinds">
    {(counting ? Object.entries(faults) : byCount(faults)).map(([type, rows]) => {
      const { title, advice } = guidanceOf(type);
      return (
        <li key={type} class={type === chosen ? 'chosen' : undefined}>
          <span class="fault-count">{count(rows)}</span>
          <div>
            <p class="fault-title">{title}</p>
            <p class="hint">{advice}</p>
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
