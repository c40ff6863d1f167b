/** What a batch gives out, as files. */
import { urlOf } from '../api.ts';
import type { Batch } from '../calls.ts';
import { LinkButton } from '../ui/button.tsx';
import { day } from '../ui/format.ts';

/** A sheet holds so many rows with its header. */
const SHEET_ROWS = 1_048_576;

export const Downloads = ({ batch }: { readonly batch: Batch }) => {
  const { id, status, rows, expiresAt, revision } = batch;
  if (status === 'expired') return null;
  const running = revision === 1 && !['completed', 'failed', 'cancelled'].includes(status);
  if (running)
    return (
      <section class="downloads" aria-label="Downloads">
        <LinkButton href={urlOf('output', { id, query: { partial: 'true' } })} download>
          Download what is done so far
        </LinkButton>
      </section>
    );
  const partial = status !== 'completed' && revision === 1;
  return (
    <section class="downloads" aria-labelledby="downloads">
      <h2 id="downloads" class="visually-hidden">
        Downloads
      </h2>
      <LinkButton href={urlOf('output', { id })} kind="primary" download>
        {partial ? 'Output so far, CSV' : 'Output, CSV'}
      </LinkButton>
      {rows.processed < SHEET_ROWS ? (
        <LinkButton href={urlOf('output', { id, query: { format: 'xlsx' } })} download>
          Output, Excel
        </LinkButton>
      ) : null}
      {rows.faulted > 0 ? (
        <LinkButton href={urlOf('faults', { id })} download>
          Rows with a fault, CSV
        </LinkButton>
      ) : null}
      {partial ? (
        <LinkButton href={urlOf('unprocessed', { id })} download>
          Rows not done, as they came
        </LinkButton>
      ) : null}
      {expiresAt === null ? null : <span class="hint">Kept until {day(expiresAt)}.</span>}
    </section>
  );
};
