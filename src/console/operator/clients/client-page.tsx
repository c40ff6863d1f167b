/** One client: what it pays, from where it ships, its secrets, scopes, limits and webhook. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../../api.ts';
import type { OperatorClient } from '../../calls.ts';
import { LinkButton } from '../../ui/controls.tsx';
import { EmptyState, FaultNotice, Notice, Skeleton } from '../../ui/feedback.tsx';
import { Access } from './access.tsx';
import { ClientAgreements } from './agreements.tsx';
import { Discounts } from './discounts.tsx';
import { clientsHref } from './href.ts';
import { ClientMarks } from './marks.tsx';
import type { PartProps } from './part.tsx';
import { Revoke } from './revoke.tsx';
import { Secrets } from './secrets.tsx';
import { type ShownSecrets, ShowOnce } from './show-once.tsx';
import { Warehouses } from './warehouses.tsx';
import { Webhook } from './webhook.tsx';

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
