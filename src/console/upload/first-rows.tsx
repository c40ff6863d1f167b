/** The first rows of a list with their quotes, or with the wrong cells marked. */
import { sentencesOf } from '../../lists/columns/fault-words.ts';
import type { Preview, RateQuote } from '../calls.ts';
import { labelOf, partsOf, repairsText, type ShipmentPart, warningTitle } from '../fault-words.ts';
import { sharedBy } from '../ui/doubts.ts';
import { money } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import type { Col } from '../ui/table.tsx';
import { usePreviewed } from './list-work.ts';

type Row = Preview['rows'][number];

/** The value at a path of a JSON value, or undefined. */
const at = (body: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    body,
  );

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** A preview has the answers of single calls. */
const quoteOf = ({ quote }: Row) => quote as RateQuote | null;

/** The types of a quote's warnings. */
const warningsOf = (row: Row): readonly string[] => quoteOf(row)?.warnings?.map(({ type }) => type) ?? [];

/** `20 × 12 × 8 IN`. Empty without dimensions. */
const sizeOf = (item: unknown): string => {
  const sides = ['length', 'width', 'height'].map((side) => text(at(item, 'dimensions', side)));
  return sides.includes('') ? '' : `${sides.join(' × ')} ${text(at(item, 'dimensions', 'units'))}`;
};

/** The weight of each package, and its size, which may decide what is billed. */
const weightOf = ({ request }: Row): string => {
  const items = at(request, 'rates', 'packageItems');
  if (!Array.isArray(items)) return '';
  const each = items.map((item: unknown) =>
    [`${text(at(item, 'weight', 'value'))} ${text(at(item, 'weight', 'units'))}`.trim(), sizeOf(item)]
      .filter((part) => part !== '')
      .join(', '),
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

/** A cell, marked if the fault is about it. */
const cellOf = ({ fault }: Row, part: ShipmentPart, content: string) =>
  fault === null || !partsOf(fault.type, fault.arguments).has(part) ? (
    content
  ) : (
    <mark>
      <span class="visually-hidden">Problem here: </span>
      {content === '' ? 'empty' : content}
    </mark>
  );

const pricedText = ({ shippingService, shipmentDetail: { carrierZone, totalBillingWeight } }: RateQuote): string =>
  `${shippingService}, zone ${carrierZone}, billed ${totalBillingWeight.value} lb`;

const Result = ({ row, said }: { readonly row: Row; readonly said: readonly string[] }) => {
  const { fault, repairs, input_row, order_row = input_row } = row;
  const quote = quoteOf(row);
  return (
    <>
      {order_row !== input_row ? (
        `See row ${order_row}, of the same order`
      ) : fault === null ? (
        quote && pricedText(quote)
      ) : (
        <span class="tone bad">{sentencesOf(fault.type, fault.message, fault.arguments).join(' ')}</span>
      )}
      {repairs.map((note) => (
        <span class="sub" key={note}>
          {repairsText(note)}
        </span>
      ))}
      {warningsOf(row).map((type) =>
        said.includes(type) ? null : (
          <span class="sub" key={type}>
            Warning: {warningTitle(type)}
          </span>
        ),
      )}
    </>
  );
};

const warehouseOf = (row: Row): string => text(at(row.request, 'rates', 'shipper', 'warehouse_id'));
const serviceOf = (row: Row): string => text(at(row.request, 'rates', 'shippingService'));

const netOf = (row: Row): string => {
  const quote = quoteOf(row);
  return quote === null ? '' : money(quote.totalNetCharge);
};

/** The visible parts of a shipment, with their names. */
const PARTS = [
  { part: 'warehouse', label: 'From', textOf: warehouseOf },
  { part: 'to', label: 'To', textOf: destinationOf },
  { part: 'weight', label: 'Weight', textOf: weightOf },
  { part: 'service', label: 'Service', textOf: serviceOf },
] as const;

const columnsOf = (said: readonly string[]): readonly Col<Row>[] => [
  [
    'Row',
    (row) => (
      <>
        <span class="cell-label" aria-hidden="true">
          Row{' '}
        </span>
        {cellOf(row, 'row', String(row.input_row))}
      </>
    ),
    'head number',
  ],
  ...PARTS.map(
    ({ part, label, textOf }): Col<Row> => [
      label,
      (row) => {
        const content = cellOf(row, part, textOf(row));
        if (part === 'service' && content === '' && row.quote !== null) return <span class="hint">the cheapest</span>;
        return content === '' ? null : <span class={part === 'service' ? 'nowrap' : undefined}>{content}</span>;
      },
      part === 'weight' ? 'number' : undefined,
    ],
  ),
  ['Result', (row) => <Result row={row} said={said} />],
  ['Net charge', netOf, 'number'],
];

/** Number of rows before the others are asked for. */
const FIRST = 6;

export const FirstRows = () => {
  const { rows } = usePreviewed().preview;
  const priced = rows.filter(({ quote }) => quote !== null);
  const said = priced.length < 2 ? [] : sharedBy(priced.map(warningsOf));
  return rows.length === 0 ? null : (
    <section class="stack" aria-labelledby="first-rows">
      <h2 id="first-rows">The first {rows.length === 1 ? 'row' : `${rows.length} rows`}</h2>
      {said.length === 0 ? null : <p class="hint">All prices: {said.map(warningTitle).join(', ').toLowerCase()}.</p>}
      <div class="stack small first-rows pinned">
        <Rows
          cards
          caption="The first rows, quoted"
          cols={columnsOf(said)}
          of={rows}
          keyOf={(row) => row.input_row}
          most={FIRST}
        />
      </div>
    </section>
  );
};

type Column = Preview['mapping']['columns'][number];

const UseOf = ({ column: { name, field, looksLike } }: { readonly column: Column }) => (
  <>
    {name}
    <span class={`sub ${looksLike === null ? '' : 'tone warn'}`}>
      {field !== null ? labelOf(field) : looksLike === null ? 'not used' : `${labelOf(looksLike)}?`}
    </span>
  </>
);

/** The first rows as they are in the list, for a list that cannot be read yet. */
export const RawRows = () => {
  const { columns } = usePreviewed().preview.mapping;
  const rows = columns[0]?.cells.map((_, at) => at) ?? [];
  return rows.length === 0 ? null : (
    <section class="stack" aria-labelledby="raw-rows">
      <h2 id="raw-rows">The first rows of your list, and what each column is used for</h2>
      <div class="pinned">
        <Rows
          caption="The first rows as they came"
          dense
          of={rows}
          keyOf={(at) => at}
          cols={[
            ['Row', (at) => at + 1, 'head number'],
            ...columns.map((column): Col<number> => [<UseOf key={0} column={column} />, (at) => column.cells[at]]),
          ]}
        />
      </div>
    </section>
  );
};
