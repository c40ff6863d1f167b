/**
 * The session: who is signed in. A page stays as it is when its session ends: a dialog lies over it, and the calls that
 * found the end are made again once the user has signed in.
 */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiContext, type ApiFault, asFault, createApi } from './api.ts';
import type { SessionBody } from './calls.ts';
import { SignIn, SignInAgain, unsigned } from './session/sign-in.tsx';
import { FaultNotice } from './ui/feedback.tsx';

type Client = NonNullable<SessionBody['client']>;

export interface Session {
  readonly client: Client;
  readonly signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** The session of a page. Pages are shown only to signed-in users. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('A page is shown without a session.');
  return session;
};

/** A session that has ended, until its client is signed in again. */
interface Ended {
  readonly samples: SessionBody['samples'];
  /** Lets the calls go on that wait for a session. */
  readonly goOn: (session: SessionBody) => void;
}

interface PagesProps {
  readonly first: SessionBody;
  readonly client: Client;
  /** Called when the user has signed out, or leaves the page of an ended session. */
  readonly onSignedOut: () => void;
  readonly onFault: (fault: ApiFault) => void;
  readonly children: ComponentChildren;
}

/** The pages of one client. */
const Pages = ({ first, client, onSignedOut, onFault, children }: PagesProps) => {
  const csrf = useRef(first.csrf);
  const renewal = useRef<Promise<boolean> | undefined>(undefined);
  const [ended, setEnded] = useState<Ended>();
  const api = useMemo(() => {
    const renew = async (): Promise<boolean> => {
      let body = await unsigned.call('GET /console/session');
      const isOwn = (): boolean => body.client?.id === client.id;
      // With the same token the call would fail again. With another one, another tab has signed in already.
      if (isOwn() && body.csrf === csrf.current) return false;
      if (!isOwn()) {
        const { samples } = body;
        body = await new Promise<SessionBody>((goOn) => setEnded({ samples, goOn }));
        setEnded(undefined);
      }
      if (isOwn()) csrf.current = body.csrf;
      return isOwn();
    };
    return createApi({
      csrf: () => csrf.current,
      // Calls that fail together wait for one session.
      renew: () => {
        renewal.current ??= renew().finally(() => {
          renewal.current = undefined;
        });
        return renewal.current;
      },
    });
  }, [client.id]);
  const signOut = (): void => {
    api.call('DELETE /console/session').then(onSignedOut, (error: unknown) => onFault(asFault(error)));
  };
  return (
    <ApiContext.Provider value={api}>
      <SessionContext.Provider value={{ client, signOut }}>{children}</SessionContext.Provider>
      {ended === undefined ? null : (
        <SignInAgain client={client} samples={ended.samples} onSignedIn={ended.goOn} onLeave={onSignedOut} />
      )}
    </ApiContext.Provider>
  );
};

/** Shows `children` to signed-in users, and the sign-in page to others. */
export const SignedIn = ({ children }: { readonly children: ComponentChildren }) => {
  const [body, setBody] = useState<SessionBody>();
  const [fault, setFault] = useState<ApiFault>();
  const ask = (): void => {
    setFault(undefined);
    unsigned.call('GET /console/session').then(setBody, (error: unknown) => setFault(asFault(error)));
  };
  useEffect(ask, []);

  if (fault !== undefined)
    return (
      <main class="page narrow">
        <h1>Shipping rates</h1>
        <FaultNotice fault={fault} retry={ask} />
      </main>
    );
  if (body === undefined) return <main class="page narrow" aria-busy="true" />;
  const { client, samples } = body;
  if (client === null) return <SignIn samples={samples} onSignedIn={setBody} />;
  return (
    <Pages key={client.id} first={body} client={client} onSignedOut={ask} onFault={setFault}>
      {children}
    </Pages>
  );
};
