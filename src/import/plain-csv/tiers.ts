/** Tables of an operator's plain CSV files whose rows are limits: multiweight by pounds, and prices by volume. */
import { must } from '../../base/must.ts';
import { CUBIC, MULTIWEIGHT } from '../../catalog/tariff/prices.ts';
import { carrierOf } from '../carriers.ts';
import {
  type ParsedCubic,
  type ParsedMultiweight,
  type ReadOptions,
  RefusedFile,
  type Unreadable,
} from '../read/reader.ts';
import { priceIn, requireService, serviceIn, zoneColumns } from './rates.ts';
import { cellIn, type ParsedPlainCsv, type PlainRow, type PlainTable, unreadableCell } from './table.ts';

interface Tier {
  readonly limit: number;
  readonly cents: readonly (number | null)[];
  readonly row: PlainRow;
}

interface ServiceTiers {
  readonly code: string;
  readonly carrier: string;
  readonly columns: readonly string[];
  /** Rising. */
  readonly tiers: readonly Tier[];
  readonly source: (row: number, column: number) => string;
}

interface Limits {
  /** Plain name and name of the column with the limits. */
  readonly plain: string;
  readonly title: string;
  /** Undefined if the text is not a limit. */
  readonly limitIn: (text: string) => number | undefined;
  readonly problem: string;
  /** Plain names of columns that are no zones. */
  readonly others: readonly string[];
}

/** The rows of each service, by their limits. */
const tiersIn = (
  table: PlainTable,
  options: ReadOptions,
  { plain, title, limitIn, problem, others }: Limits,
  unreadable: Unreadable[],
): ServiceTiers[] => {
  requireService(table, options);
  const zones = zoneColumns(table, ['service', 'carrier', plain, ...others]);
  const columns = zones.map(({ zone }) => zone);
  const byCode = new Map<string, Map<number, Tier>>();
  for (const row of table.rows) {
    const code = serviceIn(table, row, options);
    const text = cellIn(table, row, plain);
    const limit = limitIn(text);
    if (code === undefined || limit === undefined) {
      unreadable.push(
        code === undefined
          ? unreadableCell(row, 'service', cellIn(table, row, 'service'), 'not a service code')
          : unreadableCell(row, title, text, problem),
      );
      continue;
    }
    const cents = zones.map((zone) => {
      const price = row.cells[zone.at] ?? '';
      const found = priceIn(price);
      if (found === undefined) unreadable.push(unreadableCell(row, zone.title, price, 'not a price'));
      return found ?? null;
    });
    const tiers = byCode.get(code) ?? new Map<number, Tier>();
    byCode.set(code, tiers);
    const before = tiers.get(limit);
    if (before === undefined) tiers.set(limit, { limit, cents, row });
    else unreadable.push(unreadableCell(row, title, text, `is in line ${before.row.line} too`));
  }
  return [...byCode].map(([code, rows]) => {
    const tiers = [...rows.values()].sort((a, b) => a.limit - b.limit);
    const rowAt = (index: number): PlainRow => must(tiers[index], 'a row').row;
    return {
      code,
      carrier: cellIn(table, rowAt(0), 'carrier') || carrierOf(code),
      columns,
      tiers,
      source: (row, column) => `line ${rowAt(row).line}, zone ${columns[column]}`,
    };
  });
};

/** Reads multiweight prices per pound. */
export const readMultiweight = (table: PlainTable, options: ReadOptions): ParsedPlainCsv => {
  const unreadable: Unreadable[] = [];
  const limitIn = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : undefined);
  const services = tiersIn(
    table,
    options,
    { plain: 'fromlb', title: 'from_lb', limitIn, problem: 'not whole pounds', others: [] },
    unreadable,
  );
  const multiweight = services.map(
    ({ code, carrier, columns, tiers, source }): ParsedMultiweight => ({
      code,
      carrier,
      table: MULTIWEIGHT.tableOf(columns, tiers),
      terms: {},
      source,
    }),
  );
  return { kind: 'multiweight rates (CSV)', multiweight, unreadable };
};

/** Hundredths of a cubic foot. */
const volumeIn = (text: string): number | undefined => {
  const [, feet = '', fraction = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const hundredths = Number(feet) * 100 + Number(fraction.padEnd(2, '0'));
  return hundredths > 0 ? hundredths : undefined;
};

const TERMS = [
  { plain: 'maximumlb', title: 'maximum_lb' },
  { plain: 'maximumlengthin', title: 'maximum_length_in' },
] as const;

/** The terms of prices by volume. Every row states the same. */
const termsOf = (table: PlainTable, { code, tiers }: ServiceTiers, unreadable: Unreadable[]): ParsedCubic['terms'] => {
  const [maximumActualLb = 1, maximumLengthIn = 1] = TERMS.map(({ plain, title }) => {
    const cells = tiers.map(({ row }) => ({ row, text: cellIn(table, row, plain) }));
    const first = must(cells[0], 'a row');
    const wrong = cells.find(({ text }) => !/^[1-9]\d{0,2}$/.test(text) || text !== first.text);
    if (wrong === undefined) return Number(first.text);
    unreadable.push(
      unreadableCell(wrong.row, title, wrong.text, `not a whole number, or not that of the other rows of ${code}`),
    );
    return 1;
  });
  return { maximumActualLb, maximumLengthIn };
};

/**
 * Reads prices by volume.
 * @throws RefusedFile if it does not state for which packages they are
 */
export const readCubic = (table: PlainTable, options: ReadOptions): ParsedPlainCsv => {
  for (const { plain, title } of TERMS)
    if (!table.names.includes(plain))
      throw new RefusedFile(`it does not state which packages it prices by volume: add a column ${title}`);
  const unreadable: Unreadable[] = [];
  const others = TERMS.map(({ plain }) => plain);
  const limits: Limits = {
    plain: 'uptocubicft',
    title: 'up_to_cubic_ft',
    limitIn: volumeIn,
    problem: 'not cubic feet with at most two decimals',
    others,
  };
  const cubic = tiersIn(table, options, limits, unreadable).map((service): ParsedCubic => {
    const { code, carrier, columns, tiers, source } = service;
    const terms = termsOf(table, service, unreadable);
    return { code, carrier, table: CUBIC.tableOf(columns, tiers), terms, source };
  });
  return { kind: 'prices by volume (CSV)', cubic, unreadable };
};
