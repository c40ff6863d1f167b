/** One client: what it pays, from where it ships, its secrets, scopes, limits and webhook. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../../api.ts';
import type { OperatorClient } from '../../calls.ts';
import { Button, LinkButton, Select } from '../../ui/controls.tsx';
import { Confirm, EmptyState, FaultNotice, Notice, Skeleton } from '../../ui/feedback.tsx';
import { instant } from '../../ui/format.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Access } from './access.tsx';
import { ClientAgreements } from './agreements.tsx';
import { Discounts } from './discounts.tsx';
import { ClientMarks, clientsHref, Part, type PartProps } from './part.tsx';
import { type ShownSecrets, ShowOnce } from './show-once.tsx';
import { useChange } from './use-change.ts';
import { Warehouses } from './warehouses.tsx';
import { Webhook } from './webhook.tsx';

/* A client's secrets: when they were made and end, a new one, and ending the old ones. */

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

const Secrets = ({ client, onChanged, canChange }: PartProps & { readonly canChange: boolean }) => {
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

/* Revokes a client, after a question. */

const Revoke = ({ client: { id, name }, onChanged }: PartProps) => {
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
            Its secrets, tokens and sessions are refused within a second. The id <code>{id}</code> is not given again.
          </p>
        </Confirm>
      ) : null}
    </Part>
  );
};

const Standing = ({ client: { fixed, problem, revoked } }: Pick<PartProps, 'client'>) => (
  <>
    {fixed === null ? null : (
      <Notice kind="info" announced={false} title="This client cannot be changed here">
        <p>{fixed}</p>
      </Notice>
    )}
    {revoked ? (
      <Notice kind="info" announced={false} title="This client is revoked">
        <p>Its secrets and tokens are refused. Its id is not given again, because its batches still have it.</p>
      </Notice>
    ) : null}
    {problem === null ? null : (
      <Notice kind="warning" announced={false} title="This client gets no prices">
        <p>The reason: {problem}. It never gets the list price instead.</p>
      </Notice>
    )}
  </>
);

const Parts = (props: PartProps) => {
  const { revoked, fixed } = props.client;
  const canChange = !revoked && fixed === null;
  return (
    <>
      <Discounts {...props} canChange={canChange} />
      <ClientAgreements {...props} canChange={canChange} />
      <Warehouses {...props} canChange={canChange} />
      <Secrets {...props} canChange={canChange} />
      <Webhook {...props} canChange={canChange} />
      <Access {...props} canChange={canChange} />
      {canChange ? <Revoke {...props} /> : null}
    </>
  );
};

export const ClientPage = ({ id }: { readonly id: string }) => {
  const api = useApi();
  const loaded = useLoad((signal) => api.call('operatorClient', { id, signal }), [api, id]);
  const [changed, setChanged] = useState<OperatorClient>();
  const [secrets, setSecrets] = useState<ShownSecrets>();
  const client = changed ?? loaded.data;
  if (loaded.state === 'failed' && loaded.fault.status === 404)
    return (
      <>
        <h1>Client not found</h1>
        <EmptyState title={`There is no client ${id}`}>
          <LinkButton href={clientsHref}>See all clients</LinkButton>
        </EmptyState>
      </>
    );
  return (
    <>
      <div class="page-head">
        <div>
          <p class="client-back">
            <a href={clientsHref}>All clients</a>
          </p>
          <h1>{client?.name ?? id}</h1>
          <p class="lead">
            <code>{id}</code> {client === undefined ? null : <ClientMarks client={client} />}
          </p>
        </div>
      </div>
      {loaded.state === 'failed' ? <FaultNotice fault={loaded.fault} retry={loaded.reload} /> : null}
      {client === undefined ? (
        loaded.state === 'loading' ? (
          <Skeleton lines={12} label="Loading the client" />
        ) : null
      ) : (
        <>
          <Standing client={client} />
          <Parts
            client={client}
            onChanged={(answer) => {
              setChanged(answer.client);
              if (answer.secrets !== null) setSecrets(answer.secrets);
            }}
          />
        </>
      )}
      {secrets === undefined ? null : <ShowOnce secrets={secrets} onSaved={() => setSecrets(undefined)} />}
    </>
  );
};
