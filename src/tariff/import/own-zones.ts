/** Our own zone charts and area lists. */
import { SERVICE_CODE, zipRange } from '../document.ts';
import { zipRangeOf } from '../zip.ts';
import { FEDEX_COLUMN_OF } from './fedex-zone-locator.ts';
import { carrierOf, cellIn, type OwnRow, type OwnTable, otherColumns, unreadableCell } from './own-table.ts';
import {
  type AreaReading,
  type ChartReading,
  type Reading,
  type ReadOptions,
  RefusedFile,
  type Unreadable,
} from './reading.ts';

const ZONE = /^[A-Za-z0-9-]{1,10}$/;
const NONE = /^[-–—]*$/;
const LIST_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** There are fewer than a thousand ZIP3s, and two carriers. */
const MAX_CHARTS = 5_000;

/** Services that have no column of their own in their carrier's charts. */
const SHARED: Readonly<Record<string, string>> = { ...FEDEX_COLUMN_OF, 'UPS-NDAEAM': 'UPS-NDA' };

/** A chart's column for every service that has no column of its own. */
export const ALL_SERVICES = '*';

/** The cell where it is a ZIP3, a ZIP5 or a range of either that does not run backwards. */
const rangeIn = (table: OwnTable, row: OwnRow, column: string, unreadable: Unreadable[]): string | undefined => {
  const text = cellIn(table, row, column)
    .split(/[-–]/)
    .map((part) => part.trim())
    .join('-');
  if (zipRange.safeParse(text).success) {
    const { from, to } = zipRangeOf(text);
    if (from <= to) return text;
  }
  unreadable.push(unreadableCell(row, column, text, 'not a ZIP3, a ZIP5 or a range of either'));
  return undefined;
};

interface ChartColumn {
  readonly title: string;
  readonly at: number;
  readonly carrier: string;
  /** The services whose zones it has. */
  readonly codes: readonly string[];
}

/** The columns with zones: of one service, of several that a carrier's chart has in one, or of all. */
const columnsIn = (table: OwnTable): ChartColumn[] => {
  const columns = otherColumns(table, ['origin', 'destination', 'carrier']);
  const titles = columns.map(({ title }) => title);
  return columns.map(({ title, at }) => {
    if (table.names[at] === 'zone') return { title: 'zone', at, carrier: ALL_SERVICES, codes: [ALL_SERVICES] };
    const sharing = Object.keys(SHARED).filter((code) => SHARED[code] === title && !titles.includes(code));
    const codes = SERVICE_CODE.test(title) ? [title, ...sharing] : sharing;
    const [first] = codes;
    if (first === undefined) throw new RefusedFile(`its column ${title} is neither a service code nor zone`);
    return { title, at, carrier: carrierOf(first), codes };
  });
};

/** Reads a zone chart; each carrier's columns of each origin are a chart of their own. */
export const readChart = (table: OwnTable): Partial<Reading> & { kind: string } => {
  const unreadable: Unreadable[] = [];
  const columns = columnsIn(table);
  if (columns.length === 0) throw new RefusedFile('it has no column with zones');
  const charts = new Map<string, { carrier: string; origin: string; rows: OwnRow[]; destinations: string[] }>();
  for (const row of table.rows) {
    const origin = rangeIn(table, row, 'origin', unreadable);
    const destination = rangeIn(table, row, 'destination', unreadable);
    if (origin === undefined || destination === undefined) continue;
    const named = cellIn(table, row, 'carrier');
    for (const carrier of new Set(columns.map(({ carrier: own }) => named || own))) {
      const key = `${carrier} ${origin}`;
      const chart = charts.get(key) ?? { carrier, origin, rows: [], destinations: [] };
      charts.set(key, chart);
      chart.rows.push(row);
      chart.destinations.push(destination);
    }
    if (charts.size > MAX_CHARTS) throw new RefusedFile(`it has more than ${MAX_CHARTS} origins`);
  }
  const zoneIn = (row: OwnRow, title: string, at: number): string => {
    const text = row.cells[at] ?? '';
    if (NONE.test(text)) return '';
    if (!ZONE.test(text)) unreadable.push(unreadableCell(row, title, text, 'not a zone'));
    return ZONE.test(text) ? text : '';
  };
  const readings = [...charts.values()].map(({ carrier, origin, rows, destinations }): ChartReading => {
    const own = columns.filter((column) =>
      rows.some((row) => (cellIn(table, row, 'carrier') || column.carrier) === carrier),
    );
    return {
      carrier,
      origin,
      chart: {
        columns: own.map(({ title }) => title),
        rows: rows.map((row, index) => ({
          origin,
          destination: destinations[index] ?? '',
          zones: own.map(({ title, at }) => zoneIn(row, title, at)),
        })),
      },
      columnOf: Object.fromEntries(own.flatMap(({ codes, title }) => codes.map((code) => [code, title]))),
    };
  });
  return { kind: 'zone chart (CSV)', charts: readings, unreadable };
};

/** Reads lists of areas. */
export const readAreas = (table: OwnTable, { label = '' }: ReadOptions): Partial<Reading> & { kind: string } => {
  const unreadable: Unreadable[] = [];
  const lists = new Map<string, { zip: string; tier: string }[]>();
  for (const row of table.rows) {
    const name = table.names.includes('list') ? cellIn(table, row, 'list') : label.toLowerCase();
    const zip = rangeIn(table, row, 'zip', unreadable);
    const tier = cellIn(table, row, 'tier');
    if (!LIST_NAME.test(name)) {
      if (!table.names.includes('list'))
        throw new RefusedFile('it has no column list, and the name of the file is no name of a list');
      unreadable.push(unreadableCell(row, 'list', name, 'not lower-case letters, digits and hyphens, at most 40'));
    } else if (tier === '' || tier.length > 40)
      unreadable.push(unreadableCell(row, 'tier', tier, 'empty, or over 40 characters'));
    else if (zip !== undefined) {
      const rows = lists.get(name) ?? [];
      lists.set(name, rows);
      rows.push({ zip, tier });
    }
  }
  const areas = [...lists].map(([name, rows]): AreaReading => ({ carrier: '', name, list: { rows } }));
  return { kind: 'area list (CSV)', areas, unreadable };
};
