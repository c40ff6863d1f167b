/**
 * The columns that the output adds, each declared once: what a quote has there, and how pages and workbooks show it. Whatever
 * writes, reads, names or sorts by a column follows from its entry. The console imports this module, so it has no schemas.
 */
import type { Card } from '../../rating/card.ts';
import type { RateType } from '../../rating/rate.ts';
import { normal } from '../columns/fields.ts';

/** What the texts of a quote depend on. */
export interface QuoteKind {
  readonly card: Card;
  readonly rateType: RateType;
  /** The index of the rate column. */
  readonly column: number;
}

/** What an upload or its rows ask for that adds columns. */
export type ColumnGroup = 'repairs' | 'services' | 'warehouses' | 'explain' | 'transit' | 'orders';

/** The status of a row whose order has its outcome in another row. */
export const JOINED = 'joined';

/** What is known of a column. */
interface Declared {
  readonly name: string;
  /** For the table in the docs. */
  readonly about: string;
  /** What the upload asks for to have it; absent: every output has it. */
  readonly with?: ColumnGroup;
  /** There is one for each: its name ends with a service's code or a warehouse's id, and so does its label. */
  readonly each?: string;
  /** Its name on a page. Without one the page leaves it out: it is for programs. */
  readonly label: string | undefined;
  /** Absent: text. A page aligns zones as numbers. */
  readonly kind?: 'money' | 'count' | 'zone' | 'date';
  /** Its place among those that people look for: in the table of a page, and in a workbook's sheet of quotes. */
  readonly first?: { readonly page?: number; readonly sheet?: number };
  /** In characters of a workbook's sheet. */
  readonly width?: number;
  /** By what a page of rows can be sorted, and the words for both directions. */
  readonly sort?: { readonly by: string; readonly least: string; readonly greatest: string };
}

/** A quote has a text or an amount in its columns. The row's number and a fault are written by themselves. */
type Usual = Declared &
  (
    | { readonly name: 'input_row' | `fault_${string}` }
    | { readonly name: `quote_${string}`; readonly text: (of: QuoteKind) => string }
    | {
        readonly name: `quote_${string}`;
        readonly kind: 'money';
        readonly amount: 'baseCents' | 'discountCents' | 'surchargeCents' | 'netCents';
      }
    | { readonly name: `quote_${string}`; readonly kind: 'count'; readonly amount: 'billingWeightLb' }
  );

/** The columns of every output, in this order. */
export const OUTPUT_COLUMNS = [
  {
    name: 'input_row',
    about: 'the number of the row, from 1',
    label: undefined,
    kind: 'count',
    first: { sheet: 1 },
    width: 10,
  },
  {
    name: 'quote_status',
    about:
      'the status code of the same single call: `200`, or `422` with a fault; `joined`: its order has them in another row',
    label: undefined,
    kind: 'count',
    text: () => '200',
  },
  {
    name: 'quote_shippingService',
    about: 'the service of the quote',
    label: 'Service',
    first: { page: 2, sheet: 3 },
    text: ({ card }) => card.code,
  },
  { name: 'quote_carrier', about: 'its carrier', label: 'Carrier', text: ({ card }) => card.carrier },
  {
    name: 'quote_rateType',
    about: '`ACCOUNT` if you have an agreement or a discount on the service, else `LIST`',
    label: 'Rates',
    text: ({ rateType }) => rateType,
  },
  {
    name: 'quote_totalBaseCharge',
    about: 'the base charge of all packages, before discounts',
    label: 'Base charge',
    kind: 'money',
    amount: 'baseCents',
  },
  {
    name: 'quote_totalDiscounts',
    about: 'the discounts on it',
    label: 'Discounts',
    kind: 'money',
    amount: 'discountCents',
  },
  {
    name: 'quote_totalSurcharges',
    about: 'the surcharges, with fuel',
    label: 'Surcharges',
    kind: 'money',
    amount: 'surchargeCents',
  },
  {
    name: 'quote_totalNetCharge',
    about: 'what the shipment costs',
    label: 'Net charge',
    kind: 'money',
    first: { page: 1, sheet: 2 },
    sort: { by: 'charge', least: 'Lowest charge first', greatest: 'Highest charge first' },
    amount: 'netCents',
  },
  { name: 'quote_currency', about: '`USD`', label: 'Currency', text: () => 'USD' },
  {
    name: 'quote_rateZone',
    about: 'the zone, from 1 to 8',
    label: 'Zone',
    kind: 'zone',
    first: { page: 3, sheet: 5 },
    sort: { by: 'zone', least: 'Nearest zone first', greatest: 'Farthest zone first' },
    text: ({ card, column }) => String(card.rateZones[column]),
  },
  {
    name: 'quote_carrierZone',
    about: "the carrier's own name for the zone, such as `17`",
    label: 'Carrier’s zone',
    kind: 'zone',
    first: { page: 4, sheet: 6 },
    text: ({ card, column }) => String(card.columns[column]),
  },
  {
    name: 'quote_billingWeight_units',
    about: '`LB`',
    label: 'Unit of billed weight',
    text: () => 'LB',
  },
  {
    name: 'quote_billingWeight_value',
    about: 'the billed weight of all packages',
    label: 'Billed lb',
    kind: 'count',
    first: { page: 5, sheet: 7 },
    sort: { by: 'weight', least: 'Lightest first', greatest: 'Heaviest first' },
    amount: 'billingWeightLb',
  },
  { name: 'fault_type', about: 'the type of the fault', label: undefined },
  {
    name: 'fault_message',
    about: 'its message',
    label: 'Problem',
    first: { page: 8, sheet: 10 },
    width: 40,
  },
  {
    name: 'fault_column',
    about: 'the name of your column that the fault is about, or empty if there is none',
    label: undefined,
  },
  { name: 'fault_arguments', about: 'its arguments, as JSON', label: undefined },
] as const satisfies readonly Usual[];
export type OutputColumn = (typeof OUTPUT_COLUMNS)[number]['name'];

/** The columns of some outputs, in this order, and the last one of all. `each`: one for each service or warehouse. */
export const MORE_COLUMNS = [
  { name: 'quote_repairs', with: 'repairs', about: 'what was changed in the cells of the row', label: 'Repairs' },
  {
    name: 'net_',
    each: 'service',
    with: 'services',
    about: 'the price by this service, or empty if it has none',
    label: 'Net charge, ',
    kind: 'money',
  },
  { name: 'cheapest', with: 'services', about: 'the cheapest service', label: 'Cheapest service' },
  {
    name: 'ship_from',
    with: 'warehouses',
    about: 'the warehouse of the quote',
    label: 'Ships from',
    first: { sheet: 4 },
  },
  {
    name: 'net_from_',
    each: 'id',
    with: 'warehouses',
    about: 'the price from this warehouse, or empty if it has none',
    label: 'Net charge from ',
    kind: 'money',
  },
  { name: 'explain_zone', with: 'explain', about: 'where the zone comes from', label: 'Why this zone' },
  { name: 'explain_weight', with: 'explain', about: 'which weight is billed, and why', label: 'Why this weight' },
  {
    name: 'explain_base',
    with: 'explain',
    about: 'where the base charge and its discounts come from',
    label: 'Why this base charge',
  },
  {
    name: 'explain_surcharges',
    with: 'explain',
    about: 'how each surcharge is computed',
    label: 'Why these surcharges',
  },
  {
    name: 'quote_transitDays',
    with: 'transit',
    about: 'the business days of the service, or empty if they are unknown',
    label: 'Business days',
    kind: 'count',
  },
  {
    name: 'quote_deliveryDate',
    with: 'transit',
    about: 'the day on which it arrives, or empty if it is unknown',
    label: 'Arrives on',
    kind: 'date',
    first: { page: 6, sheet: 8 },
  },
  {
    name: 'order_row',
    with: 'orders',
    about: "the number of the row with the price or the fault of the row's order",
    label: 'Row of the order',
    kind: 'count',
    first: { page: 7, sheet: 9 },
  },
  {
    name: 'quote_warnings',
    about: "the types of the quote's warnings, joined with `|`; always the last column",
    label: 'Warnings',
    first: { page: 9 },
  },
] as const satisfies readonly Declared[];
export type ExplainColumn = Extract<(typeof MORE_COLUMNS)[number], { readonly with: 'explain' }>['name'];

/** The names of the columns that explain a price. */
export const EXPLAIN_COLUMNS = MORE_COLUMNS.flatMap((column) =>
  'with' in column && column.with === 'explain' ? [column.name] : [],
);

/** All columns, in order. */
export const DECLARED_COLUMNS: readonly Declared[] = [...OUTPUT_COLUMNS, ...MORE_COLUMNS];

const BY_NAME: ReadonlyMap<string, Declared> = new Map(
  DECLARED_COLUMNS.flatMap((column) => (column.each === undefined ? [[normal(column.name), column]] : [])),
);
/** Those with a column for each service or warehouse. */
const FAMILIES = DECLARED_COLUMNS.filter(({ each }) => each !== undefined);

/** What is known of a column by its name; undefined if no output adds it. */
export const addedColumn = (name: string): Declared | undefined => {
  const own = BY_NAME.get(normal(name));
  if (own !== undefined) return own;
  // The last one that fits has the longest name.
  const family = FAMILIES.findLast((column) => name.startsWith(column.name));
  return family && { ...family, label: `${family.label}${name.slice(family.name.length)}` };
};

/** The place of a column among those that every output adds. */
export const placeOf = (name: OutputColumn): number => OUTPUT_COLUMNS.findIndex((column) => column.name === name);
