/** The downloads of a batch; cancel and retry, and at the end of the page delete, of batches and comparisons. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Api, type ApiFault, asFault, urlOf, useApi } from '../api.ts';
import type { Batch, Comparison } from '../calls.ts';
import { goTo, href } from '../navigation.tsx';
import { hasEnded } from '../ui/batch-state.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Confirm, FaultNotice } from '../ui/feedback.tsx';
import { day } from '../ui/format.ts';

/** What can be done with a batch or a comparison. */
export interface Doing<T> {
  readonly noun: string;
  readonly cancel: (api: Api, id: string) => Promise<T>;
  readonly retry: (api: Api, id: string) => Promise<T>;
  readonly remove: (api: Api, id: string) => Promise<void>;
  /** Said before it is cancelled, beside the button that deletes it, and before it is deleted. */
  readonly onCancel: string;
  readonly onRemoval: string;
  readonly onRemove: (filename: string) => ComponentChildren;
  /** The page to go to once it is deleted. */
  readonly after: (batch: T) => string;
}

export const BATCH_ACTIONS: Doing<Batch> = {
  noun: 'batch',
  cancel: (api, id) => api.call('POST /v1/client/shipment/rates/batches/{id}/cancel', { id }),
  retry: (api, id) => api.call('POST /v1/client/shipment/rates/batches/{id}/retry', { id }),
  remove: (api, id) => api.call('DELETE /v1/client/shipment/rates/batches/{id}', { id }),
  onCancel: 'Finished rows are kept. You can download them, and the remaining rows as they were uploaded.',
  onRemoval: 'The list and its output are deleted from the service. This cannot be undone.',
  onRemove: (filename) => (
    <>
      The list <strong>{filename}</strong> and its output will be deleted from the service. This cannot be undone.
    </>
  ),
  after: () => href.batches,
};

export const COMPARISON_ACTIONS: Doing<Comparison> = {
  noun: 'comparison',
  cancel: (api, id) => api.call('POST /v1/client/shipment/rates/comparisons/{id}/cancel', { id }),
  retry: (api, id) => api.call('POST /v1/client/shipment/rates/comparisons/{id}/retry', { id }),
  remove: (api, id) => api.call('DELETE /v1/client/shipment/rates/comparisons/{id}', { id }),
  onCancel: 'The batch itself is not affected.',
  onRemoval: 'Its totals and its files are deleted from the service. The batch stays.',
  onRemove: () => 'Links to it stop working. The batch stays. This cannot be undone.',
  after: ({ batch }) => (batch === null ? href.comparisons : href.batch(batch.id)),
};

interface ActionsProps<T> {
  readonly batch: T;
  readonly doing: Doing<T>;
  readonly onBatch: (batch: T) => void;
  /** More to do, before the rest. */
  readonly children?: ComponentChildren;
}

type Acted = Pick<Batch, 'id' | 'status' | 'filename'>;

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

export const Actions = <T extends Acted>({ batch, doing, onBatch, children }: ActionsProps<T>) => {
  const api = useApi();
  const { asking, busy, fault, run, ask, close } = useAction();
  const { id, status } = batch;
  const { noun } = doing;
  const change = (name: 'cancel' | 'retry') => (): void => void run(async () => onBatch(await doing[name](api, id)));
  return (
    <div class="stack small">
      <div class="actions">
        {children}
        {hasEnded(batch) ? null : (
          <Button onClick={ask} disabled={status === 'cancelling'}>
            Cancel the {noun}
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
          title={`Cancel this ${noun}?`}
          action={`Cancel the ${noun}`}
          keep="Keep it running"
          busy={busy}
          onConfirm={change('cancel')}
          onClose={close}
        >
          <p>{doing.onCancel}</p>
        </Confirm>
      ) : null}
    </div>
  );
};

/** Stands at the end of the page, far from the downloads. */
export const Remove = <T extends Acted>({ batch, doing }: Pick<ActionsProps<T>, 'batch' | 'doing'>) => {
  const api = useApi();
  const { asking, busy, fault, run, ask, close } = useAction();
  const remove = (): void =>
    void run(async () => {
      await doing.remove(api, batch.id);
      goTo(doing.after(batch));
    });
  return (
    <section class="split ruled batch-remove" aria-labelledby="remove">
      <div class="stack small">
        <h2 id="remove">Delete this {doing.noun}</h2>
        <p class="hint">{doing.onRemoval}</p>
      </div>
      <Button kind="danger" onClick={ask}>
        Delete
      </Button>
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      {asking ? (
        <Confirm
          title={`Delete this ${doing.noun}?`}
          action="Delete permanently"
          keep="Keep it"
          busy={busy}
          onConfirm={remove}
          onClose={close}
        >
          <p>{doing.onRemove(batch.filename)}</p>
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
      <section class="row" aria-label="Downloads">
        <LinkButton
          href={urlOf('GET /v1/client/shipment/rates/batches/{id}/output', { id, query: { partial: 'true' } })}
          download
        >
          Download finished rows
        </LinkButton>
      </section>
    );
  const partial = status !== 'completed' && revision === 1;
  return (
    <section class="row" aria-labelledby="downloads">
      <h2 id="downloads" class="visually-hidden">
        Downloads
      </h2>
      <LinkButton href={urlOf('GET /v1/client/shipment/rates/batches/{id}/output', { id })} kind="primary" download>
        {partial ? 'Download so far, CSV' : 'Download CSV'}
      </LinkButton>
      {rows.processed < SHEET_ROWS ? (
        <LinkButton
          href={urlOf('GET /v1/client/shipment/rates/batches/{id}/output', { id, query: { format: 'xlsx' } })}
          download
        >
          Download Excel
        </LinkButton>
      ) : null}
      {rows.faulted > 0 ? (
        <LinkButton href={urlOf('GET /v1/client/shipment/rates/batches/{id}/faults', { id })} download>
          Rows with a fault, CSV
        </LinkButton>
      ) : null}
      {partial ? (
        <LinkButton href={urlOf('GET /v1/client/shipment/rates/batches/{id}/unprocessed', { id })} download>
          Rows not done, as uploaded
        </LinkButton>
      ) : null}
      {expiresAt === null ? null : <span class="hint">Kept until {day(expiresAt)}.</span>}
    </section>
  );
};
