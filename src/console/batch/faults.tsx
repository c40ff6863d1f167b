/** The faults of a batch: by kind with what to do, the rows of a kind, and mending them where they stand. */
import { useEffect, useState } from 'preact/hooks';
import { type ApiFault, useApi } from '../api.ts';
import type { Batch } from '../calls.ts';
import { guidanceOf } from '../fault-guide.ts';
import { asFault, useLoad } from '../load.ts';
import { hasEnded } from '../ui/batch-state.tsx';
import { Button } from '../ui/button.tsx';
import { byCount, FaultKinds } from '../ui/fault-kinds.tsx';
import { counted } from '../ui/format.ts';
import { FaultNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/state.tsx';
import { type Changes, correctionsOf, type FaultyRow, withChange } from './mend.ts';
import { MendTable } from './mend-table.tsx';
import { Pager, usePages } from './pager.tsx';

const PAGE_ROWS = 10;
const NO_CHANGES: Changes = new Map();

interface FaultsProps {
  readonly batch: Batch;
  readonly onBatch: (batch: Batch) => void;
}

interface KindProps extends FaultsProps {
  readonly type: string;
}

/** What was changed, the rows that it was changed in, and sending it. */
const useMending = ({ batch, onBatch }: FaultsProps) => {
  const api = useApi();
  const [changes, setChanges] = useState<Changes>(NO_CHANGES);
  const [known, setKnown] = useState<ReadonlyMap<number, FaultyRow>>(new Map());
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const change = (row: FaultyRow, column: number, value: string): void => {
    setChanges((before) => withChange(before, row, column, value));
    setKnown((before) => new Map(before).set(row.input_row, row));
  };
  const send = async (file: Blob): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFault(undefined);
    try {
      onBatch(await api.call('correct', { id: batch.id, query: { filename: 'corrections.csv' }, file }));
      setChanges(NO_CHANGES);
    } catch (error) {
      setFault(asFault(error));
    }
    setBusy(false);
  };
  return { changes, known, busy, fault, change, send, drop: () => setChanges(NO_CHANGES) };
};

const Kind = ({ batch, onBatch, type }: KindProps) => {
  const api = useApi();
  const pages = usePages();
  const mending = useMending({ batch, onBatch });
  const { id, revision } = batch;
  const query = { from: String(pages.from), limit: String(PAGE_ROWS), outcome: 'faulted', fault: type } as const;
  const { state, data, reload, ...loaded } = useLoad(
    (signal) => api.call('rows', { id, query, signal }),
    [id, revision, pages.from],
  );
  const mendable = batch.status === 'completed';
  const { changes, busy } = mending;
  const mended = changes.size > 0;
  useEffect(() => {
    // The bar that comes up must not lie over the cell that is being mended.
    if (mended) document.activeElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [mended]);
  return (
    <div class="stack">
      {'fault' in loaded ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data === undefined ? (
        <Skeleton lines={5} label="Loading rows" />
      ) : (
        <>
          <MendTable rows={data} changes={changes} mendable={mendable} onChange={mending.change} />
          <Pager
            pages={pages}
            next={data.next}
            text={data.total === null ? '' : `${counted(data.total, 'row')}: ${guidanceOf(type).title.toLowerCase()}`}
            busy={state === 'loading'}
          />
          {mending.fault === undefined ? null : (
            <FaultNotice fault={mending.fault} title="The corrections were not taken" />
          )}
          {changes.size === 0 ? null : (
            <div class="mend-bar">
              <p>
                <strong>{counted(changes.size, 'row')} mended.</strong>{' '}
                {changes.size === 1
                  ? 'It is quoted again and takes the place of the old one.'
                  : 'They are quoted again and take the place of the old ones.'}
              </p>
              <div class="actions">
                <Button onClick={mending.drop} disabled={busy}>
                  Undo all
                </Button>
                <Button
                  kind="primary"
                  busy={busy}
                  onClick={() => void mending.send(new Blob([correctionsOf(data.header, mending.known, changes)]))}
                >
                  Quote {changes.size === 1 ? 'it' : 'them'} again
                </Button>
              </div>
            </div>
          )}
        </>
      )}
    </div>
  );
};

export const Faults = ({ batch, onBatch }: FaultsProps) => {
  const kinds = byCount(batch.faults);
  const [chosen, setChosen] = useState<string>();
  const type = kinds.find(([own]) => own === chosen)?.[0] ?? kinds[0]?.[0];
  if (type === undefined) return null;
  const ended = hasEnded(batch) && batch.status !== 'expired';
  return (
    <section class="stack" aria-labelledby="faults">
      <h2 id="faults">{counted(batch.rows.faulted, 'row')} with a fault</h2>
      <FaultKinds
        faults={batch.faults}
        counting={!hasEnded(batch)}
        chosen={ended ? type : undefined}
        onChoose={ended ? setChosen : undefined}
      />
      {ended ? (
        <>
          <p class="lead">
            {batch.status === 'completed'
              ? 'Mend cells in the table and have these rows quoted again; or download the rows with a fault, mend them in a spreadsheet and send them back:'
              : 'Once the batch is completed its rows can be mended here.'}
          </p>
          {batch.status === 'completed' ? <MendedFile batch={batch} onBatch={onBatch} /> : null}
          <Kind key={`${type} ${batch.revision}`} batch={batch} onBatch={onBatch} type={type} />
        </>
      ) : null}
    </section>
  );
};

/** A faults file that was mended elsewhere. */
const MendedFile = (props: FaultsProps) => {
  const { busy, fault, send } = useMending(props);
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const [file] = currentTarget.files ?? [];
    if (file !== undefined) void send(file);
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
