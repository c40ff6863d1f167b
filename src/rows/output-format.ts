/**
 * The optional columns of the output, by the parameters of the upload (contract, CSV). They are fixed for a batch.
 */
import { z } from 'zod';
import { warehousesInUs } from '../rating/rate.ts';
import { MOST_WAREHOUSES } from '../rating/ship-from.ts';
import type { Shipper } from '../rating/terms.ts';
import { type Schedule, serviceCodes } from '../tariff/schedule.ts';
import { type InSlices, mapInSlices } from '../time-slices.ts';
import {
  type Columns,
  EXPLAIN_COLUMNS,
  OUTPUT_COLUMNS,
  type Problems,
  REPAIRS_COLUMN,
  WARNINGS_COLUMN,
} from './columns.ts';
import { normal } from './fields.ts';
import type { ShipFromUse } from './ship-from-scan.ts';

export const outputFormat = z.object({
  /** The codes of the services that have a `net_` column, in the tariffs' order; none unless requested. */
  services: z.array(z.string()),
  /** The ids of the warehouses that have a `net_from_` column; none unless rows choose among warehouses. */
  warehouses: z.array(z.int()),
  explain: z.boolean(),
  /** Whether cells that a spreadsheet would run as formulas stay unchanged. */
  keepFormulas: z.boolean(),
});
export type OutputFormat = Readonly<z.output<typeof outputFormat>>;

export const PLAIN_FORMAT: OutputFormat = {
  services: [],
  warehouses: [],
  explain: false,
  keepFormulas: false,
};

/** The parameters of an upload for the output. */
export interface FormatOptions {
  readonly services?: 'all' | undefined;
  readonly explain?: 'true' | 'false' | undefined;
  readonly formulas?: 'keep' | undefined;
}

/** @param schedule the tariffs of the batch, which determine the `net_` columns */
export const formatOf = ({ services, explain, formulas }: FormatOptions, schedule: Schedule): OutputFormat => ({
  services: services === 'all' ? serviceCodes(schedule) : [],
  warehouses: [],
  explain: explain === 'true',
  keepFormulas: formulas === 'keep',
});

const NET = 'net_';
const CHEAPEST = 'cheapest';
const SHIP_FROM = 'ship_from';
const NET_FROM = `${NET}from_`;

/**
 * Adds the columns of the warehouses that the rows choose among: those of the client in the United States, as they are
 * registered.
 * @param use what the plan of the list says
 * @returns the format, or the problem of the list
 */
export const withWarehouses = (
  format: OutputFormat,
  use: ShipFromUse | undefined,
  shipper: Pick<Shipper, 'warehouses'>,
): OutputFormat | { readonly problems: Problems } => {
  if (use === undefined) return format;
  const usable = warehousesInUs(shipper).map(({ id }) => id);
  const named = new Set(use.ids);
  const warehouses = use.any ? usable : usable.filter((id) => named.has(id));
  if (warehouses.length <= MOST_WAREHOUSES) return { ...format, warehouses };
  const most = `at most ${MOST_WAREHOUSES} of them`;
  return { problems: { warehouse_id: `any would be ${warehouses.length} warehouses: name ${most}, such as 101|103` } };
};

/** The names of the optional columns after the usual ones. */
export const extraColumns = ({ services, warehouses, explain }: OutputFormat): readonly string[] => [
  ...(services.length > 0 ? [...services.map((code) => `${NET}${code}`), CHEAPEST] : []),
  ...(warehouses.length > 0 ? [SHIP_FROM, ...warehouses.map((id) => `${NET_FROM}${id}`)] : []),
  ...(explain ? EXPLAIN_COLUMNS : []),
];

/** The names of all columns that the output adds, in order. */
export const addedColumns = ({ repairs }: Columns, format: OutputFormat): readonly string[] => [
  ...OUTPUT_COLUMNS,
  ...(repairs.length > 0 ? [REPAIRS_COLUMN] : []),
  ...extraColumns(format),
  WARNINGS_COLUMN,
];

/** Whether a column of the output holds dollars, by its name. */
export const isMoneyColumn = (name: string): boolean => name.startsWith('quote_total') || name.startsWith(NET);

const COUNTS: ReadonlySet<string> = new Set(['input_row', 'quote_status', 'quote_billingWeight_value']);

/** Whether a column of the output holds whole numbers, by its name. */
export const isCountColumn = (name: string): boolean => COUNTS.has(name);

/**
 * Drops passed-through columns that the output adds itself. If an output of this service comes back as input, it already has
 * them, and they are replaced like the usual ones.
 */
export function* fitted(columns: Columns, format: OutputFormat): InSlices<Columns> {
  const own = new Set(extraColumns(format).map(normal));
  const earlier = new Set([CHEAPEST, SHIP_FROM, ...EXPLAIN_COLUMNS].map(normal));
  const isReplaced = (name: string): boolean =>
    own.has(normal(name)) || (columns.ownOutput && (earlier.has(normal(name)) || name.startsWith(NET)));
  const replaced = yield* mapInSlices(columns.header, isReplaced);
  const passed = columns.passed.filter((index) => replaced[index] !== true);
  return passed.length === columns.passed.length ? columns : { ...columns, passed };
}
