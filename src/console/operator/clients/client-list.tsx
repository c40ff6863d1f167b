/** All clients, with a search, and the form that adds one. */
import { useState } from 'preact/hooks';
import { useApi, useCall } from '../../api.ts';
import type { NewSecrets, OperatorClientSummary } from '../../calls.ts';
import { goTo } from '../../navigation.tsx';
import { Button, Segments, TextField } from '../../ui/controls.tsx';
import { EmptyState, Notice } from '../../ui/feedback.tsx';
import { bodyOf, Form, type FormField, textIn, useForm } from '../../ui/form.tsx';
import { count, counted, day } from '../../ui/format.ts';
import { Named, OpeningHead, Panel, Rows, Show } from '../../ui/kit.tsx';
import type { Col } from '../../ui/table.tsx';
import { agreementHref, ClientMarks, clientHref, Links, ShowOnce } from '../part.tsx';
import { WAREHOUSE } from './warehouses.tsx';

/* The form that adds a client. Its prices and warehouses are set on its page. */

const CLIENT: readonly FormField[] = [
  {
    at: 'id',
    label: 'Id',
    hint: 'Letters, digits, dots and hyphens. It cannot be changed or reused.',
    most: 64,
    required: true,
  },
  { at: 'name', label: 'Name', hint: 'For people. Default: the id.', most: 80 },
];

const FIRST_WAREHOUSE = WAREHOUSE.map((field) => ({ ...field, at: `warehouses[0].${field.at}` }));

interface AddClientProps {
  readonly onAdded: (secrets: NewSecrets) => void;
  readonly onClose: () => void;
}

const AddClient = ({ onAdded, onClose }: AddClientProps) => {
  const api = useApi();
  const form = useForm();
  const hasWarehouse = FIRST_WAREHOUSE.some(
    (field) => field.initial === undefined && textIn(form, field).trim() !== '',
  );
  return (
    <Panel title="Add a client">
      <Form
        fields={[...CLIENT, ...FIRST_WAREHOUSE]}
        form={form}
        kind="primary"
        action="Add the client"
        send={async () => {
          const json = bodyOf(hasWarehouse ? [...CLIENT, ...FIRST_WAREHOUSE] : CLIENT, form);
          const { secrets } = await api.call('POST /ops/clients', { json });
          if (secrets === null) return;
          onClose();
          onAdded(secrets);
        }}
        layout={(show) => (
          <>
            <div class="fields">{show(CLIENT)}</div>
            <fieldset class="stack small">
              <legend>First warehouse, if you know it</legend>
              <div class="fields short">{show(FIRST_WAREHOUSE)}</div>
            </fieldset>
          </>
        )}
      >
        <Button onClick={onClose}>Cancel</Button>
      </Form>
    </Panel>
  );
};

type Client = OperatorClientSummary;

const Pays = ({ discounts, agreements }: Client) => {
  if (discounts === 0 && agreements.length === 0) return <span class="hint">list price</span>;
  return (
    <>
      <Links of={agreements} to={agreementHref} />
      {discounts === 0 ? '' : `${agreements.length === 0 ? '' : ', '}${counted(discounts, 'discount')}`}
    </>
  );
};

const SCOPES: Readonly<Record<string, string>> = { quote: 'quotes', batch: 'lists' };

const mayUse = ({ scopes }: Client): string => scopes.map((scope) => SCOPES[scope] ?? scope).join(', ') || 'nothing';

const secretsText = ({ secrets }: Client) => {
  const newest = secrets.at(-1);
  if (newest === undefined) return <span class="mark warn">none</span>;
  return <Named name={counted(secrets.length, 'secret')} text={`newest ${day(newest.createdAt)}`} />;
};

const COLS: readonly Col<Client>[] = [
  ['Client', ({ id, name }) => <Named name={<a href={clientHref(id)}>{name}</a>} text={id} />, 'head'],
  ['State', (client) => <Named name={<ClientMarks {...client} />} text={client.problem ?? ''} />],
  ['Pays', Pays],
  ['Warehouses', ({ warehouses }) => count(warehouses), 'number'],
  ['May use', mayUse],
  ['Webhook', ({ webhook }) => (webhook ? 'yes' : <span class="hint">none</span>)],
  ['Secrets', secretsText],
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

const Found = ({ clients }: { readonly clients: readonly Client[] }) => {
  const [search, setSearch] = useState('');
  const [state, setState] = useState('active');
  const wanted = search.trim().toLowerCase();
  const found = clients.filter((client) => isIn(client, state) && matches(client, wanted));
  return (
    <>
      <div class="search">
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
      <Rows
        of={found}
        cards
        caption="Clients"
        keyOf={({ id }) => id}
        cols={COLS}
        most={100}
        empty={<EmptyState title="No client matches" />}
      />
    </>
  );
};

export const ClientList = () => {
  const loaded = useCall('GET /ops/clients');
  const [secrets, setSecrets] = useState<NewSecrets>();
  return (
    <>
      <OpeningHead
        title="Clients"
        lead="Who may call this service, where they ship from, and what they pay."
        label={loaded.data?.fixed === null ? 'Add a client' : undefined}
        form={(close) => <AddClient onClose={close} onAdded={setSecrets} />}
      />
      <Show of={loaded} lines={8}>
        {({ clients, fixed }) => (
          <>
            {fixed === null ? null : <Notice kind="info" title="Clients cannot be changed here" text={fixed} />}
            {clients.length === 0 ? (
              <EmptyState title="There are no clients yet" text="Add the first one. It gets an id and a secret." />
            ) : (
              <Found clients={clients} />
            )}
          </>
        )}
      </Show>
      {secrets === undefined ? null : (
        <ShowOnce secrets={secrets} onSaved={() => goTo(clientHref(secrets.client_id))} />
      )}
    </>
  );
};
