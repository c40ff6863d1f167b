/**
 * What the output has beside its usual columns, as the upload asked (contract, CSV): decided once for a batch, the same
 * for every row.
 */
import { z } from 'zod';
import { type Schedule, serviceCodes } from '../tariff/schedule.ts';
import { type Columns, EXPLAIN_COLUMNS, OUTPUT_COLUMNS, REPAIRS_COLUMN, WARNINGS_COLUMN } from './columns.ts';
import { normal } from './fields.ts';

export const outputFormat = z.object({
  /** Codes of the services that have a `net_` column each, in the tariffs' order; none where that was not asked. */
  services: z.array(z.string()),
  explain: z.boolean(),
  /** Whether cells that a spreadsheet would run as a formula stay as they came. */
  keepFormulas: z.boolean(),
  /** Whether there is a column of warnings. Batches that an earlier version created have none. */
  warnings: z.boolean().default(false),
});
export type OutputFormat = Readonly<z.output<typeof outputFormat>>;

export const PLAIN_FORMAT: OutputFormat = { services: [], explain: false, keepFormulas: false, warnings: true };

/** The parameters of an upload that say what the output has. */
export interface FormatOptions {
  readonly services?: 'all' | undefined;
  readonly explain?: 'true' | 'false' | undefined;
  readonly formulas?: 'keep' | undefined;
}

/** @param schedule the tariffs of the batch: each of their services gets a column, in their order */
export const formatOf = ({ services, explain, formulas }: FormatOptions, schedule: Schedule): OutputFormat => ({
  services: services === 'all' ? serviceCodes(schedule) : [],
  explain: explain === 'true',
  keepFormulas: formulas === 'keep',
  warnings: true,
});

const NET = 'net_';
const CHEAPEST = 'cheapest';

/** Names of the columns that stand behind the usual ones. */
export const extraColumns = ({ services, explain }: OutputFormat): readonly string[] => [
  ...(services.length > 0 ? [...services.map((code) => `${NET}${code}`), CHEAPEST] : []),
  ...(explain ? EXPLAIN_COLUMNS : []),
];

/** Names of all columns that the output adds to a list's own, in order. */
export const addedColumns = ({ repairs }: Columns, format: OutputFormat): readonly string[] => [
  ...OUTPUT_COLUMNS,
  ...(repairs.length > 0 ? [REPAIRS_COLUMN] : []),
  ...extraColumns(format),
  ...(format.warnings ? [WARNINGS_COLUMN] : []),
];

/** Whether a column holds money in dollars, by its name in the output. */
export const isMoneyColumn = (name: string): boolean => name.startsWith('quote_total') || name.startsWith(NET);

/**
 * The columns with those left out that the output brings itself: an output of ours that comes back as input has them
 * already, and they are replaced like the usual ones.
 */
export const fitted = (columns: Columns, format: OutputFormat): Columns => {
  const own = new Set(extraColumns(format).map(normal));
  const earlier = new Set([CHEAPEST, ...EXPLAIN_COLUMNS].map(normal));
  const isReplaced = (name: string): boolean =>
    own.has(normal(name)) || (columns.ownOutput && (earlier.has(normal(name)) || name.startsWith(NET)));
  const passed = columns.passed.filter((index) => !isReplaced(columns.header[index] ?? ''));
  return passed.length === columns.passed.length ? columns : { ...columns, passed };
};
