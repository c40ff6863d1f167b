/** The page of one batch: its progress, then its results. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { watch } from '../http/client/events.ts';
import { urlOf, useApi, useLoad } from './api.ts';
import { AllServices } from './batch/all-services.tsx';
import { Charts, type RowFilter } from './batch/charts.tsx';
import { Faults, faultsEstimate } from './batch/faults.tsx';
import { ALL_ROWS } from './batch/row-filter.tsx';
import { Rows } from './batch/rows.tsx';
import { Files, fitsSheet, type Kind, Run } from './batch/run.tsx';
import { Comparisons } from './batches/comparison-table.tsx';
import type { Batch, Summary } from './calls.ts';
import { missingText, warningTitle } from './fault-words.ts';
import { href } from './navigation.tsx';
import { hasEnded } from './ui/batch-state.tsx';
import { Figures } from './ui/charts.tsx';
import { LinkButton } from './ui/controls.tsx';
import { doubtsOf } from './ui/doubts.ts';
import { Doubts } from './ui/feedback.tsx';
import { ColumnFindings } from './ui/findings.tsx';
import { count, counted, duration, instant, money, percent, wholeMoney } from './ui/format.ts';
import { Help } from './ui/help.tsx';
import { PageHead, Show } from './ui/kit.tsx';
import { Table } from './ui/table.tsx';
import './batch/batch.css';

const secondsOf = ({ startedAt, completedAt }: Batch): number | undefined =>
  startedAt === null || completedAt === null ? undefined : (Date.parse(completedAt) - Date.parse(startedAt)) / 1_000;

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

const Downloads = ({ batch }: { readonly batch: Batch }) => {
  const { id, status, rows, revision, filename } = batch;
  if (status === 'expired') return null;
  if (!hasEnded(batch) && revision === 1)
    return (
      <Files run={batch} files={[['Download finished rows', urlOf(OUTPUT, { id, query: { partial: 'true' } })]]} />
    );
  const partial = status !== 'completed' && revision === 1;
  const csv = [partial ? 'Download results so far, CSV' : 'Download CSV', urlOf(OUTPUT, { id })] as const;
  const excel = fitsSheet(batch) && (['Download Excel', urlOf(OUTPUT, { id, query: { format: 'xlsx' } })] as const);
  const parquet = ['Download Parquet', urlOf(OUTPUT, { id, query: { format: 'parquet' } })] as const;
  // People want back the kind of file that they sent.
  const sent = filename.toLowerCase().endsWith('.parquet') ? parquet : /\.xlsx$/i.test(filename) && excel;
  return (
    <Files
      run={batch}
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
    />
  );
};

/** What makes the total doubtful. */
const doubtsIn = ({ warnings, incomplete: { missing } }: Summary, prices: number): readonly string[] =>
  doubtsOf({ warnings: Object.fromEntries(warnings.map(({ type, shipments }) => [type, shipments])), missing }, prices);

/** Beside the number of faults: what they could cost. */
const estimateNote = (summary: Summary | undefined): string => {
  const estimate = summary === undefined ? undefined : faultsEstimate(summary);
  return estimate === undefined ? '' : `, estimated cost ${wholeMoney(estimate)}`;
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

/** The warnings with their rows. The column `quote_warnings` of the output has them by row. */
const Warnings = ({ summary: { warnings, incomplete } }: { readonly summary: Summary }) => (
  <Table
    caption="Warnings, in the column quote_warnings"
    cols={[
      ['Warning', ({ type }) => warningTitle(type), 'head'],
      ['What is missing', ({ type }) => (type === 'price.incomplete' ? missingText(incomplete) : '')],
      ['Rows', ({ shipments }) => count(shipments), 'number'],
      ['Net charge', ({ totalNetCharge }) => money(totalNetCharge), 'number'],
    ]}
    rows={warnings}
    keyOf={({ type }) => type}
  />
);

interface ResultProps {
  readonly batch: Batch;
  readonly summary: ReturnType<typeof useSummary>;
  readonly onRows: (filter: Partial<RowFilter>) => void;
}

const Result = ({ batch, summary, onRows }: ResultProps) => {
  const { rows } = batch;
  const { joined = 0 } = rows;
  const shipments = rows.processed - joined;
  const { state, data } = summary;
  const seconds = secondsOf(batch);
  const doubts = data === undefined ? [] : doubtsIn(data, rows.quoted);
  return (
    <>
      <AllServices batch={batch} summary={data} loading={state === 'loading'} />
      <section class="panel" aria-label="Result">
        <Figures
          figures={[
            {
              label: 'Total net charge',
              value: data === undefined ? '–' : money(data.totalNetCharge),
              note:
                rows.quoted === 0
                  ? 'no quotes'
                  : data === undefined
                    ? ''
                    : `${money(data.totalNetCharge / rows.quoted)} per shipment`,
            },
            {
              label: 'Rows',
              value: count(rows.total ?? 0),
              note: joined === 0 ? `${count(rows.processed)} done` : `in ${counted(shipments, 'shipment')}`,
            },
            { label: 'Quoted', value: count(rows.quoted), note: percent(rows.quoted, shipments) },
            {
              label: 'With a problem',
              value: count(rows.faulted),
              note: `${percent(rows.faulted, shipments)}${estimateNote(data)}`,
            },
            {
              label: 'Time',
              value: seconds === undefined ? '–' : duration(seconds),
              note:
                seconds === undefined || seconds < 1
                  ? ''
                  : `${count(Math.round(rows.processed / seconds))} rows per second`,
            },
          ]}
        />
        <Doubts doubts={doubts} />
        {data === undefined || data.warnings.length === 0 ? null : <Warnings summary={data} />}
      </section>
      <Show of={summary} lines={8} label="Loading charts">
        {(found) => found && <Charts summary={found} onRows={onRows} />}
      </Show>
      <Help about={['zone', 'dimensionalWeight', 'fuel', 'deliveryArea']} />
    </>
  );
};

interface BodyProps {
  readonly batch: Batch;
  /** Null once it has ended. */
  readonly progress: ComponentChildren;
  readonly onBatch: (batch: Batch) => void;
}

const Body = ({ batch, progress, onBatch }: BodyProps) => {
  const summary = useSummary(batch);
  const [filter, setFilter] = useState(ALL_ROWS);
  /** Shows the rows behind a bar, and goes to their table. */
  const showRows = (wanted: Partial<RowFilter>): void => {
    setFilter({ ...ALL_ROWS, ...wanted });
    document.getElementById('rows')?.focus();
  };
  const ended = hasEnded(batch);
  return (
    <>
      {progress ?? <Result batch={batch} summary={summary} onRows={showRows} />}
      <ColumnFindings findings={batch.findings} advice="To change what the columns mean, upload the list again." />
      {ended ? <Comparisons batchId={batch.id} /> : null}
      <Faults batch={batch} summary={summary.data} onBatch={onBatch} />
      {batch.rows.processed > 0 && batch.status !== 'expired' ? (
        <Rows batch={batch} summary={summary.data} filter={filter} onFilter={setFilter} />
      ) : null}
    </>
  );
};

/** What a link shows of a batch. */
export const SharedBatch = ({ batch, files }: { readonly batch: Batch; readonly files: ComponentChildren }) => {
  const summary = useSummary(batch);
  const [filter, setFilter] = useState(ALL_ROWS);
  return (
    <>
      <PageHead title={batch.filename} lead={`Uploaded ${instant(batch.createdAt)}. Tariff ${batch.tariff}.`}>
        <div class="row">{files}</div>
      </PageHead>
      <Result batch={batch} summary={summary} onRows={(wanted) => setFilter({ ...ALL_ROWS, ...wanted })} />
      {batch.status === 'expired' ? null : (
        <Rows batch={batch} summary={summary.data} filter={filter} onFilter={setFilter} receipts={false} />
      )}
    </>
  );
};

export const BatchPage = ({ id }: { readonly id: string }) => (
  <Run
    kind={BATCH}
    id={id}
    facts={({ createdAt, revision, tariff }) => (
      <>
        <span>Uploaded {instant(createdAt)}</span>
        {revision > 1 ? <span>Revision {revision}</span> : null}
        <span>Tariff {tariff}</span>
      </>
    )}
    buttons={(batch) => (
      <>
        {hasEnded(batch) ? <Downloads batch={batch} /> : null}
        {batch.status === 'completed' ? <LinkButton href={href.whatIf(batch.id)}>What if…</LinkButton> : null}
      </>
    )}
    meanwhile={(batch) => <Downloads batch={batch} />}
  >
    {(batch, progress, take) => <Body batch={batch} progress={progress} onBatch={take} />}
  </Run>
);
