/** The upload page: choose a list, see its preview, adjust options, run it. */
import './upload/upload.css';
import './batch/batch.css';
import { useRef, useState } from 'preact/hooks';
import { useApi, useCall } from './api.ts';
import type { Batch, KeptMapping } from './calls.ts';
import { href, useLeaving } from './navigation.tsx';
import { BatchState } from './ui/batch-state.tsx';
import { Button, LinkButton } from './ui/controls.tsx';
import { Folded, Lines } from './ui/feedback.tsx';
import { Form, type FormField, useForm } from './ui/form.tsx';
import { bytes, counted, instant, money } from './ui/format.ts';
import { Ask, Panel } from './ui/kit.tsx';
import { Help } from './ui/later.tsx';
import { DropZone } from './upload/drop-zone.tsx';
import { Prepared } from './upload/prepared.tsx';

/* The first page below the drop zone: a list to try, a template, and the last batches. */

const RECENT = 5;

const HEADER = 'order,warehouse_id,postalCode,weight_value,weight_units,length,width,height,dimension_units';
const TEMPLATE = `data:text/csv;charset=utf-8,${encodeURIComponent(`${HEADER}\r\n`)}`;

/** The last row has no weight, so that people see what a fault looks like. */
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
    <a class="anywhere" href={href.batch(batch.id)}>
      {batch.filename}
    </a>
    <strong>{batch.totalNetCharge === null ? '' : money(batch.totalNetCharge)}</strong>
    <span class="row hint">
      <BatchState batch={batch} />
      <span>{counted(batch.rows.total ?? 0, 'row')}</span>
      <span>Uploaded {instant(batch.createdAt)}</span>
    </span>
  </li>
);

/** @param onSample receives the list to try, as if the user had chosen it */
const FirstSteps = ({ onSample }: { readonly onSample: (files: readonly File[]) => void }) => {
  const recent = useCall('GET /v1/client/shipment/rates/batches', { query: { limit: String(RECENT) } });
  const known = useCall('GET /v1/client/warehouses');
  const warehouse = known.data?.warehouses[0]?.warehouse_id;
  const batches = recent.data?.batches ?? [];
  return (
    <>
      <div class="cols even">
        <Panel title="What a list needs">
          <Lines
            of={[
              'A header row. Common exports are recognized.',
              'The ZIP code and the weight of each shipment.',
              'The warehouse and the unit of weight, in a column or chosen for all rows.',
              'Optional: dimensions, service, street address, order number, ship date.',
            ]}
          />
          <div class="actions start">
            {warehouse === undefined ? null : (
              <Button onClick={() => onSample([sampleOf(warehouse)])}>Try a sample list</Button>
            )}
            <LinkButton href={TEMPLATE} download="shipments-template.csv">
              Download a template
            </LinkButton>
          </div>
        </Panel>
        <Panel title="What you get">
          <Lines
            of={[
              'A preview first: the total, and what is wrong.',
              'A price and receipt for each shipment. Rows without a service get the cheapest one.',
              'A reason for each row we can’t price, with one-click fixes.',
              'Your list with the prices, as CSV, Excel or Parquet.',
            ]}
          />
          <Help about={['dimensionalWeight', 'deliveryArea']} />
        </Panel>
      </div>
      {batches.length === 0 ? null : (
        <section class="stack" aria-labelledby="recent">
          <div class="page-head">
            <h2 id="recent">Recent batches</h2>
            <a href={href.batches}>All batches</a>
          </div>
          <ul class="plain card recent-list">
            {batches.map((batch) => (
              <Entry key={batch.id} batch={batch} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

/* The saved choices of the client, on the first page, with buttons to rename and delete each. */

const Rename = ({ mapping: { id, name }, onDone }: { readonly mapping: KeptMapping; readonly onDone: () => void }) => {
  const api = useApi();
  const form = useForm();
  const fields: readonly FormField[] = [
    { at: 'name', label: `New name of ${name}`, name: 'The name', initial: name, most: 100, required: true },
  ];
  return (
    <Form
      fields={fields}
      form={form}
      action="Rename"
      kind="primary"
      layout={(show) => show(fields)}
      send={async (json) => {
        await api.call('POST /console/mappings/{id}', { id, json });
        onDone();
      }}
    >
      <Button onClick={onDone}>Cancel</Button>
    </Form>
  );
};

const RememberedList = () => {
  const api = useApi();
  const { data, reload } = useCall('GET /console/mappings');
  const [renamed, setRenamed] = useState<string>();
  const mappings = data?.mappings ?? [];
  return mappings.length === 0 ? null : (
    <Folded title={`Saved choices for ${counted(mappings.length, 'kind')} of list`}>
      <ul class="plain stack small">
        {mappings.map((mapping) => {
          const { id, name, savedAt } = mapping;
          return id === renamed ? (
            <li key={id}>
              <Rename
                mapping={mapping}
                onDone={() => {
                  setRenamed(undefined);
                  reload();
                }}
              />
            </li>
          ) : (
            <li class="split" key={id}>
              <p>
                <strong>{name}</strong> <span class="hint">saved {instant(savedAt)}</span>
              </p>
              <div class="actions">
                <Button onClick={() => setRenamed(id)}>
                  Rename<span class="visually-hidden"> {name}</span>
                </Button>
                <Ask
                  label="Delete"
                  about={name}
                  title={`Delete “${name}”?`}
                  action="Delete"
                  call={async () => {
                    await api.call('DELETE /console/mappings/{id}', { id });
                    reload();
                  }}
                >
                  <p>Lists with these column names will be read without these choices. Batches do not change.</p>
                </Ask>
              </div>
            </li>
          );
        })}
      </ul>
    </Folded>
  );
};

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.parquet,.gz,.zip,text/csv';

export const UploadPage = () => {
  const [chosen, setChosen] = useState<{ readonly file: File; readonly turn: number }>();
  const { leave, goOn } = useLeaving();
  const atStake = useRef(false);
  const take = ([file]: readonly File[]): void => {
    const go = (): void => file && setChosen((before) => ({ file, turn: (before?.turn ?? 0) + 1 }));
    if (atStake.current) leave(go);
    else goOn(go);
  };
  return (
    <>
      <h1>Upload a list</h1>
      {chosen === undefined ? (
        <>
          <DropZone isTaken={false} accept={ACCEPTED} action="Choose a file" onFiles={take}>
            <p class="drop-title">Drop your list here</p>
            <p class="hint">CSV, text, Excel (.xlsx) or Parquet, plain or compressed as .gz or .zip</p>
          </DropZone>
          <FirstSteps onSample={take} />
          <RememberedList />
        </>
      ) : (
        <>
          <DropZone isTaken accept={ACCEPTED} action="Choose another file" onFiles={take}>
            <p class="anywhere">
              <strong>{chosen.file.name}</strong> <span class="hint">{bytes(chosen.file.size)}</span>
            </p>
          </DropZone>
          <Prepared key={chosen.turn} file={chosen.file} atStake={atStake} />
        </>
      )}
    </>
  );
};
