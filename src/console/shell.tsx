/** The frame around the clients' or operator's pages. It shows the page that the address names. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAway } from './api.ts';
import { AddressContext, Asking, partsOf, useAddress, useLeaving } from './navigation.tsx';
import { type Accounts, SignedIn, useSession } from './session.tsx';
import { ThemeToggle } from './theme.tsx';
import { LinkButton } from './ui/controls.tsx';
import { Notice } from './ui/feedback.tsx';
import { Logo, Missing } from './ui/kit.tsx';

export interface Page {
  /** The parts of the page's address, with `*` for an id: `batches/*`. */
  readonly at: string;
  /** The title of the window. A page without `of` has a link in the header with this text. */
  readonly title: string;
  /** The page whose header link is highlighted for this page. */
  readonly of?: string;
  readonly show: (id: string, hash: string) => ComponentChildren;
}

interface ShellProps {
  readonly pages: readonly Page[];
  /** The page at an address without parts. */
  readonly first: Page;
  /** Content of the header next to the name of the service. */
  readonly mark?: ComponentChildren;
  /** Links in the header after the page links. */
  readonly links?: ComponentChildren;
  /** The ending of window titles. */
  readonly ending: string;
}

/** The identity of the page at an address. A move between two addresses of the same page does not leave it. */
const placeAt = (hash: string): string => partsOf(hash)?.join('/') ?? hash;

const hrefOf = ({ at }: Page): string => `#/${at}`;

const Header = ({ pages, first, mark, links, page }: ShellProps & { readonly page: Page | undefined }) => {
  const { person, signOut } = useSession();
  const { leave } = useLeaving();
  return (
    <header class="header screen-only">
      <a class="brand" href={hrefOf(first)}>
        <Logo /> {mark}
      </a>
      <nav class="nav" aria-label="Pages">
        {pages.map((own) =>
          own.of === undefined ? (
            <a
              key={own.at}
              href={hrefOf(own)}
              aria-current={own === page ? 'page' : own.at === page?.of ? 'true' : undefined}
            >
              {own.title}
            </a>
          ) : null,
        )}
        {links}
      </nav>
      <div class="who">
        <span class="who-name" title={person.id}>
          {person.name}
        </span>
        <ThemeToggle />
        <button type="button" class="button quiet" onClick={() => leave(signOut)}>
          Sign out
        </button>
      </div>
    </header>
  );
};

/** Says that the service does not answer, and what is safe. */
const Away = () =>
  useAway() ? (
    <div class="away screen-only">
      <Notice announced kind="warning" title="The service does not answer">
        <p>
          Nothing is lost: batches keep running, and this page keeps what you typed. It continues when the service
          answers again.
        </p>
      </Notice>
    </div>
  ) : null;

const Frame = (props: ShellProps) => {
  const { pages, first, ending } = props;
  const hash = useAddress(placeAt);
  const parts = partsOf(hash);
  const isAt = ({ at }: Page): boolean => {
    const own = at.split('/');
    return own.length === parts?.length && own.every((part, index) => part === '*' || part === parts[index]);
  };
  const page = parts?.length === 0 ? first : pages.find(isAt);
  const id = parts?.[page?.at.split('/').indexOf('*') ?? -1] ?? '';
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location.hash);
  const place = placeAt(hash);
  useEffect(() => {
    document.title = `${page?.title ?? 'Not found'} · ${ending}`;
    // The first page keeps the browser's focus.
    if (shown.current === location.hash) return;
    shown.current = location.hash;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [place]);
  return (
    <>
      <button type="button" class="skip-link screen-only" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <Header {...props} page={page} />
      <Away />
      <main class="page" id="main" ref={main} tabIndex={-1}>
        {page === undefined ? (
          <Missing title="Page not found" text="This address does not exist.">
            <LinkButton href={hrefOf(first)}>{first.title}</LinkButton>
          </Missing>
        ) : (
          <AddressContext.Provider value={hash}>{page.show(id, hash)}</AddressContext.Provider>
        )}
      </main>
    </>
  );
};

/** The pages, which require a sign-in. */
export const Shell = <Body extends { readonly csrf: string | null }>({
  accounts,
  ...frame
}: ShellProps & { readonly accounts: Accounts<Body> }) => (
  <SignedIn accounts={accounts}>
    <Asking>
      <Frame {...frame} />
    </Asking>
  </SignedIn>
);
