/** A part of a client's page: its frame of a client's page. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ChangedClient, OperatorClient, OperatorClientSummary } from '../../calls.ts';

/** Links to the pages of clients and agreements. */
export const clientsHref = '#/operator/clients';

export const clientHref = (id: string): string => `${clientsHref}/${encodeURIComponent(id)}`;

export const agreementsHref = '#/operator/agreements';

export const agreementHref = (name: string): string => `${agreementsHref}/${encodeURIComponent(name)}`;

/* The state of a client as small words in rounded boxes. */

type State = Pick<OperatorClientSummary, 'revoked' | 'problem'>;

export const ClientMarks = ({ client: { revoked, problem } }: { readonly client: State }) => {
  if (revoked) return <span class="mark">revoked</span>;
  return problem === null ? <span class="mark good">active</span> : <span class="mark warn">without prices</span>;
};

/** What each part of the page gets. */
export interface PartProps {
  readonly client: OperatorClient;
  readonly onChanged: (changed: ChangedClient) => void;
}

interface PartFrameProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Part = ({ title, lead, children }: PartFrameProps) => {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {lead === undefined ? null : <p class="hint">{lead}</p>}
      </div>
      {children}
    </section>
  );
};
