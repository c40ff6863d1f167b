/** The page of one comparison: its progress, then what each scenario costs and why. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from './api.ts';
import { Actions, COMPARISON_ACTIONS, Remove } from './batch/actions.tsx';
import { BatchProgress } from './batch/progress.tsx';
import { Absent, Ending, useTitle } from './batch/run-frame.tsx';
import { COMPARISON, useWatched } from './batch/watch.ts';
import type { Comparison, ComparisonSummary } from './calls.ts';
import type { Behind } from './comparison/behind.ts';
import { ComparisonDownloads, Share } from './comparison/downloads.tsx';
import { Extremes } from './comparison/extremes.tsx';
import { Joined } from './comparison/joined.tsx';
import { MoneyMoves } from './comparison/money-moves.tsx';
import { RowsSheet } from './comparison/rows-sheet.tsx';
import { Headlines, Totals } from './comparison/totals.tsx';
import { Unpriced } from './comparison/unpriced.tsx';
import { titleOf } from './comparison/words.ts';
import { href } from './navigation.tsx';
import { BatchState, hasEnded } from './ui/batch-state.tsx';
import { LinkButton, Segments } from './ui/controls.tsx';
import { FaultNotice, Notice } from './ui/feedback.tsx';
import { count, counted, instant } from './ui/format.ts';
import { Show } from './ui/kit.tsx';
import './comparison/comparison.css';

interface HeadProps {
  readonly comparison: Comparison;
  readonly onComparison: (comparison: Comparison) => void;
}

const titleFor = ({ filename, with: other }: Comparison): string =>
  other === null ? `What if: ${filename}` : `${filename} against ${other.filename}`;

const Head = ({ comparison, onComparison }: HeadProps) => {
  const { batch, with: other, scenarios, createdAt } = comparison;
  return (
    <div class="page-head">
      <div class="stack small">
        <h1 class="batch-name">{titleFor(comparison)}</h1>
        <p class="batch-facts">
          <BatchState batch={comparison} noun="comparison" />
          <span>{other === null ? counted(scenarios.length, 'scenario') : `Joined by ${other.key}`}</span>
          <span>Started {instant(createdAt)}</span>
          {batch === null ? null : (
            <span>
              <a href={href.batch(batch.id)}>The batch</a>
              {batch.revision > 1 ? `, revision ${batch.revision}` : ''}
            </span>
          )}
        </p>
      </div>
      <Actions batch={comparison} doing={COMPARISON_ACTIONS} onBatch={onComparison}>
        {batch === null || !hasEnded(comparison) ? null : (
          <LinkButton href={href.whatIf(batch.id)}>New comparison</LinkButton>
        )}
      </Actions>
    </div>
  );
};

const Findings = ({ comparison: { findings } }: { readonly comparison: Comparison }) => {
  const own = findings.filter(({ type }) => type.startsWith('scenario.'));
  return own.length === 0 ? null : (
    <Notice kind="warning" announced={false} title="Look at the scenarios again">
      <ul>
        {own.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Notice>
  );
};

/** What of a scenario is shown: where it is, and the rows behind one of its bars. */
interface Opened {
  readonly scenario: number;
  readonly behind: Behind;
}

const Scenarios = ({
  comparison,
  summary,
}: {
  readonly comparison: Comparison;
  readonly summary: ComparisonSummary;
}) => {
  const [chosen, setChosen] = useState(0);
  const [opened, setOpened] = useState<Opened>();
  // The rows of joined batches are in the files alone.
  const sumsOnly = comparison.status === 'expired' || comparison.with !== null;
  const openOf = (scenario: number) => (behind: Behind) => setOpened({ scenario, behind });
  const shown = summary.scenarios[chosen];
  const of = opened === undefined ? undefined : comparison.scenarios[opened.scenario];
  return (
    <>
      <section class="stack" aria-labelledby="scenarios">
        <h2 id="scenarios">Scenarios</h2>
        <Totals summary={summary} onOpen={sumsOnly ? undefined : openOf} />
      </section>
      {shown === undefined ? null : (
        <section class="stack details" aria-labelledby="details">
          <div class="details-head">
            <h2 id="details">{titleOf(shown.name)}</h2>
            {summary.scenarios.length < 2 ? null : (
              <Segments
                label="Which scenario is shown"
                options={summary.scenarios.map(({ name }, index) => ({ value: String(index), label: titleOf(name) }))}
                value={String(chosen)}
                onChange={(index) => setChosen(Number(index))}
              />
            )}
          </div>
          <MoneyMoves key={chosen} scenario={shown} onOpen={sumsOnly ? undefined : openOf(chosen)} />
          <Extremes id={comparison.id} index={chosen} scenario={shown} sumsOnly={sumsOnly} />
          <Unpriced scenario={shown} onOpen={sumsOnly ? undefined : openOf(chosen)} />
        </section>
      )}
      {opened === undefined || of === undefined ? null : (
        <RowsSheet
          id={comparison.id}
          scenario={opened.scenario}
          name={titleOf(of.name)}
          column={of.column}
          behind={opened.behind}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
};

const Result = ({ comparison }: { readonly comparison: Comparison }) => {
  const api = useApi();
  const { id, status } = comparison;
  const loaded = useLoad((signal) => api.call('comparisonSummary', { id, signal }), [api, id, status]);
  return (
    <>
      <section class="panel" aria-label="Result">
        <Show of={loaded} label="Loading the result">
          {(summary) => (
            <>
              <Headlines summary={summary} />
              {summary.join === undefined ? null : <Joined join={summary.join} />}
            </>
          )}
        </Show>
        <ComparisonDownloads comparison={comparison} />
        <Share />
      </section>
      {loaded.data === undefined ? null : <Scenarios comparison={comparison} summary={loaded.data} />}
    </>
  );
};

const ComparisonPage = ({ id }: { readonly id: string }) => {
  const { batch: comparison, fault, lost, take, again } = useWatched(COMPARISON, id);
  useTitle(comparison, comparison === undefined ? '' : titleFor(comparison));
  if (comparison === undefined)
    return <Absent noun="comparison" fault={fault} again={again} all={[href.comparisons, 'All comparisons']} />;
  const { processed, total } = comparison.rows;
  return (
    <>
      <Head comparison={comparison} onComparison={take} />
      {fault === undefined ? null : <FaultNotice fault={fault} title="Updates have stopped" retry={again} />}
      <Ending
        noun="comparison"
        run={comparison}
        onFailure="A retry rates only the rows that are missing."
        onCancelled={`${count(processed)} of ${count(total ?? 0)} rows are compared. Totals are those of these rows.`}
        onExpired="The totals are kept. The rows behind them are gone."
      />
      <Findings comparison={comparison} />
      {hasEnded(comparison) ? (
        <Result comparison={comparison} />
      ) : (
        <BatchProgress batch={comparison} noun="comparison" lost={lost}>
          <Share />
        </BatchProgress>
      )}
      {hasEnded(comparison) ? <Remove batch={comparison} doing={COMPARISON_ACTIONS} /> : null}
    </>
  );
};

export default ComparisonPage;
