/** The page of one comparison: its progress, then what each scenario costs and why. */
import { useEffect, useState } from 'preact/hooks';
import { useApi, useLoad } from './api.ts';
import { Actions, COMPARISON_ACTIONS, Remove } from './batch/actions.tsx';
import { BatchProgress } from './batch/progress.tsx';
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
import { faultWords } from './fault-words.ts';
import { href } from './navigation.tsx';
import { BatchState, hasEnded } from './ui/batch-state.tsx';
import { Button, LinkButton, Segments } from './ui/controls.tsx';
import { EmptyState, FaultNotice, Notice, Skeleton } from './ui/feedback.tsx';
import { count, counted, instant } from './ui/format.ts';
import './batch/batch.css';

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
        <h1>{titleFor(comparison)}</h1>
        <p class="row hint">
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

/** Why the comparison ended without being completed. */
const Ending = ({ comparison: { status, failure, rows } }: { readonly comparison: Comparison }) => {
  if (status === 'failed')
    return (
      <Notice kind="error" title="The comparison failed">
        <p>
          {failure?.message ?? 'The service could not finish it.'}
          {failure?.rows === undefined ? '' : ` Rows ${count(failure.rows.from)} to ${count(failure.rows.to)}.`}
        </p>
        <p>A retry rates only the rows that are missing.</p>
      </Notice>
    );
  if (status === 'cancelled')
    return (
      <Notice kind="info" announced={false} title="The comparison was cancelled">
        <p>
          {count(rows.processed)} of {count(rows.total ?? 0)} rows are compared. Totals are those of these rows.
        </p>
      </Notice>
    );
  return status === 'expired' ? (
    <Notice kind="info" announced={false} title="The files of this comparison have expired">
      <p>The totals are kept. The rows behind them are gone.</p>
    </Notice>
  ) : null;
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
        <section class="stack large ruled" aria-labelledby="details">
          <div class="page-head">
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
  const { state, data, reload, ...loaded } = useLoad(
    (signal) => api.call('GET /v1/client/shipment/rates/comparisons/{id}/summary', { id, signal }),
    [api, id, status],
  );
  return (
    <>
      <section class="panel" aria-label="Result">
        {'fault' in loaded ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
        {data === undefined ? (
          state === 'loading' ? (
            <Skeleton lines={3} label="Loading the result" />
          ) : null
        ) : (
          <>
            <Headlines summary={data} />
            {data.join === undefined ? null : <Joined join={data.join} />}
          </>
        )}
        <ComparisonDownloads comparison={comparison} />
        <Share />
      </section>
      {data === undefined ? null : <Scenarios comparison={comparison} summary={data} />}
    </>
  );
};

const ComparisonPage = ({ id }: { readonly id: string }) => {
  const { batch: comparison, fault, lost, take, again } = useWatched(COMPARISON, id);
  const title = comparison !== undefined && hasEnded(comparison) ? titleFor(comparison) : undefined;
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Shipping rates`;
  }, [title]);
  if (comparison === undefined)
    return (
      <>
        <h1>Comparison</h1>
        {fault === undefined ? (
          <Skeleton lines={8} label="Loading the comparison" />
        ) : (
          <EmptyState title={fault.status === 404 ? 'Comparison not found' : faultWords(fault).join(' ')}>
            <p>It may have been deleted, or it belongs to another client.</p>
            <div class="actions">
              <Button onClick={again}>Try again</Button>
              <LinkButton href={href.comparisons}>All comparisons</LinkButton>
            </div>
          </EmptyState>
        )}
      </>
    );
  return (
    <>
      <Head comparison={comparison} onComparison={take} />
      {fault === undefined ? null : <FaultNotice fault={fault} title="Updates have stopped" retry={again} />}
      <Ending comparison={comparison} />
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
