/** The agreements that a client pays by, and giving it one. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../../api.ts';
import type { OperatorClient } from '../../calls.ts';
import { Button, Select, TextField } from '../../ui/controls.tsx';
import { Confirm, FaultNotice } from '../../ui/feedback.tsx';
import { dayOf } from '../../ui/format.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { agreementHref, agreementsHref, Part, type PartProps } from './part.tsx';
import { useChange } from './use-change.ts';

type Assigned = OperatorClient['agreements'][number];

const daysText = ({ effective, until }: Assigned): string => {
  if (effective === null) return 'missing, or has errors';
  return until === null ? `from ${dayOf(effective)}` : `${dayOf(effective)} to ${dayOf(until)}`;
};

const columnsOf = (onRemove: ((one: Assigned) => void) | undefined): readonly Column<Assigned>[] => [
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
  { key: 'carrier', label: 'Carrier', cell: ({ carrier }) => carrier ?? '—' },
  { key: 'days', label: 'Ship dates', cell: daysText },
  { key: 'for', label: 'Warehouses', cell: ({ warehouses }) => warehouses?.join(', ') ?? 'all' },
  { key: 'account', label: 'Account', cell: ({ account }) => account ?? '—' },
  ...(onRemove === undefined
    ? []
    : [
        {
          key: 'remove',
          label: <span class="visually-hidden">Change</span>,
          numeric: true,
          cell: (one: Assigned) => (
            <Button kind="quiet" onClick={() => onRemove(one)}>
              Remove<span class="visually-hidden"> agreement {one.name}</span>
            </Button>
          ),
        },
      ]),
];

/** `101, 102` as numbers; undefined if it is anything else. */
const numbersOf = (text: string): number[] | undefined => {
  const parts = text.split(/[,\s]+/).filter((part) => part !== '');
  return parts.every((part) => /^\d{1,10}$/.test(part)) ? parts.map(Number) : undefined;
};

const GiveForm = ({ client, onChanged }: PartProps) => {
  const api = useApi();
  const { data } = useLoad((signal) => api.call('operatorAgreements', { signal }), [api]);
  const { busy, fault, make } = useChange();
  const [chosen, setChosen] = useState('');
  const [where, setWhere] = useState('');
  const [account, setAccount] = useState('');
  const [isWrong, setWrong] = useState(false);
  if (data === undefined) return null;
  if (data.agreements.length === 0)
    return (
      <p class="hint">
        There are no agreements yet. <a href={agreementsHref}>Upload one</a>.
      </p>
    );
  const name = chosen === '' ? (data.agreements[0]?.name ?? '') : chosen;
  const submit = (event: Event): void => {
    event.preventDefault();
    const warehouses = numbersOf(where);
    setWrong(warehouses === undefined);
    if (warehouses === undefined) return;
    const given = {
      name,
      ...(warehouses.length === 0 ? {} : { warehouses }),
      ...(account.trim() === '' ? {} : { account: account.trim() }),
    };
    make(async () => {
      onChanged(await api.call('changeClient', { id: client.id, json: { agreements: [given] } }));
      setWhere('');
      setAccount('');
    });
  };
  return (
    <form class="stack" onSubmit={submit}>
      <div class="give-form">
        <Select
          label="Agreement"
          value={name}
          onChange={setChosen}
          options={data.agreements.map((one) => ({ value: one.name, label: `${one.name} (${one.carrier})` }))}
        />
        <TextField
          label="Only for warehouses"
          value={where}
          onChange={setWhere}
          placeholder="all"
          error={isWrong ? 'Type numbers of warehouses, such as 101, 102.' : undefined}
        />
        <TextField label="Account number" value={account} onChange={setAccount} maxLength={40} placeholder="1X2Y3Z" />
        <Button submit busy={busy}>
          Give it the agreement
        </Button>
      </div>
      {fault === undefined ? null : <FaultNotice fault={fault} />}
    </form>
  );
};

export const ClientAgreements = (props: PartProps & { readonly canChange: boolean }) => {
  const { client, onChanged, canChange } = props;
  const api = useApi();
  const { fault, make } = useChange();
  const [leaving, setLeaving] = useState<Assigned>();
  const remove = ({ name }: Assigned): void =>
    make(async () => {
      setLeaving(undefined);
      onChanged(await api.call('changeClient', { id: client.id, json: { removeAgreements: [name] } }));
    });
  return (
    <Part title="Agreements" lead="What it pays a carrier instead of the list. An agreement wins over a discount.">
      {client.agreements.length === 0 ? (
        <p class="hint">It has no agreement.</p>
      ) : (
        <Table
          caption="Agreements of the client"
          captionHidden
          rows={client.agreements}
          keyOf={({ name, warehouses }) => `${name} ${warehouses?.join() ?? ''}`}
          columns={columnsOf(canChange ? setLeaving : undefined)}
        />
      )}
      {canChange ? <GiveForm {...props} /> : null}
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      {leaving === undefined ? null : (
        <Confirm
          title={`Remove the agreement ${leaving.name}?`}
          action="Remove the agreement"
          keep="Keep it"
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            {client.name} then pays the list price less its discounts. Batches that exist keep the agreement. The
            agreement itself stays.
          </p>
        </Confirm>
      )}
    </Part>
  );
};
