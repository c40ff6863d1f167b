/** A client's warehouses, and for which carriers no zone chart has their origin. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { OperatorClient } from '../../calls.ts';
import { Button } from '../../ui/controls.tsx';
import { Confirm, FaultNotice, Notice } from '../../ui/feedback.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Part, type PartProps } from './part.tsx';
import { useChange } from './use-change.ts';
import { newWarehouse, WarehouseFields, warehouseOf } from './warehouse-fields.tsx';

type Warehouse = OperatorClient['warehouses'][number];
type Uncharted = Warehouse['uncharted'][number];

const unchartedText = ({ carrier, services, allServices, zones }: Uncharted): string => {
  const of = allServices ? carrier : `${carrier} (${services.join(', ')})`;
  return zones === 'estimated'
    ? `${of}: no chart for this origin. Its zones are estimated from the distance.`
    : `${of}: no chart for this origin. Nothing can be quoted from there.`;
};

const Charts = ({ warehouse: { uncharted, address } }: { readonly warehouse: Warehouse }) => {
  if (address.countryCode !== 'US') return <>Outside the US: it cannot ship</>;
  if (uncharted.length === 0) return <span class="hint">all carriers</span>;
  return (
    <ul class="plain-list">
      {uncharted.map((entry) => (
        <li key={`${entry.carrier} ${entry.zones}`}>{unchartedText(entry)}</li>
      ))}
    </ul>
  );
};

const columnsOf = (onRemove: ((warehouse: Warehouse) => void) | undefined): readonly Column<Warehouse>[] => [
  { key: 'id', label: 'Number', heads: true, cell: ({ warehouse_id }) => warehouse_id },
  { key: 'name', label: 'Name', cell: ({ name }) => name },
  {
    key: 'place',
    label: 'Place',
    cell: ({ address: { stateOrProvinceCode, postalCode, countryCode } }) =>
      `${stateOrProvinceCode} ${postalCode}${countryCode === 'US' ? '' : `, ${countryCode}`}`,
  },
  { key: 'charts', label: 'Zone charts', cell: (warehouse) => <Charts warehouse={warehouse} /> },
  ...(onRemove === undefined
    ? []
    : [
        {
          key: 'remove',
          label: <span class="visually-hidden">Change</span>,
          numeric: true,
          cell: (warehouse: Warehouse) => (
            <Button kind="quiet" onClick={() => onRemove(warehouse)}>
              Remove<span class="visually-hidden"> warehouse {warehouse.warehouse_id}</span>
            </Button>
          ),
        },
      ]),
];

/** Warehouses that are shown at first. */
const SHOWN = 50;

export const Warehouses = ({ client, onChanged, canChange }: PartProps & { readonly canChange: boolean }) => {
  const api = useApi();
  const { id, name, warehouses } = client;
  const { busy, fault, make } = useChange();
  const [draft, setDraft] = useState(newWarehouse);
  const [leaving, setLeaving] = useState<Warehouse>();
  const [most, setMost] = useState(SHOWN);
  const replaced = warehouses.find(({ warehouse_id }) => String(warehouse_id) === draft.id.trim());
  const add = (event: Event): void => {
    event.preventDefault();
    make(async () => {
      onChanged(await api.call('changeClient', { id, json: { warehouses: [warehouseOf(draft)] } }));
      setDraft(newWarehouse);
    });
  };
  const remove = ({ warehouse_id }: Warehouse): void =>
    make(async () => {
      setLeaving(undefined);
      onChanged(await api.call('changeClient', { id, json: { removeWarehouses: [warehouse_id] } }));
    });
  return (
    <Part title="Warehouses" lead="From where it ships. The charts are those of the tariffs in force today.">
      {warehouses.length === 0 ? (
        <Notice kind="warning" announced={false}>
          <p>Without a warehouse nothing can be quoted. Add the first one.</p>
        </Notice>
      ) : (
        <Table
          caption="Warehouses of the client"
          captionHidden
          rows={warehouses.slice(0, most)}
          keyOf={({ warehouse_id }) => warehouse_id}
          columns={columnsOf(canChange ? setLeaving : undefined)}
        />
      )}
      {warehouses.length <= most ? null : (
        <div class="actions start">
          <Button onClick={() => setMost(most + SHOWN)}>Show more</Button>
        </div>
      )}
      {canChange ? (
        <form class="stack" onSubmit={add} aria-label="Add a warehouse">
          <WarehouseFields draft={draft} onChange={setDraft} required>
            <Button submit busy={busy}>
              {replaced === undefined ? 'Add the warehouse' : `Replace ${replaced.name}`}
            </Button>
          </WarehouseFields>
        </form>
      ) : null}
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      {leaving === undefined ? null : (
        <Confirm
          title={`Remove warehouse ${leaving.warehouse_id}?`}
          action="Remove the warehouse"
          keep="Keep it"
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            {name} can no longer ship from {leaving.name}. Batches that exist keep it.
          </p>
        </Confirm>
      )}
    </Part>
  );
};
