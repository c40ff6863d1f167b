/** Tables in an operator's plain CSV files whose rows are limits: multiweight by pounds, and cubic prices. */
import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { CUBIC, MULTIWEIGHT } from '../../catalog/tariff/prices.ts';
import { carrierOf } from '../carriers.ts';
import { type ParsedCubic, type ReadOptions, RefusedFile } from '../read/reader.ts';
import { priceIn, requireService, serviceIn, zoneColumns } from './rates.ts';
import type { ParsedPlainCsv, PlainRow, PlainTable } from './table.ts';

interface Tier {
  readonly limit: number;
  readonly cents: readonly (number | null)[];
  readonly row: PlainRow;
}

interface Limits {
  /** The name of the column with the limits. */
  readonly column: string;
  /** Undefined if the text is not a limit. */
  readonly limitIn: (text: string) => number | undefined;
  readonly problem: string;
  /** Columns that are not zones. */
  readonly others: readonly string[];
}

/** The rows of each service, by ascending limits. */
const tiersIn = (table: PlainTable, options: ReadOptions, { column, limitIn, problem, others }: Limits) => {
  requireService(table, options);
  const zones = zoneColumns(
    table,
    ['service', 'carrier', column, ...others].map((name) => name.replaceAll('_', '')),
  );
  const columns = zones.map(({ zone }) => zone);
  const byCode = new Map<string, Map<number, Tier>>();
  for (const row of table.rows) {
    const code = serviceIn(table, row, options);
    if (code === undefined) continue;
    const limit = limitIn(row.text(column)) ?? row.refuse(column, problem);
    if (limit === undefined) continue;
    const cents = zones.map(({ title, at }) => {
      const price = row.cells[at] ?? '';
      const found = priceIn(price);
      return found === undefined ? (row.refuse(title, 'not a price', price) ?? null) : found;
    });
    const tiers = getOrMake(byCode, code, () => new Map<number, Tier>());
    const before = tiers.get(limit);
    if (before === undefined) tiers.set(limit, { limit, cents, row });
    else row.refuse(column, `is in ${before.row.at} too`);
  }
  return [...byCode].map(([code, rows]) => {
    const tiers = [...rows.values()].sort((a, b) => a.limit - b.limit);
    const rowAt = (index: number): PlainRow => must(tiers[index], 'a row').row;
    return {
      code,
      carrier: rowAt(0).text('carrier') || carrierOf(code),
      columns,
      tiers,
      source: (row: number, at: number) => `${rowAt(row).at}, zone ${columns[at]}`,
    };
  });
};

/** Reads multiweight prices per pound. */
export const readMultiweight = (table: PlainTable, options: ReadOptions): ParsedPlainCsv => {
  const limitIn = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : undefined);
  const limits: Limits = { column: 'from_lb', limitIn, problem: 'not whole pounds', others: [] };
  const multiweight = tiersIn(table, options, limits).map(({ columns, tiers, ...own }) => {
    return { ...own, table: MULTIWEIGHT.tableOf(columns, tiers), terms: {} };
  });
  return { kind: 'multiweight rates (CSV)', multiweight };
};

/** Parses cubic feet into hundredths of a cubic foot. */
const volumeIn = (text: string): number | undefined => {
  const [, feet = '', fraction = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const hundredths = Number(feet) * 100 + Number(fraction.padEnd(2, '0'));
  return hundredths > 0 ? hundredths : undefined;
};

const TERMS = ['maximum_lb', 'maximum_length_in'];

/** The terms of cubic prices. Every row must state the same terms. */
const termsOf = (code: string, tiers: readonly Tier[]): ParsedCubic['terms'] => {
  const [maximumActualLb = 1, maximumLengthIn = 1] = TERMS.map((column) => {
    const first = must(tiers[0], 'a row').row.text(column);
    const wrong = tiers.find(({ row }) => !/^[1-9]\d{0,2}$/.test(row.text(column)) || row.text(column) !== first);
    wrong?.row.refuse(column, `not a whole number, or not that of the other rows of ${code}`);
    return wrong === undefined ? Number(first) : 1;
  });
  return { maximumActualLb, maximumLengthIn };
};

/**
 * Reads cubic prices.
 * @throws RefusedFile if it does not state which packages they are for
 */
export const readCubic = (table: PlainTable, options: ReadOptions): ParsedPlainCsv => {
  for (const column of TERMS)
    if (!table.names.includes(column.replaceAll('_', '')))
      throw new RefusedFile(`it does not state which packages it prices by volume: add a column ${column}`);
  const limits: Limits = {
    column: 'up_to_cubic_ft',
    limitIn: volumeIn,
    problem: 'not cubic feet with at most two decimals',
    others: TERMS,
  };
  const cubic = tiersIn(table, options, limits).map(({ columns, tiers, ...own }) => {
    return { ...own, table: CUBIC.tableOf(columns, tiers), terms: termsOf(own.code, tiers) };
  });
  return { kind: 'cubic prices (CSV)', cubic };
};
