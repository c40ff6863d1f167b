/** All clients, with a search, and the form that adds one. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../../api.ts';
import type { OperatorClientSummary } from '../../calls.ts';
import { goTo } from '../../navigation.tsx';
import { Button, Segments, TextField } from '../../ui/controls.tsx';
import { EmptyState, FaultNotice, Notice, Skeleton } from '../../ui/feedback.tsx';
import { count, counted, day } from '../../ui/format.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { ClientMarks, clientHref } from './part.tsx';
import { type ShownSecrets, ShowOnce } from './show-once.tsx';
import { useChange } from './use-change.ts';
import { isEmpty, newWarehouse, WarehouseFields, warehouseOf } from './warehouse-fields.tsx';

/* The form that adds a client. What it pays and from where it ships is said on its page. */

interface AddClientProps {
  readonly onAdded: (secrets: ShownSecrets) => void;
  readonly onClose: () => void;
}

const AddClient = ({ onAdded, onClose }: AddClientProps) => {
  const api = useApi();
  const { busy, fault, make } = useChange();
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [warehouse, setWarehouse] = useState(newWarehouse);
  const submit = (event: Event): void => {
    event.preventDefault();
    make(async () => {
      const warehouses = isEmpty(warehouse) ? {} : { warehouses: [warehouseOf(warehouse)] };
      const named = name.trim() === '' ? {} : { name: name.trim() };
      const { secrets } = await api.call('addClient', { json: { id: id.trim(), ...named, ...warehouses } });
      if (secrets !== null) onAdded(secrets);
    });
  };
  return (
    <form class="panel" onSubmit={submit} aria-labelledby="add-client">
      <h2 id="add-client">Add a client</h2>
      <div class="client-fields">
        <TextField
          label="Id"
          value={id}
          onChange={setId}
          hint="Letters, digits, dots and hyphens. It cannot be changed or given again."
          maxLength={64}
          autocomplete="off"
          required
        />
        <TextField label="Name" value={name} onChange={setName} hint="For people. Default: the id." maxLength={80} />
      </div>
      <fieldset class="client-group">
        <legend>First warehouse, if you know it</legend>
        <WarehouseFields draft={warehouse} onChange={setWarehouse} />
      </fieldset>
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      <div class="actions start">
        <Button kind="primary" submit busy={busy}>
          Add the client
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
};

type Client = OperatorClientSummary;

const COLUMNS: readonly Column<Client>[] = [
  {
    key: 'id',
    label: 'Client',
    heads: true,
    cell: ({ id, name }) => (
      <>
        <a href={clientHref(id)}>{name}</a>
        <span class="hint client-id">{id}</span>
      </>
    ),
  },
  { key: 'state', label: 'State', cell: (client) => <ClientMarks client={client} /> },
  {
    key: 'pays',
    label: 'Pays',
    cell: ({ discounts, agreements }) =>
      [...(discounts === 0 ? [] : [counted(discounts, 'discount')]), ...agreements].join(', ') || 'the list price',
  },
  { key: 'warehouses', label: 'Warehouses', numeric: true, cell: ({ warehouses }) => count(warehouses) },
  { key: 'webhook', label: 'Webhook', cell: ({ webhook }) => (webhook ? 'yes' : 'no') },
  {
    key: 'secret',
    label: 'Newest secret',
    cell: ({ secrets }) => {
      const newest = secrets.at(-1);
      return newest === undefined ? 'none' : <span class="nowrap">{day(newest.createdAt)}</span>;
    },
  },
];

const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'problem', label: 'Without prices' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'all', label: 'All' },
] as const;

const isIn = ({ revoked, problem }: Client, state: string): boolean => {
  if (state === 'all') return true;
  if (state === 'revoked') return revoked;
  return !revoked && (state === 'active' || problem !== null);
};

const matches = ({ id, name, agreements }: Client, wanted: string): boolean =>
  [id, name, ...agreements].some((text) => text.toLowerCase().includes(wanted));

/** Clients that are shown at first. */
const SHOWN = 100;

const Found = ({ clients }: { readonly clients: readonly Client[] }) => {
  const [search, setSearch] = useState('');
  const [state, setState] = useState('active');
  const [most, setMost] = useState(SHOWN);
  const wanted = search.trim().toLowerCase();
  const found = clients.filter((client) => isIn(client, state) && matches(client, wanted));
  return (
    <>
      <div class="client-search">
        <TextField
          label="Search"
          type="search"
          value={search}
          onChange={setSearch}
          placeholder="Name, id or agreement"
        />
        <Segments label="State" options={STATES} value={state} onChange={setState} />
        <p class="hint" role="status">
          {counted(found.length, 'client')}
        </p>
      </div>
      {found.length === 0 ? (
        <EmptyState title="No client matches" />
      ) : (
        <Table caption="Clients" captionHidden columns={COLUMNS} rows={found.slice(0, most)} keyOf={({ id }) => id} />
      )}
      {found.length <= most ? null : (
        <div class="actions start">
          <Button onClick={() => setMost(most + SHOWN)}>Show more</Button>
        </div>
      )}
    </>
  );
};

export const ClientList = () => {
  const api = useApi();
  const { data, reload, ...loaded } = useLoad((signal) => api.call('operatorClients', { signal }), [api]);
  const [adding, setAdding] = useState(false);
  const [secrets, setSecrets] = useState<ShownSecrets>();
  const canAdd = data !== undefined && data.fixed === null;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Clients</h1>
          <p class="lead">Who may call this service, from where they ship, and what they pay.</p>
        </div>
        {canAdd && !adding ? (
          <Button kind="primary" onClick={() => setAdding(true)}>
            Add a client
          </Button>
        ) : null}
      </div>
      {'fault' in loaded ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data?.fixed == null ? null : (
        <Notice kind="info" announced={false} title="Clients cannot be changed here">
          <p>{data.fixed}</p>
        </Notice>
      )}
      {adding ? (
        <AddClient
          onClose={() => setAdding(false)}
          onAdded={(shown) => {
            setAdding(false);
            setSecrets(shown);
          }}
        />
      ) : null}
      {data === undefined && loaded.state === 'loading' ? <Skeleton lines={8} /> : null}
      {data === undefined ? null : data.clients.length === 0 ? (
        <EmptyState title="There are no clients yet">
          <p>Add the first one. It gets an id and a secret.</p>
        </EmptyState>
      ) : (
        <Found clients={data.clients} />
      )}
      {secrets === undefined ? null : (
        <ShowOnce secrets={secrets} onSaved={() => goTo(clientHref(secrets.client_id))} />
      )}
    </>
  );
};
