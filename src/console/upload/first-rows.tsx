/** The first rows of a list with their quotes, or with the wrong cells marked. */
import type { ComponentChildren } from 'preact';
import type { Preview } from '../calls.ts';
import { partsOf, type ShipmentPart, sentencesOf } from '../guide.ts';
import { money } from '../ui/format.ts';
import { type Column, Table } from '../ui/table.tsx';
import { warningTitle } from '../warnings.ts';

type Row = Preview['rows'][number];

/** The value at a path of a JSON value, or undefined. */
const at = (body: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    body,
  );

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The types of a quote's warnings. */
const warningsOf = (quote: unknown): readonly string[] => {
  const warnings = at(quote, 'warnings');
  return Array.isArray(warnings) ? warnings.map((warning: unknown) => text(at(warning, 'type'))) : [];
};

const weightOf = ({ request }: Row): string => {
  const items = at(request, 'rates', 'packageItems');
  if (!Array.isArray(items)) return '';
  const each = items.map((item: unknown) =>
    `${text(at(item, 'weight', 'value'))} ${text(at(item, 'weight', 'units'))}`.trim(),
  );
  const [first = ''] = each;
  if (each.every((weight) => weight === first)) return each.length > 1 ? `${each.length} × ${first}` : first;
  return each.join(' + ');
};

const destinationOf = ({ request }: Row): string => {
  const address = at(request, 'rates', 'recipient', 'address');
  const country = text(at(address, 'countryCode'));
  return [text(at(address, 'postalCode')), country === 'US' ? '' : country, text(at(address, 'addressLine'))]
    .filter((part) => part !== '')
    .join(', ');
};

interface CellProps {
  readonly row: Row;
  readonly part: ShipmentPart;
  readonly children: string;
}

/** A cell, marked if the fault is about it. */
const Cell = ({ row: { fault }, part, children }: CellProps) => {
  if (fault === null || !partsOf(fault.type, fault.arguments).has(part)) return <>{children}</>;
  return (
    <mark class="at-fault">
      <span class="visually-hidden">At fault: </span>
      {children === '' ? 'empty' : children}
    </mark>
  );
};

const Result = ({ row: { fault, quote, repairs } }: { readonly row: Row }): ComponentChildren => (
  <>
    {fault === null ? (
      `${text(at(quote, 'shippingService'))}, zone ${text(at(quote, 'shipmentDetail', 'rateZone'))}, billed ${text(at(quote, 'shipmentDetail', 'totalBillingWeight', 'value'))} lb`
    ) : (
      <span class="fault-text">{sentencesOf(fault.type, fault.message, fault.arguments).join(' ')}</span>
    )}
    {warningsOf(quote).map((type) => (
      <span class="repair-text" key={type}>
        Warning: {warningTitle(type)}
      </span>
    ))}
    {repairs.map((repair) => (
      <span class="repair-text" key={repair}>
        Repaired: {repair}
      </span>
    ))}
  </>
);

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'row',
    label: 'Row',
    numeric: true,
    heads: true,
    cell: (row) => (
      <Cell row={row} part="row">
        {String(row.input_row)}
      </Cell>
    ),
  },
  {
    key: 'warehouse',
    label: 'From',
    cell: (row) => (
      <Cell row={row} part="warehouse">
        {text(at(row.request, 'rates', 'shipper', 'warehouse_id'))}
      </Cell>
    ),
  },
  {
    key: 'to',
    label: 'To',
    cell: (row) => (
      <Cell row={row} part="to">
        {destinationOf(row)}
      </Cell>
    ),
  },
  {
    key: 'weight',
    label: 'Weight',
    numeric: true,
    cell: (row) => (
      <Cell row={row} part="weight">
        {weightOf(row)}
      </Cell>
    ),
  },
  {
    key: 'service',
    label: 'Service',
    cell: (row) => (
      <span class="nowrap">
        <Cell row={row} part="service">
          {text(at(row.request, 'rates', 'shippingService'))}
        </Cell>
      </span>
    ),
  },
  { key: 'result', label: 'Result', cell: (row) => <Result row={row} /> },
  {
    key: 'net',
    label: 'Net charge',
    numeric: true,
    cell: ({ quote }) => {
      const net = at(quote, 'totalNetCharge');
      return typeof net === 'number' ? money(net) : '';
    },
  },
];

export const FirstRows = ({ preview }: { readonly preview: Preview }) => (
  <section class="stack" aria-labelledby="first-rows">
    <h2 id="first-rows">The first {preview.rows.length === 1 ? 'row' : `${preview.rows.length} rows`}</h2>
    <div class="first-rows">
      <Table
        caption="The first rows, quoted"
        captionHidden
        columns={COLUMNS}
        rows={preview.rows}
        keyOf={(row) => row.input_row}
      />
    </div>
  </section>
);
