/** What can be done with a batch as a whole: cancel, go on, delete; each asked for once, and said why where it is refused. */
import { useState } from 'preact/hooks';
import { type ApiFault, useApi } from '../api.ts';
import type { Batch } from '../calls.ts';
import { asFault } from '../load.ts';
import { goTo, href } from '../router.ts';
import { hasEnded } from '../ui/batch-state.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { FaultNotice } from '../ui/notice.tsx';

interface ActionsProps {
  readonly batch: Batch;
  readonly onBatch: (batch: Batch) => void;
}

export const Actions = ({ batch, onBatch }: ActionsProps) => {
  const api = useApi();
  const [asking, setAsking] = useState<'cancel' | 'remove'>();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const { id, status, filename } = batch;

  const run = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await action();
    } catch (error) {
      setFault(asFault(error));
    }
    setBusy(false);
    setAsking(undefined);
  };
  const change = (name: 'cancel' | 'retry') => (): void => void run(async () => onBatch(await api.call(name, { id })));
  const remove = (): void =>
    void run(async () => {
      await api.call('remove', { id });
      goTo(href.batches);
    });
  const close = (): void => setAsking(undefined);
  return (
    <div class="batch-actions">
      <div class="actions">
        {hasEnded(batch) ? null : (
          <Button onClick={() => setAsking('cancel')} disabled={status === 'cancelling'}>
            Cancel the batch
          </Button>
        )}
        {status === 'failed' ? (
          <Button kind="primary" onClick={change('retry')} busy={busy}>
            Try what is missing again
          </Button>
        ) : null}
        {hasEnded(batch) ? (
          <Button kind="danger" onClick={() => setAsking('remove')}>
            Delete
          </Button>
        ) : null}
      </div>
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      {asking === 'cancel' ? (
        <Confirm
          title="Cancel this batch?"
          action="Cancel the batch"
          keep="Let it go on"
          busy={busy}
          onConfirm={change('cancel')}
          onClose={close}
        >
          <p>The rows that are done stay and can be downloaded; so can those that are not, to be uploaded again.</p>
        </Confirm>
      ) : null}
      {asking === 'remove' ? (
        <Confirm
          title="Delete this batch?"
          action="Delete it for good"
          keep="Keep it"
          busy={busy}
          onConfirm={remove}
          onClose={close}
        >
          <p>
            The list <strong>{filename}</strong> and its output are removed from the service. Nobody can get them back.
          </p>
        </Confirm>
      ) : null}
    </div>
  );
};
