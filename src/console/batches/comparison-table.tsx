/** Comparisons as a table, newest first. */
import type { Comparison } from '../calls.ts';
import { titleOf } from '../comparison/words.ts';
import { href } from '../navigation.tsx';
import { BatchState, hasEnded } from '../ui/batch-state.tsx';
import { Progress } from '../ui/feedback.tsx';
import { count, instant } from '../ui/format.ts';
import { Table } from '../ui/table.tsx';

interface ComparisonTableProps {
  readonly comparisons: readonly Comparison[];
  /** The page is that of their batch, so the list is not named. */
  readonly ofOneBatch?: boolean;
}

const nameOf = ({ scenarios, with: other }: Comparison): string =>
  other === null ? titleOf(scenarios.map(({ name }) => name).join('; ')) : `Against ${other.filename}`;

export const ComparisonTable = ({ comparisons, ofOneBatch = false }: ComparisonTableProps) => (
  <Table
    caption="Comparisons, newest first"
    captionHidden
    rows={comparisons}
    keyOf={({ id }) => id}
    cols={[
      [
        'Scenarios',
        (comparison) => (
          <>
            <a class="anywhere" href={href.comparison(comparison.id)}>
              {nameOf(comparison)}
            </a>
            {ofOneBatch ? null : <span class="hint"> {comparison.filename}</span>}
          </>
        ),
        'head',
      ],
      [
        'State',
        (comparison) => (
          <div class="stack tiny batch-state-cell">
            <BatchState batch={comparison} noun="comparison" />
            {hasEnded(comparison) ? null : (
              <Progress
                label={`Rows done of ${nameOf(comparison)}`}
                value={comparison.rows.processed}
                max={comparison.rows.total ?? 0}
              />
            )}
          </div>
        ),
      ],
      ['Rows', ({ rows }) => count(rows.total ?? 0), 'number'],
      ['Started', ({ createdAt }) => <span class="nowrap">{instant(createdAt)}</span>],
    ]}
  />
);
