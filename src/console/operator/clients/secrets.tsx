/** A client's secrets: when they were made and end, a new one, and ending the old ones. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { OperatorClient } from '../../calls.ts';
import { Button, Select } from '../../ui/controls.tsx';
import { Confirm, FaultNotice } from '../../ui/feedback.tsx';
import { instant } from '../../ui/format.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Part, type PartProps } from './part.tsx';
import { useChange } from './use-change.ts';

type Secret = OperatorClient['secrets'][number];

const COLUMNS: readonly Column<Secret>[] = [
  { key: 'made', label: 'Made', heads: true, cell: ({ createdAt }) => instant(createdAt) },
  {
    key: 'ends',
    label: 'Valid',
    cell: ({ expiresAt }) => (expiresAt === null ? 'until it is ended' : `until ${instant(expiresAt)}`),
  },
];

const GRACES = [
  { value: '24', label: 'ends in 24 hours' },
  { value: '168', label: 'ends in 7 days' },
  { value: '', label: 'stays valid until I end it' },
  { value: '0', label: 'ends now' },
] as const;

export const Secrets = ({ client, onChanged, canChange }: PartProps & { readonly canChange: boolean }) => {
  const api = useApi();
  const { id, secrets } = client;
  const { busy, fault, make } = useChange();
  const [grace, setGrace] = useState<string>(GRACES[0].value);
  const [ending, setEnding] = useState(false);
  const rotate = (event: Event): void => {
    event.preventDefault();
    const graceHours = grace === '' ? null : Number(grace);
    make(async () => onChanged(await api.call('rotateSecret', { id, json: { graceHours } })));
  };
  const endOld = (): void =>
    make(async () => {
      setEnding(false);
      onChanged(await api.call('endOldSecrets', { id, json: {} }));
    });
  return (
    <Part title="Secrets" lead="A client signs in with its id and a secret. Only hashes are kept.">
      {secrets.length === 0 ? (
        <p class="hint">It has no valid secret, so it cannot call.</p>
      ) : (
        <Table
          caption="Valid secrets, oldest first"
          captionHidden
          rows={secrets}
          keyOf={({ createdAt }) => createdAt}
          columns={COLUMNS}
        />
      )}
      {canChange ? (
        <form class="secret-form" onSubmit={rotate}>
          <Select label="The old secret" value={grace} onChange={setGrace} options={GRACES} />
          <Button submit busy={busy}>
            Make a new secret
          </Button>
          {secrets.length > 1 ? (
            <Button onClick={() => setEnding(true)} busy={busy}>
              End the old secrets now
            </Button>
          ) : null}
        </form>
      ) : null}
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      {ending ? (
        <Confirm
          title="End all secrets but the newest?"
          action="End the old secrets"
          keep="Keep them"
          onConfirm={endOld}
          onClose={() => setEnding(false)}
        >
          <p>Programs that still use an old secret are refused, and so are its tokens and sessions.</p>
        </Confirm>
      ) : null}
    </Part>
  );
};
