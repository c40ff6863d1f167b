/** Merges the rates of one service from any number of files into one table. */

import type { MultiweightTable, RateTable } from '../../catalog/tariff/document.ts';
import { dollarText } from '../../rating/quantity.ts';
import type { ParsedMultiweight, ParsedRates } from '../read/reader.ts';

/** Contradictions that are listed one by one. */
const MAX_NAMED = 20;

export interface FromFile<T> {
  readonly file: string;
  readonly reading: T;
}

export interface Merged<T> {
  readonly table: T;
  readonly contradictions: readonly string[];
}

/** By number, then by text. */
const inZoneOrder = (a: string, b: string): number =>
  Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : a > b ? 1 : 0);

/** Numbered zones, then named ones, so that the order of the files does not matter. */
export const columnsOf = (tables: readonly { readonly columns: readonly string[] }[]): string[] => {
  const columns = [...new Set(tables.flatMap((table) => table.columns))];
  const [numbers, names] = [
    columns.filter((column) => /^\d/.test(column)),
    columns.filter((column) => !/^\d/.test(column)),
  ];
  return [...numbers.sort(inZoneOrder), ...names.sort()];
};

/** Collects cells. If two files give different prices, keeps the first and notes a contradiction. */
export class Cells {
  readonly contradictions: string[] = [];
  readonly #kept = new Map<string, { readonly cents: number; readonly where: string }>();
  #more = 0;

  add(what: string, key: string, cents: number | null | undefined, where: string): void {
    if (cents === null || cents === undefined) return;
    const before = this.#kept.get(key);
    if (before === undefined) this.#kept.set(key, { cents, where });
    else if (before.cents !== cents) {
      const text = `${what}: ${dollarText(before.cents)} in ${before.where}, ${dollarText(cents)} in ${where}`;
      if (this.contradictions.length < MAX_NAMED) this.contradictions.push(text);
      else this.#more++;
    }
  }

  at(key: string): number | null {
    return this.#kept.get(key)?.cents ?? null;
  }

  all(code: string): string[] {
    return this.#more === 0 ? this.contradictions : [...this.contradictions, `and ${this.#more} more cells of ${code}`];
  }
}

/** Merges the rate tables of one service, in the order given. */
export const mergeRates = (code: string, parts: readonly FromFile<ParsedRates>[]): Merged<RateTable> => {
  const columns = columnsOf(parts.map(({ reading }) => reading.table));
  const rows = Math.max(0, ...parts.map(({ reading }) => reading.table.cents.length));
  const cells = new Cells();
  for (const { file, reading } of parts) {
    const { table, source } = reading;
    const put = (row: number, label: string, values: readonly (number | null)[]): void =>
      table.columns.forEach((column, at) => {
        cells.add(`${code}, ${label}, zone ${column}`, `${label} ${column}`, values[at], `${file}, ${source(row, at)}`);
      });
    table.cents.forEach((values, row) => {
      put(row, `${row + 1} lb`, values);
    });
    if (table.centsPerLbAboveTop !== undefined) put(table.cents.length, 'per lb', table.centsPerLbAboveTop);
    table.ounces?.forEach((row, index) => {
      put(table.cents.length + 1 + index, `${row.upToOz} oz`, row.cents);
    });
  }
  const above = columns.map((column) => cells.at(`per lb ${column}`));
  const limits = new Set(parts.flatMap(({ reading }) => (reading.table.ounces ?? []).map(({ upToOz }) => upToOz)));
  const ounces = [...limits]
    .sort((a, b) => a - b)
    .map((upToOz) => ({ upToOz, cents: columns.map((column) => cells.at(`${upToOz} oz ${column}`)) }));
  const table: RateTable = {
    columns,
    cents: Array.from({ length: rows }, (_, row) => columns.map((column) => cells.at(`${row + 1} lb ${column}`))),
    ...(above.every((cents) => cents === null) ? {} : { centsPerLbAboveTop: above }),
    ...(ounces.length === 0 ? {} : { ounces }),
  };
  return { table, contradictions: cells.all(code) };
};

/** Merges the multiweight tables of one service, in the order given. */
export const mergeMultiweight = (
  code: string,
  parts: readonly FromFile<ParsedMultiweight>[],
): Merged<MultiweightTable> => {
  const columns = columnsOf(parts.map(({ reading }) => reading.table));
  const weights = [...new Set(parts.flatMap(({ reading }) => reading.table.breaks.map(({ fromLb }) => fromLb)))];
  const cells = new Cells();
  for (const { file, reading } of parts)
    reading.table.breaks.forEach(({ fromLb, centsPerLb }, row) => {
      reading.table.columns.forEach((column, at) => {
        const what = `${code} multiweight, from ${fromLb} lb, zone ${column}`;
        cells.add(what, `${fromLb} ${column}`, centsPerLb[at], `${file}, ${reading.source(row, at)}`);
      });
    });
  const breaks = weights
    .sort((a, b) => a - b)
    .map((fromLb) => ({ fromLb, centsPerLb: columns.map((column) => cells.at(`${fromLb} ${column}`)) }));
  return { table: { columns, breaks }, contradictions: cells.all(code) };
};
