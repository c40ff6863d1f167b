/** Who is signed in: asked for once, then kept until somebody signs out or the session has ended. */
import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { ApiContext, type ApiFault, createApi } from './api.ts';
import type { SessionBody } from './calls.ts';
import { asFault } from './load.ts';
import { SignIn } from './sign-in.tsx';
import { FaultNotice } from './ui/notice.tsx';

export interface Session {
  readonly client: NonNullable<SessionBody['client']>;
  readonly signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** Of a page, which is shown to those alone who are signed in. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('A page is shown without a session.');
  return session;
};

const unsigned = createApi(null, () => undefined);

/** Shows `children` to who is signed in, to others the page to sign in. */
export const SignedIn = ({ children }: { readonly children: ComponentChildren }) => {
  const [body, setBody] = useState<SessionBody>();
  const [fault, setFault] = useState<ApiFault>();
  const [ended, setEnded] = useState(false);
  const ask = (): void => {
    setFault(undefined);
    unsigned.call('session').then(setBody, (error: unknown) => setFault(asFault(error)));
  };
  useEffect(ask, []);

  const csrf = body?.csrf ?? null;
  const api = useMemo(() => {
    const leave = (): void => {
      setEnded(true);
      ask();
    };
    return createApi(csrf, leave);
  }, [csrf]);

  if (fault !== undefined)
    return (
      <main class="page narrow">
        <h1>Shipping rates</h1>
        <FaultNotice fault={fault} retry={ask} />
      </main>
    );
  if (body === undefined) return <main class="page narrow" aria-busy="true" />;
  const { client, samples } = body;
  if (client === null) {
    const enter = (signed: SessionBody): void => {
      setEnded(false);
      setBody(signed);
    };
    return <SignIn samples={samples} ended={ended} onSignedIn={enter} />;
  }
  const signOut = (): void => {
    api.call('signOut').then(ask, (error: unknown) => setFault(asFault(error)));
  };
  return (
    <ApiContext.Provider value={api}>
      <SessionContext.Provider value={{ client, signOut }}>{children}</SessionContext.Provider>
    </ApiContext.Provider>
  );
};
