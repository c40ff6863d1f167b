/** The operator's pages, and the sign-in with the operator token and a name for the audit log. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ApiFault } from '../http/client/fault.ts';
import { unsigned } from './api.ts';
import type { OperatorSessionBody } from './calls.ts';
import type { Accounts, SignInProps } from './session.tsx';
import { FaultNotice, Notice } from './ui/feedback.tsx';
import { Form, type FormField, useForm } from './ui/form.tsx';
import './tariffs/tariffs.css';
import './operator/operator.css';
import { AgreementList, AgreementView } from './operator/agreements/pages.tsx';
import AuditPage from './operator/audit.tsx';
import { ClientList } from './operator/clients/client-list.tsx';
import { ClientPage } from './operator/clients/client-page.tsx';
import HealthPage from './operator/health.tsx';
import { DraftPage } from './operator/tariffs/draft.tsx';
import { TariffPage, TariffsPage } from './operator/tariffs/list.tsx';
import { type Page, Shell } from './shell.tsx';

/** Why an operator could not sign in. The usual words are about a client's account. */
const Refusal = ({ fault }: { readonly fault: ApiFault | undefined }) => {
  const seconds = /try again in (\d+) s/.exec(fault?.message ?? '')?.[1];
  switch (fault?.type) {
    case 'InvalidCredentialsException':
      return <Notice kind="error" text="This is not the operator token." />;
    case 'credentials.tooManyWrong':
      return <Notice kind="error" text={`Too many wrong tokens. Try again in ${seconds ?? 60} seconds.`} />;
    default:
      return <FaultNotice fault={fault} />;
  }
};

const SignIn = ({ again, onSignedIn }: SignInProps<OperatorSessionBody>) => {
  const form = useForm();
  useEffect(() => {
    if (again === undefined) document.title = 'Sign in · Operator · Shipping rates';
  }, []);
  const fields: readonly FormField[] = [
    {
      ...{ at: 'name', label: 'Your name', name: 'Your name', autocomplete: 'name', most: 80, required: true },
      ...{ initial: again?.name ?? '', readOnly: again !== undefined },
      hint: 'The audit log shows it next to every change you make.',
    },
    {
      ...{ at: 'token', label: 'Operator token', type: 'password', autocomplete: 'current-password', required: true },
      hint: 'The value of OPERATOR_TOKEN. The person who started the service knows it.',
      value: (token) => token,
    },
  ];
  return (
    <Form
      class="stack"
      fields={fields}
      form={form}
      kind="primary"
      action="Sign in"
      told={Refusal}
      send={async (json) => onSignedIn(await unsigned.call('POST /ops/session', { json }))}
    >
      {again === undefined ? <a href="#/upload">Sign in as a client</a> : null}
    </Form>
  );
};

const OPERATORS: Accounts<OperatorSessionBody> = {
  title: 'Operator',
  lead: 'Load carriers’ prices, add clients and their agreements, and watch over this service.',
  load: () => unsigned.call('GET /ops/session'),
  end: (api) => api.call('DELETE /ops/session'),
  personIn: ({ operator }) => (operator === null ? undefined : { id: operator.name, name: operator.name }),
  SignIn,
};

/** A list page and the page of one entry: `#/operator/clients` and `#/operator/clients/acme`. */
const pagesOf = (
  name: string,
  title: string,
  all: ComponentChildren,
  one: (id: string) => ComponentChildren,
): readonly [Page, Page] => {
  const at = `operator/${name}`;
  return [
    { at, title, show: () => all },
    { at: `${at}/*`, of: at, title, show: one },
  ];
};

const HEALTH: Page = { at: 'operator/health', title: 'Health', show: () => <HealthPage /> };

const PAGES: readonly Page[] = [
  HEALTH,
  { ...HEALTH, at: 'operator', of: HEALTH.at },
  ...pagesOf('tariffs', 'Tariffs', <TariffsPage />, (id) =>
    // The id of a tariff has its version, and that of a draft has none.
    id.includes('@') ? <TariffPage key={id} id={id} /> : <DraftPage key={id} id={id} />,
  ),
  ...pagesOf('clients', 'Clients', <ClientList />, (id) => <ClientPage key={id} id={id} />),
  ...pagesOf('agreements', 'Agreements', <AgreementList />, (id) => <AgreementView key={id} name={id} />),
  { at: 'operator/audit', title: 'Audit', show: () => <AuditPage /> },
];

export default () => (
  <Shell
    accounts={OPERATORS}
    pages={PAGES}
    first={HEALTH}
    mark={<span class="mark accent">Operator</span>}
    links={<a href="/ops/queues">Queues</a>}
    ending="Operator · Shipping rates"
  />
);
