/** The problems of a batch: their kinds, and the rows with one kind, which users can correct. */
import { useId, useState } from 'preact/hooks';
import { estimatedCharges } from '../../lists/preview/estimate.ts';
import { urlOf, useApi, useCall, useLoad } from '../api.ts';
import type { Batch, ConsoleCalls, FaultKind, Summary } from '../calls.ts';
import { type Stake, useLeaving, useStake } from '../navigation.tsx';
import { hasEnded } from '../ui/batch-state.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { FaultNotice, Skeleton } from '../ui/feedback.tsx';
import { byCount, FaultKinds, kindOfType } from '../ui/findings.tsx';
import { count, counted, wholeMoney } from '../ui/format.ts';
import { Show, useAct } from '../ui/kit.tsx';
import { Pager, rowsText, usePages } from '../ui/table.tsx';
import { FileInput } from '../upload/drop-zone.tsx';
import { CorrectionBar, CorrectionTable } from './correction-table.tsx';
import {
  correctedByKind,
  correctionsOf,
  Fill,
  pasteColumn,
  rowsWith,
  type Sending,
  useCorrections,
  useSending,
  useWork,
  WorkContext,
} from './corrections.tsx';

/* The repair of all repairable rows: how many, what it changes, and the button. */

const MENDING = 'GET /console/v1/client/shipment/rates/batches/{id}/mending';

interface MendProps {
  readonly mending: ConsoleCalls[typeof MENDING]['answer'];
  readonly sending: Sending;
}

/** Shows nothing if no row can be repaired. */
const Mend = ({ mending: { rows, all, looked, columns }, sending }: MendProps) => {
  const { leave } = useLeaving();
  if (rows === 0) return null;
  return (
    <section class="panel" aria-labelledby="mend">
      <div class="split">
        <h3 id="mend">{counted(rows, 'row')} can be fixed automatically</h3>
        {/* The repair starts a new revision, which discards cells that were typed here. */}
        <Button kind="primary" busy={sending.busy} onClick={() => leave(() => void sending.mend())}>
          Fix and quote again
        </Button>
      </div>
      <ul class="lines">
        {columns.map(({ column, rows: changed, example: { row, from, to } }) => (
          <li key={column}>
            <strong>{column}</strong> in {counted(changed, 'row')}: for example row {count(row)},{' '}
            {from === '' ? 'empty' : from} to {to}
          </li>
        ))}
      </ul>
      <p class="hint">
        Includes only changes that are certain, and only rows that then get a price.
        {all ? '' : ` The first ${count(looked)} rows with a problem were checked. The fix covers all of them.`}
      </p>
      <FaultNotice fault={sending.fault} title="The fix was refused" />
    </section>
  );
};

const PAGE_ROWS = 10;

interface FaultsProps {
  readonly batch: Batch;
  /** Undefined until the batch has ended. */
  readonly summary: Summary | undefined;
  readonly onBatch: (batch: Batch) => void;
}

/** The rows with one kind of problem, in pages. */
const Kind = ({ kind }: { readonly kind: FaultKind }) => {
  const api = useApi();
  const { batch, canEdit, change } = useWork();
  const pages = usePages();
  const pasting = useAct();
  const [pasted, setPasted] = useState('');
  const { id, revision } = batch;
  const query = { from: String(pages.from), limit: String(PAGE_ROWS), ...rowsWith(kind) };
  const loaded = useCall('GET /console/v1/client/shipment/rates/batches/{id}/rows', { id, query }, [revision]);
  return (
    <Show of={loaded} lines={5} label="Loading rows">
      {(data) => (
        <div class="stack">
          {canEdit ? <Fill kind={kind} page={data} /> : null}
          <CorrectionTable
            rows={data}
            onPaste={(paste) =>
              void pasting.run(async () => setPasted(await pasteColumn(api, { batch, kind }, data, paste, change)))
            }
            busy={pasting.busy}
          />
          <p class="hint" role="status">
            {pasted}
          </p>
          <FaultNotice fault={pasting.fault} />
          <Pager
            pages={pages}
            next={data.next}
            rows={data.rows.length}
            text={rowsText(pages.before, data.rows.length, data.total ?? kind.estimatedRows)}
            busy={loaded.state === 'loading'}
          />
        </div>
      )}
    </Show>
  );
};

/** Uploads a faults file that was corrected in another program. */
const CorrectedFile = ({ busy, send }: Sending) => {
  const { leave } = useLeaving();
  const id = useId();
  // The file starts a new revision, which discards unsent corrections.
  const sendIt = ([file]: readonly File[]): void => leave(() => void (file && send(file)));
  return (
    <label class="button" aria-busy={busy} for={id}>
      Upload a corrected file
      <FileInput id={id} accept=".csv,.xlsx,.parquet,text/csv" disabled={busy} onFiles={sendIt} />
    </label>
  );
};

const stakeOf = (rows: number): Stake | undefined =>
  rows === 0
    ? undefined
    : {
        title: `Discard ${counted(rows, 'corrected row')}?`,
        text: `${counted(rows, 'corrected row')} ${rows === 1 ? 'has' : 'have'} not been sent. If you leave, you lose what you typed. The batch does not change.`,
        action: 'Discard',
        keep: 'Keep editing',
      };

/** Dollars: the estimated cost of the rows with a fault. Undefined if it cannot be estimated. */
export const faultsEstimate = (summary: Summary | undefined): number | undefined =>
  summary && estimatedCharges(summary.rows.faulted, { rows: summary.rows.quoted, total: summary.totalNetCharge });

export const Faults = ({ batch, summary, onBatch }: FaultsProps) => {
  const api = useApi();
  const [chosen, setChosen] = useState<string>();
  const { corrections, change, drop } = useCorrections(batch);
  const sending = useSending(batch, onBatch);
  const file = useSending(batch, onBatch);
  const mending = useSending(batch, onBatch);
  useStake(stakeOf(corrections.changes.size));
  const { id, status, revision, faults } = batch;
  const ended = hasEnded(batch) && status !== 'expired';
  const canEdit = status === 'completed';
  const looked = useLoad(
    async (signal) => (canEdit ? await api.call(MENDING, { id, signal }) : undefined),
    [api, id, canEdit, revision],
  );
  if (canEdit && looked.state === 'loading') return <Skeleton lines={8} label="Loading the problems" />;
  // While the counts still change, their order stays the same.
  const types = hasEnded(batch) ? byCount(faults) : Object.entries(faults);
  const kinds = looked.data?.kinds ?? types.map(([type, rows]) => kindOfType(type, rows));
  const kind = kinds.find((own) => own.kind === chosen) ?? kinds[0];
  if (kind === undefined) return null;
  const byKind = correctedByKind(corrections);
  const busy = sending.busy || file.busy || mending.busy;
  const estimate = faultsEstimate(summary);
  return (
    <section class="stack" aria-labelledby="faults">
      <div>
        <h2 id="faults">{counted(batch.rows.faulted, 'shipment')} with a problem</h2>
        {estimate === undefined ? null : (
          <p class="hint">
            Not in the total. Estimated cost: <strong>{wholeMoney(estimate)}</strong>, at the average price.
          </p>
        )}
      </div>
      {looked.data === undefined ? null : <Mend mending={looked.data} sending={mending} />}
      {looked.data?.all === false ? (
        <p class="hint">The counts are for the first {count(looked.data.looked)} rows with a problem.</p>
      ) : null}
      <FaultKinds kinds={kinds} most={6} chosen={ended && kinds.length > 1 ? kind : undefined}>
        {(own, title) => {
          const unsent = byKind.get(own.kind) ?? 0;
          return (
            <>
              {unsent === 0 ? null : (
                <p class="hint tone accent fault-corrected">{counted(unsent, 'row')} corrected, not sent yet</p>
              )}
              {ended && kinds.length > 1 ? (
                <button
                  type="button"
                  class="button quiet"
                  aria-pressed={own === kind}
                  onClick={() => setChosen(own.kind)}
                >
                  {own === kind ? 'Rows shown below' : 'Show the rows'}
                  <span class="visually-hidden">: {title}</span>
                </button>
              ) : null}
            </>
          );
        }}
      </FaultKinds>
      {ended ? (
        <>
          <div class="split">
            <p class="hint">
              {canEdit
                ? 'Correct cells in the table, then quote these rows again. Or correct them in a spreadsheet.'
                : 'You can correct rows here once the batch is completed.'}
            </p>
            <div class="actions start">
              <LinkButton href={urlOf('GET /v1/client/shipment/rates/batches/{id}/faults', { id })} download>
                Download problem rows
              </LinkButton>
              {canEdit ? <CorrectedFile {...file} /> : null}
            </div>
          </div>
          <FaultNotice fault={file.fault} title="The file was refused" />
          <WorkContext.Provider value={{ batch, canEdit, busy, corrections, change }}>
            <Kind key={`${kind.kind} ${revision}`} kind={kind} />
          </WorkContext.Provider>
          <FaultNotice fault={sending.fault} title="The corrections were refused" />
          {corrections.changes.size === 0 ? null : (
            <CorrectionBar
              rows={corrections.changes.size}
              kinds={byKind.size}
              busy={sending.busy}
              onDrop={drop}
              onSend={() => void sending.send(new Blob([correctionsOf(corrections)]))}
            />
          )}
        </>
      ) : null}
    </section>
  );
};
