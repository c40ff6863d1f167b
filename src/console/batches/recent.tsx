/** The first page below the drop zone: a list to try, a template, and the last batches. */
import './batches.css';
import { useApi, useLoad } from '../api.ts';
import type { Batch } from '../calls.ts';
import { href } from '../navigation.tsx';
import { BatchState } from '../ui/batch-state.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { counted, instant, money } from '../ui/format.ts';

const RECENT = 5;

const HEADER = 'order,warehouse_id,postalCode,weight_value,weight_units,length,width,height,dimension_units';
const TEMPLATE = `data:text/csv;charset=utf-8,${encodeURIComponent(`${HEADER}\r\n`)}`;

/** The last one lacks its weight, so that people see what a fault looks like. */
const SAMPLE = [
  '90001,2,LB,,,,',
  '60614,5.5,LB,12,9,6,IN',
  '02139,14,OZ,,,,',
  '98109,11,LB,18,14,10,IN',
  '33101,24,LB,24,18,12,IN',
  '80202,,LB,,,,',
];

/** @param warehouse one of the client's */
const sampleOf = (warehouse: number): File => {
  const rows = SAMPLE.map((cells, index) => `S-${1001 + index},${warehouse},${cells}`);
  return new File([[HEADER, ...rows, ''].join('\r\n')], 'sample.csv', { type: 'text/csv' });
};

const Entry = ({ batch }: { readonly batch: Batch }) => (
  <li>
    <a class="batch-link" href={href.batch(batch.id)}>
      {batch.filename}
    </a>
    <strong class="recent-total">{batch.totalNetCharge === null ? '' : money(batch.totalNetCharge)}</strong>
    <span class="recent-facts">
      <BatchState batch={batch} />
      <span>{counted(batch.rows.total ?? 0, 'row')}</span>
      <span>Uploaded {instant(batch.createdAt)}</span>
    </span>
  </li>
);

/** @param onSample takes the list to try, as if the user had chosen it */
export const FirstSteps = ({ onSample }: { readonly onSample: (file: File) => void }) => {
  const api = useApi();
  const recent = useLoad((signal) => api.call('batches', { query: { limit: String(RECENT) }, signal }), [api]);
  const known = useLoad((signal) => api.call('warehouses', { signal }), [api]);
  const warehouse = known.data?.warehouses[0]?.warehouse_id;
  const batches = recent.data?.batches ?? [];
  return (
    <>
      <div class="actions start">
        {warehouse === undefined ? null : (
          <Button onClick={() => onSample(sampleOf(warehouse))}>Try a sample list</Button>
        )}
        <LinkButton href={TEMPLATE} download="shipments-template.csv">
          Download a template
        </LinkButton>
      </div>
      {batches.length === 0 ? null : (
        <section class="stack" aria-labelledby="recent">
          <div class="page-head">
            <h2 id="recent">Recent batches</h2>
            <a href={href.batches}>All batches</a>
          </div>
          <ul class="recent-list">
            {batches.map((batch) => (
              <Entry key={batch.id} batch={batch} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
};
