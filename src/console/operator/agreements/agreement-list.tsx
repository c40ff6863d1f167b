/** All agreements with the clients that pay by them, and the upload of a new one. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../../api.ts';
import type { OperatorAgreements } from '../../calls.ts';
import { goTo } from '../../navigation.tsx';
import { Button } from '../../ui/controls.tsx';
import { EmptyState, FaultNotice, Notice, Skeleton } from '../../ui/feedback.tsx';
import { dayOf } from '../../ui/format.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { agreementHref, clientHref } from '../clients/part.tsx';
import { Upload } from './upload.tsx';

type Entry = OperatorAgreements['agreements'][number];

const STATES = { now: 'in force', later: 'upcoming', past: 'ended' } as const;
const MARKS = { now: 'mark good', later: 'mark accent', past: 'mark' } as const;

export const StateMark = ({ inForce }: Pick<Entry, 'inForce'>) => <span class={MARKS[inForce]}>{STATES[inForce]}</span>;

const Links = ({ ids }: { readonly ids: readonly string[] }) => (
  <span>
    {ids.map((id, at) => (
      <span key={id}>
        {at === 0 ? '' : ', '}
        <a href={clientHref(id)}>{id}</a>
      </span>
    ))}
  </span>
);

export const ClientLinks = ({ ids }: { readonly ids: readonly string[] }) =>
  ids.length === 0 ? <span class="hint">nobody</span> : <Links ids={ids} />;

const COLUMNS: readonly Column<Entry>[] = [
  {
    key: 'name',
    label: 'Agreement',
    heads: true,
    cell: ({ name, description }) => (
      <>
        <a href={agreementHref(name)}>{name}</a>
        <span class="hint client-id">{description}</span>
      </>
    ),
  },
  { key: 'state', label: 'State', cell: StateMark },
  { key: 'carrier', label: 'Carrier', cell: ({ carrier }) => carrier },
  {
    key: 'days',
    label: 'Ship dates',
    cell: ({ effective, until }) =>
      until === null ? `from ${dayOf(effective)}` : `${dayOf(effective)} to ${dayOf(until)}`,
  },
  { key: 'clients', label: 'Pay by it', cell: ({ clients }) => <ClientLinks ids={clients} /> },
];

export const AgreementList = () => {
  const api = useApi();
  const { data, reload, ...loaded } = useLoad((signal) => api.call('operatorAgreements', { signal }), [api]);
  const [uploading, setUploading] = useState(false);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Agreements</h1>
          <p class="lead">What clients pay carriers instead of the list.</p>
        </div>
        {data?.fixed === null && !uploading ? (
          <Button kind="primary" onClick={() => setUploading(true)}>
            Upload an agreement
          </Button>
        ) : null}
      </div>
      {'fault' in loaded ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data?.fixed == null ? null : (
        <Notice kind="info" announced={false} title="Agreements cannot be changed here">
          <p>{data.fixed}</p>
        </Notice>
      )}
      {uploading ? (
        <Upload onPublished={({ name }) => goTo(agreementHref(name))} onClose={() => setUploading(false)} />
      ) : null}
      {data === undefined && loaded.state === 'loading' ? <Skeleton lines={6} /> : null}
      {data === undefined ? null : data.agreements.length === 0 ? (
        <EmptyState title="There are no agreements yet">
          <p>Upload the files of one, or a carrier’s grid of discounts.</p>
        </EmptyState>
      ) : (
        <Table caption="Agreements" captionHidden columns={COLUMNS} rows={data.agreements} keyOf={({ name }) => name} />
      )}
    </>
  );
};
