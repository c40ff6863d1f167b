/** Comparisons as a table, newest first: all of the client's, or those of one batch. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Comparison } from '../calls.ts';
import { sidesOf, titleOf, unlikeParts, verdictOf } from '../comparison/words.ts';
import { href } from '../navigation.tsx';
import { RunState } from '../ui/batch-state.tsx';
import { FaultNotice } from '../ui/feedback.tsx';
import { count, instant } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { comparisonsOf, More, usePaged } from './batch-list.tsx';

interface ComparisonTableProps {
  readonly comparisons: readonly Comparison[];
  /** Set on the page of their batch, which already names the list. */
  readonly ofOneBatch?: boolean;
}

const nameOf = ({ scenarios, with: other }: Comparison): string =>
  other === null ? titleOf(scenarios.map(({ name }) => name).join('; ')) : `Compared with ${other.filename}`;

/** What each scenario saves or costs, once it is known. */
const Results = ({ comparison }: { readonly comparison: Comparison }) => {
  const { scenarios, with: other } = comparison;
  const nameOf = (name: string): string => (other === null ? titleOf(name) : sidesOf(comparison).scenario);
  return (
    <ul class="plain stack tiny">
      {scenarios.map(({ name, result }, index) => {
        if (result === null) return null;
        const verdict = `${verdictOf(result)}${unlikeParts(result).length === 0 ? '' : ', not like for like'}`;
        const isNamed = scenarios.length > 1 || other !== null;
        return <li key={index}>{isNamed ? `${nameOf(name)} ${verdict}` : titleOf(verdict)}</li>;
      })}
    </ul>
  );
};

const ComparisonTable = ({ comparisons, ofOneBatch = false }: ComparisonTableProps) => (
  <Rows
    caption="Comparisons, newest first"
    cards
    of={comparisons}
    keyOf={({ id }) => id}
    cols={[
      [
        'Scenarios',
        (comparison) => (
          <>
            <a class="anywhere" href={href.comparison(comparison.id)}>
              {nameOf(comparison)}
            </a>
            {ofOneBatch ? null : <span class="sub">{comparison.filename}</span>}
          </>
        ),
        'head',
      ],
      ['Result', (comparison) => <Results comparison={comparison} />],
      ['State', (comparison) => <RunState run={comparison} noun="comparison" name={nameOf(comparison)} />],
      ['Rows', ({ rows }) => count(rows.total ?? 0), 'number'],
      ['Started', ({ createdAt }) => <span class="nowrap">{instant(createdAt)}</span>],
    ]}
  />
);

interface ComparisonsProps {
  /** Shows only the comparisons of this batch. */
  readonly batchId?: string;
  /** Shown if there are none. */
  readonly empty?: ComponentChildren;
}

export const Comparisons = ({ batchId, empty = null }: ComparisonsProps) => {
  const source = useMemo(() => comparisonsOf(batchId), [batchId]);
  const paged = usePaged(source, false);
  const { items, fault, reload } = paged;
  if (fault !== undefined) return <FaultNotice fault={fault} title="Comparisons could not be loaded" retry={reload} />;
  if (items === undefined) return null;
  if (items.length === 0) return <>{empty}</>;
  return (
    <section class="stack" aria-labelledby="comparisons">
      <h2 id="comparisons">What-if comparisons</h2>
      <ComparisonTable comparisons={items} ofOneBatch={batchId !== undefined} />
      <More of={paged} label="Show older comparisons" />
    </section>
  );
};
