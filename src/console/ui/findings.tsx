/** Faults by kind, and findings about the columns of a list. */
import type { Batch } from '../calls.ts';
import { guidanceOf } from '../guide.ts';
import { Notice } from './feedback.tsx';
import { count, counted } from './format.ts';

interface FaultKindsProps {
  /** Rows by fault type. */
  readonly faults: Readonly<Record<string, number>>;
  /** Whether they are still being counted: their order then stays. */
  readonly counting?: boolean;
  /** The kind whose rows are shown. */
  readonly chosen?: string | undefined;
  /** Absent: there are no rows to show. */
  readonly onChoose?: ((type: string) => void) | undefined;
  /** Rows that were mended and are not sent yet, by fault type. */
  readonly mended?: ReadonlyMap<string, number>;
}

const NONE: ReadonlyMap<string, number> = new Map();

/** The most first. */
export const byCount = (faults: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(faults).sort(([, a], [, b]) => b - a);

export const FaultKinds = ({ faults, counting = false, chosen, onChoose, mended = NONE }: FaultKindsProps) => (
  <ul class="fault-kinds">
    {(counting ? Object.entries(faults) : byCount(faults)).map(([type, rows]) => {
      const { title, advice } = guidanceOf(type);
      const unsent = mended.get(type) ?? 0;
      return (
        <li key={type} class={type === chosen ? 'chosen' : undefined}>
          <span class="fault-count">{count(rows)}</span>
          <div>
            <p class="fault-title">{title}</p>
            <p class="hint">{advice}</p>
            {unsent === 0 ? null : <p class="fault-mended">{counted(unsent, 'row')} mended, not sent yet</p>}
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

/** The service's words speak of parameters too, which have menus on these pages. */
const withoutParameters = (message: string): string =>
  message
    .split(/(?<=[.:;]) /)
    .filter((sentence) => !/\?(?:columns|dimension_units|service_map)=/.test(sentence))
    .join(' ')
    .replace(/[,;:]$/, '.');

interface ColumnFindingsProps {
  readonly findings: Batch['findings'];
  /** What to do about them here. */
  readonly advice: string;
}

export const ColumnFindings = ({ findings, advice }: ColumnFindingsProps) =>
  findings.length === 0 ? null : (
    <Notice kind="info" announced={false} title="What to know about the columns">
      <ul>
        {findings.map(({ type, column, message }) => (
          <li key={`${type} ${column} ${message}`}>{withoutParameters(message)}</li>
        ))}
      </ul>
      <p>{advice}</p>
    </Notice>
  );
