/** How clients sign in: with their account and its secret, or as one of the samples. */
import { useState } from 'preact/hooks';
import type { SessionBody } from '../calls.ts';
import { type Accounts, type SignInProps, unsigned } from '../session.tsx';
import { Button, TextField } from '../ui/controls.tsx';
import { Told, useAct } from '../ui/kit.tsx';

type Sample = SessionBody['samples'][number];

const SignIn = ({ body, again, onSignedIn }: SignInProps<SessionBody>) => {
  const [id, setId] = useState(again?.id ?? '');
  const [secret, setSecret] = useState('');
  const { busy, fault, run } = useAct();
  const send = (json: Sample): void =>
    void run(async () => onSignedIn(await unsigned.call('POST /console/session', { json })));
  const submit = (event: Event): void => {
    event.preventDefault();
    send({ client_id: id.trim(), client_secret: secret });
  };
  const samples = body.samples.filter(({ client_id }) => again === undefined || client_id === again.id);
  const buttons = (
    <div class="actions start">
      {samples.map((sample) => (
        <Button key={sample.client_id} onClick={() => send(sample)}>
          Sign in as <strong>{sample.client_id}</strong>
        </Button>
      ))}
    </div>
  );
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
          readOnly={again !== undefined}
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
      {samples.length === 0 ? null : again !== undefined ? (
        buttons
      ) : (
        <section class="stack ruled" aria-labelledby="samples">
          <h2 id="samples">Just trying it out?</h2>
          <p class="hint">This service has sample accounts. Nothing is billed.</p>
          {buttons}
        </section>
      )}
    </>
  );
};

export const CLIENTS: Accounts<SessionBody> = {
  title: 'Shipping rates',
  lead: 'Quotes for packages within the United States: one at a time, or a whole list.',
  load: () => unsigned.call('GET /console/session'),
  end: (api) => api.call('DELETE /console/session'),
  personIn: ({ client }) => client ?? undefined,
  SignIn,
};
