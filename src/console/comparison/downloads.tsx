/** The files of a comparison, and the address to give to a colleague. */
import { urlOf } from '../api.ts';
import type { Comparison } from '../calls.ts';
import { useSession } from '../session.tsx';
import { CopyButton, LinkButton } from '../ui/controls.tsx';
import { day } from '../ui/format.ts';

/** The number of rows of a sheet, with the header. */
const SHEET_ROWS = 1_048_576;

export const ComparisonDownloads = ({ comparison }: { readonly comparison: Comparison }) => {
  const { id, status, rows, expiresAt } = comparison;
  if (status === 'expired') return null;
  const soFar = status === 'completed' ? '' : ' so far';
  return (
    <section class="row" aria-label="Downloads">
      <LinkButton href={urlOf('GET /v1/client/shipment/rates/comparisons/{id}/output', { id })} download>
        {`Rows${soFar}, CSV`}
      </LinkButton>
      {rows.processed < SHEET_ROWS ? (
        <LinkButton
          href={urlOf('GET /v1/client/shipment/rates/comparisons/{id}/output', { id, query: { format: 'xlsx' } })}
          download
        >
          {`Rows${soFar}, Excel`}
        </LinkButton>
      ) : null}
      <LinkButton
        href={urlOf('GET /v1/client/shipment/rates/comparisons/{id}/output', { id, query: { format: 'json' } })}
        download
      >
        {`Rows${soFar}, JSON`}
      </LinkButton>
      {expiresAt === null ? null : <span class="hint">Files are kept until {day(expiresAt)}.</span>}
    </section>
  );
};

export const Share = () => {
  const { client } = useSession();
  return (
    <p class="row hint">
      <span>
        Anyone who signs in as <strong>{client.name}</strong> can open this address.
      </span>
      <CopyButton text={location.href} label="Copy the link" />
    </p>
  );
};
