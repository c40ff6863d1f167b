/** Faults by type, and findings about the columns of a list. */
import type { ComponentChildren } from 'preact';
import type { Batch, FaultKind } from '../calls.ts';
import { findingText, kindWords } from '../fault-words.ts';
import { Folded, Lines } from './feedback.tsx';
import { count, counted } from './format.ts';

/** Largest first. */
export const byCount = (faults: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(faults).sort(([, a], [, b]) => b - a);

/** A whole type of fault, if its rows were not looked at. */
export const kindOfType = (type: string, rows: number): FaultKind => ({
  ...{ type, kind: type, field: null, column: null },
  ...{ rows, estimatedRows: rows, message: '', examples: [] },
});

/** The first cells that are wrong. */
const Cells = ({ kind: { column, examples, rows } }: { readonly kind: FaultKind }) =>
  examples.length === 0 ? null : (
    <ul class="plain row" aria-label={column === null ? undefined : `In column “${column}”`}>
      {examples.map(({ input_row, value }) => (
        <li class="hint" key={input_row}>
          <span class="mark bad">{value || 'empty'}</span> row {count(input_row)}
        </li>
      ))}
      {rows > examples.length ? <li class="hint">and {count(rows - examples.length)} more</li> : null}
    </ul>
  );

interface FaultKindsProps {
  readonly kinds: readonly FaultKind[];
  /** Formats the number of rows. */
  readonly rowsOf?: (kind: FaultKind) => string;
  /** The kind whose rows are shown. */
  readonly chosen?: FaultKind | undefined;
  /** The number of kinds that are not folded. */
  readonly most: number;
  /** More about a kind, such as a button for it. */
  readonly children: (kind: FaultKind, title: string) => ComponentChildren;
}

/** Kinds of problems with the number of rows, in the same words before and after a list has run. */
export const FaultKinds = ({ kinds, most, ...shared }: FaultKindsProps) => {
  const { rowsOf = ({ rows }) => count(rows), chosen, children } = shared;
  const rest = kinds.slice(most);
  return (
    <>
      <ul class="plain fields long fault-kinds">
        {kinds.slice(0, most).map((kind) => {
          const { title, advice } = kindWords(kind);
          return (
            <li key={kind.kind} class={kind.kind === chosen?.kind ? 'card stack small chosen' : 'card stack small'}>
              <p class="fault-title">
                <span class="figure-value">{rowsOf(kind)}</span> {title}
              </p>
              <Cells kind={kind} />
              {advice === '' ? null : <p class="hint">{advice}</p>}
              {children(kind, title)}
            </li>
          );
        })}
      </ul>
      {rest.length === 0 ? null : (
        <Folded title={`${counted(rest.length, 'more kind')} of problem`}>
          <FaultKinds kinds={rest} most={rest.length} {...shared} />
        </Folded>
      )}
    </>
  );
};

interface ColumnFindingsProps {
  readonly findings: Batch['findings'];
  /** What to do about them on this page. */
  readonly advice: string;
}

export const ColumnFindings = ({ findings, advice }: ColumnFindingsProps) => {
  // Pages offer repairs in another place.
  const told = findings.filter(({ type }) => type !== 'column.repairable');
  return told.length === 0 ? null : (
    <Folded title={`${counted(told.length, 'note')} about the columns`} box="stack small hint">
      <Lines of={told.map(({ message }) => findingText(message))} />
      <p>{advice}</p>
    </Folded>
  );
};
