/** The sign-in of operators: with the operator token, and a name for the audit log. */
import { useEffect } from 'preact/hooks';
import type { ApiFault } from '../../http/client/fault.ts';
import type { OperatorSessionBody } from '../calls.ts';
import { type Accounts, type SignInProps, unsigned } from '../session.tsx';
import { Notice } from '../ui/feedback.tsx';
import { Form, type FormField, useForm } from '../ui/form.tsx';
import { Told } from '../ui/kit.tsx';

/** Why an operator could not sign in. The usual words are about a client's account. */
const Refusal = ({ fault }: { readonly fault: ApiFault | undefined }) => {
  const seconds = /try again in (\d+) s/.exec(fault?.message ?? '')?.[1];
  switch (fault?.type) {
    case 'InvalidCredentialsException':
      return <Notice kind="error" text="This is not the operator token." />;
    case 'credentials.tooManyWrong':
      return <Notice kind="error" text={`Too many wrong tokens. Try again in ${seconds ?? 60} seconds.`} />;
    default:
      return <Told fault={fault} />;
  }
};

const SignIn = ({ again, onSignedIn }: SignInProps<OperatorSessionBody>) => {
  const form = useForm();
  useEffect(() => {
    if (again === undefined) document.title = 'Sign in · Operator · Shipping rates';
  }, []);
  const fields: readonly FormField[] = [
    {
      ...{ at: 'name', label: 'Your name', name: 'Your name', autocomplete: 'name', most: 80, required: true },
      ...{ initial: again?.name ?? '', readOnly: again !== undefined },
      hint: 'The audit log shows it next to every change you make.',
    },
    {
      ...{ at: 'token', label: 'Operator token', type: 'password', autocomplete: 'current-password', required: true },
      hint: 'The value of OPERATOR_TOKEN in the settings of the service.',
      value: (token) => token,
    },
  ];
  return (
    <Form
      class="stack"
      fields={fields}
      form={form}
      kind="primary"
      action="Sign in"
      told={Refusal}
      send={async (json) => onSignedIn(await unsigned.call('POST /ops/session', { json }))}
    />
  );
};

export const OPERATORS: Accounts<OperatorSessionBody> = {
  title: 'Operator',
  lead: 'For the operators of this service: its health, and what operators have changed.',
  load: () => unsigned.call('GET /ops/session'),
  end: (api) => api.call('DELETE /ops/session'),
  personIn: ({ operator }) => (operator === null ? undefined : { id: operator.name, name: operator.name }),
  SignIn,
};
