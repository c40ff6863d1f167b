/**
 * Estimates what rows without a price would cost: their number times the average price of the other rows. It says nothing
 * about a single row.
 * @param rows the number of rows without a price
 * @param priced the number of rows with a price, and their total in dollars
 * @returns whole dollars; undefined if there is nothing to estimate, or no row with a price
 */
export const estimatedCharges = (
  rows: number,
  priced: { readonly rows: number; readonly total: number },
): number | undefined =>
  rows === 0 || priced.rows === 0 ? undefined : Math.round((rows * priced.total) / priced.rows);
