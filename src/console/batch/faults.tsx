/** The faults of a batch: by kind with what to do, the rows of a kind, and mending them where they stand. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../api.ts';
import type { Batch } from '../calls.ts';
import { guidanceOf } from '../guide.ts';
import { type Stake, useLeaving, useStake } from '../navigation.tsx';
import { hasEnded } from '../ui/batch-state.tsx';
import { FaultNotice, Skeleton } from '../ui/feedback.tsx';
import { byCount, FaultKinds } from '../ui/findings.tsx';
import { counted } from '../ui/format.ts';
import { Pager, usePages } from '../ui/table.tsx';
import { MendBar, MendTable } from './correction-table.tsx';
import { correctionsOf, type Mends, mendedByType, noMends, type Sending, useSending, withMend } from './corrections.ts';

const PAGE_ROWS = 10;

interface FaultsProps {
  readonly batch: Batch;
  readonly onBatch: (batch: Batch) => void;
}

interface KindProps {
  readonly batch: Batch;
  readonly type: string;
  readonly mends: Mends;
  readonly busy: boolean;
  readonly onMends: (change: (before: Mends) => Mends) => void;
}

/** The rows of one kind of fault, in pages. */
const Kind = ({ batch, type, mends, busy, onMends }: KindProps) => {
  const api = useApi();
  const pages = usePages();
  const { id, revision } = batch;
  const query = { from: String(pages.from), limit: String(PAGE_ROWS), outcome: 'faulted', fault: type } as const;
  const { state, data, reload, ...loaded } = useLoad(
    (signal) => api.call('rows', { id, query, signal }),
    [id, revision, pages.from],
  );
  return (
    <div class="stack">
      {'fault' in loaded ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data === undefined ? (
        state === 'loading' ? (
          <Skeleton lines={5} label="Loading rows" />
        ) : null
      ) : (
        <>
          <MendTable
            rows={data}
            changes={mends.changes}
            mendable={batch.status === 'completed'}
            busy={busy}
            onChange={(row, column, value) => onMends((before) => withMend(before, data.header, row, column, value))}
          />
          <Pager
            pages={pages}
            next={data.next}
            text={data.total === null ? '' : `${counted(data.total, 'row')}: ${guidanceOf(type).title.toLowerCase()}`}
            busy={state === 'loading'}
          />
        </>
      )}
    </div>
  );
};

/** A faults file that was mended elsewhere. */
const MendedFile = ({ busy, fault, send }: Sending) => {
  const { leave } = useLeaving();
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const [file] = currentTarget.files ?? [];
    // The file's rows are of the revision before those that are mended here: these are no more when it is taken.
    if (file !== undefined) leave(() => void send(file));
    currentTarget.value = '';
  };
  return (
    <div class="mended-file">
      <label class="button" aria-busy={busy}>
        Send a mended file
        <input class="visually-hidden" type="file" accept=".csv,.xlsx,text/csv" onChange={choose} disabled={busy} />
      </label>
      {fault === undefined ? null : <FaultNotice fault={fault} title="The file was not taken" />}
    </div>
  );
};

const stakeOf = (rows: number): Stake | undefined =>
  rows === 0
    ? undefined
    : {
        title: `Drop ${counted(rows, 'mended row')}?`,
        text: `${counted(rows, 'row')} ${rows === 1 ? 'is' : 'are'} mended here and not sent yet. If you go on, what was typed is lost; the batch stays as it is.`,
        action: rows === 1 ? 'Drop it' : 'Drop them',
        keep: 'Keep mending',
      };

/** What was mended of the batch as it is now: what was of a revision before is sent, or gone with it. */
const useMends = ({ revision }: Batch) => {
  const [kept, setKept] = useState<Mends>(() => noMends(revision));
  const current = (mends: Mends): Mends => (mends.revision === revision ? mends : noMends(revision));
  const change = (next: (before: Mends) => Mends): void => setKept((before) => next(current(before)));
  return { mends: current(kept), change, drop: () => setKept(noMends(revision)) };
};

export const Faults = ({ batch, onBatch }: FaultsProps) => {
  const kinds = byCount(batch.faults);
  const [chosen, setChosen] = useState<string>();
  const { mends, change, drop } = useMends(batch);
  const corrections = useSending(batch, onBatch);
  const file = useSending(batch, onBatch);
  useStake(stakeOf(mends.changes.size));
  const type = kinds.find(([own]) => own === chosen)?.[0] ?? kinds[0]?.[0];
  if (type === undefined) return null;
  const ended = hasEnded(batch) && batch.status !== 'expired';
  const byType = mendedByType(mends);
  return (
    <section class="stack" aria-labelledby="faults">
      <h2 id="faults">{counted(batch.rows.faulted, 'row')} with a fault</h2>
      <FaultKinds
        faults={batch.faults}
        counting={!hasEnded(batch)}
        chosen={ended ? type : undefined}
        onChoose={ended ? setChosen : undefined}
        mended={byType}
      />
      {ended ? (
        <>
          <p class="lead">
            {batch.status === 'completed'
              ? 'Mend cells in the table and have these rows quoted again; or download the rows with a fault, mend them in a spreadsheet and send them back:'
              : 'Once the batch is completed its rows can be mended here.'}
          </p>
          {batch.status === 'completed' ? <MendedFile {...file} /> : null}
          <Kind
            key={`${type} ${batch.revision}`}
            batch={batch}
            type={type}
            mends={mends}
            busy={corrections.busy || file.busy}
            onMends={change}
          />
          {corrections.fault === undefined ? null : (
            <FaultNotice fault={corrections.fault} title="The corrections were not taken" />
          )}
          {mends.changes.size === 0 ? null : (
            <MendBar
              rows={mends.changes.size}
              kinds={byType.size}
              busy={corrections.busy}
              onDrop={drop}
              onSend={() => void corrections.send(new Blob([correctionsOf(mends)]))}
            />
          )}
        </>
      ) : null}
    </section>
  );
};
