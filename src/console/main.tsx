/** The console: starts it, and names the pages of clients, who sign in with their account or as one of the samples. */
import './ui/print.css';
import './style.css';
import { type ComponentProps, render } from 'preact';
import { unsigned } from './api.ts';
import { BatchesPage } from './batches.tsx';
import type { SessionBody } from './calls.ts';
import type { Accounts, SignInProps } from './session.tsx';
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
  title: 'Sign in',
  lead: 'Quotes for packages within the United States: one at a time, or a whole list.',
  load: () => unsigned.call('GET /console/session'),
  end: (api) => api.call('DELETE /console/session'),
  personIn: ({ client }) => client ?? undefined,
  SignIn,
};

type Lazy = ComponentProps<typeof Later<{ readonly id: string; readonly hash: string }>>['page'];

const quote: Lazy = async () => ({ default: (await import('./quote.tsx')).QuotePage });
const batch: Lazy = async () => ({ default: (await import('./batch.tsx')).BatchPage });
const whatIf: Lazy = () => import('./what-if.tsx');
const comparison: Lazy = () => import('./comparison.tsx');
const agreements: Lazy = async () => ({ default: (await import('./agreements.tsx')).AgreementsPage });
const tariffs: Lazy = async () => ({ default: (await import('./tariffs.tsx')).TariffsPage });
const operator = () => import('./operator.tsx');
const shared = () => import('./share/shared.tsx');

/** @param key what makes it another page: its id, or its whole address */
const later =
  (page: Lazy, title: string, key?: 'id' | 'hash'): Page['show'] =>
  (id, hash) => <Later key={key && { id, hash }[key]} page={page} props={{ id, hash }} title={title} />;

/** What most users want. */
const UPLOAD: Page = { at: 'upload', title: 'Upload', show: () => <UploadPage /> };
const BATCHES: Page = { at: 'batches', title: 'Batches', show: () => <BatchesPage /> };
const AGREEMENTS: Page = { at: 'agreements', title: 'Agreements', show: later(agreements, 'Agreements') };

const PAGES: readonly Page[] = [
  { at: 'quote', title: 'Quote', show: later(quote, 'Quote', 'hash') },
  UPLOAD,
  BATCHES,
  { at: 'batches/*', of: 'batches', title: 'Batch', show: later(batch, 'Batch', 'id') },
  { at: 'batches/*/what-if', of: 'batches', title: 'What if', show: later(whatIf, 'What if…', 'id') },
  // The list of comparisons used to be a separate page.
  { ...BATCHES, at: 'comparisons', of: 'batches' },
  { at: 'comparisons/*', of: 'batches', title: 'Comparison', show: later(comparison, 'Comparison', 'id') },
  AGREEMENTS,
  { ...AGREEMENTS, at: 'agreements/*', of: 'agreements' },
  { at: 'tariffs', title: 'Tariffs', show: later(tariffs, 'Tariffs') },
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
