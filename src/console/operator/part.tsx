/** Shared by the operator's pages: their addresses, and parts of clients. */
import type { ChangedClient, NewSecrets, OperatorClient, OperatorClientSummary } from '../calls.ts';
import { operatorHref, useAskOnClose } from '../navigation.tsx';
import { Button, CopyButton } from '../ui/controls.tsx';
import { Dialog } from '../ui/feedback.tsx';
import { dayOf, withoutVersions } from '../ui/format.ts';

export const clientsHref = operatorHref('clients');
export const clientHref = (id: string): string => operatorHref('clients', id);
export const agreementsHref = operatorHref('agreements');
export const agreementHref = (name: string): string => operatorHref('agreements', name);

/** Replaces version ids and days, except in names of files: `fedex-2026 from Jan 5, 2026`, `version 7`. */
export const named = (text: string): string =>
  withoutVersions(text)
    .replace(/\b(\d{1,15})-[0-9a-f]{16}\b/g, '$1')
    .replace(/\b\d{4}-\d\d-\d\d(?![-\w]|\.\w)/g, dayOf);

/** Links by name, in one line. */
export const Links = ({ of: names, to }: { readonly of: readonly string[]; readonly to: (name: string) => string }) => (
  <>
    {names.map((name, at) => (
      <span key={name}>
        {at === 0 ? '' : ', '}
        <a href={to(name)}>{name}</a>
      </span>
    ))}
  </>
);

/** The state of a client as small words in rounded boxes. */
export const ClientMarks = ({ revoked, problem }: Pick<OperatorClientSummary, 'revoked' | 'problem'>) => {
  if (revoked) return <span class="mark">revoked</span>;
  return problem === null ? <span class="mark good">active</span> : <span class="mark warn">without prices</span>;
};

type Sent = { readonly id: string; readonly json: object };

/** Props of each part of the page. */
export interface PartProps {
  readonly client: OperatorClient;
  /** False for a revoked client, and for clients that cannot be changed. */
  readonly canChange: boolean;
  /** Changes the client's record, as `make` does. */
  readonly change: (json: Readonly<Record<string, unknown>>) => Promise<ChangedClient>;
  /** Makes a call that changes the client, and shows it. A refused call shows what somebody else has changed. */
  readonly make: <T extends ChangedClient>(call: (asked: Sent) => Promise<T>, json?: object) => Promise<T>;
}

const SECRETS = [
  ['client_id', 'Client ID'],
  ['client_secret', 'Client secret'],
  ['webhook_secret', 'Webhook signing secret'],
] as const;

/** Shows new secrets once. Only the button closes it, so that no key press loses a secret. */
export const ShowOnce = ({ secrets, onSaved }: { readonly secrets: NewSecrets; readonly onSaved: () => void }) => {
  useAskOnClose(true);
  return (
    <Dialog title="Save this now">
      <p>Only a hash of the secret is kept. It cannot be shown again.</p>
      <dl class="stack small">
        {SECRETS.map(([key, label]) => {
          const value = secrets[key];
          return value === undefined ? null : (
            <div key={key}>
              <dt class="hint">{label}</dt>
              <dd class="split sunken anywhere">
                <code>{value}</code>
                <CopyButton text={value} />
              </dd>
            </div>
          );
        })}
      </dl>
      <div class="actions">
        <Button kind="primary" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </Dialog>
  );
};
