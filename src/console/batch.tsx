/** The page of one batch: its progress, then its results. */
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { watch } from '../http/client/events.ts';
import { urlOf, useApi, useCall, useEvery, useLoad } from './api.ts';
import { AllServices, Charts, InWords } from './batch/charts.tsx';
import { Faults, faultsEstimate } from './batch/faults.tsx';
import { secondsOf } from './batch/progress.tsx';
import { ALL_ROWS, type RowFilter } from './batch/row-filter.tsx';
import { Rows } from './batch/rows.tsx';
import { Files, fitsSheet, type Kind, Run } from './batch/run.tsx';
import { Comparisons } from './batches/batch-list.tsx';
import type { Batch, Summary } from './calls.ts';
import { missingText, warningTitle } from './fault-words.ts';
import { AddressContext, goTo, href } from './navigation.tsx';
import { hasEnded, Mark } from './ui/batch-state.tsx';
import { Figures } from './ui/charts.tsx';
import { LinkButton } from './ui/controls.tsx';
import { doubtsIn } from './ui/doubts.ts';
import { Doubts, EmptyState, FaultNotice, Folded, Lines, Notice } from './ui/feedback.tsx';
import { ColumnFindings } from './ui/findings.tsx';
import { allOf, count, counted, duration, instant, money, percent, wholeMoney } from './ui/format.ts';
import { PageHead, Show } from './ui/kit.tsx';
import { Help } from './ui/later.tsx';
import { Table } from './ui/table.tsx';
import { type Tab, Tabs, tabHref } from './ui/tabs.tsx';
import './batch/batch.css';

const BATCH: Kind<Batch> = {
  noun: 'batch',
  events: (api, id, waiting) => watch(api, 'GET /v1/client/shipment/rates/batches/{id}/events', id, waiting),
  load: (api, id, waiting) => api.call('GET /v1/client/shipment/rates/batches/{id}', { id, ...waiting }),
  cancel: (api, id) => api.call('POST /v1/client/shipment/rates/batches/{id}/cancel', { id }),
  retry: (api, id) => api.call('POST /v1/client/shipment/rates/batches/{id}/retry', { id }),
  remove: (api, id) => api.call('DELETE /v1/client/shipment/rates/batches/{id}', { id }),
  after: () => href.batches,
  titleOf: ({ filename }) => filename,
  onCancel: 'Finished rows are kept. You can download them, and the remaining rows as they were uploaded.',
  onRemoval: 'The list and its output are deleted from the service. This cannot be undone.',
  onRemove: ({ filename }) => (
    <>
      The list <strong>{filename}</strong> and its output will be deleted from the service. This cannot be undone.
    </>
  ),
  cancelled: (done) => `${done} are done. You can download them, and the remaining rows as they were uploaded.`,
  failed: 'Finished rows are kept.',
  expired: 'Files are kept for a few days. Upload the list again to get new quotes.',
};

const OUTPUT = 'GET /v1/client/shipment/rates/batches/{id}/output';

const Downloads = ({ batch, share }: { readonly batch: Batch; readonly share?: ComponentChildren }) => {
  const { id, status, rows, revision, filename } = batch;
  if (status === 'expired') return null;
  if (!hasEnded(batch) && revision === 1) {
    const soFar = urlOf(OUTPUT, { id, query: { partial: 'true' } });
    return rows.processed === 0 ? null : <Files isMain={false} files={[['Download finished rows', soFar]]} />;
  }
  const partial = status !== 'completed' && revision === 1;
  const csv = [partial ? 'Download results so far, CSV' : 'Download CSV', urlOf(OUTPUT, { id })] as const;
  const excel = fitsSheet(batch) && (['Download Excel', urlOf(OUTPUT, { id, query: { format: 'xlsx' } })] as const);
  const parquet = ['Download Parquet', urlOf(OUTPUT, { id, query: { format: 'parquet' } })] as const;
  // People prefer the kind of file that they sent.
  const sent = filename.toLowerCase().endsWith('.parquet') ? parquet : /\.xlsx$/i.test(filename) && excel;
  return (
    <Files
      isMain={rows.faulted === 0}
      files={[
        ...[csv, excel, parquet].toSorted((a, b) => Number(b === sent) - Number(a === sent)),
        rows.faulted > 0 && [
          'Rows with a problem, CSV',
          urlOf('GET /v1/client/shipment/rates/batches/{id}/faults', { id }),
        ],
        partial && [
          'Unfinished rows, as uploaded',
          urlOf('GET /v1/client/shipment/rates/batches/{id}/unprocessed', { id }),
        ],
      ]}
    >
      {share}
    </Files>
  );
};

/** The summary of a batch that has ended; undefined while it runs. */
const useSummary = (batch: Batch) => {
  const api = useApi();
  return useLoad(
    async (signal) =>
      hasEnded(batch)
        ? await api.call('GET /v1/client/shipment/rates/batches/{id}/summary', { id: batch.id, signal })
        : undefined,
    [batch.id, batch.revision, batch.status],
  );
};

/** The warnings with their number of shipments. The output column `quote_warnings` has them by row. */
const Warnings = ({ summary: { warnings, incomplete } }: { readonly summary: Summary }) => (
  <Folded title={`${counted(warnings.length, 'kind')} of warning`}>
    <Table
      caption="Warnings, in the column quote_warnings"
      cols={[
        ['Warning', ({ type }) => warningTitle(type), 'head'],
        incomplete.rows > 0 && [
          'What is missing',
          ({ type }) => (type === 'price.incomplete' ? missingText(incomplete) : ''),
        ],
        ['Shipments', ({ shipments }) => count(shipments), 'number'],
        ['Net charge', ({ totalNetCharge }) => money(totalNetCharge), 'number'],
      ]}
      rows={warnings}
      keyOf={({ type }) => type}
    />
  </Folded>
);

interface SummaryProps {
  readonly batch: Batch;
  /** Undefined until it has loaded. */
  readonly summary: Summary | undefined;
}

/** The next step for the user: the shipments without a price, and their estimated cost. */
const NextStep = ({ batch, summary }: SummaryProps) => {
  const hash = useContext(AddressContext);
  const { faulted } = batch.rows;
  const estimate = faultsEstimate(summary);
  return (
    <Notice kind="warning">
      <div class="split">
        <div>
          <p class="notice-title">
            {counted(faulted, 'shipment')} {faulted === 1 ? 'has' : 'have'} a problem and no price
          </p>
          <p>
            {faulted === 1 ? 'It is' : 'They are'} not in the total.
            {estimate === undefined ? '' : ` Estimated cost: ${wholeMoney(estimate)}, at the average price.`}
          </p>
        </div>
        <LinkButton href={tabHref(hash, PROBLEMS)} kind="primary">
          {batch.status === 'completed' ? 'Fix' : 'See'} {counted(faulted, 'problem')}
        </LinkButton>
      </div>
    </Notice>
  );
};

interface ResultProps {
  readonly batch: Batch;
  readonly summary: ReturnType<typeof useSummary>;
  readonly onRows: (filter: Partial<RowFilter>) => void;
}

/** The total and its counts. Each row is a shipment, or one line of an order that is a shipment. */
const Totals = ({ batch: { rows }, summary: data }: SummaryProps) => {
  const { total, processed, quoted, faulted, joined = 0 } = rows;
  const shipments = processed - joined;
  const said = (value: number | undefined): string => (value === undefined || quoted === 0 ? '–' : money(value));
  return (
    <Figures
      of={[
        [
          'Total net charge',
          said(data?.totalNetCharge),
          quoted === 0 ? 'no price' : `for ${counted(quoted, 'shipment')}`,
        ],
        ['Average', said(data && data.totalNetCharge / quoted), 'per shipment'],
        [
          'Shipments',
          count(shipments),
          `in ${processed === total ? '' : `${count(processed)} of `}${counted(total ?? 0, 'row')}`,
        ],
        ['Problems', count(faulted), `${percent(faulted, shipments)} of shipments`],
      ]}
    />
  );
};

const RE_READ = 'To change what the columns mean, upload the list again.';

/** Details that few people need. */
const Details = ({ batch: { tariff, rows, ...batch } }: { readonly batch: Batch }) => {
  const seconds = secondsOf(batch);
  const pace = seconds < 1 ? '' : `, ${count(Math.round(rows.processed / seconds))} rows per second`;
  return (
    <Folded title="Details">
      <Lines class="lines" of={[`Tariff versions: ${tariff}`, `Time: ${duration(seconds)}${pace}`]} />
    </Folded>
  );
};

const Result = ({ batch, summary, onRows }: ResultProps) => {
  const { state, data } = summary;
  return (
    <>
      <section class="panel" aria-label="Result">
        <Totals batch={batch} summary={data} />
        {data === undefined ? null : (
          <>
            <Doubts doubts={doubtsIn(data, batch.rows.quoted)} />
            <InWords summary={data} />
          </>
        )}
      </section>
      <AllServices batch={batch} summary={data} loading={state === 'loading'} />
      <Show of={summary} lines={8} label="Loading charts">
        {(found) => found && <Charts summary={found} onRows={batch.status === 'expired' ? undefined : onRows} />}
      </Show>
      <div class="stack small">
        {data === undefined || data.warnings.length === 0 ? null : <Warnings summary={data} />}
        <ColumnFindings findings={batch.findings} advice={RE_READ} />
        <Details batch={batch} />
        <Help about={['zone', 'dimensionalWeight', 'fuel', 'deliveryArea']} />
      </div>
    </>
  );
};

/** The last attempt to notify the client's webhook, which comes within a minute of the end of the batch. */
const Notified = ({ batch: { id, revision, completedAt } }: { readonly batch: Batch }) => {
  const { data, fault, reload } = useCall('GET /v1/client/webhooks/deliveries', {}, [id, revision, completedAt]);
  useEvery(10_000, Date.now() - Date.parse(completedAt ?? '') < 60_000, reload);
  const last = data?.deliveries.find((one) => one.batchId === id && one.revision === revision);
  if (last === undefined) return <FaultNotice fault={fault} />;
  const { at, problem, nextAttemptAt: next } = last;
  if (problem === null) return <p class="hint">Your webhook was notified on {instant(at)}.</p>;
  return (
    <p class="hint">
      <Mark kind="warn" /> Your webhook could not be notified on {instant(at)}: {problem}.{' '}
      {next === null ? 'There is no further attempt.' : `The next attempt is on ${instant(next)}.`}
    </p>
  );
};

/* Names of the page's tabs in its address. */
const PROBLEMS = 'problems';
const ROWS = 'rows';

interface BodyProps {
  readonly batch: Batch;
  /** Null once it has ended. */
  readonly progress: ComponentChildren;
  readonly onBatch: (batch: Batch) => void;
}

const Body = ({ batch, progress, onBatch }: BodyProps) => {
  const { rows, status } = batch;
  const summary = useSummary(batch);
  const hash = useContext(AddressContext);
  const [filter, setFilter] = useState(ALL_ROWS);
  const [shown, setShown] = useState(0);
  /** Goes to the rows behind a bar. */
  const showRows = (wanted: Partial<RowFilter>): void => {
    setFilter({ ...ALL_ROWS, ...wanted });
    setShown(shown + 1);
    goTo(tabHref(hash, ROWS));
  };
  useEffect(() => {
    if (shown > 0) document.getElementById('rows')?.focus();
  }, [shown]);
  const ended = hasEnded(batch);
  const problems = rows.faulted > 0 && {
    at: PROBLEMS,
    label: (
      <>
        Problems <span class="mark warn">{count(rows.faulted)}</span>
      </>
    ),
    show: () => <Faults batch={batch} summary={summary.data} onBatch={onBatch} />,
  };
  const table = rows.processed > 0 &&
    status !== 'expired' && {
      at: ROWS,
      label: 'Rows',
      show: () => <Rows batch={batch} summary={summary.data} filter={filter} onFilter={setFilter} />,
    };
  const result: Tab = {
    at: 'summary',
    label: 'Summary',
    show: () => (
      <>
        {rows.faulted === 0 ? null : <NextStep batch={batch} summary={summary.data} />}
        <Result batch={batch} summary={summary} onRows={showRows} />
      </>
    ),
  };
  const comparisons: Tab = {
    at: 'comparisons',
    label: 'Comparisons',
    show: () => (
      <Comparisons
        batchId={batch.id}
        empty={<EmptyState title="No comparisons yet" text="What if… shows what other choices would cost." />}
      />
    ),
  };
  return (
    <>
      {progress}
      {ended ? <Notified batch={batch} /> : <ColumnFindings findings={batch.findings} advice={RE_READ} />}
      <Tabs label="Parts of the batch" tabs={ended ? [result, problems, table, comparisons] : [table, problems]} />
    </>
  );
};

/** Formats `2026@2026-01-05-88432bc6` as `Tariff “2026”`. */
const tariffText = ({ tariff }: Batch): string => {
  const names = tariff.split(', ').map((version) => `“${version.replace(/@.*/, '')}”`);
  return `Tariff${names.length === 1 ? '' : 's'} ${allOf(names)}`;
};

/** The parts of a batch that a link shows. */
export const SharedBatch = ({ batch, files }: { readonly batch: Batch; readonly files: ComponentChildren }) => {
  const summary = useSummary(batch);
  const [filter, setFilter] = useState(ALL_ROWS);
  const showRows = (wanted: Partial<RowFilter>): void => {
    setFilter({ ...ALL_ROWS, ...wanted });
    document.getElementById('rows')?.focus();
  };
  return (
    <>
      <PageHead title={batch.filename} lead={`Uploaded ${instant(batch.createdAt)}. ${tariffText(batch)}.`}>
        <div class="actions">{files}</div>
      </PageHead>
      <Result batch={batch} summary={summary} onRows={showRows} />
      {batch.status === 'expired' ? (
        <Notice
          kind="info"
          title="The files of this batch have expired"
          text="The totals are kept. The rows are gone."
        />
      ) : (
        <Rows batch={batch} summary={summary.data} filter={filter} onFilter={setFilter} receipts={false} />
      )}
    </>
  );
};

export const BatchPage = ({ id }: { readonly id: string }) => (
  <Run
    kind={BATCH}
    id={id}
    facts={(batch) => (
      <>
        <span>Uploaded {instant(batch.createdAt)}</span>
        {batch.revision > 1 ? <span>Revision {batch.revision}</span> : null}
        <span title={batch.tariff}>{tariffText(batch)}</span>
      </>
    )}
    buttons={(batch, share) => (
      <>
        {batch.status === 'completed' ? <LinkButton href={href.whatIf(batch.id)}>What if…</LinkButton> : null}
        {hasEnded(batch) ? <Downloads batch={batch} share={share} /> : null}
      </>
    )}
    meanwhile={(batch) => <Downloads batch={batch} />}
  >
    {(batch, progress, take) => <Body batch={batch} progress={progress} onBatch={take} />}
  </Run>
);
