/** The sign-in of clients: with their account and its secret, or as one of the samples. */
import type { SessionBody } from '../calls.ts';
import { type Accounts, type SignInProps, unsigned } from '../session.tsx';
import { Button } from '../ui/controls.tsx';
import { type Body, Form, type FormField, useForm } from '../ui/form.tsx';

const SignIn = ({ body, again, onSignedIn }: SignInProps<SessionBody>) => {
  const form = useForm();
  const fields: readonly FormField[] = [
    {
      ...{ at: 'client_id', label: 'Account', autocomplete: 'username', required: true },
      ...{ initial: again?.id ?? '', readOnly: again !== undefined },
    },
    {
      ...{ at: 'client_secret', label: 'Secret', type: 'password', autocomplete: 'current-password', required: true },
      value: (secret) => secret,
    },
  ];
  const send = async (json: Body): Promise<void> => onSignedIn(await unsigned.call('POST /console/session', { json }));
  const samples = body.samples.filter(({ client_id }) => again === undefined || client_id === again.id);
  const buttons = (
    <div class="actions start">
      {samples.map((sample) => (
        <Button key={sample.client_id} onClick={() => void form.run(() => send(sample))}>
          Sign in as <strong>{sample.client_id}</strong>
        </Button>
      ))}
    </div>
  );
  return (
    <>
      <Form class="stack" fields={fields} form={form} kind="primary" action="Sign in" send={send} />
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
