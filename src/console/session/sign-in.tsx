/** The page to sign in, and the dialog to go on after a session has ended. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { createApi, NO_ACCESS } from '../api.ts';
import type { SessionBody } from '../calls.ts';
import { ThemeToggle } from '../theme.tsx';
import { Button, TextField } from '../ui/controls.tsx';
import { Told, useAct } from '../ui/kit.tsx';

/** For calls that need no session. */
export const unsigned = createApi(NO_ACCESS);

type Sample = SessionBody['samples'][number];

interface FormProps {
  /** The only client that may sign in here, or undefined for any. */
  readonly client?: string | undefined;
  readonly onSignedIn: (session: SessionBody) => void;
  readonly children: (signIn: (sample: Sample) => void) => ComponentChildren;
}

const Form = ({ client, onSignedIn, children }: FormProps) => {
  const [id, setId] = useState(client ?? '');
  const [secret, setSecret] = useState('');
  const { busy, fault, run } = useAct();
  const send = (json: Sample): void =>
    void run(async () => {
      onSignedIn(await unsigned.call('POST /console/session', { json }));
    });
  const submit = (event: Event): void => {
    event.preventDefault();
    send({ client_id: id.trim(), client_secret: secret });
  };
  return (
    <>
      <Told fault={fault} />
      <form class="stack" onSubmit={submit}>
        <TextField
          label="Account"
          value={id}
          onChange={setId}
          autocomplete="username"
          required
          readOnly={client !== undefined}
        />
        <TextField
          label="Secret"
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
      {children(send)}
    </>
  );
};

interface SamplesProps {
  readonly samples: readonly Sample[];
  readonly onTake: (sample: Sample) => void;
}

const Samples = ({ samples, onTake }: SamplesProps) =>
  samples.length === 0 ? null : (
    <section class="stack ruled" aria-labelledby="samples">
      <h2 id="samples">Just trying it out?</h2>
      <p>This service has sample accounts. Nothing is billed.</p>
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
  readonly onSignedIn: (session: SessionBody) => void;
}

export const SignIn = ({ samples, onSignedIn }: SignInProps) => (
  <main class="sign-in">
    <div class="split">
      <h1>Shipping rates</h1>
      <ThemeToggle />
    </div>
    <p class="lead">Quotes for packages within the United States: one at a time, or a whole list.</p>
    <Form onSignedIn={onSignedIn}>{(signIn) => <Samples samples={samples} onTake={signIn} />}</Form>
  </main>
);

interface SignInAgainProps extends SignInProps {
  readonly client: { readonly id: string; readonly name: string };
  /** Goes to the page to sign in, which discards the page below. */
  readonly onLeave: () => void;
}

/** Lies over the page, which keeps all that was typed, until its client is signed in again. */
export const SignInAgain = ({ client, samples, onSignedIn, onLeave }: SignInAgainProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const open = (): void => {
    ref.current?.showModal();
    ref.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus();
  };
  useEffect(open, []);
  const own = samples.filter(({ client_id }) => client_id === client.id);
  return (
    <dialog
      ref={ref}
      class="card stack dialog"
      aria-labelledby={id}
      // Nothing below works without a session. Browsers that do not know `closedby` close dialogs at a second Escape.
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      onClose={open}
    >
      <h2 id={id}>Your session has ended</h2>
      <p>Sign in to go on where you were. The page keeps all that you typed and chose.</p>
      <Form client={client.id} onSignedIn={onSignedIn}>
        {(signIn) => (
          <div class="actions start">
            {own.map((sample) => (
              <Button key={sample.client_id} onClick={() => signIn(sample)}>
                Sign in as <strong>{sample.client_id}</strong>
              </Button>
            ))}
            <Button kind="quiet" onClick={onLeave}>
              Discard this page and sign in with another account
            </Button>
          </div>
        )}
      </Form>
    </dialog>
  );
};
