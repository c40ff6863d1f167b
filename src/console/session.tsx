/**
 * The session of a client or of an operator. When a session ends, its page stays as it is, below a dialog. Calls that
 * failed because of this are made again once the user has signed in.
 */
import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ApiFault } from '../http/client/fault.ts';
import { type Api, ApiContext, asFault, createApi } from './api.ts';
import { ThemeToggle } from './theme.tsx';
import { Button, LinkButton } from './ui/controls.tsx';
import { Dialog, FaultNotice } from './ui/feedback.tsx';
import { Logo, Missing } from './ui/kit.tsx';

interface Person {
  readonly id: string;
  readonly name: string;
}

export interface SignInProps<Body> {
  /** The service's answer while nobody is signed in. */
  readonly body: Body;
  /** The only person who may sign in here. Undefined: anybody may. */
  readonly again: Person | undefined;
  readonly onSignedIn: (body: Body) => void;
}

/** The accounts that can sign in: clients or operators. */
export interface Accounts<Body> {
  /** The heading of the sign-in page. `lead` is the text below it. */
  readonly title: string;
  readonly lead: string;
  readonly load: () => Promise<Body>;
  readonly end: (api: Api) => Promise<unknown>;
  readonly personIn: (body: Body) => Person | undefined;
  readonly SignIn: ComponentType<SignInProps<Body>>;
}

interface Session {
  readonly person: Person;
  readonly signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** The session of a page. Pages are shown only to signed-in users. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('A page is shown without a session.');
  return session;
};

interface Answered {
  readonly csrf: string | null;
}

interface PagesProps<Body> {
  readonly accounts: Accounts<Body>;
  readonly first: Body;
  readonly person: Person;
  /** Called when the user has signed out, or leaves the page of an ended session. */
  readonly onSignedOut: () => void;
  readonly onFault: (fault: ApiFault) => void;
  readonly children: ComponentChildren;
}

/** The pages of one person. */
const Pages = <Body extends Answered>(props: PagesProps<Body>) => {
  const { accounts, first, person, onSignedOut, onFault, children } = props;
  const { SignIn } = accounts;
  const csrf = useRef(first.csrf);
  const renewal = useRef<Promise<boolean> | undefined>(undefined);
  const [ended, setEnded] = useState<{ readonly body: Body; readonly goOn: (body: Body) => void }>();
  const isOwn = (body: Body): boolean => accounts.personIn(body)?.id === person.id;
  useEffect(() => {
    if (ended === undefined) return;
    // Another tab may have signed in meanwhile. If this cannot be found out, the sign-in form stays.
    const look = (): void => {
      accounts.load().then(
        (body) => isOwn(body) && ended.goOn(body),
        () => undefined,
      );
    };
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [ended]);
  const api = useMemo(() => {
    const renew = async (): Promise<boolean> => {
      let body = await accounts.load();
      // With the same CSRF token, the call would fail again. A different one means that another tab has signed in.
      if (isOwn(body) && body.csrf === csrf.current) return false;
      if (!isOwn(body)) {
        const old = body;
        body = await new Promise<Body>((goOn) => setEnded({ body: old, goOn }));
        setEnded(undefined);
      }
      if (isOwn(body)) csrf.current = body.csrf;
      return isOwn(body);
    };
    return createApi({
      csrf: () => csrf.current,
      // Calls that fail together wait for the same session.
      renew: () => {
        renewal.current ??= renew().finally(() => {
          renewal.current = undefined;
        });
        return renewal.current;
      },
    });
  }, [accounts, person.id]);
  const signOut = (): void => {
    accounts.end(api).then(onSignedOut, (error: unknown) => onFault(asFault(error)));
  };
  return (
    <ApiContext.Provider value={api}>
      <SessionContext.Provider value={{ person, signOut }}>{children}</SessionContext.Provider>
      {ended === undefined ? null : (
        // It covers the page, which keeps all input, until the same person has signed in again.
        <Dialog title="Your session has ended">
          <p>Sign in to continue where you left off. The page keeps everything you typed and chose.</p>
          <SignIn body={ended.body} again={person} onSignedIn={ended.goOn} />
          <div class="actions start">
            <Button kind="quiet" onClick={onSignedOut}>
              Discard this page and sign in with another account
            </Button>
          </div>
        </Dialog>
      )}
    </ApiContext.Provider>
  );
};

interface SignedInProps<Body> {
  readonly accounts: Accounts<Body>;
  readonly children: ComponentChildren;
}

/** Shows `children` to signed-in users, and the sign-in page to others. */
export const SignedIn = <Body extends Answered>({ accounts, children }: SignedInProps<Body>) => {
  const { title, lead, load, personIn, SignIn } = accounts;
  const [body, setBody] = useState<Body>();
  const [fault, setFault] = useState<ApiFault>();
  const ask = (): void => {
    setFault(undefined);
    load().then(setBody, (error: unknown) => setFault(asFault(error)));
  };
  useEffect(ask, []);

  if (fault !== undefined || body === undefined)
    return (
      <main class="page narrow" aria-busy={!fault}>
        {fault?.status === 404 ? (
          <Missing title="Page not found" text="This address does not exist.">
            <LinkButton href="#/upload">Upload a list</LinkButton>
          </Missing>
        ) : (
          <>
            <h1 class={fault ? '' : 'visually-hidden'}>{title}</h1>
            <FaultNotice fault={fault} retry={ask} />
          </>
        )}
      </main>
    );
  const person = personIn(body);
  if (person === undefined)
    return (
      <main class="stack large sign-in">
        <div class="split">
          <span class="brand">
            <Logo />
          </span>
          <ThemeToggle />
        </div>
        <div>
          <h1>{title}</h1>
          <p class="lead">{lead}</p>
        </div>
        <div class="panel">
          <SignIn body={body} again={undefined} onSignedIn={setBody} />
        </div>
      </main>
    );
  return (
    <Pages key={person.id} accounts={accounts} first={body} person={person} onSignedOut={ask} onFault={setFault}>
      {children}
    </Pages>
  );
};
