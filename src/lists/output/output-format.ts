/** The optional columns of the output, by the parameters of the upload (contract, CSV). They are fixed for a batch. */

import { z } from 'zod';
import { type InSlices, mapInSlices } from '../../base/time-slices.ts';
import { hasTransit, type Schedule, serviceCodes } from '../../catalog/tariff/schedule.ts';
import type { Problems } from '../../files/input/text-options.ts';
import { warehousesInUs } from '../../rating/rate.ts';
import { MOST_WAREHOUSES } from '../../rating/ship-from.ts';
import type { Shipper } from '../../rating/terms.ts';
import type { Columns } from '../columns/columns.ts';
import { normal } from '../columns/fields.ts';
import { changesCells } from '../rows/repair.ts';
import type { ShipFromUse } from '../rows/ship-from-scan.ts';
import { addedColumn, DECLARED_COLUMNS } from './output-columns.ts';

export const outputFormat = z.object({
  /** The codes of the services with a `net_` column, in the tariffs' order. Empty unless requested. */
  services: z.array(z.string()),
  /** The ids of the warehouses with a `net_from_` column. Empty unless rows choose among warehouses. */
  warehouses: z.array(z.int()),
  explain: z.boolean(),
  /** Whether any service in force has transit days. */
  transit: z.boolean(),
  /** Whether cells that a spreadsheet would run as formulas stay unchanged. */
  keepFormulas: z.boolean(),
});
export type OutputFormat = Readonly<z.output<typeof outputFormat>>;

export const PLAIN_FORMAT: OutputFormat = {
  services: [],
  warehouses: [],
  explain: false,
  transit: false,
  keepFormulas: false,
};

/** Upload parameters for the output. */
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
  transit: hasTransit(schedule),
  keepFormulas: formulas === 'keep',
});

/**
 * Adds columns for the warehouses that the rows choose among, if they are registered for the client and in the United
 * States.
 * @param use the choices of warehouses in the list's plan
 * @returns the format, or the problem with the list
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

/** Returns the names of the columns that the output adds, in order. */
export const addedColumns = (
  columns: Columns,
  { services, warehouses, explain, transit }: OutputFormat,
): readonly string[] => {
  const wanted = {
    always: [''],
    repairs: changesCells(columns) ? [''] : [],
    services,
    warehouses,
    explain: explain ? [''] : [],
    transit: transit ? [''] : [],
    orders: columns.orders === undefined ? [] : [''],
  };
  return DECLARED_COLUMNS.flatMap(({ name, with: group, each }) => {
    const all: readonly (string | number)[] = wanted[group ?? 'always'];
    return each === undefined ? all.slice(0, 1).map(() => name) : all.map((own) => `${name}${own}`);
  });
};

/**
 * Drops passed-through columns that the output adds itself. An output of this service that comes back as input already has
 * them. They are replaced like the usual ones.
 */
export function* fitted(columns: Columns, format: OutputFormat): InSlices<Columns> {
  const own = new Set(addedColumns(columns, format).map(normal));
  const isReplaced = (name: string): boolean =>
    own.has(normal(name)) || (columns.ownOutput && addedColumn(name) !== undefined);
  const replaced = yield* mapInSlices(columns.header, isReplaced);
  const passed = columns.passed.filter((index) => replaced[index] !== true);
  return passed.length === columns.passed.length ? columns : { ...columns, passed };
}
