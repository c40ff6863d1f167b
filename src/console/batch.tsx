/** The page of one batch: its progress, then its results. */
import { useEffect, useState } from 'preact/hooks';
import { useApi, useLoad } from './api.ts';
import { Actions, BATCH_ACTIONS, Downloads, Remove } from './batch/actions.tsx';
import { AllServices } from './batch/all-services.tsx';
import type { RowFilter } from './batch/charts.tsx';
import { Charts } from './batch/charts.tsx';
import { Comparisons } from './batch/comparisons.tsx';
import { Faults, faultsEstimate } from './batch/faults.tsx';
import { BatchProgress } from './batch/progress.tsx';
import { ALL_ROWS } from './batch/row-filter.tsx';
import { Rows } from './batch/rows.tsx';
import { BATCH, useWatched } from './batch/watch.ts';
import type { Batch, Summary } from './calls.ts';
import { faultWords } from './fault-words.ts';
import { href } from './navigation.tsx';
import { BatchState, hasEnded } from './ui/batch-state.tsx';
import { Figures } from './ui/charts.tsx';
import { Button, LinkButton } from './ui/controls.tsx';
import { EmptyState, FaultNotice, Notice, Skeleton } from './ui/feedback.tsx';
import { ColumnFindings } from './ui/findings.tsx';
import { count, counted, duration, instant, money, percent, wholeMoney } from './ui/format.ts';
import { missingText, warningTitle } from './warnings.ts';
import './batch/batch.css';

const secondsOf = ({ startedAt, completedAt }: Batch): number | undefined =>
  startedAt === null || completedAt === null ? undefined : (Date.parse(completedAt) - Date.parse(startedAt)) / 1_000;

const Head = ({ batch, onBatch }: { readonly batch: Batch; readonly onBatch: (batch: Batch) => void }) => (
  <div class="page-head">
    <div class="stack small">
      <h1>{batch.filename}</h1>
      <p class="row hint">
        <BatchState batch={batch} />
        <span>Uploaded {instant(batch.createdAt)}</span>
        {batch.revision > 1 ? <span>Revision {batch.revision}</span> : null}
        <span>Tariff {batch.tariff}</span>
      </p>
    </div>
    <div class="actions">
      {hasEnded(batch) ? <Downloads batch={batch} /> : null}
      <Actions batch={batch} doing={BATCH_ACTIONS} onBatch={onBatch}>
        {batch.status === 'completed' ? <LinkButton href={href.whatIf(batch.id)}>What if…</LinkButton> : null}
      </Actions>
    </div>
  </div>
);

/** Why the batch ended without being completed. */
const Ending = ({ batch: { status, failure, rows } }: { readonly batch: Batch }) => {
  if (status === 'failed')
    return (
      <Notice kind="error" title="The batch failed">
        <p>
          {failure?.message ?? 'The service could not finish it.'}
          {failure?.rows === undefined ? '' : ` Rows ${count(failure.rows.from)} to ${count(failure.rows.to)}.`}
        </p>
        <p>Finished rows are kept. A retry rates only the rows that are missing.</p>
      </Notice>
    );
  if (status === 'cancelled')
    return (
      <Notice kind="info" announced={false} title="The batch was cancelled">
        <p>
          {count(rows.processed)} of {count(rows.total ?? 0)} rows are done. You can download them, and the remaining
          rows as they were uploaded.
        </p>
      </Notice>
    );
  return status === 'expired' ? (
    <Notice kind="info" announced={false} title="The files of this batch have expired">
      <p>Files are kept for a few days. Upload the list again to get new quotes.</p>
    </Notice>
  ) : null;
};

/** Beside the total: whether it lacks something. */
const incompleteNote = ({ incomplete: { rows } }: Summary): string =>
  rows === 0 ? '' : `, incomplete in ${counted(rows, 'row')}`;

/** Beside the number of faults: what they could cost. */
const estimateNote = (summary: Summary | undefined): string => {
  const estimate = summary === undefined ? undefined : faultsEstimate(summary);
  return estimate === undefined ? '' : `, about ${wholeMoney(estimate)} by estimate`;
};

/** The summary of a batch that has ended; undefined while it runs. */
const useSummary = (batch: Batch | undefined) => {
  const api = useApi();
  return useLoad(
    async (signal) =>
      batch !== undefined && hasEnded(batch)
        ? await api.call('GET /v1/client/shipment/rates/batches/{id}/summary', { id: batch.id, signal })
        : undefined,
    [batch?.id, batch?.revision, batch?.status],
  );
};

interface ResultProps {
  readonly batch: Batch;
  readonly summary: ReturnType<typeof useSummary>;
  readonly onRows: (filter: Partial<RowFilter>) => void;
}

const Result = ({ batch, summary, onRows }: ResultProps) => {
  const { rows } = batch;
  const { state, data, reload, ...loaded } = summary;
  const seconds = secondsOf(batch);
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
                    : `${money(data.totalNetCharge / rows.quoted)} per shipment${incompleteNote(data)}`,
            },
            { label: 'Rows', value: count(rows.total ?? 0), note: `${count(rows.processed)} done` },
            { label: 'Quoted', value: count(rows.quoted), note: percent(rows.quoted, rows.processed) },
            {
              label: 'With a fault',
              value: count(rows.faulted),
              note: `${percent(rows.faulted, rows.processed)}${estimateNote(data)}`,
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
      </section>
      {(data?.warnings ?? []).map(({ type, shipments, totalNetCharge }) => (
        <Notice
          key={type}
          kind="warning"
          announced={false}
          title={`${warningTitle(type)}: ${counted(shipments, 'row')}`}
        >
          {type === 'price.incomplete' && data !== undefined ? (
            <p>
              These prices do not include everything that the carrier will bill. The tariff lacks{' '}
              {missingText(data.incomplete)}.
            </p>
          ) : null}
          <p>
            Their net charges total {money(totalNetCharge)}. The column <code>quote_warnings</code> marks these rows.
          </p>
        </Notice>
      ))}
      {'fault' in loaded ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data === undefined ? (
        state === 'loading' ? (
          <Skeleton lines={8} label="Loading charts" />
        ) : null
      ) : (
        <Charts summary={data} onRows={onRows} />
      )}
    </>
  );
};

export const BatchPage = ({ id }: { readonly id: string }) => {
  const { batch, fault, lost, take, again } = useWatched(BATCH, id);
  const summary = useSummary(batch);
  const [filter, setFilter] = useState(ALL_ROWS);
  /** Shows the rows behind a bar, and goes to their table. */
  const showRows = (wanted: Partial<RowFilter>): void => {
    setFilter({ ...ALL_ROWS, ...wanted });
    document.getElementById('rows')?.focus();
  };
  const title = batch !== undefined && hasEnded(batch) ? batch.filename : undefined;
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Shipping rates`;
  }, [title]);
  if (fault !== undefined && batch === undefined)
    return (
      <>
        <h1>Batch</h1>
        <EmptyState title={fault.status === 404 ? 'Batch not found' : faultWords(fault).join(' ')}>
          <p>It may have been deleted, or it belongs to another client.</p>
          <div class="actions">
            <Button onClick={again}>Try again</Button>
            <LinkButton href={href.batches}>All batches</LinkButton>
          </div>
        </EmptyState>
      </>
    );
  if (batch === undefined)
    return (
      <>
        <h1>Batch</h1>
        <Skeleton lines={8} label="Loading the batch" />
      </>
    );
  const ended = hasEnded(batch);
  return (
    <>
      <Head batch={batch} onBatch={take} />
      {fault === undefined ? null : <FaultNotice fault={fault} title="Updates have stopped" retry={again} />}
      <Ending batch={batch} />
      <ColumnFindings findings={batch.findings} advice="To change what the columns mean, upload the list again." />
      {ended ? (
        <Result batch={batch} summary={summary} onRows={showRows} />
      ) : (
        <BatchProgress batch={batch} lost={lost}>
          <Downloads batch={batch} />
        </BatchProgress>
      )}
      {ended ? <Comparisons batchId={batch.id} /> : null}
      <Faults batch={batch} summary={summary.data} onBatch={take} />
      {batch.rows.processed > 0 && batch.status !== 'expired' ? (
        <Rows batch={batch} summary={summary.data} filter={filter} onFilter={setFilter} />
      ) : null}
      {ended ? <Remove batch={batch} doing={BATCH_ACTIONS} /> : null}
    </>
  );
};
