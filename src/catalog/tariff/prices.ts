/**
 * Tables of prices as rows, and back. Prices by package weight, multiweight prices and cubic prices have the same form:
 * a row has a label, a limit, and a price in each column. Reading, writing, comparing and joining use only this form.
 */
import { dollarText } from '../../rating/quantity.ts';
import type { CubicTable, MultiweightTable, RateTable } from './document.ts';

export interface PriceRow {
  /** The first cell of the row in its file. */
  readonly label: string;
  /** Rows are in ascending order of limits. */
  readonly limit: number;
  readonly cents: readonly (number | null)[];
}

/** Converts a kind of table. */
export interface PriceForm<T> {
  readonly rowsOf: (table: T) => readonly PriceRow[];
  /** @param rows in ascending order */
  readonly tableOf: (columns: readonly string[], rows: readonly Omit<PriceRow, 'label'>[]) => T;
}

export interface Columns {
  readonly columns: readonly string[];
}

export const OUNCES_PER_LB = 16;
export const PER_LB = 'per_lb';

/** The limit of a rate row by its label: pounds, ounces as a fraction of a pound, or `per_lb`, which comes last. */
export const limitIn = (label: string): number =>
  label === PER_LB ? Infinity : Number.parseFloat(label) / (label.endsWith('oz') ? OUNCES_PER_LB : 1);

const rateRow = (label: string, cents: PriceRow['cents']): PriceRow => ({ label, limit: limitIn(label), cents });

export const RATES: PriceForm<RateTable> = {
  rowsOf: ({ cents, centsPerLbAboveTop, ounces = [] }) => [
    ...ounces.map((row) => rateRow(`${row.upToOz} oz`, row.cents)),
    ...cents.map((row, index) => rateRow(String(index + 1), row)),
    ...(centsPerLbAboveTop === undefined ? [] : [rateRow(PER_LB, centsPerLbAboveTop)]),
  ],
  tableOf: (columns, rows) => {
    const ounces = rows.filter(({ limit }) => limit < 1);
    const above = rows.find(({ limit }) => limit === Infinity);
    return {
      columns,
      cents: rows.filter((row) => row.limit >= 1 && row !== above).map(({ cents }) => cents),
      ...(above && { centsPerLbAboveTop: above.cents }),
      ...(ounces.length > 0 && {
        ounces: ounces.map(({ limit, cents }) => ({ upToOz: limit * OUNCES_PER_LB, cents })),
      }),
    };
  },
};

export const MULTIWEIGHT: PriceForm<MultiweightTable> = {
  rowsOf: ({ breaks }) =>
    breaks.map(({ fromLb, centsPerLb }) => ({ label: String(fromLb), limit: fromLb, cents: centsPerLb })),
  tableOf: (columns, rows) => ({
    columns,
    breaks: rows.map(({ limit, cents }) => ({ fromLb: limit, centsPerLb: cents })),
  }),
};

/** Multiweight prices per 100 pounds. */
export const HUNDREDWEIGHT: PriceForm<MultiweightTable> = {
  ...MULTIWEIGHT,
  tableOf: (columns, rows) => ({ ...MULTIWEIGHT.tableOf(columns, rows), perHundred: true }),
};

/** The limit of a tier in its file's form: feet with two decimals, or inches. */
export const volumeLabel = (limit: number, inInches: boolean): string => (inInches ? String(limit) : dollarText(limit));

/** Limits are hundredths of a cubic foot, or cubic inches. */
export const CUBIC: PriceForm<CubicTable> = {
  rowsOf: ({ tiers, inInches = false }) =>
    tiers.map(({ hundredths, cents }) => ({ label: volumeLabel(hundredths, inInches), limit: hundredths, cents })),
  tableOf: (columns, rows) => ({ columns, tiers: rows.map(({ limit, cents }) => ({ hundredths: limit, cents })) }),
};

/** The form with a table's unit. */
export const cubicLike = ({ inInches }: Pick<CubicTable, 'inInches'>): PriceForm<CubicTable> =>
  inInches === true ? { ...CUBIC, tableOf: (columns, rows) => ({ ...CUBIC.tableOf(columns, rows), inInches }) } : CUBIC;

/** The cells of a table by name: `row 5 column 3`. Null means no price. */
export const cellsOf = <T extends Columns>(
  table: T | undefined,
  { rowsOf }: PriceForm<T>,
): ReadonlyMap<string, number | null> =>
  new Map(
    (table === undefined ? [] : rowsOf(table)).flatMap(({ label, cents }) =>
      (table?.columns ?? []).map((column, at) => [`row ${label} column ${column}`, cents[at] ?? null] as const),
    ),
  );
