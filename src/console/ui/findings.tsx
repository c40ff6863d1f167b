/** Faults by type, and findings about the columns of a list. */
import type { ComponentChildren } from 'preact';
import type { Batch, FaultKind } from '../calls.ts';
import { findingText, guidanceOf, kindTitle } from '../fault-words.ts';
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

/** The cells that are wrong, and what to do about them. */
const KindText = ({ kind: { type, field, column, examples } }: { readonly kind: FaultKind }) => {
  const cells = examples.map(
    ({ input_row, value }) => `${value === '' ? 'empty' : `“${value}”`} in row ${count(input_row)}`,
  );
  return (
    <p class="hint">
      {column === null ? '' : `Column “${column}”${cells.length === 0 ? '. ' : `: ${cells.join(', ')}. `}`}
      {type === 'getRates.invalidRequest' && field !== null ? '' : guidanceOf(type).advice}
    </p>
  );
};

interface FaultKindsProps {
  readonly kinds: readonly FaultKind[];
  /** Formats the number of rows. */
  readonly rowsOf?: (kind: FaultKind) => string;
  /** The kind whose rows are shown. */
  readonly chosen?: FaultKind | undefined;
  /** More about a kind, such as a button for it. */
  readonly children: (kind: FaultKind, title: string) => ComponentChildren;
}

/** Kinds of problems with the number of rows, in the same words before and after a list has run. */
export const FaultKinds = ({ kinds, rowsOf = ({ rows }) => count(rows), chosen, children }: FaultKindsProps) => (
  <ul class="plain fields long fault-kinds">
    {kinds.map((kind) => (
      <li key={kind.kind} class={kind.kind === chosen?.kind ? 'card chosen' : 'card'}>
        <span class="figure-value">{rowsOf(kind)}</span>
        <div class="stack tiny">
          <p class="fault-title">{kindTitle(kind)}</p>
          <KindText kind={kind} />
          {children(kind, kindTitle(kind))}
        </div>
      </li>
    ))}
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
    <Folded title={`${counted(told.length, 'note')} about the columns`} box="stack small hint">
      <Lines of={told.map(({ message }) => findingText(message))} />
      <p>{advice}</p>
    </Folded>
  );
};
