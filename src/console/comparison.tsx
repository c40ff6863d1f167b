/** The page of a comparison: its progress, then what each scenario costs and why. */
import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { watch } from '../http/client/events.ts';
import { urlOf, useCall } from './api.ts';
import { Files, fitsSheet, type Kind, Run } from './batch/run.tsx';
import type { Comparison, ComparisonSummary } from './calls.ts';
import { Extremes, RowsSheet } from './comparison/rows.tsx';
import { type Behind, Headlines, Joined, MoneyMoves, SideBySide, Totals, Unpriced } from './comparison/totals.tsx';
import { type ScenarioSummary, sidesOf, titleOf } from './comparison/words.ts';
import { href } from './navigation.tsx';
import { hasEnded } from './ui/batch-state.tsx';
import { LinkButton, Segments } from './ui/controls.tsx';
import { Lines, Notice } from './ui/feedback.tsx';
import { counted, instant } from './ui/format.ts';
import { PageHead, Show } from './ui/kit.tsx';
import { type Tab, Tabs } from './ui/tabs.tsx';
import './batch/batch.css';

const COMPARISON: Kind<Comparison> = {
  noun: 'comparison',
  events: (api, id, waiting) => watch(api, 'GET /v1/client/shipment/rates/comparisons/{id}/events', id, waiting),
  load: (api, id, waiting) => api.call('GET /v1/client/shipment/rates/comparisons/{id}', { id, ...waiting }),
  cancel: (api, id) => api.call('POST /v1/client/shipment/rates/comparisons/{id}/cancel', { id }),
  retry: (api, id) => api.call('POST /v1/client/shipment/rates/comparisons/{id}/retry', { id }),
  remove: (api, id) => api.call('DELETE /v1/client/shipment/rates/comparisons/{id}', { id }),
  after: ({ batch }) => (batch === null ? href.batches : href.batch(batch.id)),
  titleOf: ({ filename, with: other }) =>
    other === null ? `What if: ${filename}` : `${filename} against ${other.filename}`,
  onCancel: 'The batch itself is not affected.',
  onRemoval: 'Its totals and its files are deleted from the service. The batch stays.',
  onRemove: () => 'Links to it stop working. The batch stays. This cannot be undone.',
  cancelled: (done) => `${done} are compared. The totals cover these rows.`,
  failed: '',
  expired: 'The totals are kept. The rows behind them are gone.',
};

const OUTPUT = 'GET /v1/client/shipment/rates/comparisons/{id}/output';

const Downloads = ({ comparison, share }: { readonly comparison: Comparison; readonly share: ComponentChildren }) => {
  const { id, status } = comparison;
  if (status === 'expired') return null;
  const soFar = status === 'completed' ? '' : ' so far';
  return (
    <Files
      files={[
        [`Download CSV${soFar}`, urlOf(OUTPUT, { id })],
        fitsSheet(comparison) && [`Download Excel${soFar}`, urlOf(OUTPUT, { id, query: { format: 'xlsx' } })],
        [`Download Parquet${soFar}`, urlOf(OUTPUT, { id, query: { format: 'parquet' } })],
        [`Download JSON${soFar}`, urlOf(OUTPUT, { id, query: { format: 'json' } })],
      ]}
    >
      {share}
    </Files>
  );
};

const Findings = ({ comparison: { findings } }: { readonly comparison: Comparison }) => {
  const own = findings.filter(({ type }) => type.startsWith('scenario.'));
  return own.length === 0 ? null : (
    <Notice kind="warning" title="Check the scenarios">
      <Lines of={own.map(({ message }) => message)} />
    </Notice>
  );
};

/** The rows that are shown: their scenario, and the bar that they belong to. */
interface Opened {
  readonly scenario: number;
  readonly behind: Behind;
}

interface PartsProps extends ResultProps {
  readonly summary: ComparisonSummary;
}

/** The result, then the reasons, then the rows behind a bar. */
const Parts = ({ comparison, summary: given, isShared = false, children }: PartsProps) => {
  const sides = sidesOf(comparison);
  const scenarios = given.scenarios.map((own) => (comparison.with === null ? own : { ...own, name: sides.scenario }));
  const summary = { ...given, scenarios };
  const [chosen, setChosen] = useState(0);
  const [opened, setOpened] = useState<Opened>();
  // Rows of joined batches are only in the files.
  const sumsOnly = comparison.status === 'expired' || comparison.with !== null;
  const openOf = (scenario: number) => (behind: Behind) => setOpened({ scenario, behind });
  const onOpen = sumsOnly ? undefined : openOf(chosen);
  const of = opened === undefined ? undefined : comparison.scenarios[opened.scenario];
  /** A tab about one scenario, with a menu to choose the scenario. */
  const partOf = (show: (scenario: ScenarioSummary) => ComponentChildren) => () => {
    const shown = scenarios[chosen];
    return shown === undefined ? null : (
      <>
        <div class="page-head">
          <h2>{titleOf(shown.name)}</h2>
          {scenarios.length < 2 ? null : (
            <Segments
              label="Which scenario is shown"
              options={scenarios.map(({ name }, index) => ({ value: String(index), label: titleOf(name) }))}
              value={String(chosen)}
              onChange={(index) => setChosen(Number(index))}
            />
          )}
        </div>
        {show(shown)}
      </>
    );
  };
  const tabs: readonly Tab[] = [
    {
      at: 'summary',
      label: 'Summary',
      show: () => (
        <>
          <section class="panel" aria-label="Result">
            <Headlines summary={summary} sides={sides} />
            <SideBySide scenarios={scenarios} sides={sides} />
            {summary.join === undefined ? null : <Joined base={summary.base} join={summary.join} sides={sides} />}
          </section>
          <section class="stack" aria-labelledby="scenarios">
            <h2 id="scenarios">{summary.join === undefined ? 'Scenarios' : 'Shipments in both lists'}</h2>
            <Totals summary={summary} sides={sides} onOpen={sumsOnly ? undefined : openOf} />
          </section>
          {children}
        </>
      ),
    },
    {
      at: 'moves',
      label: 'Where the money moves',
      show: partOf((shown) => <MoneyMoves key={chosen} scenario={shown} sides={sides} onOpen={onOpen} />),
    },
    {
      at: 'rows',
      label: 'Rows',
      show: partOf((shown) => (
        <>
          <Unpriced scenario={shown} sides={sides} onOpen={onOpen} />
          <Extremes id={comparison.id} index={chosen} scenario={shown} sides={sides} onOpen={onOpen} />
        </>
      )),
    },
  ];
  return (
    <>
      {isShared ? (
        tabs.map(({ at, show }) => <Fragment key={at}>{show()}</Fragment>)
      ) : (
        <Tabs label="Parts of the comparison" tabs={tabs} isPrintedWhole />
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

interface ResultProps {
  readonly comparison: Comparison;
  /** Whether the page was opened with a link. It then shows all parts on one page, because its address cannot name one. */
  readonly isShared?: boolean;
  /** Content below the totals. */
  readonly children?: ComponentChildren;
}

const Result = (props: ResultProps) => {
  const { id, status } = props.comparison;
  const loaded = useCall('GET /v1/client/shipment/rates/comparisons/{id}/summary', { id }, [status]);
  return (
    <Show of={loaded} lines={8} label="Loading the result">
      {(summary) => <Parts {...props} summary={summary} />}
    </Show>
  );
};

/** The parts of a comparison that a link shows. */
export const SharedComparison = ({
  comparison,
  files,
}: {
  readonly comparison: Comparison;
  readonly files: ComponentChildren;
}) => (
  <>
    <PageHead title={COMPARISON.titleOf(comparison)} lead={`Started ${instant(comparison.createdAt)}.`} />
    <Findings comparison={comparison} />
    <Result comparison={comparison} isShared>
      <div class="row">{files}</div>
    </Result>
  </>
);

export default ({ id }: { readonly id: string }) => (
  <Run
    kind={COMPARISON}
    id={id}
    facts={({ batch, with: other, scenarios, createdAt }) => (
      <>
        <span>{other === null ? counted(scenarios.length, 'scenario') : `Joined by ${other.key}`}</span>
        <span>Started {instant(createdAt)}</span>
        {batch === null ? null : (
          <span>
            <a href={href.batch(batch.id)}>View batch</a>
            {batch.revision > 1 ? `, revision ${batch.revision}` : ''}
          </span>
        )}
      </>
    )}
    buttons={(comparison, share) =>
      hasEnded(comparison) ? (
        <>
          {comparison.batch && <LinkButton href={href.whatIf(comparison.batch.id)}>What if…</LinkButton>}
          <Downloads comparison={comparison} share={share} />
        </>
      ) : null
    }
  >
    {(comparison, progress) => (
      <>
        <Findings comparison={comparison} />
        {progress ?? <Result comparison={comparison} />}
      </>
    )}
  </Run>
);
