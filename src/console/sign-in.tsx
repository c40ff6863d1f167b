/** Signing in with a client's id and secret. */
import { useState } from 'preact/hooks';
import { type ApiFault, createApi } from './api.ts';
import type { SessionBody } from './calls.ts';
import { asFault } from './load.ts';
import { ThemeToggle } from './theme.tsx';
import { Button } from './ui/button.tsx';
import { TextField } from './ui/field.tsx';
import { FaultNotice, Notice } from './ui/notice.tsx';

type Sample = SessionBody['samples'][number];

const unsigned = createApi(null, () => undefined);

interface SamplesProps {
  readonly samples: readonly Sample[];
  readonly onTake: (sample: Sample) => void;
}

const Samples = ({ samples, onTake }: SamplesProps) =>
  samples.length === 0 ? null : (
    <section class="samples" aria-labelledby="samples">
      <h2 id="samples">Just trying it out?</h2>
      <p>This service runs on its sample clients. Nothing here is billed to anybody.</p>
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
  /** Somebody was signed in until now. */
  readonly ended: boolean;
  readonly onSignedIn: (session: SessionBody) => void;
}

export const SignIn = ({ samples, ended, onSignedIn }: SignInProps) => {
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
          <p>Your session has ended. Sign in again to go on where you were.</p>
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
