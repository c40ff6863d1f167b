/** Revokes a client, after a question. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import { Button } from '../../ui/controls.tsx';
import { Confirm, FaultNotice } from '../../ui/feedback.tsx';
import { Part, type PartProps } from './part.tsx';
import { useChange } from './use-change.ts';

export const Revoke = ({ client: { id, name }, onChanged }: PartProps) => {
  const api = useApi();
  const { busy, fault, make } = useChange();
  const [asking, setAsking] = useState(false);
  const revoke = (): void =>
    make(async () => {
      setAsking(false);
      onChanged(await api.call('revokeClient', { id, json: {} }));
    });
  return (
    <Part title="Revoke" lead="For a client that must not call any more. It cannot be undone.">
      <div class="actions start">
        <Button kind="danger" onClick={() => setAsking(true)} busy={busy}>
          Revoke this client…
        </Button>
      </div>
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      {asking ? (
        <Confirm
          title={`Revoke ${name}?`}
          action="Revoke the client"
          keep="Keep it"
          onConfirm={revoke}
          onClose={() => setAsking(false)}
        >
          <p>
            Its secrets, tokens and sessions are refused within two seconds. The id <code>{id}</code> is not given
            again.
          </p>
        </Confirm>
      ) : null}
    </Part>
  );
};
