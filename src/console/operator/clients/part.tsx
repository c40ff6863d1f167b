/** A part of a client's page: its frame of a client's page. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ChangedClient, OperatorClient } from '../../calls.ts';

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
