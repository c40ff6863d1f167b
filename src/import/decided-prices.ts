/** Keeps the prices that an operator changed when a tariff is imported again. See `decisions.ts`. */
import { isDeepStrictEqual } from 'node:util';
import type { CubicTable, RateTable } from '../catalog/tariff/document.ts';
import { type Columns, cellsOf, cubicLike, MULTIWEIGHT, type PriceForm, RATES } from '../catalog/tariff/prices.ts';

/** What a table becomes that the operator changed. */
export type Merge<T> = (base: T, current: T, fresh: T) => T;

/** `fresh` with the cells that the operator changed. */
const withDecided = <T extends Columns>(form: PriceForm<T>, base: T, current: T, fresh: T): T => {
  const [before, now] = [cellsOf(base, form), cellsOf(current, form)];
  const rows = form.rowsOf(fresh).map(({ label, limit, cents }) => ({
    limit,
    cents: fresh.columns.map((column, at) => {
      const [was, is] = [before, now].map((cells) => cells.get(`row ${label} column ${column}`));
      return is !== undefined && was !== undefined && is !== was ? is : (cents[at] ?? null);
    }),
  }));
  return form.tableOf(fresh.columns, rows);
};

const limitsOf = ({ ounces = [] }: RateTable) => ounces.map(({ upToOz }) => upToOz);

export const mergeRates: Merge<RateTable> = (base, current, fresh) => {
  if (isDeepStrictEqual(limitsOf(base), limitsOf(current))) return withDecided(RATES, base, current, fresh);
  // The operator changed the rows of ounces themselves: these rows stay.
  const { ounces: _, ...pounds } = fresh;
  const cents = (row: readonly (number | null)[]) =>
    fresh.columns.map((column) => row[current.columns.indexOf(column)] ?? null);
  const own = current.ounces?.map((row) => ({ upToOz: row.upToOz, cents: cents(row.cents) }));
  return withDecided(RATES, base, current, own === undefined ? pounds : { ...pounds, ounces: own });
};

/** Merges tables whose rows are a choice of the carrier: weight breaks, tiers. */
const mergerOf =
  <T extends Columns>(form: PriceForm<T>): Merge<T> =>
  (base, current, fresh) => {
    const labels = (table: T) => form.rowsOf(table).map(({ label }) => label);
    // If the rows differ, the cells cannot be compared one by one.
    const areSame = [base, current].every((table) => isDeepStrictEqual(labels(table), labels(fresh)));
    if (areSame) return withDecided(form, base, current, fresh);
    return isDeepStrictEqual(base, current) ? fresh : current;
  };

export const mergeMultiweight = mergerOf(MULTIWEIGHT);
export const mergeCubic: Merge<CubicTable> = (base, current, fresh) => mergerOf(cubicLike(fresh))(base, current, fresh);
