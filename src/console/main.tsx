/** The console: starts it, and names the pages of clients, who sign in with their account or as one of the samples. */
import './ui/print.css';
import './style.css';
import { render } from 'preact';
import { BatchesPage } from './batches.tsx';
import type { SessionBody } from './calls.ts';
import { type Accounts, type SignInProps, unsigned } from './session.tsx';
import { type Page, Shell } from './shell.tsx';
import { applyTheme } from './theme.tsx';
import { Button } from './ui/controls.tsx';
import { type Body, Form, type FormField, useForm } from './ui/form.tsx';
import { Later } from './ui/later.tsx';
import { UploadPage } from './upload.tsx';

const SignIn = ({ body, again, onSignedIn }: SignInProps<SessionBody>) => {
  const form = useForm();
  const fields: readonly FormField[] = [
    {
      ...{ at: 'client_id', label: 'Account', autocomplete: 'username', required: true },
      ...{ initial: again?.id ?? '', readOnly: again !== undefined },
    },
    {
      ...{ at: 'client_secret', label: 'Secret', type: 'password', autocomplete: 'current-password', required: true },
      value: (secret) => secret,
    },
  ];
  const send = async (json: Body): Promise<void> => onSignedIn(await unsigned.call('POST /console/session', { json }));
  const samples = body.samples.filter(({ client_id }) => again === undefined || client_id === again.id);
  const buttons = (
    <div class="actions start">
      {samples.map((sample) => (
        <Button key={sample.client_id} onClick={() => void form.run(() => send(sample))}>
          Sign in as <strong>{sample.client_id}</strong>
        </Button>
      ))}
    </div>
  );
  return (
    <>
      <Form class="stack" fields={fields} form={form} kind="primary" action="Sign in" send={send} />
      {samples.length === 0 ? null : again !== undefined ? (
        buttons
      ) : (
        <section class="stack ruled" aria-labelledby="samples">
          <h2 id="samples">Just trying it out?</h2>
          <p class="hint">This service has sample accounts. Nothing is billed.</p>
          {buttons}
        </section>
      )}
    </>
  );
};

const CLIENTS: Accounts<SessionBody> = {
  title: 'Shipping rates',
  lead: 'Quotes for packages within the United States: one at a time, or a whole list.',
  load: () => unsigned.call('GET /console/session'),
  end: (api) => api.call('DELETE /console/session'),
  personIn: ({ client }) => client ?? undefined,
  SignIn,
};

const quote = async () => ({ default: (await import('./quote.tsx')).QuotePage });
const batch = async () => ({ default: (await import('./batch.tsx')).BatchPage });
const whatIf = () => import('./what-if.tsx');
const comparison = () => import('./comparison.tsx');
const agreements = async () => ({ default: (await import('./agreements.tsx')).AgreementsPage });
const tariffs = async () => ({ default: (await import('./tariffs.tsx')).TariffsPage });
const operator = () => import('./operator.tsx');
const shared = () => import('./share/shared.tsx');

/** What most users want. */
const UPLOAD: Page = { at: 'upload', title: 'Upload', show: () => <UploadPage /> };

const PAGES: readonly Page[] = [
  {
    at: 'quote',
    title: 'Quote',
    show: (_, hash) => <Later key={hash} page={quote} props={{ hash }} title="Quote" />,
  },
  UPLOAD,
  { at: 'batches', title: 'Batches', show: () => <BatchesPage /> },
  {
    at: 'batches/*',
    of: 'batches',
    title: 'Batch',
    show: (id) => <Later key={id} page={batch} props={{ id }} title="Batch" />,
  },
  {
    at: 'batches/*/what-if',
    of: 'batches',
    title: 'What if',
    show: (id) => <Later key={id} page={whatIf} props={{ id }} title="What if…" />,
  },
  // The list of comparisons used to be a separate page.
  { at: 'comparisons', of: 'batches', title: 'Batches', show: () => <BatchesPage /> },
  {
    at: 'comparisons/*',
    of: 'batches',
    title: 'Comparison',
    show: (id) => <Later key={id} page={comparison} props={{ id }} title="Comparison" />,
  },
  {
    at: 'agreements',
    title: 'Agreements',
    show: () => <Later page={agreements} props={{ name: undefined }} title="Agreements" />,
  },
  {
    at: 'agreements/*',
    of: 'agreements',
    title: 'Agreements',
    show: (name) => <Later page={agreements} props={{ name }} title="Agreements" />,
  },
  { at: 'tariffs', title: 'Tariffs', show: () => <Later page={tariffs} props={{}} title="Tariffs" /> },
];

/** Whether an address is one of the operator's pages, which are separate from the clients' pages. */
const isOperators = (hash: string): boolean => /^#\/?operator(?:\/|$)/.test(hash);

const isOperator = isOperators(location.hash);
/** The token of a link to a result, which needs no sign-in. */
const token = /^#\/shared\/([\w.-]+)$/.exec(location.hash)?.[1];
// The operator's pages and the clients' pages share nothing, so switching reloads the page.
addEventListener('hashchange', () => {
  if (isOperators(location.hash) !== isOperator || token !== undefined || location.hash.startsWith('#/shared/'))
    location.reload();
});

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element #app.');
applyTheme();
render(
  token !== undefined ? (
    <Later page={shared} props={{ token }} title="Shared result" />
  ) : isOperator ? (
    <Later page={operator} props={{}} title="Operator" />
  ) : (
    <Shell accounts={CLIENTS} pages={PAGES} first={UPLOAD} ending="Shipping rates" />
  ),
  root,
);
