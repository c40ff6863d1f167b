/** The console: starts it, draws the frame, and shows the page that the address names. */
import './print.css';
import './style.css';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BatchPage } from './batch.tsx';
import { BatchesPage } from './batches.tsx';
import { Asking, href, isOperators, placeOf, type Route, useLeaving, useRoute } from './navigation.tsx';
import { SignedIn, useSession } from './session.tsx';
import { applyTheme, ThemeToggle } from './theme.tsx';
import { LinkButton } from './ui/controls.tsx';
import { EmptyState } from './ui/feedback.tsx';
import { Later } from './ui/later.tsx';
import { UploadPage } from './upload.tsx';

const NAV = [
  { label: 'Quote', page: 'quote', address: href.quote },
  { label: 'Upload', page: 'upload', address: href.upload },
  { label: 'Batches', page: 'batches', address: href.batches },
  { label: 'Agreements', page: 'agreements', address: href.agreements },
  { label: 'Tariffs', page: 'tariffs', address: href.tariffs },
] as const;

const quote = async () => ({ default: (await import('./quote.tsx')).QuotePage });
const whatIf = () => import('./what-if.tsx');
const comparison = () => import('./comparison.tsx');
const agreements = async () => ({ default: (await import('./agreements.tsx')).AgreementsPage });
const tariffs = async () => ({ default: (await import('./tariffs.tsx')).TariffsPage });
const operator = () => import('./operator.tsx');

const TITLES: Readonly<Record<Route['page'], string>> = {
  quote: 'Quote',
  upload: 'Upload',
  batches: 'Batches',
  batch: 'Batch',
  whatIf: 'What if',
  comparison: 'Comparison',
  agreements: 'Agreements',
  tariffs: 'Tariffs',
  unknown: 'Not found',
};

const Page = ({ route }: { readonly route: Route }) => {
  switch (route.page) {
    case 'quote':
      return <Later page={quote} props={{}} title={TITLES.quote} />;
    case 'upload':
      return <UploadPage />;
    case 'batches':
      return <BatchesPage />;
    case 'batch':
      return <BatchPage key={route.id} id={route.id} />;
    case 'whatIf':
      return <Later key={route.id} page={whatIf} props={{ id: route.id }} title={`${TITLES.whatIf}…`} />;
    case 'comparison':
      return <Later key={route.id} page={comparison} props={{ id: route.id }} title={TITLES.comparison} />;
    case 'agreements':
      return <Later page={agreements} props={{ name: route.name }} title={TITLES.agreements} />;
    case 'tariffs':
      return <Later page={tariffs} props={{}} title={TITLES.tariffs} />;
    case 'unknown':
      return (
        <>
          <h1>Page not found</h1>
          <EmptyState title="This address does not exist.">
            <LinkButton href={href.upload}>Upload a list</LinkButton>
          </EmptyState>
        </>
      );
    default:
      return route satisfies never;
  }
};

/** Pages that belong to the batches. */
const OF_BATCHES: readonly Route['page'][] = ['batch', 'whatIf', 'comparison'];

const Header = ({ page }: { readonly page: Route['page'] }) => {
  const { client, signOut } = useSession();
  const { leave } = useLeaving();
  return (
    <header class="header">
      <a class="brand" href={href.upload}>
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
          <path d="M5 11 16 5.5 27 11v10L16 26.5 5 21z M5 11l11 5.5L27 11M16 16.5v10" />
        </svg>
        Shipping rates
      </a>
      <nav class="nav" aria-label="Pages">
        {NAV.map(({ label, page: own, address }) => (
          <a
            key={own}
            href={address}
            aria-current={own === page ? 'page' : own === 'batches' && OF_BATCHES.includes(page) ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <div class="who">
        <span class="who-name" title={client.id}>
          {client.name}
        </span>
        <ThemeToggle />
        <button type="button" class="button quiet" onClick={() => leave(signOut)}>
          Sign out
        </button>
      </div>
    </header>
  );
};

const Frame = () => {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location.hash);
  const place = placeOf(route);
  useEffect(() => {
    document.title = `${TITLES[route.page]} · Shipping rates`;
    // The first page keeps the browser's focus.
    if (shown.current === location.hash) return;
    shown.current = location.hash;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [place]);
  return (
    <>
      <button type="button" class="skip-link" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <Header page={route.page} />
      <main class="page" id="main" ref={main} tabIndex={-1}>
        <Page route={route} />
      </main>
    </>
  );
};

const App = () => (
  <SignedIn>
    <Asking>
      <Frame />
    </Asking>
  </SignedIn>
);

const isOperator = isOperators(location.hash);
// The operator's pages and those of clients share nothing: each begins afresh.
addEventListener('hashchange', () => {
  if (isOperators(location.hash) !== isOperator) location.reload();
});

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element #app.');
applyTheme();
render(isOperator ? <Later page={operator} props={{}} title="Operator" /> : <App />, root);
