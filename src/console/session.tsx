/** The session: who is signed in, and the page to sign in. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { ApiContext, type ApiFault, asFault, createApi } from './api.ts';
import type { SessionBody } from './calls.ts';
import { ThemeToggle } from './theme.tsx';
import { Button, TextField } from './ui/controls.tsx';
import { FaultNotice, Notice } from './ui/feedback.tsx';

const unsigned = createApi(null, () => undefined);

export interface Session {
  readonly client: NonNullable<SessionBody['client']>;
  readonly signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** The session of a page. Pages are shown only to signed-in users. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('A page is shown without a session.');
  return session;
};

/** Shows `children` to signed-in users, and the sign-in page to others. */
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

type Sample = SessionBody['samples'][number];

interface SamplesProps {
  readonly samples: readonly Sample[];
  readonly onTake: (sample: Sample) => void;
}

const Samples = ({ samples, onTake }: SamplesProps) =>
  samples.length === 0 ? null : (
    <section class="samples" aria-labelledby="samples">
      <h2 id="samples">Just trying it out?</h2>
      <p>This service uses sample clients. Nothing is billed.</p>
      <div class="actions start">
        {samples.map((sample) => (
          <Button key={sample.client_id} onClick={() => onTake(sample)}>
            Sign in as <strong>{sample.client_id}</strong>
          </Button>
        ))}
      </div>
    </section>
  );

interface SignInProps {
  readonly samples: readonly Sample[];
  /** A session has just ended. */
  readonly ended: boolean;
  readonly onSignedIn: (session: SessionBody) => void;
}

const SignIn = ({ samples, ended, onSignedIn }: SignInProps) => {
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const [fault, setFault] = useState<ApiFault>();
  const [busy, setBusy] = useState(false);
  const send = async (json: Sample): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      onSignedIn(await unsigned.call('signIn', { json }));
    } catch (error) {
      setFault(asFault(error));
      setBusy(false);
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!busy) void send({ client_id: id.trim(), client_secret: secret });
  };
  return (
    <main class="sign-in">
      <div class="sign-in-head">
        <h1>Shipping rates</h1>
        <ThemeToggle />
      </div>
      <p class="lead">Quotes for packages within the United States: one at a time, or a whole list.</p>
      {ended && fault === undefined ? (
        <Notice kind="info">
          <p>Your session has ended. Sign in again to continue.</p>
        </Notice>
      ) : null}
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      <form class="stack" onSubmit={submit}>
        <TextField label="Client id" value={id} onChange={setId} autocomplete="username" required />
        <TextField
          label="Client secret"
          type="password"
          value={secret}
          onChange={setSecret}
          autocomplete="current-password"
          required
        />
        <Button kind="primary" submit busy={busy}>
          Sign in
        </Button>
      </form>
      <Samples samples={samples} onTake={(sample) => void send(sample)} />
    </main>
  );
};
