/** Rates in plain CSV files of an operator: as a grid, in long form, and multiweight. */
import { must } from '../../must.ts';
import { SERVICE_CODE } from '../document.ts';
import { carrierOf } from './carrier-rules.ts';
import {
  cellIn,
  otherColumns,
  type PlainReading,
  type PlainRow,
  type PlainTable,
  unreadableCell,
  ZONE,
} from './plain-csv.ts';
import {
  centsInText,
  type MultiweightReading,
  type RateReading,
  type ReadOptions,
  RefusedFile,
  type Unreadable,
} from './reader.ts';

const PER_LB = 'per_lb';

interface Found {
  readonly cents: number | null;
  readonly line: number;
}

/** The prices of one service: by weight or `per_lb`, then by zone. */
interface ServiceRates {
  readonly code: string;
  readonly carrier: string;
  readonly zones: string[];
  readonly byWeight: Map<number | typeof PER_LB, Map<string, Found>>;
}

/** The zone of a column title: `Zone 2` and `zone_2` are `2`. */
const zoneIn = (title: string): string => title.replace(/^zone[ _-]?(?=[A-Za-z0-9])/i, '');

/**
 * The zone columns of a grid.
 * @throws RefusedFile if two columns have the same zone, or a column is not a zone
 */
const zoneColumns = (
  table: PlainTable,
  known: readonly string[],
): readonly { zone: string; title: string; at: number }[] => {
  const columns = otherColumns(table, known).map(({ title, at }) => ({ zone: zoneIn(title), title, at }));
  const seen = new Map<string, string>();
  for (const { zone, title } of columns) {
    if (!ZONE.test(zone)) throw new RefusedFile(`its column ${title} is not a zone: name it 2 or Zone 2`);
    const other = seen.get(zone);
    if (other !== undefined) throw new RefusedFile(`its columns ${other} and ${title} are the same zone`);
    seen.set(zone, title);
  }
  return columns;
};

const serviceIn = (table: PlainTable, row: PlainRow, { label = '' }: ReadOptions): string | undefined => {
  const code = table.names.includes('service') ? cellIn(table, row, 'service') : label;
  return SERVICE_CODE.test(code) ? code : undefined;
};

const requireService = (table: PlainTable, { label = '' }: ReadOptions): void => {
  if (table.names.includes('service') || SERVICE_CODE.test(label)) return;
  throw new RefusedFile('it does not state its service: add a column service, or name the file after the service code');
};

const weightIn = (text: string): number | typeof PER_LB | undefined => {
  if (/^per[ _]?lb$/i.test(text)) return PER_LB;
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
};

/** Cents, or null for an empty cell; undefined if the text is not a price. */
const priceIn = (text: string): number | null | undefined => (text === '' ? null : centsInText(text));

interface Collected {
  readonly services: Map<string, ServiceRates>;
  readonly unreadable: Unreadable[];
}

const put = (
  { services, unreadable }: Collected,
  table: PlainTable,
  row: PlainRow,
  at: { code: string; key: number | typeof PER_LB; zone: string; column: string; text: string },
): void => {
  const { code, key, zone, column, text } = at;
  const cents = priceIn(text);
  if (cents === undefined) {
    unreadable.push(unreadableCell(row, column, text, 'not a price'));
    return;
  }
  const carrier = cellIn(table, row, 'carrier') || carrierOf(code);
  const service: ServiceRates = services.get(code) ?? { code, carrier, zones: [], byWeight: new Map() };
  services.set(code, service);
  if (!service.zones.includes(zone)) service.zones.push(zone);
  const byZone = service.byWeight.get(key) ?? new Map<string, Found>();
  service.byWeight.set(key, byZone);
  const before = byZone.get(zone);
  if (before !== undefined && before.cents !== cents)
    unreadable.push(unreadableCell(row, column, text, `differs from the price in line ${before.line}`));
  else byZone.set(zone, { cents, line: row.line });
};

const rateReading = ({ code, carrier, zones, byWeight }: ServiceRates, unreadable: Unreadable[]): RateReading => {
  const cellsOf = (key: number | typeof PER_LB) => zones.map((zone) => byWeight.get(key)?.get(zone)?.cents ?? null);
  const topLb = Math.max(0, ...[...byWeight.keys()].filter((key) => key !== PER_LB));
  const cents: (number | null)[][] = [];
  for (let pounds = 1; pounds <= topLb; pounds++) {
    if (!byWeight.has(pounds))
      unreadable.push({ at: `${code}, ${pounds} lb`, text: '', problem: 'the row is missing' });
    cents.push(cellsOf(pounds));
  }
  const source = (row: number, column: number): string => {
    const zone = must(zones[column], 'a zone');
    const found = byWeight.get(row < topLb ? row + 1 : PER_LB)?.get(zone);
    return `line ${found?.line ?? '?'}, zone ${zone}`;
  };
  const table = { columns: zones, cents, ...(byWeight.has(PER_LB) ? { centsPerLbAboveTop: cellsOf(PER_LB) } : {}) };
  return { code, carrier, description: code, table, source };
};

/** Reads a rate grid, or rates in long form. */
export const readRates = (table: PlainTable, options: ReadOptions): PlainReading => {
  requireService(table, options);
  const collected: Collected = { services: new Map(), unreadable: [] };
  const isLong = table.names.includes('zone') && table.names.includes('rate');
  const zones = isLong ? [] : zoneColumns(table, ['service', 'carrier', 'weightlb']);
  for (const row of table.rows) {
    const code = serviceIn(table, row, options);
    const weight = cellIn(table, row, 'weightlb');
    const key = weightIn(weight);
    if (code === undefined) {
      const text = cellIn(table, row, 'service');
      collected.unreadable.push(unreadableCell(row, 'service', text, 'not a service code'));
    } else if (key === undefined)
      collected.unreadable.push(unreadableCell(row, 'weight_lb', weight, 'neither whole pounds nor per_lb'));
    else if (isLong) {
      const zone = zoneIn(cellIn(table, row, 'zone'));
      if (!ZONE.test(zone)) collected.unreadable.push(unreadableCell(row, 'zone', zone, 'not a zone'));
      else put(collected, table, row, { code, key, zone, column: 'rate', text: cellIn(table, row, 'rate') });
    } else
      for (const { zone, title, at } of zones)
        put(collected, table, row, { code, key, zone, column: title, text: row.cells[at] ?? '' });
  }
  const { services, unreadable } = collected;
  const rates = [...services.values()].map((service) => rateReading(service, unreadable));
  return { kind: isLong ? 'rates in long form (CSV)' : 'rate grid (CSV)', rates, unreadable };
};

/** Reads multiweight prices per pound. */
export const readMultiweight = (table: PlainTable, options: ReadOptions): PlainReading => {
  requireService(table, options);
  const unreadable: Unreadable[] = [];
  const zones = zoneColumns(table, ['service', 'carrier', 'fromlb']);
  const columns = zones.map(({ zone }) => zone);
  const byCode = new Map<string, { fromLb: number; centsPerLb: (number | null)[]; line: number; carrier: string }[]>();
  for (const row of table.rows) {
    const code = serviceIn(table, row, options);
    const from = cellIn(table, row, 'fromlb');
    if (code === undefined || !/^\d{1,6}$/.test(from)) {
      const column = code === undefined ? 'service' : 'from_lb';
      unreadable.push(unreadableCell(row, column, code === undefined ? '' : from, `not a ${column}`));
      continue;
    }
    const centsPerLb = zones.map(({ title, at }) => {
      const cents = priceIn(row.cells[at] ?? '');
      if (cents === undefined) unreadable.push(unreadableCell(row, title, row.cells[at] ?? '', 'not a price'));
      return cents ?? null;
    });
    const carrier = cellIn(table, row, 'carrier') || carrierOf(code);
    const breaks = byCode.get(code) ?? [];
    byCode.set(code, breaks);
    breaks.push({ fromLb: Number(from), centsPerLb, line: row.line, carrier });
  }
  const multiweight = [...byCode].map(([code, rows]): MultiweightReading => {
    const breaks = rows.toSorted((a, b) => a.fromLb - b.fromLb);
    const breakAt = (row: number) => must(breaks[row], 'a break');
    return {
      code,
      carrier: breakAt(0).carrier,
      table: { columns, breaks: breaks.map(({ fromLb, centsPerLb }) => ({ fromLb, centsPerLb })) },
      source: (row, column) => `line ${breakAt(row).line}, zone ${columns[column]}`,
    };
  });
  return { kind: 'multiweight rates (CSV)', multiweight, unreadable };
};
