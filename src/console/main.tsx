/** The console: starts it, and names the pages of clients. */
import './ui/print.css';
import './style.css';
import { render } from 'preact';
import { BatchesPage } from './batches.tsx';
import { CLIENTS } from './session/sign-in.tsx';
import { type Page, Shell } from './shell.tsx';
import { applyTheme } from './theme.tsx';
import { Later } from './ui/later.tsx';
import { UploadPage } from './upload.tsx';

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
