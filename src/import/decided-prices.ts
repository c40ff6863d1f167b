/** Keeps the prices that an operator changed when a tariff is imported again. See `decisions.ts`. */
import { isDeepStrictEqual } from 'node:util';
import { must } from '../base/must.ts';
import { type CubicTable, cellCents, type MultiweightTable, type RateTable } from '../catalog/tariff/document.ts';
import { cubicRows, type LabeledRow, multiweightRows, rateRows } from '../catalog/tariff/tables.ts';

/** A table as rows with labels. */
interface Grid {
  readonly columns: readonly string[];
  readonly rows: readonly LabeledRow[];
}

/** The cells of a table by row and column. */
const cellsOf = ({ columns, rows }: Grid): ReadonlyMap<string, number | null> =>
  new Map(
    rows.flatMap(({ label, cents }) =>
      columns.map((column, at) => [`${label} ${column}`, cellCents(cents, at)] as const),
    ),
  );

/** The cells of `fresh`, with those that the operator changed. */
const mergeCells = (base: Grid, current: Grid, fresh: Grid): (number | null)[][] => {
  const [before, now] = [cellsOf(base), cellsOf(current)];
  return fresh.rows.map(({ label, cents }) =>
    fresh.columns.map((column, at) => {
      const [was, is] = [before.get(`${label} ${column}`), now.get(`${label} ${column}`)];
      return is !== undefined && was !== undefined && is !== was ? is : cellCents(cents, at);
    }),
  );
};

const isOunces = ({ label }: LabeledRow): boolean => label.endsWith('oz');

const mergeOunces = (base: RateTable, current: RateTable, fresh: RateTable): RateTable['ounces'] => {
  const limits = ({ ounces = [] }: RateTable) => ounces.map(({ upToOz }) => upToOz);
  // The operator changed the rows themselves: these rows stay.
  const kept = isDeepStrictEqual(limits(base), limits(current)) ? fresh : current;
  const grid = (table: RateTable): Grid => ({ columns: table.columns, rows: rateRows(table).filter(isOunces) });
  const cells = cellsOf(grid(kept));
  const rows = grid(kept).rows.map(({ label }) => ({
    label,
    cents: fresh.columns.map((column) => cells.get(`${label} ${column}`) ?? null),
  }));
  const merged = mergeCells(grid(base), grid(current), { columns: fresh.columns, rows });
  return kept.ounces?.map(({ upToOz }, at) => ({ upToOz, cents: must(merged[at], 'the cells of a row of ounces') }));
};

export const mergeRates = (base: RateTable, current: RateTable, fresh: RateTable): RateTable => {
  const grid = (table: RateTable): Grid => ({
    columns: table.columns,
    rows: rateRows(table).filter((row) => !isOunces(row)),
  });
  const rows = mergeCells(grid(base), grid(current), grid(fresh));
  const cents = rows.slice(0, fresh.cents.length);
  const above = rows[fresh.cents.length];
  const ounces = mergeOunces(base, current, fresh);
  return {
    columns: fresh.columns,
    cents,
    ...(above === undefined ? {} : { centsPerLbAboveTop: above }),
    ...(ounces === undefined ? {} : { ounces }),
  };
};

/** Merges tables whose rows are a choice of the carrier: weight breaks, tiers. `put` replaces the cells of the rows. */
const mergeRows = <T extends { readonly columns: readonly string[] }>(
  rowsOf: (table: T) => readonly LabeledRow[],
  put: (table: T, rows: readonly (readonly (number | null)[])[]) => T,
): ((base: T, current: T, fresh: T) => T) => {
  const labels = (table: T) => rowsOf(table).map(({ label }) => label);
  const grid = (table: T): Grid => ({ columns: table.columns, rows: rowsOf(table) });
  return (base, current, fresh) => {
    // If the rows differ, the cells cannot be compared one by one.
    if (!isDeepStrictEqual(labels(base), labels(fresh)) || !isDeepStrictEqual(labels(current), labels(fresh)))
      return isDeepStrictEqual(base, current) ? fresh : current;
    return put(fresh, mergeCells(grid(base), grid(current), grid(fresh)));
  };
};

export const mergeMultiweight = mergeRows<MultiweightTable>(multiweightRows, (table, rows) => ({
  ...table,
  breaks: table.breaks.map(({ fromLb }, at) => ({ fromLb, centsPerLb: must(rows[at], 'the cells of a break') })),
}));

export const mergeCubic = mergeRows<CubicTable>(cubicRows, (table, rows) => ({
  ...table,
  tiers: table.tiers.map(({ hundredths }, at) => ({ hundredths, cents: must(rows[at], 'the cells of a tier') })),
}));
