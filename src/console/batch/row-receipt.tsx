/** The receipt of one row of a batch, in a dialog over its page. */
import { useApi, useLoad } from '../api.ts';
import type { Batch, RowBody } from '../calls.ts';
import { sentencesOf } from '../guide.ts';
import { Quotes } from '../quote/answer.tsx';
import '../quote/quote.css';
import { Button } from '../ui/controls.tsx';
import { Dialog, Notice } from '../ui/feedback.tsx';
import { count, money } from '../ui/format.ts';
import { Show } from '../ui/kit.tsx';

const Found = ({ row: { quote, fault, outputNetCharge } }: { readonly row: RowBody }) => {
  if (quote === null)
    return (
      <Notice kind="error" announced={false} title="This row has no quote">
        {fault === null ? null : <p>{sentencesOf(fault.type, fault.message, {}).join(' ')}</p>}
      </Notice>
    );
  return (
    <>
      {outputNetCharge === null || outputNetCharge === quote.totalNetCharge ? null : (
        <Notice kind="warning" announced={false} title="The output has another price">
          <p>
            An earlier version of the service wrote {money(outputNetCharge)} for this row. This version computes{' '}
            {money(quote.totalNetCharge)} on the same tariffs.
          </p>
        </Notice>
      )}
      <Quotes quote={quote} warehouses={[]} />
    </>
  );
};

interface RowReceiptProps {
  readonly batch: Batch;
  /** The number of the row. */
  readonly row: number;
  readonly onClose: () => void;
}

export const RowReceipt = ({ batch: { id, revision, filename }, row, onClose }: RowReceiptProps) => {
  const api = useApi();
  const loaded = useLoad(
    (signal) =>
      api.call('GET /console/v1/client/shipment/rates/batches/{id}/row', { id, query: { row: String(row) }, signal }),
    [id, revision, row],
  );
  return (
    <Dialog
      wide
      title={`Row ${count(row)} of ${filename}`}
      buttons={
        <>
          <Button onClick={() => print()}>Print</Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
      onClose={onClose}
    >
      <Show of={loaded} lines={8} label="Loading the receipt">
        {(found) => <Found row={found} />}
      </Show>
    </Dialog>
  );
};
