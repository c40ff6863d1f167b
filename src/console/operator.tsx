/** The operator's pages, behind the operator token: their frame, and the page that the address names. */
import { useEffect, useRef } from 'preact/hooks';
import { Asking, partsOf, useAddress, useLeaving } from './navigation.tsx';
import { operatorHref } from './operator/address.ts';
import { PAGES } from './operator/pages.ts';
import { OperatorSignedIn, useOperator } from './operator/session.tsx';
import { ThemeToggle } from './theme.tsx';
import { LinkButton } from './ui/controls.tsx';
import { EmptyState } from './ui/feedback.tsx';
import { Later } from './ui/later.tsx';

const [FIRST] = PAGES;

/** The page at an address: `#/operator/clients/acme` is the page `clients` with the id `acme`. */
const routeOf = (hash: string) => {
  const [, name = '', id = '', ...below] = partsOf(hash) ?? ['', 'invalid'];
  const page = name === '' ? FIRST : PAGES.find((one) => one.name === name);
  return { page, id: id === '' ? undefined : id, below };
};

const pageAt = (hash: string): string => partsOf(hash)?.join('/') ?? hash;

const Header = ({ name }: { readonly name: string | undefined }) => {
  const { operator, signOut } = useOperator();
  const { leave } = useLeaving();
  return (
    <header class="header">
      <a class="brand" href={operatorHref(FIRST.name)}>
        Shipping rates <span class="mark accent">Operator</span>
      </a>
      <nav class="nav" aria-label="Pages">
        {PAGES.map((page) => (
          <a key={page.name} href={operatorHref(page.name)} aria-current={page.name === name ? 'page' : undefined}>
            {page.label}
          </a>
        ))}
        <a href="/ops/queues">Queues</a>
      </nav>
      <div class="who">
        <span class="who-name" title="Operator">
          {operator.name}
        </span>
        <ThemeToggle />
        <button type="button" class="button quiet" onClick={() => leave(signOut)}>
          Sign out
        </button>
      </div>
    </header>
  );
};

const NotFound = () => (
  <>
    <h1>Page not found</h1>
    <EmptyState title="This address does not exist.">
      <LinkButton href={operatorHref(FIRST.name)}>{FIRST.label}</LinkButton>
    </EmptyState>
  </>
);

const Frame = () => {
  const hash = useAddress(pageAt);
  const { page, id, below } = routeOf(hash);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(hash);
  useEffect(() => {
    document.title = `${page?.label ?? 'Not found'} · Operator · Shipping rates`;
    // The first page keeps the browser's focus.
    if (shown.current === hash) return;
    shown.current = hash;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <>
      <button type="button" class="skip-link" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <Header name={page?.name} />
      <main class="page" id="main" ref={main} tabIndex={-1}>
        {page === undefined ? (
          <NotFound />
        ) : (
          <Later key={`${page.name} ${id}`} page={page.load} props={{ id, below }} title={page.label} />
        )}
      </main>
    </>
  );
};

export default () => (
  <OperatorSignedIn>
    <Asking>
      <Frame />
    </Asking>
  </OperatorSignedIn>
);
