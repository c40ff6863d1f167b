/** The state of a client as small words in rounded boxes. */
import type { OperatorClientSummary } from '../../calls.ts';

type State = Pick<OperatorClientSummary, 'revoked' | 'problem'>;

export const ClientMarks = ({ client: { revoked, problem } }: { readonly client: State }) => {
  if (revoked) return <span class="mark">revoked</span>;
  return problem === null ? <span class="mark good">active</span> : <span class="mark warn">without prices</span>;
};
