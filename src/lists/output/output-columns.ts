/**
 * The columns that the output adds. Each is declared once: what a quote has there, and how pages and workbooks show it. Code
 * that writes, reads, names or sorts by a column uses its entry. The console imports this module, so it has no schemas.
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

/** Options of an upload, or features of its rows, that add columns. */
export type ColumnGroup = 'repairs' | 'services' | 'warehouses' | 'explain' | 'transit' | 'orders';

/** The status of a row whose order has its outcome in another row. */
export const JOINED = 'joined';

interface Declared {
  readonly name: string;
  /** The description in the table of the docs. */
  readonly about: string;
  /** What adds the column. Undefined: every output has it. */
  readonly with?: ColumnGroup;
  /** Set if there is one column per service or warehouse. Its name and label end with the service code or warehouse id. */
  readonly each?: string;
  /** The name on a page. Undefined: pages leave the column out, because it is for programs. */
  readonly label: string | undefined;
  /** Undefined: text. Pages align zones as numbers. */
  readonly kind?: 'money' | 'count' | 'zone' | 'date';
  /** The position among the columns that people look for, in the table of a page and in a workbook's sheet of quotes. */
  readonly first?: { readonly page?: number; readonly sheet?: number };
  /** In characters, in a workbook's sheet. */
  readonly width?: number;
  /** What a page of rows can be sorted by, and the words for both directions. */
  readonly sort?: { readonly by: string; readonly least: string; readonly greatest: string };
}

/** A column of a quote has a text or an amount. The row number and faults are written separately. */
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

/** Columns that only some outputs have, in this order. Except `quote_warnings`: every output has it, as the last. */
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
/** Columns that exist once per service or warehouse. */
const FAMILIES = DECLARED_COLUMNS.filter(({ each }) => each !== undefined);

/** Returns the declaration of a column by its name; undefined if no output adds it. */
export const addedColumn = (name: string): Declared | undefined => {
  const own = BY_NAME.get(normal(name));
  if (own !== undefined) return own;
  // If several prefixes match, the last one is the longest.
  const family = FAMILIES.findLast((column) => name.startsWith(column.name));
  return family && { ...family, label: `${family.label}${name.slice(family.name.length)}` };
};

/** Returns the index of a column among those that every output adds. */
export const placeOf = (name: OutputColumn): number => OUTPUT_COLUMNS.findIndex((column) => column.name === name);
