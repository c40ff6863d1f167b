/** How operators sign in: with the operator token, and a name for the audit log. */
import { useEffect, useState } from 'preact/hooks';
import type { ApiFault } from '../../client/fault.ts';
import type { OperatorSessionBody } from '../calls.ts';
import { type Accounts, type SignInProps, unsigned } from '../session.tsx';
import { Button, TextField } from '../ui/controls.tsx';
import { FaultNotice, Notice } from '../ui/feedback.tsx';
import { useAct } from '../ui/kit.tsx';

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

const SignIn = ({ again, onSignedIn }: SignInProps<OperatorSessionBody>) => {
  const [name, setName] = useState(again?.name ?? '');
  const [token, setToken] = useState('');
  const { busy, fault, run } = useAct();
  useEffect(() => {
    if (again === undefined) document.title = 'Sign in · Operator · Shipping rates';
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    void run(async () => onSignedIn(await unsigned.call('POST /ops/session', { json: { name, token } })));
  };
  const nameProblem = fault?.arguments['name'];
  return (
    <>
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
          readOnly={again !== undefined}
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
    </>
  );
};

export const OPERATORS: Accounts<OperatorSessionBody> = {
  title: 'Operator',
  lead: 'For whoever runs this service: its health, and what operators have changed.',
  load: () => unsigned.call('GET /ops/session'),
  end: (api) => api.call('DELETE /ops/session'),
  personIn: ({ operator }) => (operator === null ? undefined : { id: operator.name, name: operator.name }),
  SignIn,
};
