/** Links to a result that need no sign-in: makes, lists and revokes them. In a dialog that is loaded when it opens. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../api.ts';
import { Button, CopyButton } from '../ui/controls.tsx';
import { Dialog, FaultNotice } from '../ui/feedback.tsx';
import { type Body, Form, type FormField, textIn, useForm } from '../ui/form.tsx';
import { day, instant } from '../ui/format.ts';
import { Rows, Show, useAct } from '../ui/kit.tsx';

const DAYS = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
];
const EXPIRY: FormField = { at: 'days', label: 'The link expires after', options: DAYS, initial: '7', value: Number };
const DAY_MS = 86_400_000;

const PATHS = {
  batch: '/v1/client/shipment/rates/batches/{id}/shares',
  comparison: '/v1/client/shipment/rates/comparisons/{id}/shares',
} as const;

interface LinksProps {
  readonly noun: keyof typeof PATHS;
  readonly id: string;
  /** When its rows are removed. */
  readonly expiresAt: string | null;
  readonly onClose: () => void;
}

export default ({ noun, id, expiresAt, onClose }: LinksProps) => {
  const api = useApi();
  const path = PATHS[noun];
  const form = useForm();
  const [link, setLink] = useState<string>();
  const act = useAct();
  const endsAt = Date.now() + Number(textIn(form, EXPIRY)) * DAY_MS;
  const loaded = useLoad((signal) => api.call(`GET ${path}`, { id, signal }), [api, id]);
  const make = async (json: Body): Promise<void> => {
    const made = await api.call(`POST ${path}`, { id, json });
    setLink(new URL(made.link, location.href).href);
    loaded.reload();
  };
  const revoke = (share: string) =>
    act.run(async () => {
      await api.call(`DELETE ${path}`, { id, query: { share } });
      setLink(undefined);
      loaded.reload();
    });
  return (
    <Dialog
      title={`Share this ${noun}`}
      lead="Anyone with the link can see and download this result without signing in. They cannot change anything."
      buttons={<Button onClick={onClose}>Close</Button>}
      onClose={onClose}
    >
      <Form
        class="row"
        fields={[EXPIRY]}
        form={form}
        kind={link === undefined ? 'primary' : 'plain'}
        action="Make a link"
        send={make}
      />
      {expiresAt === null || endsAt <= Date.parse(expiresAt) ? null : (
        <p class="hint">From {day(expiresAt)}, a link shows only the totals, because the rows are removed.</p>
      )}
      <FaultNotice fault={act.fault} />
      {link === undefined ? null : (
        <div class="stack small" role="status">
          <p>Copy the link now. It is not shown again.</p>
          <p class="row">
            <code class="anywhere">{link}</code>
            <CopyButton text={link} label="Copy the link" kind="primary" />
          </p>
        </div>
      )}
      <Show of={loaded} lines={2} label="Loading the links">
        {({ shares }) => (
          <Rows
            of={shares}
            caption="Links that have not expired"
            keyOf={(share) => share.id}
            empty={<p class="hint">There are no links.</p>}
            cols={[
              ['Created', ({ createdAt }) => instant(createdAt), 'head'],
              ['Expires', ({ endsAt }) => instant(endsAt)],
              [
                'Revoke',
                (share) => (
                  <Button kind="danger" busy={act.busy} onClick={() => void revoke(share.id)}>
                    Revoke
                  </Button>
                ),
                'actions',
              ],
            ]}
          />
        )}
      </Show>
    </Dialog>
  );
};
