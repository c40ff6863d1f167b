/** The downloads of a batch, cancel, retry, and at the end of the page delete. */
import { useState } from 'preact/hooks';
import { type ApiFault, asFault, urlOf, useApi } from '../api.ts';
import type { Batch } from '../calls.ts';
import { goTo, href } from '../navigation.tsx';
import { hasEnded } from '../ui/batch-state.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Confirm, FaultNotice } from '../ui/feedback.tsx';
import { day } from '../ui/format.ts';

interface ActionsProps {
  readonly batch: Batch;
  readonly onBatch: (batch: Batch) => void;
}

/** Runs a call that changes the batch, after a question if `ask` was called. */
const useAction = () => {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const run = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await action();
    } catch (error) {
      setFault(asFault(error));
    }
    setBusy(false);
    setAsking(false);
  };
  return { asking, busy, fault, run, ask: () => setAsking(true), close: () => setAsking(false) };
};

export const Actions = ({ batch, onBatch }: ActionsProps) => {
  const api = useApi();
  const { asking, busy, fault, run, ask, close } = useAction();
  const { id, status } = batch;
  const change = (name: 'cancel' | 'retry') => (): void => void run(async () => onBatch(await api.call(name, { id })));
  return (
    <div class="batch-actions">
      <div class="actions">
        {hasEnded(batch) ? null : (
          <Button onClick={ask} disabled={status === 'cancelling'}>
            Cancel the batch
          </Button>
        )}
        {status === 'failed' ? (
          <Button kind="primary" onClick={change('retry')} busy={busy}>
            Retry the missing rows
          </Button>
        ) : null}
      </div>
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      {asking ? (
        <Confirm
          title="Cancel this batch?"
          action="Cancel the batch"
          keep="Keep it running"
          busy={busy}
          onConfirm={change('cancel')}
          onClose={close}
        >
          <p>Finished rows are kept. You can download them, and the remaining rows as they were uploaded.</p>
        </Confirm>
      ) : null}
    </div>
  );
};

/** Stands at the end of the page, far from the downloads. */
export const Remove = ({ batch: { id, filename } }: { readonly batch: Batch }) => {
  const api = useApi();
  const { asking, busy, fault, run, ask, close } = useAction();
  const remove = (): void =>
    void run(async () => {
      await api.call('remove', { id });
      goTo(href.batches);
    });
  return (
    <section class="batch-remove" aria-labelledby="remove">
      <div class="stack small">
        <h2 id="remove">Delete this batch</h2>
        <p class="hint">The list and its output are deleted from the service. This cannot be undone.</p>
      </div>
      <Button kind="danger" onClick={ask}>
        Delete
      </Button>
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      {asking ? (
        <Confirm
          title="Delete this batch?"
          action="Delete permanently"
          keep="Keep it"
          busy={busy}
          onConfirm={remove}
          onClose={close}
        >
          <p>
            The list <strong>{filename}</strong> and its output will be deleted from the service. This cannot be undone.
          </p>
        </Confirm>
      ) : null}
    </section>
  );
};

/** The number of rows of a sheet, with the header. */
const SHEET_ROWS = 1_048_576;

export const Downloads = ({ batch }: { readonly batch: Batch }) => {
  const { id, status, rows, expiresAt, revision } = batch;
  if (status === 'expired') return null;
  const running = revision === 1 && !['completed', 'failed', 'cancelled'].includes(status);
  if (running)
    return (
      <section class="downloads" aria-label="Downloads">
        <LinkButton href={urlOf('output', { id, query: { partial: 'true' } })} download>
          Download finished rows
        </LinkButton>
      </section>
    );
  const partial = status !== 'completed' && revision === 1;
  return (
    <section class="downloads" aria-labelledby="downloads">
      <h2 id="downloads" class="visually-hidden">
        Downloads
      </h2>
      <LinkButton href={urlOf('output', { id })} kind="primary" download>
        {partial ? 'Download so far, CSV' : 'Download CSV'}
      </LinkButton>
      {rows.processed < SHEET_ROWS ? (
        <LinkButton href={urlOf('output', { id, query: { format: 'xlsx' } })} download>
          Download Excel
        </LinkButton>
      ) : null}
      {rows.faulted > 0 ? (
        <LinkButton href={urlOf('faults', { id })} download>
          Rows with a fault, CSV
        </LinkButton>
      ) : null}
      {partial ? (
        <LinkButton href={urlOf('unprocessed', { id })} download>
          Rows not done, as uploaded
        </LinkButton>
      ) : null}
      {expiresAt === null ? null : <span class="hint">Kept until {day(expiresAt)}.</span>}
    </section>
  );
};
