/** The price from each of several warehouses, in their order. */
import type { RateQuote } from '../calls.ts';
import { sentencesOf } from '../guide.ts';
import { money } from '../ui/format.ts';
import { Table } from '../ui/table.tsx';
import { warningTitle } from '../warnings.ts';
import type { Warehouse } from './form.tsx';

type FromWarehouse = NonNullable<RateQuote['warehouses']>[number];

interface WarehousesProps {
  readonly entries: readonly FromWarehouse[];
  /** The id of the cheapest. */
  readonly chosen: number | undefined;
  /** Those of the client, for their names. */
  readonly known: readonly Warehouse[];
}

export const Warehouses = ({ entries, chosen, known }: WarehousesProps) => {
  const nameOf = (id: number): string => {
    const own = known.find(({ warehouse_id }) => warehouse_id === id);
    return own === undefined ? String(id) : `${id} · ${own.name}, ${own.address.stateOrProvinceCode}`;
  };
  return (
    <Table
      caption="The price from each warehouse. The quote is from the cheapest."
      rows={entries}
      keyOf={({ warehouse_id }) => String(warehouse_id)}
      columns={[
        {
          key: 'warehouse',
          label: 'From warehouse',
          heads: true,
          cell: (entry) => (
            <span class="from-warehouse">
              {nameOf(entry.warehouse_id)}
              {entry.warehouse_id === chosen ? <span class="chosen-mark">Cheapest, chosen</span> : null}
              {('fault' in entry ? [] : (entry.warnings ?? [])).map(({ type }) => (
                <span key={type} class="warning-mark">
                  {warningTitle(type)}
                </span>
              ))}
            </span>
          ),
        },
        {
          key: 'net',
          label: 'Total',
          numeric: true,
          cell: (entry) => ('fault' in entry ? '–' : <strong>{money(entry.totalNetCharge)}</strong>),
        },
        {
          key: 'service',
          label: 'Service',
          cell: (entry) =>
            'fault' in entry ? (
              <span class="reason">
                {sentencesOf(entry.fault.type, entry.fault.message, entry.fault.arguments).join(' ')}
              </span>
            ) : (
              <span class="code-name">{entry.shippingService}</span>
            ),
        },
      ]}
    />
  );
};
