/** The receipt of one row of a batch, in a dialog over its page, so that nothing typed there is lost. */
import { useEffect, useId, useRef } from 'preact/hooks';
import { useApi, useLoad } from '../api.ts';
import type { Batch, RowBody } from '../calls.ts';
import { sentencesOf } from '../guide.ts';
import { Quotes } from '../quote/answer.tsx';
import '../quote/quote.css';
import { Button } from '../ui/controls.tsx';
import { FaultNotice, Notice, Skeleton } from '../ui/feedback.tsx';
import { count, money } from '../ui/format.ts';

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

/** Open while mounted. Escape closes it and restores the focus. */
export const RowReceipt = ({ batch: { id, revision, filename }, row, onClose }: RowReceiptProps) => {
  const api = useApi();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const { state, data, reload, ...loaded } = useLoad(
    (signal) =>
      api.call('GET /console/v1/client/shipment/rates/batches/{id}/row', { id, query: { row: String(row) }, signal }),
    [id, revision, row],
  );
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={dialog} class="dialog row-receipt" aria-labelledby={title} onClose={onClose}>
      <div class="page-head">
        <h2 id={title}>
          Row {count(row)} of {filename}
        </h2>
        <div class="actions row-receipt-actions">
          <Button onClick={() => print()}>Print</Button>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
      {'fault' in loaded ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data === undefined ? (
        state === 'loading' ? (
          <Skeleton lines={8} label="Loading the receipt" />
        ) : null
      ) : (
        <Found row={data} />
      )}
    </dialog>
  );
};
