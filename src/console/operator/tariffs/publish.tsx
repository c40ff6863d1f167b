/** Publishing a draft: what will happen, what the operator has to agree to, and the button. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { TariffChangeBody, TariffDraftBody } from '../../calls.ts';
import { Button, Checkbox } from '../../ui/controls.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { counted, dayOf } from '../../ui/format.ts';
import { useAct } from '../../ui/kit.tsx';
import { Refusal } from './words.tsx';

interface PublishPanelProps {
  readonly draft: TariffDraftBody;
  readonly onPublished: (change: TariffChangeBody) => void;
}

export const PublishPanel = ({ draft, onPublished }: PublishPanelProps) => {
  const api = useApi();
  const [replace, setReplace] = useState(false);
  const [acceptDoubts, setAccept] = useState(false);
  const { busy, fault, run } = useAct();
  const { imported, refusal, replaces, published, version } = draft;
  if (imported === null || imported.tariff === null) return null;
  const { tariff, doubts } = imported;
  const publish = (): Promise<void> =>
    run(async () => {
      const json = { tariff, replace, acceptDoubts, version };
      onPublished(await api.call('POST /ops/tariff-drafts/{id}/publish', { id: draft.id, json }));
    });
  const isAgreed = (replaces === null || replace) && (doubts === 0 || acceptDoubts);
  return (
    <section class="panel">
      <h2>Publish</h2>
      {published ? (
        <p>
          This tariff is published as <code>{tariff}</code>.
        </p>
      ) : refusal === null ? (
        <>
          <p>
            <code>{tariff}</code> prices shipments from {dayOf(draft.effectiveDate)} on. Each of its services takes the
            place of the same service in tariffs that begin earlier. Batches under way keep their prices. You can go
            back at any time.
          </p>
          {replaces === null ? null : (
            <Checkbox label={<>Replace {replaces}</>} checked={replace} onChange={setReplace} />
          )}
          {doubts === 0 ? null : (
            <Checkbox
              label={`Publish with ${counted(doubts, 'doubt')}`}
              hint="Cells that could not be read are empty. Of values that contradict each other, the first counts."
              checked={acceptDoubts}
              onChange={setAccept}
            />
          )}
          <div class="actions">
            <Button kind="primary" onClick={publish} disabled={!isAgreed} busy={busy}>
              Publish from {dayOf(draft.effectiveDate)}
            </Button>
          </div>
        </>
      ) : (
        <Notice kind="warning" announced={false}>
          <p>It cannot be published. {refusal}</p>
        </Notice>
      )}
      <Refusal fault={fault} />
    </section>
  );
};
