/** Shared by the parts of a client's page. */
import type { ChangedClient, OperatorClient, OperatorClientSummary } from '../../calls.ts';
import { operatorHref } from '../address.ts';

/** Links to the pages of clients and agreements. */
export const clientsHref = operatorHref('clients');
export const clientHref = (id: string): string => operatorHref('clients', id);
export const agreementsHref = operatorHref('agreements');
export const agreementHref = (name: string): string => operatorHref('agreements', name);

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

/** Props of each part of the page. */
export interface PartProps {
  readonly client: OperatorClient;
  /** False for a revoked client, and for clients that cannot be changed. */
  readonly canChange: boolean;
  /** Changes the client's record, and shows it. */
  readonly change: (json: Readonly<Record<string, unknown>>) => Promise<ChangedClient>;
  /** Shows the client in the state that another call returned. */
  readonly onChanged: (changed: ChangedClient) => void;
}
