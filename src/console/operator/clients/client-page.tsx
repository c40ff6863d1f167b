/** One client: its prices, warehouses, secrets, scopes, limits and webhook. */
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { asFault, useApi, useCall } from '../../api.ts';
import type { Delivery, NewSecrets, OperatorClient, WebhookTest } from '../../calls.ts';
import { operatorHref } from '../../navigation.tsx';
import { Button, LinkButton } from '../../ui/controls.tsx';
import { FaultNotice, Notice } from '../../ui/feedback.tsx';
import { Form, type FormField, useForm } from '../../ui/form.tsx';
import { allOf, capital, count, counted, instant } from '../../ui/format.ts';
import { Ask, isMissing, Missing, Named, PageHead, Panel, Rows, Show, useAct } from '../../ui/kit.tsx';
import type { Col } from '../../ui/table.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { ClientMarks, clientsHref, type PartProps, ShowOnce } from '../part.tsx';
import { Access } from './access.tsx';
import { ClientAgreements, Discounts } from './prices.tsx';
import { Warehouses } from './warehouses.tsx';

/* A client's secrets: their creation and expiry, a new one, and revoking the old ones. */

const GRACE: FormField = {
  at: 'graceHours',
  label: 'If you make a new secret, the old one',
  name: 'The number of hours',
  initial: '24',
  options: [
    { value: '24', label: 'expires in 24 hours' },
    { value: '168', label: 'expires in 7 days' },
    { value: '', label: 'stays valid until you revoke it' },
    { value: '0', label: 'expires now' },
  ],
  value: (hours) => (hours === '' ? null : Number(hours)),
};

const Secrets = ({ client: { secrets }, canChange, make }: PartProps) => {
  const api = useApi();
  const form = useForm();
  return (
    <Panel title="Secrets" lead="A client signs in with its id and a secret. Only hashes are kept.">
      <Rows
        of={secrets}
        caption="Valid secrets, oldest first"
        keyOf={({ createdAt }) => createdAt}
        empty={<p class="hint">This client has no valid secret, so it cannot use the service.</p>}
        cols={[
          [
            'Created',
            (secret) => (
              <>
                {instant(secret.createdAt)}{' '}
                {secrets.length > 1 && secret === secrets.at(-1) ? <span class="mark good">newest</span> : null}
              </>
            ),
            'head',
          ],
          ['Expires', ({ expiresAt }) => (expiresAt === null ? 'never' : instant(expiresAt))],
        ]}
      />
      {canChange ? (
        <Form
          fields={[GRACE]}
          form={form}
          action="Make a new secret"
          send={(json) => make((asked) => api.call('POST /ops/clients/{id}/secrets', asked), json)}
        >
          {secrets.length > 1 ? (
            <Ask
              label="Revoke the old secrets now"
              title="Revoke all secrets but the newest?"
              action="Revoke the old secrets"
              keep="Keep them"
              call={() => make((asked) => api.call('POST /ops/clients/{id}/secrets/end-old', asked))}
            >
              <p>Programs that still use an old secret are refused, and so are its tokens and sessions.</p>
            </Ask>
          ) : null}
        </Form>
      ) : null}
    </Panel>
  );
};

/* A client's webhook: its URL, and a test message with the response. */

const Result = ({ test: { status, problem, body, ms, id } }: { readonly test: WebhookTest }) => (
  <Notice
    announced
    kind={problem === null ? 'done' : 'error'}
    title={problem === null ? 'The test message was delivered' : 'The test message was not delivered'}
  >
    <p>
      {status === null ? `The reason: ${problem}` : `The answer had status ${status}`} after {count(ms)} ms.
      {status !== null && problem !== null ? ` The reason: ${problem}.` : ''} Its webhook-id is <code>{id}</code>.
    </p>
    {body.trim() === '' ? null : <pre class="sunken webhook-answer">{body}</pre>}
  </Notice>
);

const DELIVERIES: readonly Col<Delivery>[] = [
  ['When', ({ at }) => <span class="nowrap">{instant(at)}</span>, 'head'],
  ['About', ({ event, batchId }) => <Named name={capital(event.replace('.', ' '))} text={batchId} />],
  [
    'Result',
    ({ outcome, status, problem, nextAttemptAt }) => (
      <>
        <span class={outcome === 'delivered' ? 'mark good' : 'mark warn'}>{outcome.replace('_', ' ')}</span>{' '}
        {capital(problem ?? `the response status was ${status}`)}.
        {nextAttemptAt === null ? '' : ` Next attempt: ${instant(nextAttemptAt)}.`}
      </>
    ),
  ],
];

const Deliveries = ({ id }: { readonly id: string }) => (
  <Show of={useCall('GET /ops/clients/{id}/deliveries', { id })} lines={2} label="Loading the messages">
    {({ deliveries }) => (
      <Rows
        of={deliveries}
        cards
        caption="Newest messages of the last seven days"
        keyOf={({ id: message, attempt }) => `${message} ${attempt}`}
        empty={<p class="hint">No message was sent in the last seven days.</p>}
        cols={DELIVERIES}
      />
    )}
  </Show>
);

const Webhook = ({ client: { id, name, webhook }, canChange, change }: PartProps) => {
  const api = useApi();
  const form = useForm();
  const sending = useAct();
  const [test, setTest] = useState<WebhookTest>();
  const save = async (json: Readonly<Record<string, unknown>>): Promise<void> => {
    setTest(undefined);
    await change(json);
  };
  const send = (): Promise<void> =>
    sending.run(async () => {
      setTest(undefined);
      setTest(await api.call('POST /ops/clients/{id}/webhook-test', { id, json: {} }));
    });
  const url: FormField = {
    at: 'webhook',
    label: webhook === null ? 'URL' : 'New URL',
    name: 'The URL',
    hint: 'Must start with https:// and be publicly reachable.',
    placeholder: 'https://',
    most: 2_000,
    required: true,
  };
  return (
    <Panel title="Webhook" lead="Where the service tells the client how its batches ended. Each message is signed.">
      {webhook === null ? null : (
        <div class="stack small">
          <code class="anywhere">{webhook}</code>
          {canChange ? (
            <div class="actions start">
              <Button onClick={send} busy={sending.busy}>
                Send a test message
              </Button>
              <Ask
                label="Remove"
                title="Remove the webhook?"
                action="Remove the webhook"
                call={() => save({ webhook: null })}
              >
                <p>{name} will no longer be told how its batches end. A new webhook gets a new signing secret.</p>
              </Ask>
            </div>
          ) : null}
        </div>
      )}
      <FaultNotice fault={sending.fault} />
      {test === undefined ? null : <Result test={test} />}
      {webhook === null ? null : <Deliveries id={id} />}
      {canChange ? <Form fields={[url]} form={form} class="fields long" action="Save the webhook" send={save} /> : null}
    </Panel>
  );
};

const Revoke = ({ client: { id, name }, make }: PartProps) => {
  const api = useApi();
  return (
    <Panel title="Revoke" lead="For a client that must no longer use the service. This cannot be undone.">
      <div class="actions start">
        <Ask
          kind="danger"
          label="Revoke this client…"
          title={`Revoke ${name}?`}
          action="Revoke the client"
          call={() => make((asked) => api.call('POST /ops/clients/{id}/revoke', asked))}
        >
          <p>
            Its secrets, tokens and sessions are refused within a second. The id <code>{id}</code> cannot be reused.
          </p>
        </Ask>
      </div>
    </Panel>
  );
};

const Standing = ({ client: { fixed, problem, revoked } }: Pick<PartProps, 'client'>) => (
  <>
    {fixed === null ? null : <Notice kind="info" title="This client cannot be changed here" text={fixed} />}
    {revoked ? (
      <Notice kind="info" title="This client is revoked">
        <p>
          Its secrets and tokens are refused. Its id cannot be reused, because its batches still use it. The{' '}
          <a href={operatorHref('audit')}>audit log</a> says who revoked it and when.
        </p>
      </Notice>
    ) : null}
    {problem === null ? null : (
      <Notice kind="warning" title="This client gets no prices">
        <p>The reason: {problem}. It never gets the list price instead.</p>
      </Notice>
    )}
  </>
);

const factsOf = ({ agreements, warehouses, webhook, revoked }: OperatorClient): string =>
  [
    ...(agreements.length === 0 ? [] : [`agreement ${allOf(agreements.map(({ name }) => name))}`]),
    counted(warehouses.length, 'warehouse'),
    ...(webhook === null || revoked ? [] : ['webhook on']),
  ].join(' · ');

export const ClientPage = ({ id }: { readonly id: string }) => {
  const api = useApi();
  const loaded = useCall('GET /ops/clients/{id}', { id });
  const [secrets, setSecrets] = useState<NewSecrets>();
  const client = loaded.data;
  if (isMissing(loaded))
    return (
      <Missing title="Client not found" text={`There is no client ${id}`}>
        <LinkButton href={clientsHref}>See all clients</LinkButton>
      </Missing>
    );
  const make: PartProps['make'] = async (call, json) => {
    try {
      const answer = await call({ id, json: { ...json, before: client?.facts } });
      loaded.put(answer.client);
      if (answer.secrets !== null) setSecrets(answer.secrets);
      return answer;
    } catch (error) {
      if (asFault(error).status === 409) loaded.reload();
      throw error;
    }
  };
  const change: PartProps['change'] = (json) => make((asked) => api.call('POST /ops/clients/{id}', asked), json);
  const lead = (
    <>
      <code>{id}</code>
      {client === undefined ? null : (
        <>
          {' · '}
          <ClientMarks {...client} /> · {factsOf(client)}
        </>
      )}
    </>
  );
  return (
    <>
      <PageHead title={client?.name ?? id} above={[clientsHref, 'All clients']} lead={lead} />
      <Show of={loaded} lines={12} label="Loading the client">
        {(shown) => {
          const canChange = !shown.revoked && shown.fixed === null;
          const part = { client: shown, canChange, change, make };
          const tab = (label: string, ...parts: readonly ComponentType<PartProps>[]): Tab => ({
            ...{ at: label.toLowerCase(), label },
            show: () => parts.map((Part, at) => <Part key={at} {...part} />),
          });
          return (
            <>
              <Standing client={shown} />
              <Tabs
                label="Parts of the client"
                tabs={[
                  tab('Prices', Discounts, ClientAgreements),
                  tab('Warehouses', Warehouses),
                  tab('Access', Secrets, Webhook),
                  tab('Settings', Access, ...(canChange ? [Revoke] : [])),
                ]}
              />
            </>
          );
        }}
      </Show>
      {secrets === undefined ? null : <ShowOnce secrets={secrets} onSaved={() => setSecrets(undefined)} />}
    </>
  );
};
