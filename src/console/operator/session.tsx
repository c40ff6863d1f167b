/** The operator's session: who is signed in, and the page to sign in. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { ApiContext, type ApiFault, asFault, createApi } from '../api.ts';
import type { OperatorSessionBody } from '../calls.ts';
import { unsigned } from '../session/sign-in.tsx';
import { ThemeToggle } from '../theme.tsx';
import { Button, LinkButton, TextField } from '../ui/controls.tsx';
import { EmptyState, FaultNotice, Notice } from '../ui/feedback.tsx';
import { useAct } from '../ui/kit.tsx';

interface OperatorSession {
  readonly operator: NonNullable<OperatorSessionBody['operator']>;
  readonly signOut: () => void;
}

const SessionContext = createContext<OperatorSession | undefined>(undefined);

/** The operator who is signed in. */
export const useOperator = (): OperatorSession => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('A page is shown without a session.');
  return session;
};

/** A service without an operator token has no such pages. */
const NoPages = () => (
  <main class="page narrow">
    <h1>Page not found</h1>
    <EmptyState title="This address does not exist.">
      <LinkButton href="#/upload">Upload a list</LinkButton>
    </EmptyState>
  </main>
);

/** Shows `children` to a signed-in operator, and the sign-in page to others. */
export const OperatorSignedIn = ({ children }: { readonly children: ComponentChildren }) => {
  const [body, setBody] = useState<OperatorSessionBody>();
  const [fault, setFault] = useState<ApiFault>();
  const [ended, setEnded] = useState(false);
  const ask = (): void => {
    setFault(undefined);
    unsigned.call('GET /ops/session').then(setBody, (error: unknown) => setFault(asFault(error)));
  };
  useEffect(ask, []);

  const csrf = body?.csrf ?? null;
  const api = useMemo(() => {
    const renew = async (): Promise<boolean> => {
      setEnded(true);
      ask();
      return false;
    };
    return createApi({ csrf: () => csrf, renew });
  }, [csrf]);

  if (fault?.status === 404) return <NoPages />;
  if (fault !== undefined)
    return (
      <main class="page narrow">
        <h1>Operator</h1>
        <FaultNotice fault={fault} retry={ask} />
      </main>
    );
  if (body === undefined) return <main class="page narrow" aria-busy="true" />;
  const { operator } = body;
  if (operator === null) {
    const enter = (signed: OperatorSessionBody): void => {
      setEnded(false);
      setBody(signed);
    };
    return <SignIn ended={ended} onSignedIn={enter} />;
  }
  const signOut = (): void => {
    api.call('DELETE /ops/session').then(ask, (error: unknown) => setFault(asFault(error)));
  };
  return (
    <ApiContext.Provider value={api}>
      <SessionContext.Provider value={{ operator, signOut }}>{children}</SessionContext.Provider>
    </ApiContext.Provider>
  );
};

/** Why an operator could not sign in. The usual words speak of an account. */
const Refusal = ({ fault }: { readonly fault: ApiFault }) => {
  const seconds = /try again in (\d+) s/.exec(fault.message)?.[1];
  switch (fault.type) {
    case 'InvalidCredentialsException':
      return (
        <Notice kind="error">
          <p>This is not the operator token.</p>
        </Notice>
      );
    case 'credentials.tooManyWrong':
      return (
        <Notice kind="error">
          <p>Too many wrong tokens. Try again in {seconds ?? 60} seconds.</p>
        </Notice>
      );
    default:
      return <FaultNotice fault={fault} />;
  }
};

interface SignInProps {
  /** A session has just ended. */
  readonly ended: boolean;
  readonly onSignedIn: (session: OperatorSessionBody) => void;
}

const SignIn = ({ ended, onSignedIn }: SignInProps) => {
  const [name, setName] = useState('');
  const [token, setToken] = useState('');
  const { busy, fault, run } = useAct();
  useEffect(() => {
    document.title = 'Sign in · Operator · Shipping rates';
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    void run(async () => onSignedIn(await unsigned.call('POST /ops/session', { json: { name, token } })));
  };
  const nameProblem = fault?.arguments['name'];
  return (
    <main class="sign-in">
      <div class="split">
        <h1>Operator</h1>
        <ThemeToggle />
      </div>
      <p class="lead">For whoever runs this service: its health, and what operators have changed.</p>
      {ended && fault === undefined ? (
        <Notice kind="info">
          <p>Your session has ended. Sign in again to continue.</p>
        </Notice>
      ) : null}
      {fault === undefined || nameProblem !== undefined ? null : <Refusal fault={fault} />}
      <form class="stack" onSubmit={submit}>
        <TextField
          label="Your name"
          hint="The audit log shows it beside every change that you make."
          value={name}
          onChange={setName}
          autocomplete="name"
          error={nameProblem === undefined ? undefined : `Your name ${String(nameProblem)}.`}
          maxLength={80}
          required
        />
        <TextField
          label="Operator token"
          hint={
            <>
              It is the value of <code>OPERATOR_TOKEN</code> in the service’s settings.
            </>
          }
          type="password"
          value={token}
          onChange={setToken}
          autocomplete="current-password"
          required
        />
        <Button kind="primary" submit busy={busy}>
          Sign in
        </Button>
      </form>
    </main>
  );
};
